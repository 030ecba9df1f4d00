import assert from "node:assert/strict";
import { SignatureWatch } from "../../src/update/signature-watch.js";

const SIGNED = { message: new Uint8Array(1), signature: new Uint8Array(64) };

describe("update/signature-watch", () => {
	/** A watch, what it told, and the results that its checks give one after the other. */
	function aWatch(...results: number[]) {
		const told: (boolean | string)[] = [];
		const open = new Set<object>();
		const watch = new SignatureWatch(
			() => {
				if (results.length === 0) throw new Error("no memory");
				const check = { result: () => results.shift() as number, close: () => void open.delete(check) };
				open.add(check);
				return check;
			},
			(problem) => told.push(problem),
		);
		const begin = () => watch.begin(SIGNED, (isRight) => told.push(isRight));
		return { watch, told, open, begin };
	}

	it("tells once, as soon as it is known", () => {
		const { watch, told, open, begin } = aWatch(-1, 1, -1, 0);
		begin();
		watch.tick();
		assert.deepEqual(told, []);
		watch.tick();
		watch.tick();
		assert.deepEqual(told, [true]);
		begin();
		watch.tick();
		watch.tick();
		assert.deepEqual([told, open.size], [[true, false], 0]);
	});

	it("tells nothing of what was given up, by itself or by the next one", () => {
		const { watch, told, open, begin } = aWatch(1, 0);
		begin();
		watch.giveUp();
		watch.giveUp();
		watch.tick();
		begin();
		begin();
		assert.equal(open.size, 1);
		watch.tick();
		assert.deepEqual(told, [true]);
	});

	it("takes what can't be looked at for wrong, and says so", () => {
		const { told, begin } = aWatch();
		begin();
		assert.deepEqual(told, ["a signature can't be looked at: no memory", false]);
	});
});
