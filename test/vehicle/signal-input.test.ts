import assert from "node:assert/strict";
import { defaultTriggerKey, isDefaultTriggerKey, TRIGGER_HOLD_MS } from "../../src/vehicle/mapped-inputs.js";
import { createSignalInput } from "../../src/vehicle/signal-input.js";
import { MAX_WATCHED, WatchList, wordsOf } from "../../src/vehicle/watch-list.js";
import { SampleBuilder } from "../support/sample-builder.js";

describe("vehicle/signal-input", () => {
	it("reads the proposed trigger signal of either network", () => {
		for (const [generation, network, id, byte, bit] of [
			[4, "pq", 0x1a0, 7, 5],
			[5, "mqb", 0x0fd, 6, 1],
		] as const) {
			const watch = new WatchList();
			const input = createSignalInput(defaultTriggerKey(generation), network, watch, TRIGGER_HOLD_MS);
			const gateway = new SampleBuilder(watch.bytes());
			const data = new Uint8Array(8);
			data[byte] = 1 << bit;
			gateway.frame(0, id, false, false, 8, data, 100);
			const sample = gateway.bytes(110);
			assert.equal(input?.poll(sample, wordsOf(sample), 110), true);
			assert.deepEqual([input?.value, input?.atMs], [1, 100]);
			assert.equal(input?.poll(sample, wordsOf(sample), 110), false);
			assert.deepEqual([input?.isLive(1600), input?.isLive(1601), input?.isLive(1600)], [true, false, false]);
			assert.ok(isDefaultTriggerKey(defaultTriggerKey(generation)));
		}
	});

	it("takes a multiplexed signal only with its selector's value", () => {
		const watch = new WatchList();
		const input = createSignalInput("all|0x5a0|lateral acceleration|g", "pq", watch, 500);
		const gateway = new SampleBuilder(watch.bytes());
		for (const [selector, taken] of [
			[1, false],
			[0, true],
		] as const) {
			gateway.frame(0, 0x5a0, false, false, 8, Uint8Array.of(227, selector, 0, 0, 0, 0, 0, 0), 10);
			const sample = gateway.bytes(10);
			assert.equal(input?.poll(sample, wordsOf(sample), 10), taken);
		}
		assert.equal(input?.value, Math.fround(Math.fround(227 * Math.fround(0.01)) + Math.fround(-1.27)));
	});

	it("follows both buses for keys of any bus, one by key else", () => {
		const watch = new WatchList();
		const any = createSignalInput("|0x280|engine rpm|rpm", "pq", watch, 500);
		const coupling = createSignalInput("haldex|0x280|engine rpm|rpm", "pq", watch, 500);
		const gateway = new SampleBuilder(watch.bytes());
		gateway.frame(0, 0x280, false, false, 8, Uint8Array.of(0, 0, 0x40, 0x1f, 0, 0, 0, 0), 10);
		let sample = gateway.bytes(10);
		assert.deepEqual([any?.poll(sample, wordsOf(sample), 10), coupling?.poll(sample, wordsOf(sample), 10)], [true, false]);
		gateway.frame(1, 0x280, false, false, 8, Uint8Array.of(0, 0, 0x20, 0x1f, 0, 0, 0, 0), 20);
		sample = gateway.bytes(20);
		assert.deepEqual([any?.poll(sample, wordsOf(sample), 20), coupling?.poll(sample, wordsOf(sample), 20)], [true, true]);
		assert.deepEqual([any?.value, coupling?.value], [1992, 1992]);
	});

	it("reads Motorola signals and 29-bit frames", () => {
		const watch = new WatchList();
		const motorola = createSignalInput("all|0x2a7|acc adaptive|", "mqb", watch, 500);
		const extended = createSignalInput("chassis|0x1b000010|nm gateway nm aktiv kl15|", "mqb", watch, 500);
		const gateway = new SampleBuilder(watch.bytes());
		gateway.frame(0, 0x2a7, false, false, 8, Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0x80), 10);
		assert.equal(gateway.frame(0, 0x1b000010, false, false, 8, new Uint8Array(8).fill(255), 10), false);
		gateway.frame(0, 0x1b000010, true, false, 8, new Uint8Array(8).fill(255), 10);
		const sample = gateway.bytes(10);
		assert.deepEqual([motorola?.poll(sample, wordsOf(sample), 10), motorola?.value], [true, 2]);
		assert.deepEqual([extended?.poll(sample, wordsOf(sample), 10), extended?.value], [true, 1]);
	});

	it("wants a frame that is long enough even where another reader needs less", () => {
		const watch = new WatchList();
		createSignalInput("chassis|0x280|kickdown switch|", "pq", watch, 500);
		const rpm = createSignalInput("chassis|0x280|engine rpm|rpm", "pq", watch, 500);
		const gateway = new SampleBuilder(watch.bytes());
		assert.equal(gateway.frame(0, 0x280, false, false, 3, new Uint8Array(3), 10), true);
		const sample = gateway.bytes(10);
		assert.equal(rpm?.poll(sample, wordsOf(sample), 10), false);
	});
});

describe("vehicle/watch-list", () => {
	it("writes eight bytes per frame and shares frames with the smaller length", () => {
		const watch = new WatchList();
		assert.equal(watch.add(0, 0x280, false, 6), 16);
		assert.equal(watch.add(1, 0x17f00015, true, 8), 28);
		assert.equal(watch.add(0, 0x280, false, 4), 16);
		assert.deepEqual([...watch.bytes()], [0x80, 2, 0, 0, 0, 4, 0, 0, 0x15, 0, 0xf0, 0x97, 1, 8, 0, 0]);
		assert.equal(watch.sampleSize, 40);
	});

	it("says so when it is full", () => {
		const watch = new WatchList();
		for (let id = 0; id < MAX_WATCHED; id++) assert.notEqual(watch.add(0, id, false, 8), 0);
		assert.equal(watch.add(0, 0x700, false, 8), 0);
		assert.notEqual(watch.add(0, 3, false, 8), 0);
		assert.equal(createSignalInput("chassis|0x280|engine rpm|rpm", "pq", watch, 500), undefined);
	});
});
