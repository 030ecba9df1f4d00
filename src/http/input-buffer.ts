/**
 * What the input of one connection is read into: its bytes, and what is known of the request head in them. An idle connection, or one with a
 * stream of events, holds none: one is kept for the next that needs it, which mostly is enough.
 */

import { type HttpLimits, inputBytes } from "./limits.js";
import { NO_BYTES } from "./no-bytes.js";

/** Of `struct request_head` (`modules/text/request_head.h`), whose members `request-head.ts` names. */
const HEAD_FIGURES = 49;

/** One connection's, while it reads or handles a request. */
export interface InputBuffer {
	readonly bytes: Uint8Array;
	/** What C has found of the head, and the same as natives take it. */
	readonly figures: Int32Array | Uint8Array;
	readonly memory: ArrayBuffer;
}

/** In its place where there is none: no bytes, and nothing is known. In ROM, where nothing wider than a byte may lie. */
const NOTHING = new Uint8Array(HEAD_FIGURES);
/** Of a connection that holds none. */
export const NO_INPUT: InputBuffer = Object.freeze({ bytes: NO_BYTES, figures: NOTHING, memory: NOTHING.buffer });

/** A buffer for what one connection reads, with room for the figures of a head. @param sizeBytes of what is read */
export function newInputBuffer(sizeBytes: number): InputBuffer {
	const memory = new ArrayBuffer(HEAD_FIGURES * Int32Array.BYTES_PER_ELEMENT);
	return { bytes: new Uint8Array(sizeBytes), figures: new Int32Array(memory), memory };
}

/** Makes buffers and keeps one that is free. Allocates if none is. */
export class InputBuffers {
	/** Bytes of each. */
	readonly sizeBytes: number;
	#spare: InputBuffer | undefined = undefined;

	constructor(limits: HttpLimits) {
		this.sizeBytes = inputBytes(limits);
	}

	/** A buffer for the caller alone; what is in it means nothing. */
	take(): InputBuffer {
		const buffer = this.#spare ?? newInputBuffer(this.sizeBytes);
		this.#spare = undefined;
		return buffer;
	}

	/** @param buffer from `take`; the caller must not use it any more */
	give(buffer: InputBuffer): void {
		this.#spare = buffer;
	}
}
