/**
 * Lines that wait to be written, in a memory of fixed size. A line that does not fit is dropped and counted.
 */

import { copyBytes } from "../text/bytes.js";

/** Whole lines only, in the order in which they came. */
export class LineBuffer {
	/** Lines that did not fit since the last `clear`. */
	dropped = 0;
	readonly #bytes: Uint8Array;
	#length = 0;

	/** @param capacityBytes a whole number, 0 and more: taken from the heap at once, and for as long as this is */
	constructor(capacityBytes: number) {
		this.#bytes = new Uint8Array(capacityBytes);
	}

	/** Adds a line with its LF. */
	add(line: Uint8Array): void {
		if (this.#length + line.length > this.#bytes.length) {
			this.dropped++;
			return;
		}
		copyBytes(line, 0, line.length, this.#bytes, this.#length);
		this.#length += line.length;
	}

	/** All lines in it; a view that is valid until the next call. */
	get lines(): Uint8Array {
		return this.#bytes.subarray(0, this.#length);
	}

	get isEmpty(): boolean {
		return this.#length === 0;
	}

	/** Forgets all lines, and how many were dropped for lack of room. */
	clear(): void {
		this.#length = this.dropped = 0;
	}
}
