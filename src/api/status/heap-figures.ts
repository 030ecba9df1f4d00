/** The figures of the script engine's heap that the status has; a platform gives those that it counts. */

/** Chunks and what is free are bytes, the stack is counted in slots; peaks include garbage. `free`: of a board's internal memory. */
export type HeapFigure =
	| "slots"
	| "slotsPeak"
	| "slotsLimit"
	| "chunks"
	| "chunksPeak"
	| "chunksLimit"
	| "stackPeak"
	| "stackLimit"
	| "keys"
	| "keysLimit"
	| "collections"
	| "free"
	| "freeLeast";
