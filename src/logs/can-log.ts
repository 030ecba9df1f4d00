/**
 * CAN frames as log lines, from the gateway's ring of recent frames. It pauses after each batch for as long
 * as that took to write, unless it was short. What the ring overwrites meanwhile is counted and told in the
 * log.
 * Line: `<uptime ms> CAN chassis|haldex RX|TX GEN|- 0x<id> <dlc> <bytes in hex>`, with tabs.
 * Source: docs/api.md, "Logs".
 */

import type { ClockPort, FrameLinesPort, FrameTextPort } from "../../hal/ports.js";
import { ALL_BUSES, FRAME_BYTES, LOG_FORMAT } from "../can/frame-dump.js";
import type { Steps, WriteQueue } from "../storage/write-queue.js";
import type { Log } from "./log.js";

/** Between two steps: two full buses fill the ring of a C6 in 28 ms. */
export const STEP_MS = 25;
/** Held only while CAN frames are logged: in stock, where no lease waits for the flash. */
const BATCH_BYTES = 8192;
/** How long a batch waits, like other lines of the log (`FLUSH_AFTER_MS`). */
const BATCH_MS = 1000;
/** After a batch that could not be written, as in log.ts. */
const BATCH_RETRY_MS = 10_000;
/** Between two lines of the log about missing frames. */
const REPORT_MS = 10_000;

/** The log of scope `can`. */
export class CanLog {
	readonly #frameText: FrameTextPort;
	readonly #log: Log;
	readonly #clock: ClockPort;
	readonly #later: (callback: () => void, delayMs: number) => void;
	readonly #writes: WriteQueue;
	#isRunning = false;
	#batch = new Uint8Array(0);
	#length = 0;
	/** Frames that came before the batch and were not lost. */
	#framesBefore = 0;
	/** When the batch got its first line, µs of the clock. */
	#batchUs = 0;
	/** Frames of batches that could not be written. */
	#unwritten = 0;
	/** Missing frames that the log has reported already. */
	#told = 0;
	#reportUs = 0;

	constructor(
		frameText: FrameTextPort,
		log: Log,
		clock: ClockPort,
		later: (callback: () => void, delayMs: number) => void,
		writes: WriteQueue,
	) {
		this.#frameText = frameText;
		this.#log = log;
		this.#clock = clock;
		this.#later = later;
		this.#writes = writes;
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
		const nowUs = this.#clock.microseconds;
		if (this.#length === 0) this.#batchUs = nowUs;
		if (isOn) this.#length += lines.write(this.#batch, this.#length, BATCH_BYTES);
		const isFull = this.#length > BATCH_BYTES - FRAME_BYTES;
		const isDue = this.#length > 0 && (!isOn || nowUs - this.#batchUs >= BATCH_MS * 1000);
		if (isFull || isDue) this.#writes.add(this.#writing(lines));
		else {
			// while frames come a batch tells it
			if (this.#length === 0) this.#tellMissing(lines, isOn);
			if (isOn) this.#later(() => this.#step(lines), STEP_MS);
			else {
				this.#isRunning = false;
				this.#batch = new Uint8Array(0);
			}
		}
	}

	#tellMissing(lines: FrameLinesPort, isOn: boolean): void {
		const missing = lines.overwritten + this.#unwritten;
		if (missing === this.#told) return;
		const nowUs = this.#clock.microseconds;
		if (isOn && nowUs - this.#reportUs < REPORT_MS * 1000) return;
		const text = `${missing - this.#told} frames are missing: they came faster than the flash takes them`;
		this.#log.write("WARN", "can", text);
		this.#told = missing;
		this.#reportUs = nowUs;
	}

	*#writing(lines: FrameLinesPort): Steps {
		const fromUs = this.#clock.microseconds;
		const batch = (): Uint8Array => this.#batch.subarray(0, this.#length);
		const before = this.#framesBefore;
		this.#framesBefore = lines.cursor - lines.overwritten;
		let pauseMs = BATCH_RETRY_MS;
		try {
			if (this.#log.isWaiting) yield* this.#log.flushing();
			yield* this.#log.appending("can", batch);
			yield;
			yield* this.#log.appending("all", batch);
			const tookMs = Math.ceil((this.#clock.microseconds - fromUs) / 1000);
			pauseMs = tookMs > STEP_MS ? tookMs : 0;
		} catch {
			// the line that tells how many are missing meets the same trouble, and the log reports it
			this.#unwritten += this.#framesBefore - before;
		}
		this.#length = 0;
		this.#tellMissing(lines, true);
		this.#later(() => this.#step(lines), pauseMs);
	}
}
