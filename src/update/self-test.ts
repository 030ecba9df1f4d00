/**
 * After an update the new firmware has to prove itself, or the next start goes back to the old one: the
 * control loop keeps its time, files can be written, the server answers.
 */

import type { FilePort } from "../../hal/file-port.js";
import type { FetchPort, FirmwarePort } from "../../hal/update-port.js";
import { elapsedMs } from "../clock/elapsed.js";
import { isFull, replacingFile } from "../storage/whole-file.js";
import type { Steps, WriteQueue } from "../storage/write-queue.js";
import { type CarState, motionRejection, RestartGate } from "./rejection.js";

/** Over which the loop is watched. Assumed: in this time one late tick decides nothing. */
const WINDOW_MS = 3000;
/** Source: docs/decisions.md 33. */
const DEADLINE_MS = 60_000;
/** Half of the control loop's ticks (`TICK_MS` of control-loop.ts is 10). */
const TICKS_PER_MS_MIN = 0.05;
const PROBE_PATH = "self-test";
const PROBE_BYTES = 16;

/** Surroundings of the self-test. */
export interface SelfTestOptions {
	readonly car: CarState & { readonly loop: { readonly ticks: number } };
	readonly files: FilePort;
	readonly writes: Pick<WriteQueue, "add">;
	readonly clock: { readonly ticks: number };
	readonly firmware: FirmwarePort;
	/** Asks the controller's own server, which answers 200. */
	readonly ownFetch: FetchPort;
	readonly ownUrl: () => string;
	readonly log: (level: "EVENT" | "WARN" | "ERROR", message: string) => void;
}

/** Runs once, after the first start of new firmware. */
export class SelfTest {
	readonly #options: SelfTestOptions;
	readonly #onKept: () => void;
	readonly #restart: () => void;
	readonly #restartGate = new RestartGate();
	readonly #startMs: number;
	#windowMs: number;
	#windowTicks: number;
	#probing = false;
	#asking = false;
	#answered = false;
	#problem = "";
	#failed = false;

	constructor(options: SelfTestOptions, onKept: () => void, restart: () => void) {
		this.#options = options;
		this.#onKept = onKept;
		this.#restart = restart;
		this.#startMs = this.#windowMs = options.clock.ticks;
		this.#windowTicks = options.car.loop.ticks;
	}

	/** Call several times per second. */
	tick(): void {
		const { car, clock, firmware, log } = this.#options;
		if (!firmware.pendingVerify) return;
		const nowMs = clock.ticks;
		if (this.#problem !== "" && elapsedMs(this.#startMs, nowMs) >= DEADLINE_MS) {
			if (!this.#failed)
				log("ERROR", `the new firmware fails its self-test, the next start goes back to the old one: ${this.#problem}`);
			this.#failed = true;
			if (this.#restartGate.look(motionRejection(car), nowMs)) this.#restart();
		} else if (elapsedMs(this.#windowMs, nowMs) >= WINDOW_MS) this.#look(nowMs);
	}

	#look(nowMs: number): void {
		const { car, files, writes } = this.#options;
		const { ticks } = car.loop;
		const inTime = ticks - this.#windowTicks >= elapsedMs(this.#windowMs, nowMs) * TICKS_PER_MS_MIN;
		this.#windowMs = nowMs;
		this.#windowTicks = ticks;
		if (!inTime) this.#problem = "the control loop is late";
		else if (!this.#probing) {
			this.#probing = true;
			this.#problem = "files can't be written: it takes too long";
			writes.add(probing(files, (problem) => this.#onProbed(problem)));
		}
	}

	#onProbed(problem: string): void {
		this.#probing = false;
		if (this.#failed) return;
		this.#problem = problem === "" ? "" : `files can't be written: ${problem}`;
		if (problem === "" && this.#answered) this.#confirm();
		else if (problem === "") {
			this.#problem = "the server does not answer";
			this.#ask();
		}
	}

	#ask(): void {
		if (this.#asking) return;
		this.#asking = true;
		let status = 0;
		try {
			this.#options.ownFetch.open(this.#options.ownUrl(), {
				onHead: (code) => {
					status = code;
				},
				onData: () => {},
				onEnd: (code) => {
					this.#asking = false;
					this.#answered = code === 0 && status === 200;
				},
			});
		} catch {
			this.#asking = false; // all sockets are in use: asked again
		}
	}

	#confirm(): void {
		const { firmware, log } = this.#options;
		try {
			firmware.confirm();
			this.#onKept();
			log("EVENT", "the new firmware has passed its self-test and is kept");
		} catch (error) {
			this.#problem = (error as Error).message;
		}
	}
}

/** @param done "" = files can be written, or the flash is full, which is not the firmware's fault */
function* probing(files: FilePort, done: (problem: string) => void): Steps {
	let problem = "";
	try {
		yield* replacingFile(files, PROBE_PATH, new Uint8Array(PROBE_BYTES));
		yield;
		files.delete(PROBE_PATH);
	} catch (error) {
		if (!isFull(error)) problem = (error as Error).message;
	}
	done(problem);
}
