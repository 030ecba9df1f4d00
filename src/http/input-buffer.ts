/**
 * What the input of one connection is read into: its bytes, and what is known of the request head in them. An idle connection, or one with a
 * stream of events, holds none: one is kept for the next that needs it, which mostly is enough.
 */

import { type HttpLimits, inputBytes } from "./limits.js";

/** Of `struct request_head` (`modules/text/request_head.h`), whose members `request-head.ts` names. */
export const HEAD_FIGURES = 49;

export class InputBuffer {
	readonly bytes: Uint8Array;
	/** The figures again, as natives take them. */
	readonly memory = new ArrayBuffer(HEAD_FIGURES * Int32Array.BYTES_PER_ELEMENT);
	readonly figures = new Int32Array(this.memory);

	constructor(sizeBytes: number) {
		this.bytes = new Uint8Array(sizeBytes);
	}
}

/** In its place where there is none: no bytes, and nothing is known. In ROM. */
export const NO_INPUT: InputBuffer = Object.freeze(new InputBuffer(0));

export class InputBuffers {
	/** Bytes of each. */
	readonly sizeBytes: number;
	#spare: InputBuffer | undefined = undefined;

	constructor(limits: HttpLimits) {
		this.sizeBytes = inputBytes(limits);
	}

	/** A buffer for the caller alone; what is in it means nothing. */
	take(): InputBuffer {
		const buffer = this.#spare ?? new InputBuffer(this.sizeBytes);
		this.#spare = undefined;
		return buffer;
	}

	/** @param buffer from `take`; the caller must not use it any more */
	give(buffer: InputBuffer): void {
		this.#spare = buffer;
	}
}
