/**
 * CAN frames as log lines, from the gateway's ring of recent frames: the frames themselves never wait for it. It works in short steps from
 * a timer, and takes a pause after each batch that it wrote; what the ring overwrites meanwhile is counted and told in the log.
 *
 * Line: `<uptime ms> CAN chassis|haldex RX|TX GEN|- 0x<id> <dlc> <bytes in hex>`, with tabs. Source: docs/http-api.md 3.28.
 */

import type { ClockPort, FrameLinesPort, FrameTextPort } from "../../hal/ports.js";
import { ALL_BUSES } from "../trace/bus-filter.js";
import { FRAME_BYTES, LOG_FORMAT } from "../trace/frame-format.js";
import type { Log } from "./log.js";

/** Between two steps. */
export const STEP_MS = 10;
/** Batches that one step writes, as long as each took no longer than its pause: two full buses make 10 KB in a step. */
const BATCHES_AT_ONCE = 4;
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

export class CanLog {
	readonly #frameText: FrameTextPort;
	readonly #log: Log;
	readonly #clock: ClockPort;
	readonly #later: (callback: () => void, delayMs: number) => void;
	#isRunning = false;
	#batch = new Uint8Array(0);
	#length = 0;
	/** Frames that came before the batch and were not lost. */
	#framesBefore = 0;
	/** When its first line was written. */
	#batchUs = 0;
	/** Frames of batches that could not be written. */
	#unwritten = 0;
	/** Missing frames that the log has told of. */
	#told = 0;
	#reportUs = 0;

	constructor(frameText: FrameTextPort, log: Log, clock: ClockPort, later: (callback: () => void, delayMs: number) => void) {
		this.#frameText = frameText;
		this.#log = log;
		this.#clock = clock;
		this.#later = later;
	}

	/** Begins when the settings ask for it. Call a few times per second. */
	observe(): void {
		if (this.#isRunning || !this.#log.takesFrames) return;
		const lines = this.#frameText.lines(LOG_FORMAT, ALL_BUSES.rows);
		this.#isRunning = true;
		this.#batch = new Uint8Array(BATCH_BYTES);
		this.#length = this.#unwritten = this.#told = 0;
		this.#framesBefore = lines.cursor;
		this.#reportUs = this.#clock.microseconds;
		this.#later(() => this.#step(lines), STEP_MS);
	}

	#step(lines: FrameLinesPort): void {
		const isOn = this.#log.takesFrames;
		let pauseMs = STEP_MS;
		for (let batches = 0; batches < BATCHES_AT_ONCE && pauseMs === STEP_MS; batches++) {
			const nowUs = this.#clock.microseconds;
			if (this.#length === 0) this.#batchUs = nowUs;
			if (isOn) this.#length += lines.write(this.#batch, this.#length, BATCH_BYTES);
			const isFull = this.#length > BATCH_BYTES - FRAME_BYTES;
			const isDue = this.#length > 0 && (!isOn || nowUs - this.#batchUs >= BATCH_MS * 1000);
			if (isFull || isDue) pauseMs = this.#write(lines, nowUs);
			if (!isFull) break;
		}
		this.#tellMissing(lines, isOn);
		if (isOn) this.#later(() => this.#step(lines), pauseMs);
		else {
			this.#isRunning = false;
			this.#batch = new Uint8Array(0);
		}
	}

	#tellMissing(lines: FrameLinesPort, isOn: boolean): void {
		const nowUs = this.#clock.microseconds;
		const missing = lines.overwritten + this.#unwritten;
		if (missing === this.#told || (isOn && nowUs - this.#reportUs < REPORT_MS * 1000)) return;
		const text = `${missing - this.#told} frames are missing: they came faster than the flash takes them`;
		this.#log.write("WARN", "can", text);
		this.#told = missing;
		this.#reportUs = nowUs;
	}

	/** Writes the batch. @returns the pause after it, ms */
	#write(lines: FrameLinesPort, nowUs: number): number {
		const batch = this.#batch.subarray(0, this.#length);
		const before = this.#framesBefore;
		this.#framesBefore = lines.cursor - lines.overwritten;
		this.#length = 0;
		try {
			this.#log.flush();
			this.#log.append("can", batch);
			this.#log.append("all", batch);
		} catch {
			// the line that tells how many are missing meets the same trouble, and the log reports it
			this.#unwritten += this.#framesBefore - before;
			return RETRY_MS;
		}
		return Math.max(STEP_MS, Math.ceil(((this.#clock.microseconds - nowUs) * PAUSE_FACTOR) / 1000));
	}
}
