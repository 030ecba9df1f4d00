import assert from "node:assert/strict";
import { StorageProblems } from "../../src/storage/storage-problems.js";

describe("storage/storage-problems", () => {
	it("keeps the youngest problem of each file until it is over", () => {
		const problems = new StorageProblems();
		problems.note("a", "a is bad");
		problems.note("b", "b is bad");
		problems.note("a", "a can't be stored");
		assert.deepEqual(problems.entries, [
			{ path: "b", problem: "b is bad" },
			{ path: "a", problem: "a can't be stored" },
		]);
		problems.note("b", "");
		problems.note("c", "");
		assert.deepEqual(problems.entries, [{ path: "a", problem: "a can't be stored" }]);
	});

	it("is bounded: the oldest problem goes, long sentences are cut", () => {
		const problems = new StorageProblems();
		for (let i = 0; i <= 4; i++) problems.note(`${i}`, "x".repeat(1000));
		// as the interface describes it
		assert.equal(problems.entries.length, 4);
		assert.deepEqual([problems.entries[0].path, problems.entries[0].problem.length], ["1", 160]);
	});
});
