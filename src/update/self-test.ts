/**
 * After an update the new firmware has to prove itself, or the next start goes back to the old one: the
 * control loop keeps its time, files can be written, the server answers. The car is not needed for that.
 */

import type { FetchPort, FirmwarePort } from "../../hal/update-port.js";
import { elapsedMs } from "../clock/elapsed.js";
import { RestartGate } from "./refusal.js";

/** The first look, and the time over which the loop is watched. */
const WINDOW_MS = 3000;
/** Not proven by then: it has failed. Source: docs/decisions.md 33. */
const DEADLINE_MS = 60_000;
/** Ticks that must have come. */
const TICK_SHARE_MIN = 0.5;

/** What it looks at. */
export interface SelfTestPorts {
	readonly firmware: FirmwarePort;
	/** For a request to the controller's own server. */
	readonly fetch: FetchPort;
	/** Of something that it answers with 200. */
	readonly ownUrl: () => string;
	readonly clock: { readonly ticks: number };
	/** Control ticks so far. */
	readonly controlTicks: () => number;
	readonly tickMs: number;
	/**
	 * Writes a file and deletes it again.
	 * @param done told once that it could, or what is wrong; "" = nothing
	 */
	readonly probeStorage: (done: (problem: string) => void) => void;
	/** Why it must not restart now; "" = it may. */
	readonly restartRefusal: () => string;
	readonly restart: () => void;
	/** Told once it is kept, before anybody can see that. */
	readonly onKept: () => void;
	readonly log: (level: "EVENT" | "ERROR", message: string) => void;
}

/** Runs once, after the first start of new firmware; call `tick` several times a second. */
export class SelfTest {
	/** True until the firmware is confirmed; while it is the old one must stay in its slot. */
	pending: boolean;
	readonly #ports: SelfTestPorts;
	readonly #restartGate = new RestartGate();
	readonly #startMs: number;
	#windowMs: number;
	#windowTicks: number;
	#probing = false;
	#asking = false;
	#answered = false;
	#problem = "";

	constructor(ports: SelfTestPorts) {
		this.#ports = ports;
		this.pending = ports.firmware.pendingVerify;
		this.#startMs = this.#windowMs = ports.clock.ticks;
		this.#windowTicks = ports.controlTicks();
	}

	/** Call several times per second. */
	tick(): void {
		if (!this.pending) return;
		const { clock, restartRefusal, restart } = this.#ports;
		const nowMs = clock.ticks;
		if (this.#problem !== "" && elapsedMs(this.#startMs, nowMs) >= DEADLINE_MS) {
			this.#giveUp();
			if (this.#restartGate.look(restartRefusal(), nowMs)) restart();
		} else if (elapsedMs(this.#windowMs, nowMs) >= WINDOW_MS) this.#look(nowMs);
	}

	#look(nowMs: number): void {
		const { controlTicks, tickMs } = this.#ports;
		const ticks = controlTicks();
		const expected = elapsedMs(this.#windowMs, nowMs) / tickMs;
		const inTime = ticks - this.#windowTicks >= expected * TICK_SHARE_MIN;
		this.#windowMs = nowMs;
		this.#windowTicks = ticks;
		if (!inTime) this.#problem = "the control loop is late";
		else if (!this.#probing) {
			this.#probing = true;
			this.#problem = "files can't be written: it takes too long";
			this.#ports.probeStorage((problem) => this.#onProbed(problem));
		}
	}

	#onProbed(problem: string): void {
		this.#probing = false;
		if (this.#gaveUp) return;
		this.#problem = problem === "" ? "" : `files can't be written: ${problem}`;
		if (this.#problem === "" && !this.#answered) {
			this.#problem = "the server does not answer";
			this.#ask();
		}
		if (this.#problem === "") this.#confirm();
	}

	#ask(): void {
		if (this.#asking) return;
		this.#asking = true;
		let status = 0;
		try {
			this.#ports.fetch.open(this.#ports.ownUrl(), {
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
		const { firmware, log, onKept } = this.#ports;
		try {
			firmware.confirm();
			this.pending = false;
			onKept();
			log("EVENT", "the new firmware has passed its self-test and is kept");
		} catch (error) {
			this.#problem = (error as Error).message;
		}
	}

	/** Said once. */
	#gaveUp = false;
	#giveUp(): void {
		if (this.#gaveUp) return;
		this.#gaveUp = true;
		this.#ports.log("ERROR", `the new firmware fails its self-test, the next start goes back to the old one: ${this.#problem}`);
	}
}
