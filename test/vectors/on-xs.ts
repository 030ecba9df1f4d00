/**
 * Every set of golden vectors with the checks that it must pass, on the host XS. Reads the set in VECTOR_FILE;
 * prints a line of JSON.
 */

import { decodeUtf8 } from "../../src/text/bytes.js";
import type { Json } from "./control.js";
import { checkDataIds, checkDecode } from "./decode.js";
import { checkMutate, checkSentFrames, checkStandalone } from "./frames.js";
import { checkAdjustedValue, checkBroadcast, checkLockTarget } from "./lock.js";
import { Report } from "./report.js";
import { checkTelemetry } from "./telemetry.js";

declare function print(text: string): void;
declare function readFile(path: string): ArrayBuffer;

const CHECKS: Record<string, readonly ((set: Json, report: Report) => void)[]> = {
	"lock-target": [checkLockTarget],
	"adjusted-value": [checkAdjustedValue],
	checksum: [checkDataIds],
	decode: [checkDecode],
	broadcast: [checkBroadcast],
};
for (const generation of [1, 2, 4, 5]) {
	CHECKS[`mutate-gen${generation}`] = [checkMutate];
	CHECKS[`standalone-gen${generation}`] = [checkStandalone];
	CHECKS[`telemetry-gen${generation}`] = [checkTelemetry, checkSentFrames];
}

declare const VECTOR_FILE: string;
const bytes = new Uint8Array(readFile(VECTOR_FILE));
const { name, set } = JSON.parse(decodeUtf8(bytes, 0, bytes.length) as string);
const report = new Report();
for (const check of CHECKS[name]) check(set, report);
print(JSON.stringify({ checked: report.checked, failed: report.failed, summary: report.summary(name) }));
