/* Figures of the JavaScript machine's heap, as hal/io/machine.ts names them. */
#ifndef OPENCOUPLING_HEAP_FIGURES_H
#define OPENCOUPLING_HEAP_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Returns false for a figure that a board can't tell. `machine` is an xsMachine. On its own thread only;
 * allocates nothing.
 */
bool heap_figure(void *machine, const char *name, uint32_t *value);

/* Whether this much is free, garbage not counted. */
bool heap_has_free(void *machine, uint32_t slots, uint32_t chunk_bytes);

#endif
