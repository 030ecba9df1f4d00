/** Bodies that are written in C, piece by piece. */

import type { TextPort } from "../../hal/ports.js";
import { PENDING, type Producer } from "../http/producer.js";
import { copyBytes, encodeUtf8, NO_BYTES } from "../text/bytes.js";

/** Its memory does not depend on how long the text is. */
export class TextBody implements Producer {
	/** What goes before the text; it fits any piece. */
	#head: Uint8Array;
	readonly #text: TextPort;

	constructor(head: string, text: TextPort) {
		this.#head = encodeUtf8(head);
		this.#text = text;
	}

	produce(into: Uint8Array, start: number, end: number): number {
		const head = this.#head;
		const at = start + head.length;
		if (at > end) return PENDING;
		copyBytes(head, 0, head.length, into, start);
		this.#head = NO_BYTES;
		const bytes = head.length + this.#text.write(into, at, end);
		return bytes > 0 || this.#text.isComplete ? bytes : PENDING;
	}
}
