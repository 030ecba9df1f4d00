import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { COUPLINGS, carOf, couplingOf, networkOf } from "../../../src/coupling/couplings/couplings.js";

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
