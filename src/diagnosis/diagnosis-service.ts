/** Runs the diagnosis worker. Between the jobs of clients it asks for what conditions need. */

import type { DiagnosisPort } from "../../hal/ports.js";
import { elapsedMs } from "../clock/elapsed.js";
import type { Controller } from "../controller/controller.js";
import { Diagnosis, type DiagnosisJob } from "./diagnosis.js";
import { blockTemperatureC, readLocalId } from "./services.js";

/**
 * Assumed: often enough for a control unit that wants an answer within 100 ms (docs/control-and-can.md 5.4), and
 * for 32 frames that the gateway keeps.
 */
const POLL_MS = 5;
/** Between two questions for conditions. Source: docs/decisions.md 23. */
const ASK_MS = 2000;
/** How long a response may take. Assumed: it is there before the next question. */
const ANSWER_MS = 1000;

/** Before the first job: a worker takes memory that most drives never need. */
const RESTING = Object.freeze({ active: false, last: undefined, route: undefined, transport: "uds_can" } as const);

/** Its timer runs only while there is a job. */
export class DiagnosisService {
	readonly #port: DiagnosisPort;
	#worker: Diagnosis | undefined;
	readonly #clock: { readonly ticks: number };
	readonly #later: (callback: () => void, delayMs: number) => void;
	readonly #controller: Pick<Controller, "asking" | "nowMs">;
	#askedMs = 0;
	/** The job that runs is of conditions: a client's waits for its end. */
	#isOwn = false;
	#waiting: DiagnosisJob | undefined;
	readonly #poll = (): void => {
		this.#worker?.poll(this.#clock.ticks);
		if (this.worker.active) this.#later(this.#poll, POLL_MS);
		else this.#next();
	};

	constructor(
		port: DiagnosisPort,
		clock: { readonly ticks: number },
		later: (callback: () => void, delayMs: number) => void,
		controller: Pick<Controller, "asking" | "nowMs">,
	) {
		this.#port = port;
		this.#clock = clock;
		this.#later = later;
		this.#controller = controller;
	}

	get worker(): Pick<Diagnosis, "active" | "last" | "route" | "transport"> {
		return this.#worker ?? RESTING;
	}

	/** Now, on the clock of `worker.last.atMs`. */
	get nowMs(): number {
		return this.#clock.ticks;
	}

	/** Starts a job as `Diagnosis.start` does, if need be after the one that runs. */
	start(job: DiagnosisJob): void {
		if (this.#isOwn && this.#waiting === undefined) this.#waiting = job;
		else this.#begin(job);
	}

	/** Asks for what conditions need, if it is time to. Call several times in 2 s. */
	look(): void {
		const conditions = this.#controller.asking ?? [];
		const block = conditions[0]?.asked?.block;
		const { ticks } = this.#clock;
		if (block === undefined || this.worker.active || elapsedMs(this.#askedMs, ticks) < ASK_MS) return;
		this.#askedMs = ticks;
		this.#begin({
			transport: "kwp_tp20",
			requests: [readLocalId(block)],
			timeoutMs: ANSWER_MS,
			probeMs: ANSWER_MS,
			isProbe: false,
			ended: ([{ response, status }]) => {
				if (status !== "positive") return;
				for (const one of conditions)
					if (one.asked !== undefined) one.answer(blockTemperatureC(response, one.asked), this.#controller.nowMs);
			},
		});
		this.#isOwn = this.worker.active;
	}

	#begin(job: DiagnosisJob): void {
		this.#worker ??= new Diagnosis(this.#port);
		const worker = this.#worker;
		const wasActive = worker.active;
		worker.start(job, this.#clock.ticks);
		if (!wasActive && worker.active) this.#later(this.#poll, POLL_MS);
	}

	/** After a job: the client that waits comes first. */
	#next(): void {
		const job = this.#waiting;
		this.#isOwn = false;
		this.#waiting = undefined;
		if (job === undefined) this.look();
		else this.#begin(job);
	}
}
