/** An answer, as a handler makes it: status, headers, and a body at once or in the making. */

import { encodeUtf8 } from "../text/bytes.js";
import { consistsOf, PRINTABLE } from "../text/characters.js";
import { BytesProducer, type Producer, TextsProducer } from "./producer.js";

/** Length of a body that is not known beforehand. */
export const UNKNOWN_LENGTH = -1;

/** The answer to one request. A handler may answer later, within `answerTimeoutMs`. */
export class HttpResponse {
	/** HTTP status, 0 = not answered yet. */
	status = 0;
	contentType = "";
	/** "" sends no Cache-Control. */
	cacheControl = "no-store";
	/** Why the request was rejected, for the log. */
	refusal = "";
	/** Further header lines, each with its CRLF. */
	extraHeaders = "";
	body: Producer | undefined = undefined;
	/** Bytes of the body, or UNKNOWN_LENGTH. */
	bodyBytes = 0;
	deferred = false;
	/** The connection ends with this answer. */
	closes = false;

	/** The connection is gone: an answer is thrown away. Handlers that answer later may look at it. */
	abandoned = false;
	readonly #onLate: (() => void) | undefined;

	/** @param onLate told when an answer that comes later is there */
	constructor(onLate?: () => void) {
		this.#onLate = onLate;
	}

	/** The client has gone, or the answer has been sent. */
	abandon(): void {
		this.abandoned = true;
		this.#endBody();
	}

	#endBody(): void {
		this.body?.close?.();
		this.body = undefined;
	}

	/** Adds a header. @throws {TypeError} a control character in it: it would split the answer */
	header(name: string, value: string): this {
		const line = `${name}: ${value}`;
		if (!consistsOf(line, PRINTABLE)) throw new TypeError("invalid header");
		this.extraHeaders += `${line}\r\n`;
		return this;
	}

	/**
	 * Small JSON answers.
	 * @param value `Json`, or an object that is not from ROM: XS's JSON.stringify rejects frozen preloaded
	 * objects
	 * @param onClose see `bytes`
	 */
	json(status: number, value: object, onClose?: () => void): void {
		this.bytes(status, "application/json", encodeUtf8(JSON.stringify(value)), onClose);
	}

	/** A large JSON answer, 200, whose texts are made as they are sent. */
	jsonPieces(texts: Iterator<string, void, void>): void {
		this.stream(200, "application/json", new TextsProducer(texts));
	}

	/** @param onClose see `bytes` */
	text(status: number, text: string, onClose?: () => void): void {
		this.bytes(status, "text/plain", encodeUtf8(text), onClose);
	}

	/**
	 * An answer whose length is known.
	 * @param status 200..599
	 * @param bytes must stay as they are until the answer has been sent
	 * @param onClose called once when it has been sent or dropped
	 */
	bytes(status: number, contentType: string, bytes: Uint8Array, onClose?: () => void): void {
		this.stream(status, contentType, new BytesProducer(bytes, onClose), bytes.length);
	}

	/** @param bodyBytes exact length of what `body` produces */
	stream(status: number, contentType: string, body: Producer, bodyBytes = UNKNOWN_LENGTH): void {
		this.#endBody();
		if (this.abandoned) {
			body.close?.();
			return;
		}
		this.status = status;
		this.contentType = contentType;
		this.body = body;
		this.bodyBytes = bodyBytes;
		if (this.deferred) this.#onLate?.();
	}

	/** An answer without body: 204, 304, redirects. */
	empty(status: number): void {
		this.#endBody();
		this.status = status;
		this.contentType = "";
		this.bodyBytes = 0;
		if (this.deferred) this.#onLate?.();
	}

	/** Says that the answer comes after the handler has returned, at the latest after `answerTimeoutMs`. */
	later(): void {
		this.deferred = true;
	}
}
