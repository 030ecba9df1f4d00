/** Nothing a client sends makes memory grow beyond these limits. Source: docs/decisions.md 16. */

/** All limits, with their reasons. */
export const HTTP_LIMITS = Object.freeze({
	/** Request line without CRLF. */
	requestLineBytes: 1024, // the longest of ours is diag/measured with 16 ids: about 150
	/** All header lines of one request, CRLF included. */
	headerBytes: 4096, // a desktop browser sends 400 to 900, with foreign cookies of the same host perhaps 2 KiB
	headerLines: 48, // browsers send 10 to 20
	/** Values of the headers that we keep, together. */
	keptHeaderBytes: 512, // Host and Origin of a browser take 80, the type of a form 70, the key 40 to 140
	/** Body of a request that is not streamed. */
	bodyBytes: 8192, // the largest legitimate body, a full settings write, has 2.5 KiB
	connections: 8, // a browser opens 6 to one host, plus a display
	/** Clients that are accepted and wait, unread, for a connection. */
	waitingClients: 8, // with the connections 16; 8 more wait in a board's listener
	/** A client that has waited for this long, and whose address has another, is closed for a new one. */
	waitMs: 100, // looked at every 50 ms; a display that polls at 4 Hz stands behind it
	/** From accept (first request) or from its first byte to the end of the header block. */
	headerTimeoutMs: 5000, // docs/decisions.md 16; a head that was retransmitted once is there within a second, see slowMs
	/** A body that comes more slowly is rejected. An answer that the client takes more slowly is cut off. */
	leastBytesPerS: 1024, // a firmware image in 23 minutes, the longest body that is collected within rateSpanMs
	rateSpanMs: 10000, // two losses of a Wi-Fi link with doubling retransmission take 6 s
	/** Time between an answer and the next request. */
	keepAliveMs: 30000, // docs/decisions.md 16; ten times the longest pause between two requests of our page, 3 s
	/** From the end of a request to the answer of a handler that answers later. */
	answerTimeoutMs: 30000, // probe of three diagnosis routes with 3 s each, three times over
	/** A request for which the heap is too full waits for this long (503). */
	heapTimeoutMs: 5000, // other requests end within a second; less than the page waits for an answer, 8 s
	/** Input is thrown away after a rejection: some browsers read the answer only when they have sent all. */
	lingerMs: 20000, // a firmware image at 80 KB/s
	/** Throwing input away ends early when none has come for this long. */
	lingerQuietMs: 300, // two round trips of a phone's Wi-Fi in power saving
	/** A connection is not evicted as idle before it has been idle for this long. */
	idleGraceMs: 500, // a request that is already on its way arrives within that on a phone's Wi-Fi
	/** A client that takes longer for a head or a body, or moves nothing for longer, counts as idle. */
	slowMs: 1500, // a browser sends a head in one piece, a body in a few; retransmitted once on bad Wi-Fi it is there within a second
	/** A connection that has been open for this long may be evicted for a client that has none. */
	openMs: 1000, // what is used properly is over long before
});

/** The limits by name; a test may hand a server a changed copy, but those of a head are these. */
export type HttpLimits = Readonly<Record<keyof typeof HTTP_LIMITS, number>>;

/** Output of one turn: two thirds of a board's send buffer of 5744 bytes, so that the next fits soon. */
export const PIECE_BYTES = 4096;

/** For header lines and pieces of a body: fewer cost an upload calls, more cost each connection heap. */
const WORK_BYTES = 512;

/** Size of a connection's input buffer. */
export const INPUT_BYTES = HTTP_LIMITS.requestLineBytes + HTTP_LIMITS.keptHeaderBytes + WORK_BYTES;

/**
 * Heap for the most expensive request: 400 values of a body and what is made of them; its text, its strings,
 * an answer. `test/system/worst-requests.test.ts` shows that it is enough.
 */
export const REQUEST_SLOTS = 1100;
export const REQUEST_CHUNK_BYTES = 24_576;
/** Heap for a small request (`Route.isSmall`), and its longest body. */
export const SMALL_SLOTS = 250;
export const SMALL_CHUNK_BYTES = 6144;
export const SMALL_BODY_BYTES = 64;
