/**
 * Input buffers of all connections. One holds a buffer only while it has unread input or a request that nobody has answered: an idle
 * connection, or one with a stream of events, holds none. One buffer is kept for the next that needs it, which mostly is enough.
 */

import { type HttpLimits, inputBytes } from "./limits.js";

export class InputBuffers {
	/** Length of each. */
	readonly sizeBytes: number;
	#spare: Uint8Array | undefined = undefined;

	constructor(limits: HttpLimits) {
		this.sizeBytes = inputBytes(limits);
	}

	/** A buffer for the caller alone; what is in it means nothing. */
	take(): Uint8Array {
		const buffer = this.#spare ?? new Uint8Array(this.sizeBytes);
		this.#spare = undefined;
		return buffer;
	}

	/** @param buffer from `take`; the caller must not use it any more */
	give(buffer: Uint8Array): void {
		this.#spare = buffer;
	}
}
