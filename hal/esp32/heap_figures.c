/* See heap_figures.h. The only file here that needs the engine's internals. */
#include "heap_figures.h"

#include "esp_heap_caps.h"
#include "xsAll.h"

#include <string.h>

bool heap_figure(void *machine, const char *name, uint32_t *value)
{
	const txMachine *the = machine;
	const struct { const char *name; uint32_t value; } figures[] = {
		{"slots", (uint32_t)the->currentHeapCount},
		{"slotsPeak", (uint32_t)the->peakHeapCount},
		{"slotsLimit", (uint32_t)the->maximumHeapCount},
		{"chunks", (uint32_t)the->currentChunksSize},
		{"chunksPeak", (uint32_t)the->peakChunksSize},
		{"chunksLimit", (uint32_t)the->maximumChunksSize},
		{"stackLimit", (uint32_t)(the->stackTop - the->stackBottom)},
		{"keys", (uint32_t)(the->keyIndex - the->keyOffset)},
		{"keysLimit", (uint32_t)(the->keyCount - the->keyOffset)},
		{"free", (uint32_t)heap_caps_get_free_size(MALLOC_CAP_INTERNAL | MALLOC_CAP_8BIT)},
		{"freeLeast", (uint32_t)heap_caps_get_minimum_free_size(MALLOC_CAP_INTERNAL | MALLOC_CAP_8BIT)},
	};
	for (size_t i = 0; i < sizeof figures / sizeof *figures; ++i)
		if (!strcmp(name, figures[i].name)) {
			*value = figures[i].value;
			return true;
		}
	return false;
}

/* `used` may be above `limit`: the engine counts twice by how much a chunk grew in place, until it collects. */
static bool is_free(txSize limit, txSize used, uint32_t wanted)
{
	return used <= limit && (uint32_t)(limit - used) >= wanted;
}

bool heap_has_free(void *machine, uint32_t slots, uint32_t chunk_bytes)
{
	const txMachine *the = machine;
	return is_free(the->maximumHeapCount, the->currentHeapCount, slots) &&
		is_free(the->maximumChunksSize, the->currentChunksSize, chunk_bytes);
}
