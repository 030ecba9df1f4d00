/**
 * Checks the mutate vectors: lock core, command factor and frame plan together, frame by frame, in profile
 * `reference`. The plan is applied by whatever `PlanRunner` is given: the TypeScript interpreter in Node, the
 * C core on XS. Runs in Node and on XS.
 */

import { framePlan } from "../../src/coupling/frame-plan.js";
import { gatedLockPercent, type LockState, newLockState } from "../../src/lock/lock-core.js";
import { STOCK } from "../../src/lock/modes.js";
import { rampLock } from "../../src/lock/ramp.js";
import { type Json, VectorConfig } from "./config.js";
import { INVALID_RECEIVED, isMarkedInvalid, validFrame } from "./invalid.js";
import { near, OTHER_TARGET, referenceFactor } from "./lock.js";
import { bugsOf, bytesOf, hexOf, type Report } from "./report.js";

/**
 * Loads and applies frame plans. `pass` returns the data that leaves. `id` has bit 31 for extended and bit 30
 * for remote frames. `generated` returns what a plan sends by itself within 5 ms from `tMs` on: identifier
 * (two bytes, the high one first) and data of each frame.
 */
export interface PlanRunner {
	load(plan: Uint8Array): void;
	commit(factor: number, groups: number): void;
	pass(bus: number, id: number, dlc: number, data: Uint8Array): Uint8Array;
	generated(tMs: number): Uint8Array[];
}

/** Frame flags after which the reference's counters have advanced for a frame that we pass through. */
const PASSED_THROUGH = /dlc-ignored|extd-ignored|rtr-processed/;

/** The control side for one case, evaluated per frame as the reference does. */
export class FrameControl {
	readonly config = new VectorConfig();
	readonly #state: LockState = newLockState();
	#last: number | undefined;
	#planMode = -1;

	constructor(
		readonly generation: 1 | 2 | 4 | 5,
		readonly runner: PlanRunner,
	) {}

	/** Lock after a chassis frame at `t`. */
	lockPercent(t: number): number {
		if (this.config.mode === STOCK) return 0;
		const { config } = this;
		const target = gatedLockPercent(config.mode, config.inputs, config.tuning);
		const elapsedMs = this.#last === undefined ? Number.POSITIVE_INFINITY : (t - this.#last) >>> 0;
		this.#last = t;
		return rampLock(this.#state, target, elapsedMs, 0, config.tuning.releaseRatePercentPerS);
	}

	/** Goes on from the reference's request. */
	resynchronise(lockPercent: number): void {
		this.#state.lockPercent = lockPercent;
	}

	/** The data that leaves for a chassis frame. */
	rewrite(lockPercent: number, id: number, dlc: number, data: Uint8Array): Uint8Array {
		const { config, runner } = this;
		if (config.mode === STOCK) return data;
		if (this.#planMode !== config.mode) runner.load(framePlan(this.generation, "reference", config.mode));
		this.#planMode = config.mode;
		runner.commit(referenceFactor(config, lockPercent, config.learnTable, config.learnActiveCF), 0xff);
		return runner.pass(0, id, dlc, data);
	}

	/**
	 * Brings the counters to where the reference's are after a frame that it rewrote and we passed through.
	 */
	advanceCounters(lockPercent: number, id: number): void {
		this.rewrite(lockPercent, id, 8, validFrame(id));
	}
}

/** @param newRunner a runner with fresh counters for each case */
export function checkMutate(set: Json, newRunner: () => PlanRunner, report: Report): void {
	for (const test of set.cases) {
		const control = new FrameControl(set.generation, newRunner());
		control.config.apply(test.config);
		test.rows.forEach((row: Json, i: number) => {
			if (row[0] === "s") control.config.apply(row[2]);
			else checkFrame(control, row, `${test.id} row ${i}`, report);
		});
	}
}

function checkFrame(control: FrameControl, row: Json, where: string, report: Report): void {
	const [, t, id, dlc, inHex, outHex, lock, extra] = row;
	const data = bytesOf(inHex.padEnd(2 * dlc, "0"));
	const lockPercent = control.lockPercent(t);
	const bits = (extra?.ext ? 0x80000000 : 0) + (extra?.rtr ? 0x40000000 : 0);
	const bug = bugsOf(extra);
	if (OTHER_TARGET.test(bug)) control.resynchronise(lock);
	const actual = hexOf(control.rewrite(lockPercent, id + bits, dlc, data));
	const isInvalid = isMarkedInvalid(control.generation, id, dlc, data);
	if ((PASSED_THROUGH.test(bug) || isInvalid) && actual === hexOf(data)) control.advanceCounters(lockPercent, id);
	if (bug !== "") {
		report.skip(bug);
		return;
	}
	report.check(near(lock, lockPercent), `${where} lock: ${lockPercent}, expected ${lock}`);
	const expected = outHex || hexOf(data);
	if (isInvalid && actual !== expected && actual === hexOf(data)) {
		report.skip(INVALID_RECEIVED);
		return;
	}
	report.check(actual === expected, `${where} id ${id.toString(16)}: ${actual}, expected ${expected}`);
}

/**
 * Checks lock and sent frames of the telemetry vectors' `clean` cases. Decoding is checked in `telemetry.ts`;
 * here the control side gets the reference's own telemetry, so that the error codes which we reject
 * (docs/decisions.md 5) do not hide the rest.
 */
export function checkSentFrames(set: Json, newRunner: () => PlanRunner, report: Report): void {
	for (const test of set.cases) {
		if (test.profile !== "clean") continue;
		const control = new FrameControl(set.generation, newRunner());
		control.config.apply(test.config);
		let lock = 0;
		test.rows.forEach((row: Json, i: number) => {
			if (row[0] === "s") {
				control.config.apply(row[2]);
				return;
			}
			const [bus, t, id, dlc, inHex, changed, extra] = row;
			control.config.setInputs(changed.speed, changed.throttle, changed.rpm);
			if (changed.lock !== undefined) lock = changed.lock;
			if (bus !== "c") return;
			const sent = extra?.tx?.[0];
			const outHex = sent === undefined ? 0 : sent[3].slice(0, 2 * sent[2]);
			checkFrame(control, ["f", t, id, dlc, inHex, outHex, lock, extra], `${test.id} row ${i}`, report);
		});
	}
}
