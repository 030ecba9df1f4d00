import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { basename } from "node:path";
import { COUNTER_COUNT, GATEWAY_COUNTER } from "../../../modules/can-gateway/gateway-counters.js";
import { BUS_OFF, ERROR_ACTIVE, STOPPED } from "../../../src/can/bus.js";
import {
	CHECKSUM_BYTES,
	COUNTER_BYTES,
	DATA_ID_BYTES,
	FIELD_BYTES,
	HEADER,
	HEADER_BYTES,
	MARK_BYTES,
	OPERATION_BYTES,
	RULE,
	RULE_BYTES,
} from "../../../src/coupling/plan-format.js";
import { CORE, casesIn, casesOf, compile, compiler, coverage, unitFiles } from "./build.js";

/** The names of the gateway's headers, or of `declared`, have these values. */
function expectInC(values: readonly (readonly [name: string, value: number])[], ...declared: string[]): void {
	const claims = values.map(([name, value]) => `_Static_assert(${name} == ${value}, "${name}");`);
	const input = ['#include "gateway_core.h"', ...declared, ...claims, ""].join("\n");
	const { status, stderr } = spawnSync(compiler, ["-std=c11", "-fsyntax-only", "-I", CORE, "-x", "c", "-"], {
		input,
		encoding: "utf8",
	});
	assert.deepEqual([status, stderr], [0, ""]);
}

describe("modules/can-gateway core", () => {
	let check: (title: string) => void;

	before(function () {
		this.timeout(60000);
		check = casesIn(compile("unit", unitFiles()), unitFiles().flatMap(casesOf));
	});

	for (const file of unitFiles()) {
		const cases = casesOf(file);
		if (cases.length > 0)
			describe(basename(file, "_test.c"), () => {
				for (const title of cases) it(title, () => check(title));
			});
	}

	it("has no line or branch that these cases do not reach", function () {
		this.timeout(60000);
		const { missed, branches } = coverage(unitFiles());
		assert.deepEqual(missed, []);
		assert.ok(branches > 200, `only ${branches} branches were counted`);
	});

	it("has the same counters in TypeScript as in C, at the same places", () => {
		const places = Object.entries(GATEWAY_COUNTER);
		assert.equal(places.length, COUNTER_COUNT);
		expectInC(
			[...places, ["GATEWAY_COUNTER_COUNT", COUNTER_COUNT]],
			"#define X(name, json) json,",
			"enum { GATEWAY_COUNTER_LIST(X) };",
		);
	});

	it("has the same sizes and offsets of a plan in TypeScript as in C", () => {
		const sizes = {
			HEADER: HEADER_BYTES,
			COUNTER: COUNTER_BYTES,
			DATA_ID: DATA_ID_BYTES,
			RULE: RULE_BYTES,
			MARK: MARK_BYTES,
			FIELD: FIELD_BYTES,
			OPERATION: OPERATION_BYTES,
			CHECKSUM: CHECKSUM_BYTES,
		};
		const named = (prefix: string, offsets: Readonly<Record<string, number>>) =>
			Object.entries(offsets).map(([name, at]) => [prefix + name.replace(/[A-Z]/g, "_$&").toUpperCase(), at] as const);
		expectInC([
			...Object.entries(sizes).map(([part, bytes]) => [`GATEWAY_PLAN_${part}_BYTES`, bytes] as const),
			...named("GATEWAY_HEADER_", HEADER),
			...named("GATEWAY_RULE_", RULE),
		]);
	});

	it("has the same bus states in TypeScript as in C", () => {
		expectInC(Object.entries({ GATEWAY_STOPPED: STOPPED, GATEWAY_ERROR_ACTIVE: ERROR_ACTIVE, GATEWAY_BUS_OFF: BUS_OFF }));
	});
});
