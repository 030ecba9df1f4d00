/* Binding of `asJson` and `asJsonOf` of text.ts for XS: an object's members, written as JSON without an object. */
#if ESP32
	#include "xsmc.h"
	#include "mc.xs.h"
	#include "xsHost.h"
#else
	#include "host.h"
#endif

#include <math.h>
#include <string.h>

#include "json_write.h"

#define MEMBERS_MAX 64 /* bits of what marks numbers that have become texts */

/* An object's members: names in the first argument, values in the others, or in a list that is the second. */
struct members {
	bool in_list;
	xsIntegerValue count;
	uint64_t numbers; /* bit n: value n is a number that was made a text */
};

static xsSlot *get_value(xsMachine *the, const struct members *members, xsIntegerValue index)
{
	if (!members->in_list)
		return &xsArg(index + 1);
	xsmcGetIndex(xsVar(0), xsArg(1), (xsIndex)index);
	return &xsVar(0);
}

/* Makes numbers what can be written without the engine: whole ones, null, and texts. */
static void prepare_numbers(xsMachine *the, struct members *members)
{
	for (xsIntegerValue i = 0; i < members->count; i++) {
		xsSlot *value = get_value(the, members, i);
		if (fxTypeOf(the, value) != xsNumberType)
			continue;
		double number = xsmcToNumber(*value);
		if (!isfinite(number))
			xsmcSetNull(*value);
		else if (number >= INT32_MIN && number <= INT32_MAX && number == (double)(int32_t)number)
			xsmcSetInteger(*value, (xsIntegerValue)number);
		else {
			xsmcToString(*value);
			members->numbers |= (uint64_t)1 << i;
		}
		if (members->in_list)
			xsmcSetIndex(xsArg(1), (xsIndex)i, xsVar(0));
	}
}

static void put_value(xsMachine *the, struct json_out *out, xsSlot *value, bool is_json)
{
	const char *text;
	switch (fxTypeOf(the, value)) {
	case xsIntegerType:
		json_put_integer(out, (int)xsmcToInteger(*value));
		break;
	case xsBooleanType:
		if (xsmcToBoolean(*value))
			json_put(out, "true", 4);
		else
			json_put(out, "false", 5);
		break;
	case xsNullType:
		json_put(out, "null", 4);
		break;
	case xsStringType:
	case xsStringXType:
		text = xsmcToString(*value);
		if (is_json)
			json_put(out, text, strlen(text));
		else
			json_put_string(out, text);
		break;
	default:
		xsTypeError("asJson: a value that is no text, number, boolean or null");
	}
}

static void put_members(xsMachine *the, struct json_out *out, const struct members *members)
{
	const char *name = xsmcToString(xsArg(0));
	size_t comma = 0; /* none before the first one */
	json_put(out, "{", 1);
	for (xsIntegerValue i = 0; i < members->count; i++) {
		size_t length = 0;
		while (name[length] && name[length] != ' ')
			length++;
		xsSlot *value = get_value(the, members, i);
		bool is_json = length > 0 && name[length - 1] == ':';
		if (*name == '*') {
			const char *text = xsmcToString(*value);
			if (text[1] != '}') {
				json_put(out, ",", comma);
				json_put(out, text + 1, strlen(text) - 2);
				comma = 1;
			}
		} else if (fxTypeOf(the, value) != xsUndefinedType) {
			json_put(out, &",\""[1 - comma], 1 + comma);
			json_put(out, name, is_json ? length - 1 : length);
			json_put(out, "\":", 2);
			put_value(the, out, value, is_json || (members->numbers >> i & 1));
			comma = 1;
		}
		name += length + (name[length] == ' ');
	}
	json_put(out, "}", 1);
}

static void write_members(xsMachine *the, struct members *members)
{
	struct json_out out = {NULL, 0};
	if (members->count > MEMBERS_MAX)
		xsRangeError("asJson: %d members", (int)members->count);
	prepare_numbers(the, members);
	put_members(the, &out, members);
	/* moves whatever else is a text: nothing of it is held meanwhile */
	xsmcSetStringBuffer(xsResult, NULL, (xsIntegerValue)out.length);
	out = (struct json_out){xsmcToString(xsResult), 0};
	put_members(the, &out, members);
}

/* (names, values...); an object alone is handed back, and `JSON.stringify` writes it */
void xs_text_as_json(xsMachine *the)
{
	struct members members = {.count = xsmcArgc - 1};
	if (fxTypeOf(the, &xsArg(0)) == xsReferenceType)
		xsResult = xsArg(0);
	else
		write_members(the, &members);
}

/* (names, list of values) */
void xs_text_as_json_of(xsMachine *the)
{
	struct members members = {.in_list = true};
	xsmcVars(1);
	xsmcGet(xsVar(0), xsArg(1), xsID_length);
	members.count = xsmcToInteger(xsVar(0));
	write_members(the, &members);
}

#if !ESP32 /* there the linker finds the functions by name */
const struct host_native json_write_natives[] = {
	{ .name = "xs_text_as_json", .callback = xs_text_as_json, .length = 1 },
	{ .name = "xs_text_as_json_of", .callback = xs_text_as_json_of, .length = 2 },
};
const size_t json_write_natives_count = HOST_COUNT(json_write_natives);
#endif
