import assert from "node:assert/strict";
import { findSignal } from "../../src/can/catalogue.js";
import { FrameKey, LatestFrames, NEVER_SEEN_MS } from "../../src/vehicle/latest-frames.js";
import { LatestTable } from "../support/latest-frames.js";

const BRAKE = { bus: 0, id: 0x1a0, received: { ageMs: 12, count: 9, data: [0, 0, 0x88, 0x13, 0, 0, 0, 0] } } as const;
const COUPLING = { bus: 1, id: 0x1a0, received: { ageMs: 5, data: [1] }, sent: { ageMs: 4, data: [2], flags: 1 } } as const;
const WIDE = { bus: 0, id: 0x1b000010 + 0x80000000, sent: { ageMs: 70000, count: 0xffffffff, data: [7], flags: 4 } } as const;

describe("vehicle/latest-frames", () => {
	it("reads identifier, bus and both directions of every entry", () => {
		const frames = new LatestFrames(new LatestTable(BRAKE, WIDE));
		assert.ok(frames.read(0));
		assert.deepEqual([frames.frameId, frames.extended, frames.bus], [0x1a0, false, 0]);
		const { received, sent } = frames;
		assert.deepEqual([received.ageMs, received.count, received.dlc, received.generated], [12, 9, 8, false]);
		assert.deepEqual([sent.ageMs, sent.count], [NEVER_SEEN_MS, 0]);
		assert.ok(frames.read(1));
		assert.deepEqual([frames.frameId, frames.extended, received.ageMs], [0x1b000010, true, NEVER_SEEN_MS]);
		assert.deepEqual([sent.ageMs, sent.count, sent.dlc, sent.generated], [70000, 0xffffffff, 1, true]);
		assert.equal(sent.bytes[sent.dataAt], 7);
		assert.equal(frames.read(2), false);
	});

	it("decodes a signal of the catalogue, and none from a frame that is too short", () => {
		const speed = findSignal("pq", 0x1a0, "br1 wheel speed kmh");
		assert.ok(speed !== undefined);
		const frames = new LatestFrames(new LatestTable(BRAKE, COUPLING));
		frames.read(0);
		assert.equal(frames.received.physical(speed), Math.fround((0x1388 >> 1) * Math.fround(0.01)));
		frames.read(1);
		assert.equal(frames.received.physical(speed), Number.NaN);
	});

	it("finds an identifier by bus, number and type, and then without a search", () => {
		const table = new LatestTable(WIDE, BRAKE, COUPLING);
		const frames = new LatestFrames(table);
		const key = new FrameKey(1, 0x1a0, false);
		assert.ok(frames.find(key));
		assert.deepEqual([frames.bus, frames.sent.generated, table.reads], [1, true, 3]);
		assert.ok(frames.find(key));
		assert.equal(table.reads, 4);
		assert.equal(frames.find(new FrameKey(0, 0x1b000010, false)), false);
		assert.ok(frames.find(new FrameKey(0, 0x1b000010, true)));
	});

	it("goes on where it stopped while an identifier has not been seen", () => {
		const table = new LatestTable(WIDE, BRAKE);
		const frames = new LatestFrames(table);
		const key = new FrameKey(1, 0x1a0, false);
		assert.equal(frames.find(key), false);
		assert.equal(frames.find(key), false);
		assert.equal(table.reads, 4);
		table.entries.push(COUPLING);
		assert.ok(frames.find(key));
		assert.equal(table.reads, 5);
	});

	it("searches a large table over several calls", () => {
		const many = Array.from({ length: 1000 }, (_, id) => ({ bus: 0, id }) as const);
		const table = new LatestTable(...many, COUPLING);
		const frames = new LatestFrames(table);
		const key = new FrameKey(1, 0x1a0, false);
		let calls = 1;
		let most = 0;
		for (; !frames.find(key); calls++) {
			most = Math.max(most, table.reads);
			table.reads = 0;
			assert.ok(calls < 10);
		}
		assert.deepEqual([calls, most], [8, 128]);
	});
});
