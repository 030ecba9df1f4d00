/** Keeps the diagnosis worker going while it has a job: a bounded piece every few milliseconds. Glue only. */

import type { DiagnosisPort } from "../../hal/ports.js";
import { Diagnosis, type DiagnosisJob } from "../diagnosis/diagnosis.js";

/** Often enough for a control unit that wants an answer within 100 ms, and for 32 frames that the gateway keeps. */
const POLL_MS = 5;

export class DiagnosisService {
	readonly worker: Diagnosis;
	readonly #clock: { readonly ticks: number };
	readonly #later: (callback: () => void, delayMs: number) => void;
	readonly #poll = (): void => {
		this.worker.poll(this.#clock.ticks);
		if (this.worker.active) this.#later(this.#poll, POLL_MS);
	};

	constructor(port: DiagnosisPort, clock: { readonly ticks: number }, later: (callback: () => void, delayMs: number) => void) {
		this.worker = new Diagnosis(port);
		this.#clock = clock;
		this.#later = later;
	}

	/** ms, of the clock that `worker.last.atMs` is of. */
	get nowMs(): number {
		return this.#clock.ticks;
	}

	/** As `Diagnosis.start`. */
	start(job: DiagnosisJob): void {
		const wasActive = this.worker.active;
		this.worker.start(job, this.#clock.ticks);
		if (!wasActive && this.worker.active) this.#later(this.#poll, POLL_MS);
	}
}
