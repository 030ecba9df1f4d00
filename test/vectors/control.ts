/**
 * The control side of a case: its `config` objects (README.md beside this) as tuning and inputs of the lock
 * core, and the request and factor that the reference computes of them.
 */

import { commandFactor } from "../../src/controller/lock-factor.js";
import { gatesOpen, type LockInputs } from "../../src/lock/gates.js";
import { gatedLockPercent, newLockState } from "../../src/lock/lock-core.js";
import { type ModeNumber, SPEED, STOCK } from "../../src/lock/modes.js";
import { rampLock } from "../../src/lock/ramp.js";
import type { LockCurve, Tuning } from "../../src/lock/tuning.js";
import { parseMode } from "../../src/settings/mode-names.js";
import { DEFAULT_TUNING } from "../../src/settings/settings.js";
import { bugsOf, type Report } from "./report.js";

// biome-ignore lint/suspicious/noExplicitAny: rows are JSON of the vectors' schema
export type Json = any;

/** The vectors are float32; accumulated ramp error stays below this. */
const LOCK_TOLERANCE_PERCENT = 1e-3;

/**
 * Flags of rows whose raw target is another one in a correct implementation. The flag stands only there, but
 * a ramp carries the effect on into unflagged rows: after such a row the ramp goes on from the reference's
 * value.
 */
export const OTHER_TARGET = /throttle-curve-truncation|map-extrapolates/;

export class Control {
	mode: ModeNumber = STOCK;
	/** The gates have no hysteresis in the reference. */
	tuning: Tuning = { ...DEFAULT_TUNING, hysteresisKmh: 0, hysteresisPercent: 0, dwellMs: 0 };
	readonly inputs: LockInputs = { speedKmh: 0, pedalPercent: 0, rpm: 0, pedalValid: true };
	#learnTable: readonly number[] | null = null;
	#learnActiveCF: number | null = null;
	readonly #state = newLockState();
	#lastMs: number | undefined;

	constructor(config: Json) {
		this.apply(config);
	}

	/** Changes what a `config` or a later delta names. */
	apply(delta: Json): void {
		const tuning: Record<string, unknown> = {};
		if (delta.mode !== undefined) this.mode = parseMode(delta.mode);
		if (delta.map !== undefined)
			tuning["map"] = {
				speedBinsKmh: delta.map.speedBins,
				pedalBinsPercent: delta.map.throttleBins,
				cells: delta.map.lock.flat(),
			};
		for (const name of ["speedCurve", "throttleCurve", "rpmCurve"])
			if (delta[name] !== undefined) tuning[name] = curve(delta[name]);
		if (delta.disengageUnderSpeed !== undefined)
			tuning["disengageUnderKmh"] = { ...this.tuning.disengageUnderKmh, ...delta.disengageUnderSpeed };
		if (delta.pedalThreshold !== undefined) tuning["disableThrottlePercent"] = delta.pedalThreshold;
		if (delta.disableSpeed !== undefined) tuning["disableSpeedKmh"] = delta.disableSpeed;
		if (delta.releaseRate !== undefined) tuning["releaseRatePercentPerS"] = delta.releaseRate;
		this.tuning = { ...this.tuning, ...tuning };
		if (delta.learnTable !== undefined) this.#learnTable = delta.learnTable;
		if (delta.learnActiveCF !== undefined) this.#learnActiveCF = delta.learnActiveCF;
		if (delta.inputs !== undefined) this.setInputs(delta.inputs.speed, delta.inputs.throttle, delta.inputs.rpm);
	}

	setInputs(speedKmh: number | undefined, pedalPercent: number | undefined, rpm: number | undefined): void {
		if (speedKmh !== undefined) this.inputs.speedKmh = speedKmh;
		if (pedalPercent !== undefined) this.inputs.pedalPercent = pedalPercent;
		if (rpm !== undefined) this.inputs.rpm = rpm;
	}

	/** What the mode asks for, without the ramp. */
	get targetPercent(): number {
		return gatedLockPercent(this.mode, this.inputs, this.tuning);
	}

	/** The request, computed anew at `t`. */
	lockPercent(t: number): number {
		const elapsedMs = this.#lastMs === undefined ? Number.POSITIVE_INFINITY : (t - this.#lastMs) >>> 0;
		this.#lastMs = t;
		return rampLock(this.#state, this.targetPercent, elapsedMs, 0, this.tuning.releaseRatePercentPerS);
	}

	/** Checks a request, and goes on from the reference's where that had another target. */
	checkLock(actual: number, lock: number, extra: unknown, where: string, report: Report): void {
		report.row(extra, isNear(lock, actual), `${where} lock: ${actual}, expected ${lock}`);
		if (OTHER_TARGET.test(bugsOf(extra))) this.#state.lockPercent = lock;
	}

	/** Of the reference: while it learns its own, 0 while a preset's gate is closed. */
	factor(lockPercent: number): number {
		if (this.#learnActiveCF !== null) return this.#learnActiveCF * 256;
		const isOpen = this.mode >= SPEED || gatesOpen(this.mode, this.inputs, this.tuning, 0, 0);
		return isOpen ? commandFactor(lockPercent, this.#learnTable && risen(this.#learnTable), "reference") : 0;
	}
}

/** True if two lock percentages agree. */
export function isNear(expected: number, actual: number): boolean {
	return Math.abs(expected - actual) <= LOCK_TOLERANCE_PERCENT;
}

function curve(points: readonly (readonly number[])[]): LockCurve {
	return { x: points.map((point) => point[0] as number), lockPercent: points.map((point) => point[1] as number) };
}

/**
 * Ours never fall. The first index that reaches a lock is the same in a table and in the most that it has
 * reached so far.
 */
function risen(table: readonly number[]): number[] {
	let most = 0;
	return table.map((engagement) => {
		most = Math.max(most, engagement);
		return most;
	});
}
