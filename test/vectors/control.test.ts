import { strict as assert } from "node:assert";
import { PlanInterpreter } from "../support/plan-interpreter.js";
import { loadVectors } from "../support/vectors.js";
import type { Json } from "./config.js";
import { checkMutate, type PlanRunner } from "./frames.js";
import { checkAdjustedValue, checkBroadcast, checkLockTarget } from "./lock.js";
import { Report } from "./report.js";

function verify(name: string, check: (set: Json, report: Report) => void): void {
	it(`every unflagged row of ${name}`, () => {
		const report = new Report();
		check(loadVectors(name), report);
		assert.ok(report.checked > 0, "no row was checked");
		assert.equal(report.failed, 0, report.summary(name));
	});
}

const interpreter = (): PlanRunner => new PlanInterpreter();

describe("golden vectors: lock and frames", () => {
	verify("lock-target", checkLockTarget);
	verify("adjusted-value", checkAdjustedValue);
	verify("broadcast", checkBroadcast);
	for (const generation of [1, 2, 4, 5])
		verify(`mutate-gen${generation}`, (set, report) => checkMutate(set, interpreter, report));
});
