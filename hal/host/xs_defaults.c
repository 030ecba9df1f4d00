/*
 * The engine's table of what can be stripped, as Moddable's linker leaves it on a board: functions have
 * neither `length` nor `name`. Code that relies on them fails here, too, and each function takes two slots
 * less.
 */
#include "xsAll.h"

#define fxNewFunctionLength NULL
#define fxNewFunctionName NULL
#include "xsDefaults.c"

/*
 * Arrays and buffers get more memory than they ask for when they grow. Boards have an engine that zeroes it
 * (Moddable 8.2); ours does not, and the collector takes what lies there for values if items of an array are
 * missing: it looks at as many as the array is long, not at as many as there are. Its property code calls
 * this function instead (Makefile).
 */
#undef fxNewGrowableChunk
extern void *fxNewGrowableChunk(txMachine *the, txSize size, txSize capacity);

void *host_new_growable_chunk(txMachine *the, txSize size, txSize capacity)
{
	txByte *data = fxNewGrowableChunk(the, size, capacity);
#if !mxNoChunks /* there each chunk has the size that was asked for */
	const txByte *end = ((txChunk *)(data - sizeof(txChunk)))->temporary;
	c_memset(data + size, 0, (size_t)(end - data) - (size_t)size);
#endif
	return data;
}
