/**
 * The sweep that finds out which engagement each factor reaches: a state machine on the control tick. It decides nothing about the car:
 * whoever calls says what stands against it, and takes its factor. A tick takes nothing from the heap. Source: docs/control-and-can.md 5.1.
 */

import { elapsedMs } from "../clock/elapsed.js";
import { medianOf, RisingFit, tableOf, toTheEnd } from "./fit.js";
import { CalibrationProblem } from "./problem.js";

/** Factors 0..100 %, one a step. Source: docs/control-and-can.md 5.1. */
export const STEPS = 101;
/** Each factor is held so long. Source: docs/control-and-can.md 5.1. */
export const STEP_MS = 300;
/** The coupling has settled by then; its reports in what remains of the step count. */
const SETTLING_MS = 150; // of 300: docs/control-and-can.md 5.1
/** Reports that count in one step, at most. */
const SAMPLES_MAX = 32;
/** The operator's page must be heard of at least so often. Source: docs/control-and-can.md 5.1. */
export const OPERATOR_MS = 5000;

/**
 * How a sweep stands: none was begun, it runs, its readings wait for `finish`, there is a table of it, it ended without, the operator ended it.
 */
export type SweepPhase = "resting" | "running" | "measured" | "done" | "failed" | "cancelled";
/** Progress that says how it ended. Source: docs/api.md, "Calibration". */
const DONE = 101;
const FAILED = 102;

const FULL_PERCENT = 100;

/** One sweep after the other. Time is an argument, ms modulo 2^32. */
export class Sweep {
	/** While it runs, and until `finish`: 3 KB. */
	#fit: RisingFit | undefined;
	readonly #samples = new Float64Array(SAMPLES_MAX);
	#count = 0;
	/** Steps up to now, without a gap, in which the report was at its end. */
	#saturated = 0;
	#phase: SweepPhase = "resting";
	#factor = 0;
	#stepMs = 0;
	#heardMs = 0;
	#problem = "";

	get phase(): SweepPhase {
		return this.#phase;
	}

	/** Correction factor to command, 0..100, percent; 0 unless it runs. */
	get factorPercent(): number {
		return this.#phase === "running" ? this.#factor : 0;
	}

	/** The step that was reached, 0..100; 101 = ended with a table, 102 = without. Source: docs/api.md, "Calibration". */
	get progress(): number {
		if (this.#phase === "done") return DONE;
		return this.#phase === "failed" ? FAILED : this.#factor;
	}

	/** Why it was aborted: a `CalibrationProblem`, or a reason of the caller; "" if it was not. */
	get problem(): string {
		return this.#problem;
	}

	/** Begins with factor 0, whatever was before; the operator has confirmed it just now. Takes memory: not on the tick. */
	start(nowMs: number): void {
		this.#phase = "running";
		this.#problem = "";
		this.#factor = 0;
		this.#fit = new RisingFit(STEPS);
		this.#count = 0;
		this.#saturated = 0;
		this.#stepMs = nowMs;
		this.#heardMs = nowMs;
	}

	/** The operator's page is still there. */
	heard(nowMs: number): void {
		this.#heardMs = nowMs;
	}

	/** Gives it up. Does nothing once its readings are taken. @param problem as `problem`; "" = the operator wanted it */
	abort(problem: string): void {
		if (this.#phase !== "running") return;
		this.#fit = undefined;
		this.#phase = problem === "" ? "cancelled" : "failed";
		this.#problem = problem;
	}

	/** It was not begun. @param problem as `problem` */
	refuse(problem: string): void {
		this.#phase = "failed";
		this.#problem = problem;
	}

	/** Forgets the last sweep; one that runs is over. */
	clear(): void {
		this.#phase = "resting";
		this.#fit = undefined;
		this.#problem = "";
		this.#factor = 0;
	}

	/**
	 * One control tick; does nothing while no sweep runs. @param engagementPercent 0..100, of a report that came since the last tick, infinite = the
	 * report is at its end, NaN = none
	 * came @param problem what stands against it now, with which it then ends; "" = nothing
	 */
	tick(nowMs: number, engagementPercent: number, problem: string): void {
		if (this.#phase !== "running") return;
		if (problem !== "") this.abort(problem);
		else if (elapsedMs(this.#heardMs, nowMs) > OPERATOR_MS) this.abort(CalibrationProblem.PAGE_GONE);
		else this.#sample(nowMs, engagementPercent);
	}

	#sample(nowMs: number, engagementPercent: number): void {
		const inStepMs = elapsedMs(this.#stepMs, nowMs);
		if (inStepMs > SETTLING_MS && !Number.isNaN(engagementPercent) && this.#count < SAMPLES_MAX)
			this.#samples[this.#count++] = engagementPercent;
		if (inStepMs < STEP_MS) return;
		if (this.#count === 0) {
			this.abort(CalibrationProblem.NO_REPORT);
			return;
		}
		this.#take(medianOf(this.#samples, this.#count));
		this.#count = 0;
		this.#stepMs = nowMs;
		if (this.#factor === STEPS - 1) this.#phase = "measured";
		else this.#factor++;
	}

	/** The reading of a step. One at the end of the report tells only "at least", so it waits for whether any below it follows. */
	#take(reading: number): void {
		if (reading > FULL_PERCENT) {
			this.#saturated++;
			return;
		}
		for (; this.#saturated > 0; this.#saturated--) this.#fit?.add(FULL_PERCENT);
		this.#fit?.add(reading);
	}

	/**
	 * After `measured`: the table. Takes memory: not on the tick.
	 * @returns 101 percentages that never fall, undefined if the coupling hardly moved, which `problem` then says
	 */
	finish(): readonly number[] | undefined {
		const table = tableOf(toTheEnd(this.#fit?.line() ?? [], this.#saturated));
		this.#fit = undefined;
		this.#phase = table === undefined ? "failed" : "done";
		if (table === undefined) this.#problem = CalibrationProblem.HARDLY_MOVED;
		return table;
	}
}
