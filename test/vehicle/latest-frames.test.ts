import assert from "node:assert/strict";
import { identifierOf } from "../../src/can/bus.js";
import { findSignal } from "../../src/can/catalogue.js";
import { LatestFrames, NEVER_SEEN_MS } from "../../src/vehicle/latest-frames.js";
import { LatestTable } from "../support/gateway-memory.js";

const BRAKE = { bus: 0, id: 0x1a0, received: { ageMs: 12, count: 9, data: [0, 0, 0x88, 0x13, 0, 0, 0, 0] } } as const;
const COUPLING = { bus: 1, id: 0x1a0, received: { ageMs: 5, data: [1] }, sent: { ageMs: 4, data: [2], flags: 1 } } as const;
const WIDE = { bus: 0, id: 0x1b000010 + 0x80000000, sent: { ageMs: 70000, count: 0xffffffff, data: [7], flags: 4 } } as const;

describe("vehicle/latest-frames", () => {
	it("reads both directions of an identifier, by bus, number and type", () => {
		const frames = new LatestFrames(new LatestTable(BRAKE, COUPLING, WIDE));
		const { received, sent } = frames;
		assert.ok(frames.read(0, 0x1a0));
		assert.deepEqual([received.ageMs, received.count, received.dlc, received.generated], [12, 9, 8, false]);
		assert.deepEqual([sent.ageMs, sent.count], [NEVER_SEEN_MS, 0]);
		assert.ok(frames.read(1, 0x1a0));
		assert.deepEqual([received.ageMs, sent.ageMs, sent.generated], [5, 4, true]);
		assert.ok(frames.read(0, identifierOf(0x1b000010, true)));
		assert.deepEqual([received.ageMs, sent.ageMs, sent.count], [NEVER_SEEN_MS, 70000, 0xffffffff]);
		assert.deepEqual([sent.dlc, sent.generated, sent.bytes[sent.dataAt]], [1, true, 7]);
	});

	it("keeps the last entry when asked for an identifier that was never seen", () => {
		const frames = new LatestFrames(new LatestTable(BRAKE, WIDE));
		assert.ok(frames.read(0, 0x1a0));
		for (const [bus, id] of [
			[1, 0x1a0],
			[0, 0x1a1],
			[0, identifierOf(0x1b000010, false)],
		] as const)
			assert.equal(frames.read(bus, id), false);
		assert.equal(frames.received.ageMs, 12);
	});

	it("decodes a signal of the catalogue, except from a frame that is too short", () => {
		const speed = findSignal("pq", 0x1a0, "br1 wheel speed kmh");
		assert.ok(speed !== undefined);
		const frames = new LatestFrames(new LatestTable(BRAKE, COUPLING));
		frames.read(0, 0x1a0);
		assert.equal(frames.received.physical(speed), Math.fround((0x1388 >> 1) * Math.fround(0.01)));
		frames.read(1, 0x1a0);
		assert.equal(frames.received.physical(speed), Number.NaN);
	});
});
