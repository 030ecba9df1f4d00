/** The limits that `npm run bench` judges by. */
import assert from "node:assert/strict";
import { limitOf, TICK_INSTRUCTIONS, tooLong, tooMuch } from "../../tools/bench/limits.mjs";

const row = (name: string, instructions: number) => ({
	name,
	per: "request",
	instructions,
	turnHeapBytes: 0,
	collections: 0,
});

describe("tools/bench/limits.mjs", () => {
	it("gives each row the limit of its kind", () => {
		assert.equal(limitOf("tick that takes a frame plan, generation 5"), TICK_INSTRUCTIONS);
		assert.ok(limitOf("tick, generation 5, MAP") < TICK_INSTRUCTIONS);
		assert.ok(limitOf("GET /api/status") > limitOf("GET /api/map"));
	});

	it("complains of what costs more, and of nothing else", () => {
		const [map, tick] = [limitOf("GET /api/map"), limitOf("tick")];
		assert.deepEqual(tooMuch([row("GET /api/map", map), row("tick", tick + 1)]), [
			`tick: ${tick + 1} instructions, ${tick} are allowed`,
		]);
	});

	it("complains of a turn that takes longer than its kind may, and of a slow start", () => {
		const turn = (kind: string, instructions: number) => ({ kind, instructions, during: "a drive" });
		assert.deepEqual(tooLong([turn("timer0", TICK_INSTRUCTIONS + 1), turn("start", 4_000_000)], 7_000_000), []);
		assert.deepEqual(tooLong([turn("timer10", TICK_INSTRUCTIONS + 1)], 0), [
			"a turn of a timer10, a drive: 1000001 instructions, 1000000 are allowed",
		]);
		assert.deepEqual(tooLong([], 12_500_001), ["loading: 12500001 instructions, 12500000 are allowed"]);
	});

	it("complains of a control tick that takes from the heap", () => {
		const ticks = { ...row("tick, generation 5, MAP", 1000), per: "tick" };
		assert.deepEqual(tooMuch([ticks]), []);
		assert.deepEqual(tooMuch([{ ...ticks, turnHeapBytes: 16 }]), [
			"tick, generation 5, MAP: 16 bytes of the heap, and 0 collections, none are allowed",
		]);
	});
});
