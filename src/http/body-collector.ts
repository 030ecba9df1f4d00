/**
 * Collects the body of one request in memory of its own: exactly as much as Content-Length says, or growing for a chunked one.
 * The memory is dropped with the request, so an idle connection holds none.
 */

import { copyBytes } from "../text/bytes.js";
import { NO_BYTES } from "./no-bytes.js";

/**
 * First piece of a chunked body; it doubles from there. Chosen: four doublings are the 8 KB that a body may have; a mode or a name fits it. Twice is
 * more heap than most of them need, half is a fifth copy of the longest.
 */
const FIRST_BYTES = 512;

/** Bodies that may be collected at this moment, shared by all connections. */
export interface BodySlots {
	free: number;
}

/** For one body at a time; one that is longer than the limit is not taken. */
export class BodyCollector {
	readonly #slots: BodySlots;
	readonly #limitBytes: number;
	#bytes: Uint8Array | undefined = undefined;
	#length = 0;

	constructor(slots: BodySlots, limitBytes: number) {
		this.#slots = slots;
		this.#limitBytes = limitBytes;
	}

	/** Takes a place and memory. @param contentLength -1 = unknown, never above the limit @returns false if no place is free */
	begin(contentLength: number): boolean {
		if (this.#slots.free === 0) return false;
		this.#slots.free--;
		this.#bytes = new Uint8Array(contentLength < 0 ? FIRST_BYTES : contentLength);
		return true;
	}

	/** Adds `bytes[start, end)`. @returns false if the body gets too large. */
	add(bytes: Uint8Array, start: number, end: number): boolean {
		const length = this.#length + end - start;
		if (this.#bytes === undefined || length > this.#limitBytes) return false;
		if (length > this.#bytes.length) {
			let size = this.#bytes.length;
			while (size < length) size *= 2;
			const grown = new Uint8Array(Math.min(size, this.#limitBytes));
			copyBytes(this.#bytes, 0, this.#length, grown, 0);
			this.#bytes = grown;
		}
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
