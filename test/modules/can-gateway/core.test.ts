import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { COUNTER_COUNT, GATEWAY_COUNTER } from "../../../modules/can-gateway/gateway-counters.js";
import { BUS_OFF, ERROR_ACTIVE, STOPPED } from "../../../src/can/bus.js";
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

	it("has the same bus states in TypeScript as in C", () => {
		const states = /enum gateway_bus_state \{ (.*) \}/
			.exec(readFileSync("modules/can-gateway/gateway_core.h", "utf8"))?.[1]
			.split(", ");
		assert.deepEqual(
			["GATEWAY_STOPPED", "GATEWAY_ERROR_ACTIVE", "GATEWAY_BUS_OFF"].map((name) => states?.indexOf(name)),
			[STOPPED, ERROR_ACTIVE, BUS_OFF],
		);
	});
});
