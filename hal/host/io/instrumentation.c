/* Native of instrumentation.ts: one heap figure by name, without allocating. */
#include <string.h>

#include "../engine.h"
#include "../host.h"

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

const struct host_native host_instrumentation_natives[] = {
	{ .name = "host_instrumentation_get", .callback = instrumentation_get, .length = 1 },
	{ .name = "host_instrumentation_has_heap", .callback = instrumentation_has_heap, .length = 2 },
	{ .name = "host_instrumentation_collect", .callback = instrumentation_collect },
};
const size_t host_instrumentation_natives_count = HOST_COUNT(host_instrumentation_natives);
