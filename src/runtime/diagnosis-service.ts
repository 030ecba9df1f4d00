/** Keeps the diagnosis worker going while it has a job: a bounded piece every few milliseconds. Glue only. */

import type { DiagnosisPort } from "../../hal/ports.js";
import { Diagnosis, type DiagnosisJob } from "../diagnosis/diagnosis.js";

/**
 * Often enough for a control unit that wants an answer within 100 ms, and for 32 frames that the gateway
 * keeps.
 */
const POLL_MS = 5;

/** Before the first job: a worker takes memory that most drives never need. */
const RESTING = Object.freeze({ active: false, last: undefined, route: undefined, transport: "uds_can" } as const);

/** Its timer runs only while there is a job. */
export class DiagnosisService {
	readonly #port: DiagnosisPort;
	#worker: Diagnosis | undefined;
	readonly #clock: { readonly ticks: number };
	readonly #later: (callback: () => void, delayMs: number) => void;
	readonly #poll = (): void => {
		this.#worker?.poll(this.#clock.ticks);
		if (this.worker.active) this.#later(this.#poll, POLL_MS);
	};

	constructor(port: DiagnosisPort, clock: { readonly ticks: number }, later: (callback: () => void, delayMs: number) => void) {
		this.#port = port;
		this.#clock = clock;
		this.#later = later;
	}

	/** What it does, and did last. */
	get worker(): Pick<Diagnosis, "active" | "last" | "route" | "transport"> {
		return this.#worker ?? RESTING;
	}

	/** ms, of the clock that `worker.last.atMs` is of. */
	get nowMs(): number {
		return this.#clock.ticks;
	}

	/** As `Diagnosis.start`. */
	start(job: DiagnosisJob): void {
		this.#worker ??= new Diagnosis(this.#port);
		const worker = this.#worker;
		const wasActive = worker.active;
		worker.start(job, this.#clock.ticks);
		if (!wasActive && worker.active) this.#later(this.#poll, POLL_MS);
	}
}
