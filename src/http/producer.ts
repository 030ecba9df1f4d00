/**
 * Bodies that are made piece by piece while the socket drains: files, logs, event streams, large JSON.
 */

import { JsonWriter } from "./json-writer.js";
import { PIECE_BYTES } from "./limits.js";

/** `produce` has nothing now, or needs more room than it was given; it is asked again when the socket drains and on every tick. */
export const PENDING = -1;

export interface Producer {
	/**
	 * Writes the next bytes of the body to `into[start, end)`.
	 * @returns how many, 0 = the body is complete, PENDING = ask again. A throw cuts the connection: the client sees the body is incomplete.
	 */
	produce(into: Uint8Array, start: number, end: number): number;
	/** Called once when the answer is complete or has been given up. */
	close?(): void;
}

/**
 * Part of a JSON text, less than `SECTION_BYTES` long. One that returns true is called again for the next row of a list; if it wrote
 * nothing either, the piece ends: it has worked long enough for now. What does not fit (`overflowed`) is written again into the next
 * piece, so a section moves on to its next row only after that.
 */
export type JsonSection<T> = (json: JsonWriter, source: T) => unknown;

/** Room that a section gets at the latest: a piece without its chunk framing. */
export const SECTION_BYTES = PIECE_BYTES - 16;

/**
 * A JSON text made of sections, as many of them in each piece as fit. The first opens the outer object, the last closes it.
 * Each section is a consistent snapshot; between two of them milliseconds may pass.
 */
export class JsonSections<T> implements Producer {
	readonly #sections: readonly JsonSection<T>[];
	readonly #source: T;
	readonly #json = new JsonWriter();
	#next = 0;
	#commaDue = false;
	/** Room that was not enough for the next section; trying again with as much would cost as much as writing it. */
	#tooSmall = 0;

	constructor(sections: readonly JsonSection<T>[], source: T) {
		this.#sections = sections;
		this.#source = source;
	}

	/** @throws {RangeError} a section is larger than a whole piece: our bug */
	produce(into: Uint8Array, start: number, end: number): number {
		const json = this.#json;
		let at = start;
		if (end - start <= this.#tooSmall) return PENDING;
		while (this.#next < this.#sections.length) {
			json.open(into, at, end, this.#commaDue);
			const again = this.#sections[this.#next](json, this.#source);
			if (json.overflowed) {
				this.#tooSmall = end - at;
				if (at > start) break;
				if (end - start >= SECTION_BYTES) throw new RangeError("JSON section too large");
				return PENDING;
			}
			const wrote = json.at > at;
			at = json.at;
			this.#tooSmall = 0;
			this.#commaDue = json.commaDue;
			if (again !== true) this.#next++;
			else if (!wrote) return at > start ? at - start : PENDING;
		}
		return at - start;
	}
}

/** A body that lies in memory or in ROM. */
export class BytesProducer implements Producer {
	readonly #bytes: Uint8Array;
	readonly #onClose: (() => void) | undefined;
	#at = 0;

	constructor(bytes: Uint8Array, onClose?: () => void) {
		this.#bytes = bytes;
		this.#onClose = onClose;
	}

	close(): void {
		this.#onClose?.();
	}

	produce(into: Uint8Array, start: number, end: number): number {
		const length = Math.min(end - start, this.#bytes.length - this.#at);
		if (length > 0) into.set(this.#bytes.subarray(this.#at, this.#at + length), start);
		this.#at += length;
		return length;
	}
}
