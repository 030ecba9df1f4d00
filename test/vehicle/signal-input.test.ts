import assert from "node:assert/strict";
import { MQB_CAR, PQ_CAR } from "../../src/coupling/cars.js";
import { CONDITION_SIGNALS } from "../../src/coupling/coupling.js";
import { CONDITION_SIGNAL_MS } from "../../src/vehicle/mapped-inputs.js";
import { wordsOf } from "../../src/vehicle/sample.js";
import { CollectedFlags, createSignalInput, SignalInput } from "../../src/vehicle/signal-input.js";
import { MAX_WATCHED, WatchList } from "../../src/vehicle/watch-list.js";
import { SampleBuilder } from "../support/sample-builder.js";

describe("vehicle/signal-input", () => {
	// docs/control-and-can.md 7.2, 7.3, typed in anew
	it("reads the signals that are recommended for conditions on either network", () => {
		assert.equal(CONDITION_SIGNALS.join(), "espOff,hazardLights,brake,handbrake,reverse,driveMode,oilTemperature");
		for (const [at, network, id, byte, bit] of [
			[0, "pq", 0x1a0, 7, 5],
			[0, "mqb", 0x0fd, 6, 1],
			[1, "pq", 0x390, 6, 7],
			[1, "mqb", 0x366, 2, 4],
			[2, "pq", 0x288, 2, 0],
			[2, "mqb", 0x3be, 3, 4],
			[3, "pq", 0x320, 1, 1],
			[3, "mqb", 0x104, 7, 5],
			[4, "pq", 0x390, 2, 1],
			[4, "mqb", 0x3db, 3, 1],
		] as const) {
			const watch = new WatchList();
			const car = network === "pq" ? PQ_CAR : MQB_CAR;
			const input = createSignalInput(car.recommended.conditions[CONDITION_SIGNALS[at]], network, watch, CONDITION_SIGNAL_MS);
			const gateway = new SampleBuilder(watch.bytes());
			const data = new Uint8Array(8);
			data[byte] = 1 << bit;
			gateway.frame(0, id, false, false, 8, data, 100);
			const sample = gateway.bytes(110);
			assert.equal(input?.poll(sample, wordsOf(sample), 110), true);
			assert.deepEqual([input?.value, input?.atMs], [1, 100]);
			assert.equal(input?.poll(sample, wordsOf(sample), 110), false);
			assert.deepEqual([input?.isLive(1600), input?.isLive(1601), input?.isLive(1600)], [true, false, false]);
			const others = data.map((bits) => ~bits);
			gateway.frame(0, id, false, false, 8, others, 200);
			const next = gateway.bytes(210);
			assert.equal(input?.poll(next, wordsOf(next), 210), true);
			// EPB_Status has two bits, of which the upper one alone is not "applied"
			assert.equal(input?.value, id === 0x104 ? 2 : 0, "no other bit");
		}
	});

	it("reads oil temperature and drive mode, but neither from an error code nor from a report of four bytes", () => {
		const watch = new WatchList();
		const oil = createSignalInput(PQ_CAR.recommended.conditions.oilTemperature, "pq", watch, CONDITION_SIGNAL_MS);
		const mode = createSignalInput(MQB_CAR.recommended.conditions.driveMode, "mqb", watch, CONDITION_SIGNAL_MS);
		const gateway = new SampleBuilder(watch.bytes());
		const read = (bus: number, id: number, data: readonly number[], nowMs: number) => {
			gateway.frame(bus, id, false, false, data.length, Uint8Array.from([...data, 0, 0, 0, 0]), nowMs);
			const sample = gateway.bytes(nowMs);
			const input = id === 0x2c0 ? oil : mode;
			return input?.poll(sample, wordsOf(sample), nowMs) ? input.value : undefined;
		};
		const report = (raw: number) => [0x08, 0x80, 0, 0, raw, 0, 0, 0];
		const values = [0x5a, 0xfe, 0xff].map((raw, i) => read(1, 0x2c0, report(raw), 100 + i));
		assert.deepEqual(values, [30, undefined, undefined]);
		assert.equal(read(1, 0x2c0, [0x08, 0x88, 0, 0], 110), undefined);
		assert.equal(read(0, 0x385, [0x03, 0, 0, 0, 0, 0, 0, 0], 120), 3);
	});

	it("reads a multiplexed signal only with its selector's value", () => {
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

	it("follows both buses for a key without a bus, and only the coupling bus for a key of that bus", () => {
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
		assert.deepEqual([any?.poll(sample, wordsOf(sample), 20), coupling?.poll(sample, wordsOf(sample), 20)], [false, false]);
	});

	it("goes on with the value of an input of the same signal, and of no other", () => {
		const SAME = { bus: "chassis", frameId: 0x280, extended: false, signals: [{ start: 16, length: 16 }], mux: -1 } as const;
		const watch = new WatchList();
		const old = new SignalInput(SAME, watch, 500);
		const gateway = new SampleBuilder(watch.bytes());
		gateway.frame(0, 0x280, false, false, 8, Uint8Array.of(0, 0, 0x40, 0x1f, 0, 0, 0, 0), 10);
		const sample = gateway.bytes(10);
		old.poll(sample, wordsOf(sample), 10);
		for (const [change, goesOn] of [
			[{}, true],
			[{ bus: "haldex" }, false],
			[{ frameId: 0x288 }, false],
			[{ extended: true }, false],
			[{ signals: [{ start: 24, length: 16 }] }, false],
			[{ signals: [{ start: 16, length: 8 }] }, false],
			[{ mux: 1 }, false],
		] as const) {
			const input = new SignalInput({ ...SAME, ...change }, new WatchList(), 500);
			assert.equal(input.goOnFrom(old), goesOn, JSON.stringify(change));
			assert.deepEqual([input.isLive(10), input.value, input.atMs], goesOn ? [true, 8000, 10] : [false, Number.NaN, 0]);
		}
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

	it("ignores a frame that is too short for its signal, also if another reader of the frame needs fewer bytes", () => {
		const watch = new WatchList();
		createSignalInput("chassis|0x280|kickdown switch|", "pq", watch, 500);
		const rpm = createSignalInput("chassis|0x280|engine rpm|rpm", "pq", watch, 500);
		const gateway = new SampleBuilder(watch.bytes());
		assert.equal(gateway.frame(0, 0x280, false, false, 3, new Uint8Array(3), 10), true);
		const sample = gateway.bytes(10);
		assert.equal(rpm?.poll(sample, wordsOf(sample), 10), false);
	});
});

describe("vehicle/signal-input: collected flags", () => {
	it("are not read from a frame that is too short for them, also if another reader of it needs fewer bytes", () => {
		const watch = new WatchList();
		const flags = [0, 56].map(
			(start) => new CollectedFlags(0, [{ id: 0x1a0, start, length: 1, dbc: "", source: "assumed, test" }], watch),
		);
		const gateway = new SampleBuilder(watch.bytes());
		gateway.frame(0, 0x1a0, false, false, 3, new Uint8Array(3).fill(0xff), 10);
		const sample = gateway.bytes(10);
		assert.deepEqual(
			flags.map((one) => [one.poll(sample, wordsOf(sample)), one.bits]),
			[
				[true, 1],
				[false, 0],
			],
		);
	});
});

describe("vehicle/watch-list", () => {
	it("writes eight bytes per frame and shares frames with the smaller length", () => {
		const watch = new WatchList();
		assert.equal(watch.add(0, 0x280, false, 6), 24);
		assert.equal(watch.add(1, 0x17f00015, true, 8), 36);
		assert.equal(watch.add(0, 0x280, false, 4), 24);
		assert.deepEqual([...watch.bytes()], [0x80, 2, 0, 0, 0, 4, 0, 0, 0x15, 0, 0xf0, 0x97, 1, 8, 0, 0]);
		assert.equal(watch.sampleSize, 48);
	});

	it("returns no place for a new frame when it is full", () => {
		const watch = new WatchList();
		for (let id = 0; id < MAX_WATCHED; id++) assert.notEqual(watch.add(0, id, false, 8), 0);
		assert.equal(watch.add(0, 0x700, false, 8), 0);
		assert.notEqual(watch.add(0, 3, false, 8), 0);
		assert.equal(createSignalInput("chassis|0x280|engine rpm|rpm", "pq", watch, 500), undefined);
	});
});
