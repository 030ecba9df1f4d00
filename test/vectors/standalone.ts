/**
 * Checks the standalone vectors: lock core, command factor and the plans that generate, frame by frame, in
 * profile `reference`. Runs in Node and on XS, as `frames.ts`.
 */

import { standalonePlan } from "../../src/coupling/frame-plan.js";
import { gatedLockPercent, type LockState, newLockState } from "../../src/lock/lock-core.js";
import { STOCK } from "../../src/lock/modes.js";
import { rampLock } from "../../src/lock/ramp.js";
import { type Json, VectorConfig } from "./config.js";
import type { PlanRunner } from "./frames.js";
import { near, OTHER_TARGET, referenceFactor } from "./lock.js";
import { bugsOf, hexOf, type Report } from "./report.js";

const SLOT_MS = 5;

/** Odd counters of the reference: flagged, and sent by profile `reference` all the same. */
const FOLLOWED = /^(gen2-\S+|gen4-brakes1-counter-wrap|esp\S+|gen1-torque-direction)$/;

/** The control side for one case: lock is computed every 100 ms, as in the reference. */
class StandaloneControl {
	readonly config = new VectorConfig();
	#lockPercent = 0;
	#plan: Uint8Array | undefined;
	#last: number | undefined;
	readonly #state: LockState = newLockState();

	constructor(
		readonly generation: 1 | 2 | 4 | 5,
		readonly runner: PlanRunner,
	) {}

	/** What is sent from `t` on. */
	generated(t: number): Uint8Array[] {
		const { config, runner } = this;
		const plan = standalonePlan(this.generation, "reference", config.mode);
		if (plan !== this.#plan) runner.load(plan);
		this.#plan = plan;
		runner.commit(referenceFactor(config, this.#lockPercent, config.learnTable, config.learnActiveCF), 0xff);
		return runner.generated(t);
	}

	/** Computes lock anew. */
	lockPercent(t: number): number {
		const { config } = this;
		const target = config.mode === STOCK ? 0 : gatedLockPercent(config.mode, config.inputs, config.tuning);
		const elapsedMs = this.#last === undefined ? Number.POSITIVE_INFINITY : t - this.#last;
		this.#last = t;
		this.#lockPercent = rampLock(this.#state, target, elapsedMs, 0, config.tuning.releaseRatePercentPerS);
		return this.#lockPercent;
	}

	/** Goes on from the reference's request. */
	resynchronise(lockPercent: number): void {
		this.#lockPercent = this.#state.lockPercent = lockPercent;
	}
}

/** @param newRunner a runner with fresh counters for each case */
export function checkStandalone(set: Json, newRunner: () => PlanRunner, report: Report): void {
	for (const test of set.cases) {
		const control = new StandaloneControl(set.generation, newRunner());
		control.config.apply(test.config);
		let sent: Uint8Array[] = [];
		let next = 0;
		test.rows.forEach((row: Json, i: number) => {
			const [kind, t] = row;
			if (kind === "s") control.config.apply(row[2]);
			for (; next <= t; next += SLOT_MS) {
				report.check(sent.length === 0, `${test.id} row ${i}: ${sent.length} frames more than expected`);
				// what changes at this time is said before its frames
				if (kind === "s" && next === t) break;
				sent = control.generated(next);
			}
			if (kind === "l") checkLock(control, row, `${test.id} row ${i}`, report);
			if (kind === "f") checkFrame(sent.shift(), row, `${test.id} row ${i}`, report);
		});
	}
}

function checkLock(control: StandaloneControl, [, t, lock, extra]: Json, where: string, report: Report): void {
	const actual = control.lockPercent(t);
	if (bugsOf(extra) === "") report.check(near(lock, actual), `${where} lock: ${actual}, expected ${lock}`);
	else report.skip(bugsOf(extra));
	if (OTHER_TARGET.test(bugsOf(extra))) control.resynchronise(lock);
}

function checkFrame(sent: Uint8Array | undefined, row: Json, where: string, report: Report): void {
	const [, , , id, , hex, extra] = row;
	const actual = sent === undefined ? "nothing" : `${hexOf(sent.subarray(0, 2))} ${hexOf(sent.subarray(2))}`;
	const binds =
		bugsOf(extra) === "" ||
		bugsOf(extra)
			.split(",")
			.every((bug) => FOLLOWED.test(bug));
	if (!binds) report.skip(bugsOf(extra));
	else
		report.check(
			actual === `${(id as number).toString(16).padStart(4, "0")} ${hex}`,
			`${where} ${id.toString(16)}: ${actual}, expected ${hex}`,
		);
}
