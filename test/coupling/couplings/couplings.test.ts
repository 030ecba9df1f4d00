import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { Reason } from "../../../src/controller/arbiter.js";
import { COUPLINGS, carOf, couplingOf, networkOf } from "../../../src/coupling/couplings/couplings.js";
import { generatedOf } from "../../../tools/campaign/standalone-tables.js";
import { rowsOf } from "../../../tools/campaign/tables.js";

describe("coupling/couplings", () => {
	it("lists each folder once, by the generation that its name says", () => {
		const folders = readdirSync("src/coupling/couplings", { withFileTypes: true }).filter((entry) => entry.isDirectory());
		assert.deepEqual(
			COUPLINGS.map(({ generation }) => `gen${generation}`),
			folders.map(({ name }) => name).sort(),
		);
		for (const coupling of COUPLINGS) assert.equal(couplingOf(coupling.generation), coupling);
		for (const generation of [0, 3, -1, Number.NaN]) assert.equal(couplingOf(generation), undefined);
	});

	it("takes the PQ network for every generation but 5", () => {
		assert.deepEqual([0, 1, 2, 4, 5].map(networkOf), ["pq", "pq", "pq", "pq", "mqb"]);
		assert.equal(carOf(0), carOf(4));
	});
});

/** What a further coupling needs beside its folder, and nothing else reminds of: docs/add-a-coupling.md. */
describe("what is not in a coupling's folder", () => {
	const hex = (id: number): string => `0x${id.toString(16).toUpperCase().padStart(3, "0")}`;

	it("has the identifiers of its frames in the reasons for stock", () => {
		for (const { car, status } of COUPLINGS) {
			assert.ok(Reason.NO_FEEDBACK.includes(hex(status.state.id)), hex(status.state.id));
			assert.ok(Reason.NO_INTERVENTIONS.includes(hex(car.interventions.flags[0].id)), hex(car.interventions.flags[0].id));
		}
	});

	it("has the fault campaign's judge know its frames, typed in anew", () => {
		for (const { generation } of COUPLINGS)
			for (const profile of ["reference", "corrected"] as const) {
				assert.ok(rowsOf(generation, profile, "MAP").length > 0);
				assert.ok(generatedOf(generation, profile, "MAP").rows.length > 0);
			}
	});
});
