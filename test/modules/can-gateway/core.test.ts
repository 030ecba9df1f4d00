import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { basename } from "node:path";
import { COUNTER_COUNT, GATEWAY_COUNTER } from "../../../modules/can-gateway/gateway-counters.js";
import { BUS_OFF, ERROR_ACTIVE, STOPPED } from "../../../src/can/bus.js";
import { GATEWAY_COUNTERS } from "../../support/gateway-memory.js";
import { CORE, casesIn, casesOf, compile, compiler, coverage, unitFiles } from "./build.js";

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

	it("has the same bus states in TypeScript as in C", () => {
		const states = { GATEWAY_STOPPED: STOPPED, GATEWAY_ERROR_ACTIVE: ERROR_ACTIVE, GATEWAY_BUS_OFF: BUS_OFF };
		const claims = Object.entries(states).map(([name, state]) => `_Static_assert(${name} == ${state}, "${name}");`);
		const input = ['#include "gateway_core.h"', ...claims, ""].join("\n");
		const { status, stderr } = spawnSync(compiler, ["-std=c11", "-fsyntax-only", "-I", CORE, "-x", "c", "-"], {
			input,
			encoding: "utf8",
		});
		assert.deepEqual([status, stderr], [0, ""]);
	});
});
