/** Reads answers out of what a connection brings, as it comes. */
import { gunzipSync } from "node:zlib";

/** A whole answer. */
export interface Heard {
	readonly status: number;
	readonly type: string;
	readonly text: string;
}

const ENDLESS = "text/event-stream";

interface Head {
	readonly status: number;
	readonly type: string;
	readonly isPacked: boolean;
	/** Undefined: it comes in chunks. */
	readonly length: number | undefined;
}

/** Reads the answers of one connection in the order of its requests. */
export class AnswerReader {
	readonly heard: Heard[] = [];
	/** What is wrong with what came, "" so far. */
	problem = "";
	/** An event stream has begun: no answer follows. */
	isStream = false;
	#text = "";
	/** Of the answer that is coming; undefined: its head is. */
	#head: Head | undefined;
	readonly #methods: string[] = [];
	#body: string[] = [];

	/** A request was sent: its answer has a body or not by its method. */
	expect(method: string): void {
		this.#methods.push(method);
	}

	/** Reads what has come next. */
	take(chunk: Buffer): void {
		if (this.isStream) return;
		this.#text += chunk.toString("latin1");
		while (this.problem === "" && this.#step());
	}

	/** @returns false when more must come first */
	#step(): boolean {
		if (this.#head === undefined) return this.#takeHead();
		if (this.#head.length !== undefined) return this.#takeBytes(this.#head.length);
		return this.#takeChunk();
	}

	#takeHead(): boolean {
		const end = this.#text.indexOf("\r\n\r\n");
		if (end < 0) return false;
		const [first, ...lines] = this.#text.slice(0, end).split("\r\n");
		this.#text = this.#text.slice(end + 4);
		const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
		const header = (name: string): string =>
			lines.find((line) => line.toLowerCase().startsWith(`${name}: `))?.slice(name.length + 2) ?? "";
		if (!(status >= 100)) this.problem = `no answer: ${first.slice(0, 80)}`;
		if (status === 100) return true;
		const method = this.#methods.shift();
		const type = header("content-type");
		this.isStream = type.startsWith(ENDLESS);
		const isChunked = header("transfer-encoding") === "chunked";
		const length =
			method === "HEAD" || status === 304 ? 0 : isChunked || this.isStream ? undefined : Number(header("content-length"));
		if (Number.isNaN(length)) this.problem = `an answer without a length: ${first}`;
		this.#head = { status, type, length, isPacked: header("content-encoding") === "gzip" };
		if (this.isStream) this.heard.push({ status, type, text: "" });
		return !this.isStream;
	}

	#takeBytes(length: number): boolean {
		if (this.#text.length < length) return false;
		this.#body.push(this.#text.slice(0, length));
		this.#text = this.#text.slice(length);
		this.#end();
		return true;
	}

	#takeChunk(): boolean {
		const end = this.#text.indexOf("\r\n");
		if (end < 0) return false;
		const size = Number.parseInt(this.#text.slice(0, end), 16);
		if (!(size >= 0)) this.problem = `a chunk without a size: ${this.#text.slice(0, 40)}`;
		if (this.#text.length < end + 2 + size + 2) return false;
		this.#body.push(this.#text.slice(end + 2, end + 2 + size));
		this.#text = this.#text.slice(end + 2 + size + 2);
		if (size === 0) this.#end();
		return true;
	}

	#end(): void {
		const { status, type, isPacked } = this.#head as Head;
		const body = Buffer.from(this.#body.join(""), "latin1");
		this.heard.push({ status, type, text: (isPacked && body.length > 0 ? gunzipSync(body) : body).toString() });
		this.#body = [];
		this.#head = undefined;
	}
}
