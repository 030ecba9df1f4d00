import assert from "node:assert/strict";
import { basename } from "node:path";
import { COUNTER_COUNT, GATEWAY_COUNTER } from "../../../modules/can-gateway/gateway-counters.js";
import { GATEWAY_COUNTERS } from "../../support/gateway-memory.js";
import { casesIn, casesOf, compile, coverage, unitFiles } from "./build.js";

describe("modules/can-gateway core", () => {
	let check: (title: string) => void;

	before(function () {
		this.timeout(60000);
		check = casesIn(compile("unit", unitFiles()));
	});

	for (const file of unitFiles()) {
		const cases = casesOf(file);
		if (cases.length > 0)
			describe(basename(file, "_test.c"), () => {
				for (const title of cases) it(title, () => check(title));
			});
	}

	it("has every line and branch reached by these cases", function () {
		this.timeout(60000);
		const { missed, branches } = coverage(unitFiles());
		assert.deepEqual(missed, []);
		assert.ok(branches > 200, `only ${branches} branches were counted`);
	});

	it("has the same counters in TypeScript as in C, at the same places", () => {
		assert.deepEqual(GATEWAY_COUNTER, Object.fromEntries(GATEWAY_COUNTERS.map((name, at) => [name, at])));
		assert.equal(COUNTER_COUNT, GATEWAY_COUNTERS.length);
	});
});
