import assert from "node:assert/strict";
import { inWords } from "../../../src/api/words.js";
import { Reason } from "../../../src/controller/reason.js";
import {
	COUPLINGS,
	carOf,
	couplingOf,
	FRAME_PROFILES,
	GENERATIONS,
	isGeneration,
	networkOf,
} from "../../../src/coupling/couplings/couplings.js";
import { tableOf } from "../../../tools/campaign/tables.js";

describe("coupling/couplings", () => {
	it("finds each by its generation, and returns undefined for other numbers", () => {
		for (const coupling of COUPLINGS) assert.equal(couplingOf(coupling.generation), coupling);
		for (const generation of [0, 3, -1, Number.NaN]) assert.equal(couplingOf(generation), undefined);
	});

	it("has the PQ network for every generation except 5", () => {
		assert.deepEqual([0, 1, 2, 4, 5, 51, 53].map(networkOf), ["pq", "pq", "pq", "pq", "mqb", "pq", "pq"]);
		assert.equal(carOf(0), carOf(4));
	});
});

/** What a further coupling needs beside its tables, and nothing else reminds of: docs/add-a-coupling.md. */
describe("facts outside of a coupling's tables", () => {
	const hex = (id: number): string => `0x${id.toString(16).toUpperCase().padStart(3, "0")}`;

	it("has the identifiers of its frames in the reasons for stock, which name no others", () => {
		const named = (reason: Reason): readonly string[] => inWords(reason).match(/0x[0-9A-F]+/g) ?? [];
		const each = (ids: readonly number[]): readonly string[] => [...new Set(ids.map(hex))];
		const reports = COUPLINGS.flatMap(({ status: { state, engagement } }) => [state.id, engagement.id]);
		const interventions = COUPLINGS.flatMap(({ car }) => car.interventions.map(({ id }) => id));
		assert.deepEqual(named(Reason.NO_FEEDBACK), each(reports));
		assert.deepEqual(named(Reason.NO_INTERVENTIONS), each(interventions));
		const { NO_FEEDBACK: _, NO_INTERVENTIONS: __, ...others } = Reason;
		assert.deepEqual(Object.values(others).flatMap(named), []);
	});

	it("has the fault campaign's judge know its frames, typed in anew", () => {
		for (const { generation } of COUPLINGS)
			for (const profile of ["reference", "corrected"] as const)
				for (const isAlone of [false, true]) assert.ok(tableOf(generation, profile, isAlone, "MAP").rows.length > 0);
	});
});

describe("GENERATIONS and FRAME_PROFILES", () => {
	it("supports generations 1, 2, 4, 5 and two variants, and nothing else", () => {
		assert.deepEqual(GENERATIONS, [1, 2, 4, 5, 51, 53]);
		for (const value of [1, 2, 4, 5, 51, 53]) assert.equal(isGeneration(value), true, `${value}`);
		for (const value of [0, 3, 6, -1, 1.5, Number.NaN, "1", null, undefined, true, [1], {}])
			assert.equal(isGeneration(value), false, `${value}`);
	});

	it("has two frame profiles, the reference's first", () => {
		assert.deepEqual(FRAME_PROFILES, ["reference", "corrected"]);
	});
});
