/**
 * CAN frames as log lines, from the gateway's ring of recent frames: the frames themselves never wait for it. It works in short steps from
 * a timer, and takes a pause after each batch that it wrote; what the ring overwrites meanwhile is counted and told in the log.
 *
 * Line: `<uptime ms> CAN chassis|haldex RX|TX GEN|- 0x<id> <dlc> <bytes in hex>`, with tabs. Source: docs/http-api.md 3.28.
 */

import type { ClockPort, TracePort } from "../../hal/ports.js";
import { ALL_BUSES } from "../trace/bus-filter.js";
import { LOG_LINE, LONGEST_LINE_BYTES, writeRecord } from "../trace/dump-format.js";
import { RecordReader } from "../trace/record-reader.js";
import type { Log } from "./log.js";

/** Between two steps. */
export const STEP_MS = 5;
/** No step formats for longer; the write of a batch comes on top. */
const STEP_BUDGET_US = 1500;
/** Written at once, held only while CAN frames are logged. */
const BATCH_BYTES = 4096;
/** A batch waits so long at the most. */
const BATCH_MS = 1000;
/** The pause after a batch is as many times as long as its write took: most of the time belongs to the rest. */
const PAUSE_FACTOR = 3;
/** After a batch that could not be written. */
const RETRY_MS = 10_000;
/** How often it is told how many frames are missing. */
const REPORT_MS = 10_000;
/** A record is up to two lines. */
const RECORD_BYTES_MAX = 2 * LONGEST_LINE_BYTES;

export class CanLog {
	readonly #port: TracePort;
	readonly #log: Log;
	readonly #clock: ClockPort;
	readonly #later: (callback: () => void, delayMs: number) => void;
	#reader: RecordReader | undefined;
	#batch = new Uint8Array(0);
	#length = 0;
	/** Frames in the batch. */
	#batchFrames = 0;
	#cursor = 0;
	/** Next record of those in hand. */
	#next = 0;
	#batchUs = 0;
	#missing = 0;
	#reportUs = 0;

	constructor(port: TracePort, log: Log, clock: ClockPort, later: (callback: () => void, delayMs: number) => void) {
		this.#port = port;
		this.#log = log;
		this.#clock = clock;
		this.#later = later;
	}

	/** Begins when the settings ask for it. Call a few times per second. */
	observe(): void {
		if (this.#reader !== undefined || !this.#log.takesFrames) return;
		const reader = new RecordReader(this.#port);
		this.#reader = reader;
		this.#batch = new Uint8Array(BATCH_BYTES);
		this.#length = this.#batchFrames = this.#next = this.#missing = 0;
		this.#cursor = this.#port.endOfRecords();
		this.#batchUs = this.#reportUs = this.#clock.microseconds;
		this.#later(() => this.#step(reader), STEP_MS);
	}

	#step(reader: RecordReader): void {
		const isOn = this.#log.takesFrames;
		if (isOn) this.#fill(reader);
		const nowUs = this.#clock.microseconds;
		const isFull = this.#length > BATCH_BYTES - RECORD_BYTES_MAX;
		const isDue = this.#length > 0 && (!isOn || nowUs - this.#batchUs >= BATCH_MS * 1000);
		const pauseMs = isFull || isDue ? this.#write(nowUs) : STEP_MS;
		if (this.#missing > 0 && (!isOn || nowUs - this.#reportUs >= REPORT_MS * 1000)) {
			this.#log.write("WARN", "can", `${this.#missing} frames are missing: they came faster than the flash takes them`);
			this.#missing = 0;
			this.#reportUs = nowUs;
		}
		if (isOn) this.#later(() => this.#step(reader), pauseMs);
		else {
			this.#reader = undefined;
			this.#batch = new Uint8Array(0);
		}
	}

	/** Formats records until there are no more, the batch is full or time is up. */
	#fill(reader: RecordReader): void {
		const startUs = this.#clock.microseconds;
		while (this.#length <= BATCH_BYTES - RECORD_BYTES_MAX && this.#clock.microseconds - startUs < STEP_BUDGET_US) {
			if (this.#next >= reader.count) {
				reader.read(this.#cursor);
				this.#cursor = reader.cursor;
				this.#missing += reader.overwritten;
				this.#next = 0;
				if (reader.count === 0) return;
			}
			this.#length = writeRecord(reader, this.#next++, ALL_BUSES.rows, LOG_LINE, this.#batch, this.#length);
			this.#batchFrames++;
		}
	}

	/** Writes the batch. @returns the pause after it, ms */
	#write(nowUs: number): number {
		const lines = this.#batch.subarray(0, this.#length);
		const frames = this.#batchFrames;
		this.#length = this.#batchFrames = 0;
		this.#batchUs = nowUs;
		try {
			this.#log.flush();
			this.#log.append("can", lines);
			this.#log.append("all", lines);
		} catch {
			// the line that tells how many are missing meets the same trouble, and the log reports it
			this.#missing += frames;
			return RETRY_MS;
		}
		return Math.max(STEP_MS, Math.ceil(((this.#clock.microseconds - nowUs) * PAUSE_FACTOR) / 1000));
	}
}
