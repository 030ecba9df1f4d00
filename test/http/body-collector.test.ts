import assert from "node:assert/strict";
import { BodyCollector } from "../../src/http/body-collector.js";

const LIMIT_BYTES = 3000;

/** Bytes that tell their own place. */
const counting = (length: number) => Uint8Array.from({ length }, (_, i) => i % 251);
const memoryBytes = (body: BodyCollector) => body.body().buffer.byteLength;

/** A collector that has begun a body of so many bytes at the most. */
function begun(bytes: number, slots = { free: 1 }): BodyCollector {
	const body = new BodyCollector(slots);
	assert.ok(body.begin(bytes));
	return body;
}

describe("http/body-collector", () => {
	it("takes exactly the memory that it is told, and copies nothing when it is full", () => {
		for (const length of [0, 1, 5, LIMIT_BYTES]) assert.equal(memoryBytes(begun(length)), length);
		const body = begun(5);
		const { buffer } = body.body();
		assert.ok(body.add(counting(9), 2, 7));
		assert.deepEqual([...body.body()], [2, 3, 4, 5, 6]);
		assert.equal(body.body().buffer, buffer);
	});

	it("collects what comes in pieces, up to all that it has memory for", () => {
		for (const pieces of [[], [512], [1, 1024], [512, 1, 1535], [LIMIT_BYTES], [LIMIT_BYTES - 1, 1]]) {
			const body = begun(LIMIT_BYTES);
			const whole = counting(LIMIT_BYTES);
			let length = 0;
			for (const piece of pieces) {
				assert.ok(body.add(whole, length, length + piece));
				length += piece;
			}
			assert.equal(memoryBytes(body), LIMIT_BYTES, `${pieces}`);
			assert.deepEqual(body.body(), whole.slice(0, length), `${pieces}`);
		}
	});

	it("refuses a byte more than the limit, and what comes before it has begun", () => {
		const body = begun(LIMIT_BYTES);
		assert.ok(body.add(counting(LIMIT_BYTES), 0, LIMIT_BYTES));
		assert.ok(!body.add(counting(1), 0, 1));
		assert.equal(body.body().length, LIMIT_BYTES);
		body.release();
		assert.ok(!body.add(counting(1), 0, 1));
		assert.equal(body.body().length, 0);
	});

	it("shares its places with others: who finds none waits, and an ended body gives its own back once", () => {
		const slots = { free: 2 };
		const [first, second] = [begun(1, slots), begun(1, slots)];
		const third = new BodyCollector(slots);
		assert.deepEqual([third.begin(1), third.active, second.active, slots.free], [false, false, true, 0]);
		first.release();
		first.release();
		assert.deepEqual([first.active, slots.free, third.begin(1), slots.free], [false, 1, true, 0]);
	});

	it("begins each body at its first byte", () => {
		const body = begun(LIMIT_BYTES);
		body.add(counting(700), 0, 700);
		body.release();
		assert.ok(body.begin(2));
		assert.ok(body.add(counting(2), 0, 2));
		assert.deepEqual([...body.body()], [0, 1]);
	});
});
