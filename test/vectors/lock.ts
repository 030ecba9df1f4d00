/** Checks lock-target, adjusted-value and broadcast vectors. */

import { writeStatus } from "../../src/controller/status-broadcast.js";
import { parseMode } from "../../src/settings/mode-names.js";
import { Control, isNear, type Json, OTHER_TARGET } from "./control.js";
import { bugsOf, hexOf, type Report } from "./report.js";

export function checkLockTarget(set: Json, report: Report): void {
	for (const test of set.cases) {
		const control = new Control(test.config);
		test.rows.forEach((row: Json, i: number) => {
			const where = `${test.id} row ${i}`;
			const [t, ...rest] = test.kind === "static" ? [0, ...row] : row;
			const [mode, speed, throttle, rpm, rawTarget] = rest;
			control.apply({ mode, inputs: { speed, throttle, rpm } });
			const target = control.targetPercent;
			const what = `${where} target: ${target}, expected ${rawTarget}`;
			if (test.kind === "static") {
				report.row(row[5], isNear(rawTarget, target), what);
				return;
			}
			const [lock, extra] = row.slice(6);
			control.apply({ releaseRate: extra?.releaseRate });
			if (!OTHER_TARGET.test(bugsOf(extra))) report.check(isNear(rawTarget, target), what);
			control.checkLock(control.lockPercent(t), lock, extra, where, report);
		});
	}
}

/**
 * `adj(base)` of the reference: the gateway's scaling by our factor, and the reference's second look at the
 * preset gate.
 */
export function checkAdjustedValue(set: Json, report: Report): void {
	set.cases.forEach((row: Json, i: number) => {
		const [base, lock, invert, tableIndex, learnActiveCF, mode, pedalThreshold, disableSpeed, speed, throttle, out, extra] = row;
		const learnTable = tableIndex === null ? null : set.tables[tableIndex];
		const inputs = { speed, throttle };
		const control = new Control({ mode, pedalThreshold, disableSpeed, learnTable, learnActiveCF, inputs });
		const scaled = Math.floor((base * control.factor(lock)) / 25600);
		const actual = invert ? (0xfe - scaled) & 0xff : scaled;
		report.row(extra, actual === out, `row ${i} ${JSON.stringify(row)}: ${actual}`);
	});
}

export function checkBroadcast(set: Json, report: Report): void {
	const payload = new Uint8Array(8);
	set.cases.forEach((row: Json, i: number) => {
		const [standalone, mode, override, enabled, engagementRaw, lock, speed, throttle, hex, extra] = row;
		writeStatus(payload, {
			settings: { standalone: standalone === 1, c6ModeNumbers: false },
			vehicle: { engagementRaw, speedKmh: speed, pedalPercent: throttle },
			lockPercent: lock,
			effectiveMode: parseMode(mode),
		});
		// a mode override, which the reference never sets and we do not have: docs/control-and-can.md 4.3
		if (override === 1) payload[5] = 1;
		const actual = enabled ? hexOf(payload) : null;
		report.row(extra, actual === hex, `row ${i}: ${actual}, expected ${hex}`);
	});
}
