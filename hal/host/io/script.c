/*
 * Natives of base64.ts and, for the heap, of hal/io/machine.ts; the globals trace (always) and print, readFile,
 * exit (--run scripts only).
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../engine.h"
#include "../host.h"

void host_script_trace(xsMachine *the)
{
	int count = xsmcArgc;
	for (int i = 0; i < count; i++)
		fputs(xsmcToString(xsArg(i)), stdout);
	fflush(stdout);
}

void host_script_print(xsMachine *the)
{
	puts(xsmcToString(xsArg(0)));
	fflush(stdout);
}

void host_script_read_file(xsMachine *the)
{
	FILE *file = fopen(xsmcToString(xsArg(0)), "rb");
	long size;
	if (!file)
		xsUnknownError("%s", strerror(errno));
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	if (size < 0 || size > INT32_MAX) {
		fclose(file);
		xsUnknownError("no regular file");
	}
	rewind(file);
	/* A full heap leaves the file open: the program ends then anyway. */
	void *data = xsmcSetArrayBuffer(xsResult, NULL, (xsIntegerValue)size);
	size_t count = fread(data, 1, (size_t)size, file);
	fclose(file);
	if (count != (size_t)size)
		xsUnknownError("file is shorter than it says");
}

void host_script_exit(xsMachine *the)
{
	fflush(stdout);
	host_exit(the, xsmcArgc ? xsmcToInteger(xsArg(0)) : 0);
}

/* (name): one heap figure, without allocating */
static void instrumentation_get(xsMachine *the)
{
	struct engine_figures figures;
	const char *name = xsmcToString(xsArg(0));
	engine_figures(the, &figures);
	const struct { const char *name; uint32_t value; } values[] = {
		{ "slots", figures.slots }, { "slotsPeak", figures.slots_peak }, { "slotsLimit", figures.slots_limit },
		{ "chunks", figures.chunks }, { "chunksPeak", figures.chunks_peak }, { "chunksLimit", figures.chunks_limit },
		{ "stackPeak", figures.stack_peak }, { "stackLimit", figures.stack_limit },
		{ "keys", figures.keys }, { "keysLimit", figures.keys_limit },
		{ "collections", figures.collections }, { "meter", figures.meter },
	};
	for (size_t i = 0; i < HOST_COUNT(values); i++) {
		if (strcmp(name, values[i].name))
			continue;
		if (values[i].value <= INT32_MAX)
			xsmcSetInteger(xsResult, (xsIntegerValue)values[i].value);
		else
			xsmcSetNumber(xsResult, values[i].value);
		return;
	}
}

/* (slots, chunkBytes) */
static void instrumentation_has_heap(xsMachine *the)
{
	uint32_t slots = (uint32_t)xsmcToInteger(xsArg(0)), chunks = (uint32_t)xsmcToInteger(xsArg(1));
	bool is_free = engine_has_heap(the, slots, chunks);
	if (!is_free) {
		xsCollectGarbage();
		is_free = engine_has_heap(the, slots, chunks);
	}
	xsmcSetBoolean(xsResult, is_free);
}

static void instrumentation_collect(xsMachine *the)
{
	xsCollectGarbage();
}

/* (text): base64 without line ends, padded to whole groups of four. Returns an ArrayBuffer. */
static void base64_decode(xsMachine *the)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint8_t values[256] = { 0 };
	for (unsigned i = 0; i < 64; i++)
		values[(uint8_t)digits[i]] = (uint8_t)i;
	const char *text = xsmcToString(xsArg(0));
	size_t length = strlen(text);
	size_t padding = length == 0 ? 0 : (size_t)(text[length - 1] == '=') + (size_t)(text[length - 2] == '=');
	size_t size = length / 4 * 3 - padding;
	xsmcSetArrayBuffer(xsResult, NULL, (xsIntegerValue)size);
	const uint8_t *from = (const uint8_t *)xsmcToString(xsArg(0)); /* making the buffer may have moved it */
	uint8_t *bytes = xsmcToArrayBuffer(xsResult);
	uint32_t bits = 0;
	for (size_t i = 0, at = 0; at < size; i++) {
		bits = bits << 6 | values[from[i]];
		if (i % 4 > 0)
			bytes[at++] = (uint8_t)(bits >> (6 - i % 4 * 2));
	}
}

const struct host_native host_script_natives[] = {
	{ .name = "xs_hal_heap_figure", .callback = instrumentation_get, .length = 1 },
	{ .name = "xs_hal_has_heap", .callback = instrumentation_has_heap, .length = 2 },
	{ .name = "xs_hal_collect", .callback = instrumentation_collect },
	{ .name = "host_base64_decode", .callback = base64_decode, .length = 1 },
	{ .name = NULL },
};
