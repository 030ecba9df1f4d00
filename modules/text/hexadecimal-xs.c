/* Binding of hexadecimal.c for XS; the same file on every platform. */
#if ESP32
	#include "xsmc.h"
	#include "mc.xs.h"
	#include "xsHost.h"
#else
	#include "host.h"
#endif

#include <string.h>

#include "hexadecimal.h"

/* A string of so many bytes as the result, to be written; the engine's own ends with a 0 as well. */
static uint8_t *make_string(xsMachine *the, size_t length)
{
	xsmcSetStringBuffer(xsResult, NULL, (xsIntegerValue)length);
	return (uint8_t *)xsmcToString(xsResult);
}

/* The range of the bytes that the second and third argument give. It moves with the next allocation. */
static const uint8_t *get_range(xsMachine *the, size_t *length)
{
	void *bytes;
	xsUnsignedValue size;
	xsmcGetBufferReadable(xsArg(0), &bytes, &size);
	xsIntegerValue start = xsmcToInteger(xsArg(1)), end = xsmcToInteger(xsArg(2));
	if (start < 0 || end < start || (xsUnsignedValue)end > size)
		xsRangeError("%d to %d of %d bytes", (int)start, (int)end, (int)size);
	*length = (size_t)(end - start);
	return (const uint8_t *)bytes + start;
}

/* (bytes, start, end, isSpaced) */
void xs_text_hexadecimal(xsMachine *the)
{
	size_t length;
	get_range(the, &length);
	bool spaced = xsmcToBoolean(xsArg(3));
	uint8_t *text = make_string(the, hex_length(length, spaced));
	hex_write(get_range(the, &length), length, spaced, text);
}

/* (value, digits) */
void xs_text_hex_number(xsMachine *the)
{
	uint32_t value = (uint32_t)(int64_t)xsmcToNumber(xsArg(0));
	size_t digits = (size_t)xsmcToInteger(xsArg(1));
	hex_write_number(value, digits, make_string(the, digits));
}

static void set_hex_value(xsMachine *the, xsSlot *into, const char *text, size_t length, xsIntegerValue max)
{
	int64_t value = hex_value(text, length);
	xsmcSetInteger(*into, value <= max ? (xsIntegerValue)value : -1);
}

/* (text, max) */
void xs_text_hex_value(xsMachine *the)
{
	const char *text = xsmcToString(xsArg(0));
	set_hex_value(the, &xsResult, text, strlen(text), xsmcToInteger(xsArg(1)));
}

/* (list, max, most) */
void xs_text_hex_values(xsMachine *the)
{
	xsIntegerValue max = xsmcToInteger(xsArg(1)), most = xsmcToInteger(xsArg(2)), count = 0;
	const char *list;
	xsmcVars(1);
	xsmcSetNewArray(xsResult, 0);
	for (size_t at = 0;; at++) {
		/* moves with each item that is stored */
		list = xsmcToString(xsArg(0)) + at;
		size_t length = hex_item_length(list);
		if (strspn(list, " ") < length) {
			set_hex_value(the, &xsVar(0), list, length, max);
			if (xsmcToInteger(xsVar(0)) < 0 || count == most) {
				xsmcSetUndefined(xsResult);
				return;
			}
			xsmcSetIndex(xsResult, (xsIndex)count++, xsVar(0));
		}
		at += length;
		if (!xsmcToString(xsArg(0))[at])
			return;
	}
}

/* (bytes, start, end) */
void xs_text_printable(xsMachine *the)
{
	size_t length;
	get_range(the, &length);
	uint8_t *text = make_string(the, length);
	size_t count = printable_write(get_range(the, &length), length, text), start = 0;
	if (count == SIZE_MAX) {
		xsmcSetUndefined(xsResult);
		return;
	}
	while (count > 0 && text[count - 1] == ' ')
		count--;
	while (start < count && text[start] == ' ')
		start++;
	memmove(text, text + start, count - start);
	text[count - start] = 0;
}

#if !ESP32 /* there the linker finds the functions by name */
const struct host_native hexadecimal_natives[] = {
	{ .name = "xs_text_hexadecimal", .callback = xs_text_hexadecimal, .length = 4 },
	{ .name = "xs_text_hex_number", .callback = xs_text_hex_number, .length = 2 },
	{ .name = "xs_text_hex_value", .callback = xs_text_hex_value, .length = 2 },
	{ .name = "xs_text_hex_values", .callback = xs_text_hex_values, .length = 3 },
	{ .name = "xs_text_printable", .callback = xs_text_printable, .length = 3 },
};
const size_t hexadecimal_natives_count = HOST_COUNT(hexadecimal_natives);
#endif
