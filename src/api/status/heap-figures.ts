/** The figures of the script engine's heap that the status has; a platform gives those that it counts. */

/** Slots and property names are counts, all others bytes; peaks include garbage. `free`: of a board's internal memory. */
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
