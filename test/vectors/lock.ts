/** Checks lock-target, adjusted-value and broadcast vectors. Runs in Node and on XS. */

import { commandFactor } from "../../src/controller/lock-factor.js";
import { gatesOpen } from "../../src/lock/gates.js";
import { gatedLockPercent, newLockState } from "../../src/lock/lock-core.js";
import { rampLock } from "../../src/lock/ramp.js";
import { writeStatus } from "../../src/runtime/control-loop.js";
import { parseMode } from "../../src/settings/mode-names.js";
import { type Json, VectorConfig } from "./config.js";
import { bugsOf, hexOf, type Report } from "./report.js";

/** The vectors are float32; accumulated ramp error stays below this. */
const LOCK_TOLERANCE_PERCENT = 1e-3;

/** True if two lock percentages agree. */
export function near(expected: number, actual: number): boolean {
	return Math.abs(expected - actual) <= LOCK_TOLERANCE_PERCENT;
}

/**
 * Flags of rows whose raw target is another one in a correct implementation. The flag stands only there, but
 * a ramp carries the effect on into unflagged rows: after such a row the ramp goes on from the reference's
 * value.
 */
export const OTHER_TARGET = /throttle-curve-truncation|map-extrapolates/;

export function checkLockTarget(set: Json, report: Report): void {
	for (const test of set.cases) {
		const config = new VectorConfig();
		config.apply(test.config);
		if (test.kind === "static") checkStatic(test, config, report);
		else checkRamp(test, config, report);
	}
}

function checkStatic(test: Json, config: VectorConfig, report: Report): void {
	test.rows.forEach((row: Json, i: number) => {
		const [mode, speed, throttle, rpm, lock, extra] = row;
		if (bugsOf(extra) !== "") {
			report.skip(bugsOf(extra));
			return;
		}
		config.setInputs(speed, throttle, rpm);
		const actual = gatedLockPercent(parseMode(mode), config.inputs, config.tuning);
		report.check(near(lock, actual), `${test.id} row ${i}: ${actual}, expected ${lock}`);
	});
}

function checkRamp(test: Json, config: VectorConfig, report: Report): void {
	const state = newLockState();
	let last: number | undefined;
	test.rows.forEach((row: Json, i: number) => {
		const [t, mode, speed, throttle, rpm, rawTarget, lock, extra] = row;
		if (extra?.releaseRate !== undefined) config.apply({ releaseRate: extra.releaseRate });
		config.setInputs(speed, throttle, rpm);
		const target = gatedLockPercent(parseMode(mode), config.inputs, config.tuning);
		const elapsedMs = last === undefined ? Number.POSITIVE_INFINITY : (t - last) >>> 0;
		last = t;
		const actual = rampLock(state, target, elapsedMs, 0, config.tuning.releaseRatePercentPerS);
		if (!OTHER_TARGET.test(bugsOf(extra)))
			report.check(near(rawTarget, target), `${test.id} row ${i} target: ${target}, expected ${rawTarget}`);
		if (bugsOf(extra) === "") report.check(near(lock, actual), `${test.id} row ${i} ramp: ${actual}, expected ${lock}`);
		else report.skip(bugsOf(extra));
		if (OTHER_TARGET.test(bugsOf(extra))) state.lockPercent = lock;
	});
}

/**
 * `adj(base)` of the reference: the gateway's scaling by our factor, and the reference's second look at the
 * preset gate.
 */
export function checkAdjustedValue(set: Json, report: Report): void {
	set.cases.forEach((row: Json, i: number) => {
		const [base, lock, invert, tableIndex, learnActiveCF, mode, pedalThreshold, disableSpeed, speed, throttle, out, extra] = row;
		if (bugsOf(extra) !== "") {
			report.skip(bugsOf(extra));
			return;
		}
		const config = new VectorConfig();
		config.apply({ mode, pedalThreshold, disableSpeed });
		config.setInputs(speed, throttle, 0);
		const table = tableIndex === null ? null : set.tables[tableIndex];
		const factor = referenceFactor(config, lock, table, learnActiveCF);
		const scaled = Math.floor((base * factor) / 25600);
		const actual = invert ? (0xfe - scaled) & 0xff : scaled;
		report.check(actual === out, `row ${i} ${JSON.stringify(row)}: ${actual}`);
	});
}

/** The factor that the reference would use: while learning its own, 0 while a preset's gate is closed. */
export function referenceFactor(
	config: VectorConfig,
	lockPercent: number,
	table: readonly number[] | null,
	learnActiveCF: number | null,
): number {
	if (learnActiveCF !== null) return learnActiveCF * 256;
	const presetGateOpen = config.mode >= 7 || gatesOpen(config.mode, config.inputs, config.tuning, 0, 0);
	return presetGateOpen ? commandFactor(lockPercent, table === null ? null : risen(table), "reference") : 0;
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

export function checkBroadcast(set: Json, report: Report): void {
	const payload = new Uint8Array(8);
	set.cases.forEach((row: Json, i: number) => {
		const [standalone, mode, override, enabled, engagementRaw, lock, speed, throttle, hex, extra] = row;
		if (bugsOf(extra) !== "") {
			report.skip(bugsOf(extra));
			return;
		}
		writeStatus(payload, {
			settings: { standalone: standalone === 1, c6ModeNumbers: false },
			vehicle: { engagementRaw, speedKmh: speed, pedalPercent: throttle },
			lockPercent: lock,
			effectiveMode: parseMode(mode),
		});
		// a mode override, which the reference never sets and we do not have: docs/control-and-can.md 4.3
		if (override === 1) payload[5] = 1;
		const actual = enabled ? hexOf(payload) : null;
		report.check(actual === hex, `row ${i}: ${actual}, expected ${hex}`);
	});
}
