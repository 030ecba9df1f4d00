/** What a connection is doing. */

/** Phases of a connection. */
export const PHASE = Object.freeze({
	/** Reading a head, or idle. */
	READING: 0,
	/** Head read; no memory for its body yet. */
	WAITING: 1,
	BODY: 2,
	/** The handler answers later. */
	ANSWERING: 3,
	SENDING: 4,
	/** Answered without reading all: input is thrown away for a moment. */
	LINGERING: 5,
	/** To be closed. */
	CLOSED: 6,
});
