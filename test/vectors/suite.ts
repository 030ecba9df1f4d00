/** Every set of golden vectors with the checks that it must pass: the same list in Node and on XS. */

import { checkChecksum } from "./checksum.js";
import type { Json } from "./control.js";
import { checkDecode } from "./decode.js";
import { checkMutate, checkSentFrames, checkStandalone, type PlanRunner } from "./frames.js";
import { checkAdjustedValue, checkBroadcast, checkLockTarget } from "./lock.js";
import type { Report } from "./report.js";
import { checkTelemetry } from "./telemetry.js";

export type Check = (set: Json, report: Report) => void;

/** @param newRunner makes what applies frame plans, with fresh counters */
export function suite(newRunner: () => PlanRunner): Record<string, readonly Check[]> {
	const checks: Record<string, readonly Check[]> = {
		"lock-target": [checkLockTarget],
		"adjusted-value": [checkAdjustedValue],
		checksum: [checkChecksum],
		decode: [checkDecode],
		broadcast: [checkBroadcast],
	};
	for (const generation of [1, 2, 4, 5]) {
		checks[`mutate-gen${generation}`] = [(set, report) => checkMutate(set, newRunner, report)];
		checks[`standalone-gen${generation}`] = [(set, report) => checkStandalone(set, newRunner, report)];
		checks[`telemetry-gen${generation}`] = [checkTelemetry, (set, report) => checkSentFrames(set, newRunner, report)];
	}
	return checks;
}
