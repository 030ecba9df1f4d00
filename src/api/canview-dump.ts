/**
 * GET /api/canview/dump: the frames of the last seconds as text, straight from the gateway's ring. Source: docs/http-api.md 3.21.
 */

import type { TracePort } from "../../hal/ports.js";
import { NO_BYTES } from "../http/no-bytes.js";
import { PENDING, type Producer } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import { type HttpResponse, UNKNOWN_LENGTH } from "../http/response.js";
import { encodeUtf8 } from "../text/utf8.js";
import { ALL_BUSES, type BusFilter, parseBusFilter, RECEIVED_ROWS, SENT_ROWS } from "../trace/bus-filter.js";
import { DUMP_FORMATS, type DumpFormat, LONGEST_LINE_BYTES, writeRecord } from "../trace/dump-format.js";
import { RecordReader } from "../trace/record-reader.js";
import type { ApiContext } from "./context.js";
import { problem } from "./problem.js";

const DEFAULT_SECONDS = 30;
const LEAST_SECONDS = 1;
const MOST_SECONDS = 120;

const DIRECTIONS = Object.freeze(["all", "rx", "tx"] as const);
/** Which rows of a bus are wanted. */
type Directions = (typeof DIRECTIONS)[number];

/** Reads of the ring in one `produce` that may find nothing to write. */
const READS_AT_ONCE = 16;

/** Answers with the dump; 400 `invalid format`, `invalid dir`. An unknown bus means all, as in the reference. */
export function getCanviewDump(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const wantedFormat = request.query("format") ?? "text";
	const format = DUMP_FORMATS.find(({ name }) => name === wantedFormat);
	const wantedDirections = request.query("dir") ?? "all";
	const directions = DIRECTIONS.find((name) => name === wantedDirections);
	if (format === undefined) {
		const allowed = DUMP_FORMATS.map(({ name }) => name);
		problem(response, 400, "invalid format", { field: "format", value: wantedFormat, allowed });
	} else if (directions === undefined)
		problem(response, 400, "invalid dir", { field: "dir", value: wantedDirections, allowed: DIRECTIONS });
	else {
		const windowMs = secondsOf(request.query("seconds")) * 1000;
		const filter = parseBusFilter(request.query("bus")) ?? ALL_BUSES;
		const nowMs = context.controller.uptimeMs;
		const dump = new RecordDump(context.canView.port, { format, windowMs, filter, directions, nowMs });
		response.stream(200, format.contentType, dump, UNKNOWN_LENGTH);
		response.header("Content-Disposition", `attachment; filename=${format.fileName}`);
		response.header("X-Covered-Ms", String(dump.coveredMs));
	}
}

/** As the reference reads it: no number is 1, a negative one 120. */
function secondsOf(text: string | undefined): number {
	if (text === undefined) return DEFAULT_SECONDS;
	const seconds = Number.parseInt(text, 10);
	if (seconds < 0) return MOST_SECONDS;
	return seconds > LEAST_SECONDS ? Math.min(seconds, MOST_SECONDS) : LEAST_SECONDS;
}

interface DumpOptions {
	readonly format: DumpFormat;
	/** How far to look back, ms. */
	readonly windowMs: number;
	readonly filter: BusFilter;
	readonly directions: Directions;
	/** The gateway's clock, ms modulo 2^32. */
	readonly nowMs: number;
}

/** Ends with the last frame that had passed when it was made. Its memory does not depend on how many there are. Exported for tests. */
export class RecordDump implements Producer {
	/** Every frame since so long ago is there, ms: less than the window if the ring, or the time since start, is shorter. */
	readonly coveredMs: number;
	readonly #options: DumpOptions;
	readonly #reader: RecordReader;
	/** Rows of a record that are wanted, as bits. */
	readonly #rows: number;
	/** Number of the record after the last one. */
	readonly #end: number;
	/** Text that goes before the next row. */
	#text: Uint8Array;
	/** The records in hand that belong to the dump, and the one that is written next. */
	#count = 0;
	#record = 0;

	constructor(port: TracePort, options: DumpOptions) {
		const { directions, format, filter, windowMs } = options;
		this.#options = options;
		this.#rows = filter.rows & (directions === "rx" ? RECEIVED_ROWS : directions === "tx" ? SENT_ROWS : ~0);
		this.#reader = new RecordReader(port);
		this.#text = encodeUtf8(format.head(windowMs, filter));
		this.#end = port.endOfRecords();
		const oldest = port.startOfRecords();
		const nowMs = this.#sinceStartMs(options.nowMs);
		const first = this.#firstSince(oldest, nowMs - windowMs);
		const reachesBack = first > oldest || oldest === 0;
		const ringMs = reachesBack || first === this.#end ? nowMs : nowMs - this.#timeMs(first);
		this.coveredMs = Math.max(0, Math.min(windowMs, ringMs));
		this.#reader.cursor = first;
	}

	produce(into: Uint8Array, start: number, end: number): number {
		let at = start;
		for (let reads = 0; reads < READS_AT_ONCE; ) {
			if (this.#text.length > 0) {
				if (end - at < this.#text.length) break;
				into.set(this.#text, at);
				at += this.#text.length;
				this.#text = NO_BYTES;
			} else if (this.#record === this.#count) {
				if (this.#reader.cursor >= this.#end) return at - start;
				this.#read();
				reads++;
			} else {
				if (end - at < 2 * LONGEST_LINE_BYTES) break;
				at = writeRecord(this.#reader, this.#record++, this.#rows, this.#options.format, into, at);
			}
		}
		return at > start ? at - start : PENDING;
	}

	#read(): void {
		const reader = this.#reader;
		reader.read(reader.cursor);
		const first = reader.cursor - reader.count;
		this.#record = 0;
		this.#count = Math.max(0, Math.min(reader.count, this.#end - first));
		if (reader.overwritten > 0 && this.#options.format.allowsComments)
			this.#text = encodeUtf8(`# ${reader.overwritten} frames were overwritten before they could be sent\n`);
	}

	/** Time of a record, ms of the gateway's clock. It must be there. */
	#timeMs(number: number): number {
		this.#reader.read(number);
		this.#reader.show(0);
		return this.#reader.timeUs / 1000;
	}

	/** The clock without its wrap after 2^32 ms, from the time of the newest record. */
	#sinceStartMs(nowMs: number): number {
		if (this.#end === 0) return nowMs;
		const newestMs = Math.trunc(this.#timeMs(this.#end - 1));
		return newestMs + Math.max(0, (nowMs - newestMs) | 0);
	}

	/** Number of the first record that is not older than a time, by bisection; the end if all are. */
	#firstSince(oldest: number, sinceMs: number): number {
		let low = oldest;
		let high = this.#end;
		while (low < high) {
			const middle = Math.trunc((low + high) / 2);
			if (this.#timeMs(middle) < sinceMs) low = middle + 1;
			else high = middle;
		}
		return low;
	}
}
