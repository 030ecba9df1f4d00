/**
 * The sweep that measures which engagement each factor reaches: a state machine on the control tick, which
 * allocates nothing. The caller says what forbids it, and takes its factor. Source: docs/control-and-can.md
 * 5.1.
 */

import { elapsedMs } from "../clock/elapsed.js";

/** Factors 0..100 %, one a step. Source: docs/control-and-can.md 5.1. */
export const STEPS = 101;
/** Time of each factor; the coupling settles first, then it is read. Source: docs/control-and-can.md 5.1. */
export const STEP_MS = 600;
const SETTLING_MS = 400;
const READINGS = 8;
const READ_EVERY_MS = (STEP_MS - SETTLING_MS) / READINGS;
/** Before the first step the coupling is open for OPEN_MS. Source: docs/control-and-can.md 5.1. */
const OPEN_PERCENT = 2;
export const OPEN_MS = 500;
/** Then the first step begins anyway: an open coupling of generation 2 reports 6 %. Source: the same. */
export const OPEN_WITHIN_MS = 3000;
/** The operator's page is heard at least this often. Source: docs/api.md, "Calibration". */
export const OPERATOR_MS = 5000;

/** `measured`: the readings wait for `finish`; `done`: with a table; `failed`: without. */
type SweepPhase = "resting" | "running" | "measured" | "done" | "failed" | "cancelled";
/** Progress at the end. Source: docs/api.md, "Calibration". */
const DONE = 101;
const FAILED = 102;

/** A reading above it means "at least". Source: docs/control-and-can.md 5.1. */
const FULL_PERCENT = 100;

/** Why a calibration does not begin, or was aborted, beside the arbiter's reasons: names of the interface. */
export enum CalibrationProblem {
	CAR_MOVES = "carMoves",
	INTERVENES = "intervenes",
	HOT = "hot",
	FAULTY = "faulty",
	NO_ENGINE = "noEngine",
	LATE = "late",
	TWICE = "twice",
	SETTINGS_CHANGED = "settingsChanged",
	PAGE_GONE = "pageGone",
	NO_REPORT = "noReport",
	HARDLY_MOVED = "hardlyMoved",
	NOT_PARKED = "notParked",
}

/** One sweep after the other. Time is an argument, ms modulo 2^32. */
export class Sweep {
	phase: SweepPhase = "resting";
	/** A `CalibrationProblem`, or a reason of the caller; "" = it was not aborted. */
	problem = "";
	/** A reading for each step below the end of the report, none below the one before; until `finish`. */
	#line: number[] = [];
	#unsteady: number[] = [];
	#table: readonly number[] | undefined;
	readonly #readings = new Float64Array(READINGS);
	#count = 0;
	#reported = Number.NaN;
	/** False = it waits for the coupling to be open. */
	#steps = false;
	#openMs = 0;
	/** Last steps in which the report was at its end. */
	#saturated = 0;
	#factor = 0;
	#stepMs = 0;
	#heardMs = 0;

	/** To be commanded, 0..100; 0 unless it runs. */
	get factorPercent(): number {
		return this.phase === "running" ? this.#factor : 0;
	}

	/** The step reached, 0..100; 101 = ended with a table, 102 = without. Source: docs/api.md. */
	get progress(): number {
		if (this.phase === "done") return DONE;
		return this.phase === "failed" ? FAILED : this.#factor;
	}

	/** Engagement percent of each step up to now, in tenths; after the end of all. Allocates. */
	get measured(): readonly number[] {
		return this.#table ?? this.#line.map(inTenths);
	}

	/** Percent in tenths: how far the readings of a step lay apart, or below an earlier step. Allocates. */
	get unsteady(): readonly number[] {
		return this.#unsteady.map(inTenths);
	}

	/** Allocates: not on the tick. */
	start(nowMs: number): void {
		this.clear();
		this.phase = "running";
		this.#openMs = nowMs;
		this.#heardMs = nowMs;
		this.#beginStep(nowMs);
	}

	/** The operator's page is still there. */
	heard(nowMs: number): void {
		this.#heardMs = nowMs;
	}

	/** Ends it without a table, unless its readings are taken. */
	abort(problem: string): void {
		if (this.phase !== "running") return;
		this.#line = [];
		this.reject(problem);
	}

	/** The operator ends it. */
	cancel(): void {
		if (this.phase !== "running") return;
		this.#line = [];
		this.phase = "cancelled";
	}

	/** It has ended without a table, or could not begin. */
	reject(problem: string): void {
		this.phase = "failed";
		this.problem = problem;
	}

	/** Forgets the last sweep; one that runs is over. */
	clear(): void {
		this.phase = "resting";
		this.#line = [];
		this.#unsteady = [];
		this.#table = undefined;
		this.#saturated = 0;
		this.#steps = false;
		this.problem = "";
		this.#factor = 0;
	}

	/**
	 * @param engagementPercent 0..100, of a report that came since the last tick, infinite = the report is at
	 * its end, NaN = none came
	 * @param problem ends it
	 */
	tick(nowMs: number, engagementPercent: number, problem?: string): void {
		if (this.phase !== "running") return;
		if (problem !== undefined) this.abort(problem);
		else if (elapsedMs(this.#heardMs, nowMs) > OPERATOR_MS) this.abort(CalibrationProblem.PAGE_GONE);
		else if (this.#steps) this.#step(nowMs, engagementPercent);
		else this.#waitUntilOpen(nowMs, engagementPercent);
	}

	#beginStep(nowMs: number): void {
		this.#stepMs = nowMs;
		this.#count = 0;
		this.#reported = Number.NaN;
	}

	#waitUntilOpen(nowMs: number, engagementPercent: number): void {
		if (engagementPercent > OPEN_PERCENT) this.#openMs = nowMs;
		if (elapsedMs(this.#openMs, nowMs) < OPEN_MS && elapsedMs(this.#stepMs, nowMs) < OPEN_WITHIN_MS) return;
		this.#steps = true;
		this.#beginStep(nowMs);
	}

	/** Reads the latest report: in a car one comes every 100 ms. */
	#step(nowMs: number, engagementPercent: number): void {
		if (!Number.isNaN(engagementPercent)) this.#reported = engagementPercent;
		const inStepMs = elapsedMs(this.#stepMs, nowMs);
		if (inStepMs >= SETTLING_MS && Number.isNaN(this.#reported)) {
			this.abort(CalibrationProblem.NO_REPORT);
			return;
		}
		while (this.#count < READINGS && inStepMs >= SETTLING_MS + this.#count * READ_EVERY_MS)
			this.#readings[this.#count++] = this.#reported;
		if (inStepMs < STEP_MS) return;
		this.#take(lowerMedianOf(this.#readings));
		this.#beginStep(nowMs);
		if (this.#factor === STEPS - 1) this.phase = "measured";
		else this.#factor++;
	}

	/** The reading of a step. One at the end of the report says only "at least". */
	#take(reading: number): void {
		if (reading > FULL_PERCENT) {
			this.#unsteady.push(0);
			this.#saturated++;
			return;
		}
		const line = this.#line;
		const rising = Math.max(reading, line.length === 0 ? 0 : line[line.length - 1]);
		const readings = this.#readings;
		this.#unsteady.push(Math.min(FULL_PERCENT, Math.max(rising - reading, readings[READINGS - 1] - readings[0])));
		// a reading at the end of the report is contradicted: no step is above a later one
		for (; this.#saturated > 0; this.#saturated--) line.push(rising);
		line.push(rising);
	}

	/** After `measured`: the table; undefined = the coupling hardly moved. Allocates: not on the tick. */
	finish(): readonly number[] | undefined {
		const line = toTheEnd(this.#line, this.#saturated);
		const table = tableOf(line);
		this.#line = [];
		this.#table = table ?? line.map(inTenths);
		if (table === undefined) this.reject(CalibrationProblem.HARDLY_MOVED);
		else this.phase = "done";
		return table;
	}
}

/** Readings that rise by less, percent, tell nothing. Source: docs/api.md, "Calibration". */
export const SPAN_MIN_PERCENT = 50;

/** No coupling reports finer. */
const TENTHS = 10;

/** A percentage of a table. */
export function inTenths(percent: number): number {
	// not Math.round: on XS it leaves the smallest numbers, such as 1e-310, as they are
	return Math.floor(percent * TENTHS + 0.5) / TENTHS;
}

/** The lower median of an even number of values, which it sorts. Allocates nothing. */
export function lowerMedianOf(values: Float64Array): number {
	for (let i = 1; i < values.length; i++) {
		const value = values[i];
		let at = i;
		for (; at > 0 && values[at - 1] > value; at--) values[at] = values[at - 1];
		values[at] = value;
	}
	return values[values.length / 2 - 1];
}

/** Goes on evenly to 100 % over the steps that could not be reported: only full factor is full lock. */
function toTheEnd(line: readonly number[], steps: number): readonly number[] {
	const last = line.length === 0 ? 0 : line[line.length - 1];
	// cut, not rounded: 100 % belongs to full factor alone
	const cut = (percent: number): number => Math.floor(percent * TENTHS) / TENTHS;
	return [
		...line,
		...Array.from({ length: steps }, (_, step) => Math.max(last, cut(last + ((100 - last) * (step + 1)) / steps))),
	];
}

/** The table of a line through the readings, 0..100 in tenths; undefined = it rises too little. */
export function tableOf(line: readonly number[]): readonly number[] | undefined {
	const table = line.map((percent) => inTenths(Math.min(100, Math.max(0, percent))));
	return table[table.length - 1] - table[0] < SPAN_MIN_PERCENT ? undefined : table;
}
