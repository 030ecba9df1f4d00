/* Binding of text.ts for XS; the same file on every platform. */
#if ESP32
	#include "xsmc.h"
	#include "mc.xs.h"
	#include "xsHost.h"
#else
	#include "host.h"
#endif

#include <string.h>

#include "text.h"

/* The bytes of a buffer. What it returns moves with the next allocation. */
static uint8_t *get_bytes(xsMachine *the, xsUnsignedValue *length)
{
	void *data;
	xsmcGetBufferReadable(xsArg(0), &data, length);
	return data;
}

/* Makes a string of `length` bytes the result, and returns them to be written; the engine adds a 0. */
static uint8_t *make_string(xsMachine *the, size_t length)
{
	xsmcSetStringBuffer(xsResult, NULL, (xsIntegerValue)length);
	return (uint8_t *)xsmcToString(xsResult);
}

/* (buffer, names, depth, items, tokenBytes) */
void xs_text_prepare_json(xsMachine *the)
{
	xsUnsignedValue length;
	struct json_limits limits = {
		.depth = (size_t)xsmcToInteger(xsArg(2)),
		.items = (size_t)xsmcToInteger(xsArg(3)),
		.token_bytes = (size_t)xsmcToInteger(xsArg(4)),
	};
	get_bytes(the, &length);
	uint8_t *text = make_string(the, length);
	memcpy(text, get_bytes(the, &length), length);
	/* a 0 would end the engine's string early */
	if (memchr(text, 0, length) || !json_prepare(text, length, xsmcToString(xsArg(1)), &limits))
		xsmcSetUndefined(xsResult);
}

/* (buffer, start, end) */
void xs_text_decode(xsMachine *the)
{
	xsUnsignedValue size;
	const uint8_t *bytes = get_bytes(the, &size);
	xsIntegerValue start = xsmcToInteger(xsArg(1)), end = xsmcToInteger(xsArg(2));
	if (start < 0 || end < start || (xsUnsignedValue)end > size)
		xsRangeError("decode: %d to %d of %d bytes", (int)start, (int)end, (int)size);
	size_t zeros = 0;
	for (size_t at = (size_t)start; at < (size_t)end;) {
		size_t count = utf8_character(bytes + at, (size_t)end - at);
		if (count == 0)
			return;
		zeros += bytes[at] == 0;
		at += count;
	}
	uint8_t *text = make_string(the, (size_t)(end - start) + zeros);
	bytes = get_bytes(the, &size) + start;
	if (zeros == 0) {
		memcpy(text, bytes, (size_t)(end - start));
		return;
	}
	/* U+0000 within a string is C0 80 for the engine */
	for (xsIntegerValue i = 0; i < end - start; i++) {
		if (bytes[i] == 0) {
			*text++ = 0xc0;
			*text++ = 0x80;
		} else
			*text++ = bytes[i];
	}
}

/* Where [start, end) of `size` bytes is copied to. Throws RangeError unless both ranges lie within their buffers. */
static uint8_t *get_place(xsMachine *the, size_t size, xsSlot *start, xsSlot *end, xsSlot *into, xsSlot *at)
{
	void *data;
	xsUnsignedValue room;
	xsIntegerValue from = xsmcToInteger(*start), to = xsmcToInteger(*end), index = xsmcToInteger(*at);
	xsmcGetBufferWritable(*into, &data, &room);
	if (from < 0 || to < from || (size_t)to > size || index < 0 || (size_t)index + (size_t)(to - from) > room)
		xsRangeError("copy: %d to %d of %d bytes to %d of %d", (int)from, (int)to, (int)size, (int)index, (int)room);
	return (uint8_t *)data + index;
}

/* (bytes, start, end, into, at) */
void xs_text_copy_bytes(xsMachine *the)
{
	xsUnsignedValue size;
	const uint8_t *bytes = get_bytes(the, &size);
	uint8_t *place = get_place(the, size, &xsArg(1), &xsArg(2), &xsArg(3), &xsArg(4));
	memmove(place, bytes + xsmcToInteger(xsArg(1)), (size_t)(xsmcToInteger(xsArg(2)) - xsmcToInteger(xsArg(1))));
}

/* (bytes, byte, start, end) */
void xs_text_index_of(xsMachine *the)
{
	xsUnsignedValue size;
	const uint8_t *bytes = get_bytes(the, &size);
	xsIntegerValue start = xsmcToInteger(xsArg(2)), end = xsmcToInteger(xsArg(3));
	if (start < 0 || end < start || (xsUnsignedValue)end > size)
		xsRangeError("indexOf: %d to %d of %d bytes", (int)start, (int)end, (int)size);
	xsIntegerValue byte = xsmcToInteger(xsArg(1)), at = start;
	while (at < end && bytes[at] != byte)
		at++;
	xsmcSetInteger(xsResult, at < end ? at : -1);
}

/* (text, start, end, into, at) */
void xs_text_copy_text(xsMachine *the)
{
	const char *text = xsmcToString(xsArg(0));
	uint8_t *place = get_place(the, strlen(text), &xsArg(1), &xsArg(2), &xsArg(3), &xsArg(4));
	memcpy(place, text + xsmcToInteger(xsArg(1)), (size_t)(xsmcToInteger(xsArg(2)) - xsmcToInteger(xsArg(1))));
}

/* (text) */
void xs_text_byte_length(xsMachine *the)
{
	xsmcSetInteger(xsResult, (xsIntegerValue)strlen(xsmcToString(xsArg(0))));
}

/* (text) */
void xs_text_encode(xsMachine *the)
{
	size_t length = utf8_encode((const uint8_t *)xsmcToString(xsArg(0)), NULL);
	uint8_t *bytes = xsmcSetArrayBuffer(xsResult, NULL, (xsIntegerValue)length);
	utf8_encode((const uint8_t *)xsmcToString(xsArg(0)), bytes);
}

/* The first argument with the 26 letters from `first` on in the other case. */
static void in_other_case(xsMachine *the, uint8_t first)
{
	size_t length = strlen(xsmcToString(xsArg(0)));
	uint8_t *text = make_string(the, length);
	memcpy(text, xsmcToString(xsArg(0)), length);
	for (size_t i = 0; i < length; i++)
		if (text[i] >= first && text[i] < first + 26)
			text[i] ^= 0x20;
}

/* (text) */
void xs_text_lower_case(xsMachine *the)
{
	in_other_case(the, 'A');
}

/* (text) */
void xs_text_upper_case(xsMachine *the)
{
	in_other_case(the, 'a');
}

/* (text, characters) */
void xs_text_consists_of(xsMachine *the)
{
	const char *text = xsmcToString(xsArg(0));
	size_t found = strspn(text, xsmcToString(xsArg(1)));
	xsmcSetBoolean(xsResult, found > 0 && text[found] == 0);
}

/* (buffer, figures, start, end) */
void xs_text_read_head(xsMachine *the)
{
	xsUnsignedValue size, figures_size;
	void *bytes, *figures;
	xsIntegerValue start = xsmcToInteger(xsArg(2)), end = xsmcToInteger(xsArg(3));
	xsmcGetBufferWritable(xsArg(0), &bytes, &size);
	xsmcGetBufferWritable(xsArg(1), &figures, &figures_size);
	if (start < 0 || end < start || (xsUnsignedValue)end > size || figures_size != sizeof(struct request_head))
		xsRangeError("readHead: %d to %d of %d bytes", (int)start, (int)end, (int)size);
	xsmcSetInteger(xsResult, request_head_read(figures, bytes, start, end));
}

#if !ESP32 /* there the linker finds the functions by name */
const struct host_native text_natives[] = {
	{ .name = "xs_text_prepare_json", .callback = xs_text_prepare_json, .length = 5 },
	{ .name = "xs_text_copy_bytes", .callback = xs_text_copy_bytes, .length = 5 },
	{ .name = "xs_text_index_of", .callback = xs_text_index_of, .length = 4 },
	{ .name = "xs_text_copy_text", .callback = xs_text_copy_text, .length = 5 },
	{ .name = "xs_text_byte_length", .callback = xs_text_byte_length, .length = 1 },
	{ .name = "xs_text_encode", .callback = xs_text_encode, .length = 1 },
	{ .name = "xs_text_lower_case", .callback = xs_text_lower_case, .length = 1 },
	{ .name = "xs_text_upper_case", .callback = xs_text_upper_case, .length = 1 },
	{ .name = "xs_text_consists_of", .callback = xs_text_consists_of, .length = 2 },
	{ .name = "xs_text_read_head", .callback = xs_text_read_head, .length = 4 },
	{ .name = "xs_text_decode", .callback = xs_text_decode, .length = 3 },
	{ .name = NULL },
};
#endif
