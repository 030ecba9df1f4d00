/**
 * Collects the body of one request in memory of its own, which is taken whole before its first byte comes. It is dropped with the request, so an
 * idle connection holds none.
 */

import { copyBytes } from "../text/bytes.js";
import { NO_BYTES } from "./no-bytes.js";

/** Bodies that may be collected at this moment, shared by all connections. */
export interface BodySlots {
	free: number;
}

/** For one body at a time. */
export class BodyCollector {
	readonly #slots: BodySlots;
	#bytes: Uint8Array | undefined = undefined;
	#length = 0;

	constructor(slots: BodySlots) {
		this.#slots = slots;
	}

	/** Takes a place, and memory for a body of so many bytes at the most. @returns false if no place is free */
	begin(bytes: number): boolean {
		if (this.#slots.free === 0) return false;
		this.#slots.free--;
		this.#bytes = new Uint8Array(bytes);
		return true;
	}

	/** Adds `bytes[start, end)`. @returns false if the body gets too large. */
	add(bytes: Uint8Array, start: number, end: number): boolean {
		const length = this.#length + end - start;
		if (this.#bytes === undefined || length > this.#bytes.length) return false;
		copyBytes(bytes, start, end, this.#bytes, this.#length);
		this.#length = length;
		return true;
	}

	/** True from `begin` to `release`. */
	get active(): boolean {
		return this.#bytes !== undefined;
	}

	/** Bytes of the body so far, 0 where none is collected. */
	get length(): number {
		return this.#length;
	}

	/** The body so far; a view of this object's memory. */
	body(): Uint8Array {
		return this.#bytes === undefined ? NO_BYTES : this.#bytes.subarray(0, this.#length);
	}

	/** Gives memory and place back. Idempotent. */
	release(): void {
		if (this.#bytes === undefined) return;
		this.#bytes = undefined;
		this.#length = 0;
		this.#slots.free++;
	}
}
