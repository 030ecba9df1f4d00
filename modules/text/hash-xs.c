/* Binding of `hash` of text.ts for XS: a number made of a value and of what is in it. */
#if ESP32
	#include "xsmc.h"
	#include "mc.xs.h"
	#include "xsHost.h"
#else
	#include "host.h"
#endif

#include <string.h>

#define HASH_DEPTH 4 /* settings have conditions, and these have values */
/* What stands before a value's bytes, so that two values never look like one. */
enum hash_mark { HASH_NUMBER = 1, HASH_TEXT, HASH_TRUE, HASH_FALSE, HASH_NOTHING, HASH_LIST, HASH_LIST_END };

/* FNV-1a */
static uint32_t hash_bytes(uint32_t hash, const void *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x01000193;
	return hash;
}

static uint32_t hash_mark(uint32_t hash, uint8_t mark)
{
	return hash_bytes(hash, &mark, 1);
}

static uint32_t hash_number(uint32_t hash, double number)
{
	if (number == 0)
		number = 0; /* and not -0, which JSON does not know */
	return hash_bytes(hash_mark(hash, HASH_NUMBER), &number, sizeof number);
}

/* Goes on with variable 2 * depth. The next one is for the list of what is in it, the one behind that for an item of it. */
static uint32_t hash_value(xsMachine *the, uint32_t hash, xsIntegerValue depth)
{
	xsIntegerValue value = 2 * depth, list = value + 1, item = value + 2;
	switch (fxTypeOf(the, &xsVar(value))) {
	case xsIntegerType:
	case xsNumberType:
		return hash_number(hash, xsmcToNumber(xsVar(value)));
	case xsStringType:
	case xsStringXType: {
		const char *text = xsmcToString(xsVar(value));
		return hash_bytes(hash_mark(hash, HASH_TEXT), text, strlen(text) + 1);
	}
	case xsBooleanType:
		return hash_mark(hash, xsmcToBoolean(xsVar(value)) ? HASH_TRUE : HASH_FALSE);
	case xsReferenceType:
		break;
	default:
		return hash_mark(hash, HASH_NOTHING);
	}
	if (depth == HASH_DEPTH)
		xsRangeError("hash: deeper than %d", HASH_DEPTH);
	if (xsmcIsInstanceOf(xsVar(value), xsArrayPrototype))
		xsVar(list) = xsVar(value);
	else
		xsmcCall(xsVar(list), xsArg(1), xsID_values, &xsVar(value), NULL);
	xsmcGet(xsVar(item), xsVar(list), xsID_length);
	xsIntegerValue count = xsmcToInteger(xsVar(item));
	hash = hash_mark(hash, HASH_LIST);
	for (xsIntegerValue i = 0; i < count; i++) {
		xsmcGetIndex(xsVar(item), xsVar(list), (xsIndex)i);
		hash = hash_value(the, hash, depth + 1);
	}
	return hash_mark(hash, HASH_LIST_END);
}

/* (value, Object): what of the hash is a positive int32 */
void xs_text_hash(xsMachine *the)
{
	xsmcVars(2 * HASH_DEPTH + 1);
	xsVar(0) = xsArg(0);
	xsmcSetInteger(xsResult, (xsIntegerValue)(hash_value(the, 0x811c9dc5, 0) & 0x7fffffff));
}

#if !ESP32 /* there the linker finds the functions by name */
const struct host_native hash_natives[] = {
	{ .name = "xs_text_hash", .callback = xs_text_hash, .length = 2 },
};
const size_t hash_natives_count = HOST_COUNT(hash_natives);
#endif
