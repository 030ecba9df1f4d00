import assert from "node:assert/strict";
import { MQB_SIGNALS } from "../../src/can/layouts/mqb.js";
import { PQ_SIGNALS } from "../../src/can/layouts/pq.js";
import type { SignalRow } from "../../src/can/signal-layout.js";
import { MQB_CAR } from "../../src/coupling/cars.js";
import type { MappedKeys } from "../../src/coupling/coupling.js";
import { carOf, couplingOf } from "../../src/coupling/couplings/couplings.js";
import { CouplingReport } from "../../src/vehicle/coupling-status.js";
import { wordsOf } from "../../src/vehicle/sample.js";
import { Telemetry } from "../../src/vehicle/telemetry.js";
import { VehicleState } from "../../src/vehicle/vehicle-state.js";
import { WatchList } from "../../src/vehicle/watch-list.js";
import { writeRaw } from "../support/bits.js";
import { SampleBuilder } from "../support/sample-builder.js";

const CHASSIS = 0;
const COUPLING = 1;

/** A telemetry behind a gateway: feed frames, look at the fields. */
class Bench {
	readonly telemetry: Telemetry;
	readonly #gateway: SampleBuilder;

	constructor(generation: number, keys: Partial<MappedKeys> = {}) {
		this.telemetry = new Telemetry(generation, { speed: "", throttle: "", rpm: "", ...keys });
		this.#gateway = new SampleBuilder(this.telemetry.watch.bytes());
	}

	/** Receives a frame of hex bytes and updates. */
	frame(bus: number, id: number, hex: string, nowMs: number, kind: { ext?: boolean; rtr?: boolean } = {}): VehicleState {
		this.receive(bus, id, hex, nowMs, kind);
		return this.at(nowMs);
	}

	/** Receives a frame between two samples. */
	receive(bus: number, id: number, hex: string, nowMs: number, kind: { ext?: boolean; rtr?: boolean } = {}): void {
		const data = Uint8Array.from(hex === "" ? [] : hex.split(" ").map((byte) => Number.parseInt(byte, 16)));
		this.#gateway.frame(bus, id, kind.ext === true, kind.rtr === true, data.length, data, nowMs >>> 0);
	}

	/** Updates at a time. */
	at(nowMs: number): VehicleState {
		const sample = this.#gateway.bytes(nowMs >>> 0);
		this.telemetry.update(sample, wordsOf(sample), nowMs >>> 0);
		return this.telemetry.state;
	}
}

const PQ_FRAMES = [
	[CHASSIS, 0x1a0, "00 00 88 27 00 00 00 00"],
	[CHASSIS, 0x288, "0 0 0 64 0 0 0 0"],
	[CHASSIS, 0x280, "00 00 40 1F 00 FD 00 00"],
	[COUPLING, 0x2c0, "00 C8 00 00 00"],
] as const;
const MQB_FRAMES = [
	[CHASSIS, 0x0fd, "0 0 0 0 10 27 0 0"],
	[CHASSIS, 0x0b2, "0A 1A 0A 1A 0A 1A 0A 1A"],
	[CHASSIS, 0x0a8, "0 0 0 0 0 0 40 1F"],
	[CHASSIS, 0x121, "00 D3 07 00 00 00 00 00"],
	[COUPLING, 0x118, "00 00 7D 00"],
] as const;
const EIGHT = "00 00 00 00 00 00 00 00";

describe("vehicle/telemetry", () => {
	it("decodes the worked examples", () => {
		// docs/control-and-can.md 9.4
		const pq = new Bench(4);
		assert.equal(pq.frame(CHASSIS, 0x1a0, "00 00 88 27 00 00 00 00", 10).speedKmh, 51);
		const engine = pq.frame(CHASSIS, 0x280, "00 00 40 1F 00 7D 00 00", 20);
		assert.deepEqual([engine.rpm, engine.pedalPercent], [2000, 50]);
		const mqb = new Bench(5);
		assert.equal(mqb.frame(CHASSIS, 0x121, "00 D3 07 00 00 00 00 00", 10).pedalPercent, 50);
		assert.equal(mqb.frame(CHASSIS, 0x0fd, "00 00 00 00 88 13 00 00", 20).speedKmh, 50);
		assert.equal(mqb.frame(CHASSIS, 0x0b2, "0A 1A 0A 1A 0A 1A 0A 1A", 30).speedKmh, 50);
		assert.equal(mqb.frame(CHASSIS, 0x107, "00 00 00 00 80 4B 00 00", 40).boostMbar, 510);
		assert.equal(mqb.frame(COUPLING, 0x118, "00 00 7F 00", 50).engagementPercent, 50);
	});

	it("reads every value of its rows in its scale and needs no more bytes than hold it, and no value beyond their range", () => {
		const half = (value: number): number => Math.floor(Number((value + 0.5).toFixed(6)));
		const cut = (value: number): number => Math.floor(Number(value.toFixed(6)));
		const wheels = MQB_CAR.readings[0].signals;
		const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16)).join(" ");
		const framed = (rows: readonly SignalRow[], raw: number): Uint8Array => {
			const bytes = new Uint8Array(8);
			for (const row of rows) writeRaw(bytes, row, BigInt(raw));
			return bytes;
		};
		for (const [generation, rows, dlc, field, shown] of [
			[4, [PQ_SIGNALS.pedal], 6, "pedalPercent", Math.fround],
			[4, [PQ_SIGNALS.rpm], 4, "rpm", cut],
			[4, [PQ_SIGNALS.speed], 4, "speedKmh", half],
			[5, [MQB_SIGNALS.pedal], 3, "pedalPercent", Math.fround],
			[5, wheels, 8, "speedKmh", half],
			[5, [MQB_SIGNALS.speed], 7, "speedKmh", half],
			[5, [MQB_SIGNALS.boost], 6, "boostMbar", (bar: number) => Math.max(0, cut(1000 * bar - 1000))],
		] as const) {
			const { id, length, factor, max }: SignalRow = rows[0];
			assert.ok(max !== undefined, field);
			for (let raw = 0; raw <= max; raw += 1 + (raw >> 5)) {
				const bytes = framed(rows, raw);
				const short = new Bench(generation).frame(CHASSIS, id, hexOf(bytes.subarray(0, dlc - 1)), 10)[field];
				assert.equal(short, 0, `${field} ${dlc - 1} bytes`);
				const value = new Bench(generation).frame(CHASSIS, id, hexOf(bytes.subarray(0, dlc)), 10)[field];
				assert.equal(value, shown(field === "pedalPercent" ? raw * Math.fround(factor) : raw * factor), `${field} ${raw}`);
			}
			const most = new Bench(generation).frame(CHASSIS, id, hexOf(framed(rows, max)), 10)[field];
			assert.ok(most > 0, `${field} ${max}`);
			for (let raw = max + 1; raw < 2 ** length; raw++)
				assert.equal(new Bench(generation).frame(CHASSIS, id, hexOf(framed(rows, raw)), 10)[field], 0, `${field} ${raw}`);
		}
		// the mean: each wheel counts a quarter, and a code in one of them makes it none
		for (const only of wheels) {
			for (let raw = 0; raw <= 0xfffc; raw += 1 + (raw >> 5)) {
				const value = new Bench(5).frame(CHASSIS, only.id, hexOf(framed([only], raw)), 10).speedKmh;
				assert.equal(value, half((raw * only.factor) / wheels.length), `one wheel ${raw}`);
			}
			const lost = new Bench(5).frame(CHASSIS, only.id, hexOf(framed([only], 0xfffd)), 10);
			assert.equal(lost.speedValid, false);
		}
	});

	it("keeps for each source its latest value, its time, and whether the latest frame had a code", () => {
		const bench = new Bench(4);
		const [speed, wheels] = bench.telemetry.sources;
		assert.deepEqual([speed.meaning, speed.input.from.check?.counter?.start, wheels.meaning], ["speed", 56, "comparedSpeed"]);
		bench.frame(CHASSIS, 0x4a0, "A0 0F A0 0F A0 0F A0 0F", 1000);
		bench.frame(CHASSIS, 0x1a0, "00 00 88 27", 1010);
		bench.frame(CHASSIS, 0x4a0, "A0 0F CC FF A0 0F A0 0F", 1100);
		assert.deepEqual([wheels.input.value, wheels.input.atMs, wheels.input.isCode], [20, 1000, true]);
		assert.deepEqual([speed.input.value, speed.input.isCode], [Math.fround(50.6), false]);
		bench.frame(CHASSIS, 0x1a0, "00 00 AA FF", 1110);
		assert.deepEqual([speed.input.atMs, speed.input.isCode, bench.telemetry.state.speedKmh], [1010, true, 51]);
		assert.equal(bench.at(1311).speedValid, false, "what is only compared is never the speed");
		bench.frame(CHASSIS, 0x1a0, "00 00 00 00", 1320);
		assert.deepEqual([speed.input.isCode, bench.telemetry.state.speedValid], [false, true]);
		const mapped = new Bench(5, carOf(5).recommended.inputs).telemetry.sources;
		assert.deepEqual(
			mapped.map(({ meaning, isMapped, input, better }) => [
				meaning,
				isMapped,
				input.from.frameId,
				input.from.check?.checksum,
				better.length,
			]),
			[
				["speed", true, 0x0fd, "crc8", 0],
				["pedal", true, 0x121, "crc8", 0],
				["rpm", true, 0x0a8, "crc8", 0],
				["speed", false, 0x0b2, undefined, 1],
				["boost", false, 0x107, undefined, 0],
			],
		);
	});

	it("lets inputs expire after 300 and 500 ms, the limit included, and keeps their values", () => {
		const start = 5000;
		for (const [age, driver, slow] of [
			[299, true, true],
			[300, true, true],
			[301, false, true],
			[499, false, true],
			[500, false, true],
			[501, false, false],
		] as const) {
			const bench = new Bench(4);
			bench.frame(CHASSIS, 0x1a0, "00 00 88 27 00 00 00 00", start);
			bench.frame(CHASSIS, 0x280, "00 00 40 1F 00 7D 00 00", start);
			bench.frame(COUPLING, 0x2c0, "00 C8 00 00 00", start);
			const now = bench.at(start + age);
			assert.deepEqual(
				[now.speedValid, now.pedalValid, now.rpmValid, now.engagementValid],
				[driver, driver, slow, slow],
				`${age} ms`,
			);
			assert.deepEqual([now.speedKmh, now.pedalPercent, now.rpm, now.engagementPercent], [51, 50, 2000, 57]);
		}
	});

	it("counts a frame's age from its reception, also when it is seen late", () => {
		const bench = new Bench(4);
		const builder = new SampleBuilder(bench.telemetry.watch.bytes());
		builder.frame(CHASSIS, 0x1a0, false, false, 8, Uint8Array.of(0, 0, 0x88, 0x27, 0, 0, 0, 0), 1000);
		const update = (nowMs: number) => {
			const sample = builder.bytes(nowMs);
			bench.telemetry.update(sample, wordsOf(sample), nowMs);
		};
		update(1250);
		assert.deepEqual([bench.telemetry.state.speedAtMs, bench.telemetry.state.speedValid], [1000, true]);
		update(1301);
		assert.equal(bench.telemetry.state.speedValid, false);
	});

	it("ages values across the wrap of the clock, and keeps them old a wrap later", () => {
		const bench = new Bench(4);
		const start = 2 ** 32 - 100;
		bench.frame(CHASSIS, 0x1a0, "00 00 88 27 00 00 00 00", start);
		assert.equal(bench.at(start + 300).speedValid, true);
		assert.equal(bench.at(start + 301).speedValid, false);
		assert.equal(bench.at(start + 2 ** 32).speedValid, false);
		assert.equal(bench.frame(CHASSIS, 0x1a0, EIGHT, start + 2 ** 32).speedValid, true);
	});

	it("tells with the first speed whether the car stands", () => {
		const bench = new Bench(4);
		assert.equal(bench.at(1000).motion, "unknown");
		assert.equal(bench.frame(CHASSIS, 0x1a0, "00 00 00 00", 1010).motion, "stands");
	});

	it("knows the position of an automatic's selector for 1 s", () => {
		const bench = new Bench(4);
		assert.equal(bench.at(900).selector, "unknown");
		assert.equal(bench.frame(CHASSIS, 0x440, "00 80 00 FE 80 00 00 00", 1000).selector, "parked");
		assert.equal(bench.frame(CHASSIS, 0x440, "00 70 00 FE 80 00 00 00", 1099).selector, "parked", "read 10 times a second");
		assert.equal(bench.at(1100).selector, "in gear");
		assert.equal(bench.at(1999).selector, "in gear");
		assert.equal(bench.at(2100).selector, "unknown");
	});

	it("ignores error codes and degraded values: the old value stays and ages", () => {
		// generation, bus, id, good frame, frame with the code, field, its time
		const rows = [
			[4, 0x280, "00 00 40 1F 00 7D 00 00", "00 00 40 1F 00 FE 00 00", "pedalPercent", "pedalAtMs"],
			[4, 0x280, "00 00 40 1F 00 7D 00 00", "00 00 40 1F 00 FF 00 00", "pedalPercent", "pedalAtMs"],
			[4, 0x280, "00 00 40 1F 00 7D 00 00", "00 00 01 FE 00 7D 00 00", "rpm", "rpmAtMs"],
			[4, 0x1a0, "00 00 88 27 00 00 00 00", "00 00 FE FF 00 00 00 00", "speedKmh", "speedAtMs"],
			[4, 0x1a0, "00 00 88 27 00 00 00 00", "00 00 00 FF 00 00 00 00", "speedKmh", "speedAtMs"],
			[4, 0x1a0, "00 00 88 27 00 00 00 00", "00 00 CC FF 00 00 00 00", "speedKmh", "speedAtMs"],
			[5, 0x121, "00 D3 07 00 00 00 00 00", "00 E0 0F 00 00 00 00 00", "pedalPercent", "pedalAtMs"],
			[5, 0x121, "00 D3 07 00 00 00 00 00", "00 D3 16 00 00 00 00 00", "pedalPercent", "pedalAtMs"],
			[5, 0x0fd, "00 00 00 00 88 13 00 00", "00 00 00 00 FD FF 00 00", "speedKmh", "speedAtMs"],
			[5, 0x0fd, "00 00 00 00 88 13 00 00", "00 00 00 00 00 20 80 00", "speedKmh", "speedAtMs"],
			[5, 0x0b2, "0A 1A 0A 1A 0A 1A 0A 1A", "FD FF 0A 1A 0A 1A 0A 1A", "speedKmh", "speedAtMs"],
			[5, 0x0b2, "0A 1A 0A 1A 0A 1A 0A 1A", "0A 1A 0A 1A 0A 1A FF FF", "speedKmh", "speedAtMs"],
		] as const;
		for (const mapped of [false, true]) {
			for (const [generation, id, good, bad, field, time] of rows) {
				if (mapped && id === 0x0b2) continue; // not a mapped signal
				const bench = new Bench(generation, mapped ? carOf(generation).recommended.inputs : {});
				const before = bench.frame(CHASSIS, id, good, 1000)[field];
				const after = bench.frame(CHASSIS, id, bad, 1100);
				assert.deepEqual([after[field], after[time]], [before, 1000], `${id.toString(16)} ${bad} ${mapped}`);
			}
		}
		const rpm = new Bench(5, carOf(5).recommended.inputs);
		for (const frame of ["00 00 00 00 00 00 40 1F", "00 00 00 00 00 00 FD FF", "00 00 00 00 00 80 50 1F"])
			rpm.frame(CHASSIS, 0x0a8, frame, 1000);
		assert.equal(rpm.telemetry.state.rpm, 2000);
	});

	it("decodes no frame of the wrong kind, length or bus", () => {
		const good = "00 00 88 27 00 00 00 00";
		for (const [bus, id, data, kind] of [
			[CHASSIS, 0x1a0, good, { ext: true }],
			[CHASSIS, 0x1a0, "", { rtr: true }],
			[CHASSIS, 0x1a0, "00 00 88", {}],
			[COUPLING, 0x1a0, good, {}],
		] as const) {
			assert.equal(new Bench(4).frame(bus, id, data, 10, kind).speedValid, false);
		}
		assert.equal(new Bench(2).frame(COUPLING, 0x2c0, "00", 10).engagementValid, false);
		assert.equal(new Bench(5).frame(COUPLING, 0x118, "00 00", 10).engagementValid, false);
		assert.equal(new Bench(5).frame(COUPLING, 0x2c0, EIGHT, 10).engagementValid, false);
		assert.equal(new Bench(0).frame(COUPLING, 0x2c0, EIGHT, 10).engagementValid, false);
		assert.equal(new Bench(4).frame(CHASSIS, 0x121, "00 D3 07 00 00 00 00 00", 10).pedalValid, false);
	});

	it("tells an intervention by each of its four flags, and knows it for 300 ms", () => {
		for (const [generation, id, byte, bits] of [
			[4, 0x1a0, 0, [1, 2, 3, 4]],
			[5, 0x0fd, 7, [0, 2, 4, 5]],
		] as const) {
			for (let bit = 0; bit < 8; bit++) {
				const data = Array.from({ length: 8 }, (_, index) => (index === byte ? (1 << bit).toString(16) : "0")).join(" ");
				const isFlag = (bits as readonly number[]).includes(bit);
				const bench = new Bench(generation);
				const known = (state: VehicleState) => [state.interventionsValid, state.interventionActive];
				assert.deepEqual(known(bench.at(5)), [false, false]);
				assert.deepEqual(known(bench.frame(CHASSIS, id, data, 10)), [true, isFlag], `${generation} bit ${bit}`);
				assert.deepEqual(known(bench.at(310)), [true, isFlag]);
				assert.deepEqual(known(bench.at(311)), [false, false]);
				assert.deepEqual(known(bench.frame(CHASSIS, id, EIGHT, 100_010)), [true, false]);
			}
		}
		assert.equal(new Bench(5).frame(CHASSIS, 0x1a0, "FF 00 00 00 00 00 00 00", 10).interventionsValid, false);
		assert.equal(new Bench(4).frame(CHASSIS, 0x1a0, "", 10).interventionsValid, false);
	});

	it("misses no flag that stands in one frame of several between two samples", () => {
		const bench = new Bench(4);
		bench.receive(CHASSIS, 0x1a0, "04 00 00 00", 10);
		bench.receive(COUPLING, 0x2c0, "02 C8", 10);
		bench.receive(COUPLING, 0x2c0, "04 C8", 11);
		bench.receive(CHASSIS, 0x1a0, EIGHT, 12);
		const shown = bench.frame(COUPLING, 0x2c0, "00 C8", 12);
		assert.deepEqual([shown.interventionActive, shown.temperatureProtection, shown.couplingFault], [true, true, true]);
		assert.equal(shown.couplingState, 0);
		bench.receive(CHASSIS, 0x1a0, EIGHT, 22);
		const over = bench.frame(COUPLING, 0x2c0, "00 C8", 22);
		assert.deepEqual([over.interventionActive, over.temperatureProtection, over.couplingFault], [false, false, false]);
	});

	it("tells over-temperature and faults on PQ, never on generation 5", () => {
		for (let bit = 0; bit < 8; bit++) {
			const state = (1 << bit).toString(16);
			const pq = new Bench(4).frame(COUPLING, 0x2c0, `${state} 0 0 0 0 0 0 0`, 10);
			assert.deepEqual(
				[pq.couplingState, pq.temperatureProtection, pq.couplingFault],
				[1 << bit, bit === 1, [0, 2, 4].includes(bit)],
			);
			const mqb = new Bench(5).frame(COUPLING, 0x118, `0 0 0 ${state} 0 0 0 0`, 10);
			assert.deepEqual([mqb.couplingState, mqb.temperatureProtection, mqb.couplingFault], [1 << bit, false, false]);
		}
	});

	it("shows engagement from 0 % to 100 %, whatever the coupling reports, and 0 % while it says that it is open", () => {
		// docs/control-and-can.md 2.2
		for (const [generation, raw, percent] of [
			[1, "00", 0],
			[1, "7F", 0],
			[1, "A3", 50],
			[1, "C6", 100],
			[1, "FE", 100],
			[4, "80", 0],
			[4, "FE", 100],
		] as const) {
			assert.equal(new Bench(generation).frame(COUPLING, 0x2c0, `00 ${raw} 0 0 0 0 0 0`, 10).engagementPercent, percent, raw);
			assert.equal(new Bench(generation).frame(COUPLING, 0x2c0, `08 ${raw} 0 0 0 0 0 0`, 10).engagementPercent, 0, raw);
		}
	});

	for (const [title, limits, percent] of [
		["0 % below the raw value that is 0 %, in a coupling that reports less", { zeroRaw: 199 }, 0],
		["100 % above the raw value that is 100 %, in a coupling that reports more", { zeroRaw: 0, fullRaw: 196 }, 100],
	] as const)
		it(`shows ${title}`, () => {
			const status = couplingOf(4)?.status ?? assert.fail("generation 4 has no report");
			const watch = new WatchList();
			const report = new CouplingReport({ ...status, ...limits }, carOf(4), false, watch);
			const gateway = new SampleBuilder(watch.bytes());
			gateway.frame(COUPLING, 0x2c0, false, false, 8, Uint8Array.of(0, 198, 0, 0, 0, 0, 0, 0), 10);
			const sample = gateway.bytes(10);
			const state = new VehicleState();
			report.read(sample, wordsOf(sample), 10, state);
			assert.deepEqual([state.engagementValid, state.engagementRaw, state.engagementPercent], [true, 198, percent]);
		});

	it("shows what generation 5 engages in each state, none of which says that the coupling is open", () => {
		for (let bit = 0; bit < 8; bit++) {
			const state = (1 << bit).toString(16);
			assert.equal(new Bench(5).frame(COUPLING, 0x118, `00 00 7F ${state}`, 10).engagementPercent, 50, state);
		}
	});

	it("shows no engagement before the coupling reports one", () => {
		const { engagementValid, engagementRaw, engagementPercent } = new Bench(4).telemetry.state;
		assert.deepEqual([engagementValid, engagementRaw, engagementPercent], [false, 0, 0]);
	});

	it("falls back to ESP_21 after 500 ms without ESP_19, and then follows every frame", () => {
		const bench = new Bench(5);
		bench.frame(CHASSIS, 0x0b2, "0A 1A 0A 1A 0A 1A 0A 1A", 1000);
		assert.equal(bench.frame(CHASSIS, 0x0fd, "0 0 0 0 10 27 0 0", 1500).speedKmh, 50);
		assert.equal(bench.frame(CHASSIS, 0x0fd, "0 0 0 0 10 27 0 0", 1501).speedKmh, 100);
		assert.equal(bench.frame(CHASSIS, 0x0fd, "0 0 0 0 20 4E 0 0", 1521).speedKmh, 200);
		assert.equal(bench.frame(CHASSIS, 0x0b2, "0A 1A 0A 1A 0A 1A 0A 1A", 1530).speedKmh, 50);
	});

	it("does not read Motor_2's byte 3 as speed: cars send 04 there at any speed", () => {
		const bench = new Bench(4);
		const guess = bench.frame(CHASSIS, 0x288, "0 0 0 64 0 0 0 0", 1501);
		assert.deepEqual([guess.speedKmh, guess.speedValid], [0, false]);
	});

	for (const [generation, id, standing, moving] of [
		[4, 0x1a0, EIGHT, "00 00 88 27 00 00 00 00"],
		[5, 0x0fd, EIGHT, "00 00 00 00 88 13 00 00"],
	] as const)
		it(`tells whether the car stands, and its highest speed, up to 100 ms late, generation ${generation}`, () => {
			const lateMs: number[] = [];
			for (let changesAtMs = 200; changesAtMs < 300; changesAtMs++) {
				const bench = new Bench(generation);
				for (let ms = 0; ms < changesAtMs; ms += 10) bench.frame(CHASSIS, id, standing, ms);
				assert.equal(bench.telemetry.state.motion, "stands");
				bench.receive(CHASSIS, id, moving, changesAtMs);
				let ms = Math.ceil(changesAtMs / 10) * 10;
				assert.ok(bench.at(ms).speedKmh >= 50, "the speed itself is known with the next tick");
				while (bench.at(ms).motion === "stands" && ms < 1000) ms += 10;
				const { motion, fastestKmh } = bench.telemetry.state;
				assert.deepEqual([motion, Math.floor(fastestKmh)], ["moves", 50]);
				lateMs.push(ms - changesAtMs);
			}
			assert.deepEqual([Math.min(...lateMs), Math.max(...lateMs)], [0, 99]);
		});

	it("knows nothing that is valid, and no car that stands, after a fault of ours", () => {
		const bench = new Bench(4);
		for (const [bus, id, hex] of PQ_FRAMES) bench.receive(bus, id, hex, 10);
		bench.frame(CHASSIS, 0x1a0, EIGHT, 20);
		const { telemetry } = bench;
		const known = () => {
			const { engagementValid, motion, pedalValid, rpmValid, speedValid } = telemetry.state;
			return [speedValid, pedalValid, rpmValid, engagementValid, motion];
		};
		assert.deepEqual(known(), [true, true, true, true, "stands"]);
		telemetry.invalidate();
		assert.deepEqual(known(), [false, false, false, false, "unknown"]);
	});

	it("prefers a mapped input for one second, once it was seen", () => {
		const bench = new Bench(4, { speed: "chassis|0x320|speed cluster 1|km/h" });
		assert.equal(bench.frame(CHASSIS, 0x1a0, "0 0 88 27", 900).speedKmh, 51, "not seen yet");
		assert.equal(bench.frame(CHASSIS, 0x320, "0 0 0 20 4E 0 0 0", 1000).speedKmh, 100);
		assert.equal(bench.frame(CHASSIS, 0x1a0, "0 0 88 27", 2000).speedKmh, 100);
		assert.equal(bench.frame(CHASSIS, 0x1a0, "0 0 88 27", 2001).speedKmh, 51);
		const mqb = new Bench(5, carOf(5).recommended.inputs);
		mqb.frame(CHASSIS, 0x0fd, "0 0 0 0 10 27 0 0", 1000);
		assert.equal(mqb.frame(CHASSIS, 0x0b2, "0A 1A 0A 1A 0A 1A 0A 1A", 2000).speedKmh, 100);
		assert.equal(mqb.frame(CHASSIS, 0x0b2, "0A 1A 0A 1A 0A 1A 0A 1A", 2001).speedKmh, 50);
	});

	it("reads no PQ frame on generation 5 and no MQB frame on the others, whatever is mapped", () => {
		const isNothingKnown = ({ speedValid, pedalValid, rpmValid, interventionsValid, engagementValid }: VehicleState) =>
			!(speedValid || pedalValid || rpmValid || interventionsValid || engagementValid);
		for (const [generation, frames] of [
			[5, PQ_FRAMES],
			[4, MQB_FRAMES],
		] as const)
			for (const keys of [{}, carOf(5).recommended.inputs, carOf(4).recommended.inputs]) {
				const bench = new Bench(generation, keys);
				for (const [bus, id, data] of frames) bench.frame(bus, id, data, 1000);
				assert.ok(isNothingKnown(bench.telemetry.state), `${generation}`);
			}
	});

	it("clamps mapped values to the range of a channel", () => {
		const low = new Bench(4, {
			speed: "all|0x420|oil temperature 4 1|c",
			throttle: "all|0x420|oil temperature 4 1|c",
			rpm: "all|0x420|oil temperature 4 1|c",
		});
		const now = low.frame(CHASSIS, 0x420, EIGHT, 10);
		assert.deepEqual([now.speedKmh, now.pedalPercent, now.rpm, now.speedValid], [0, 0, 0, true]);
		assert.equal(low.frame(COUPLING, 0x420, "0 0 0 FF 0 0 0 0", 20).rpm, 195);
		const high = new Bench(4, { speed: "chassis|0x520|odometer|km", rpm: "chassis|0x520|odometer|km" });
		for (const [km, clamped] of [
			["FE FF 00", 65534],
			["FF FF 00", 65535],
			["70 11 01", 65535],
		] as const) {
			const { speedKmh, rpm } = high.frame(CHASSIS, 0x520, `0 0 0 0 0 ${km}`, 10);
			assert.deepEqual([speedKmh, rpm], [clamped, clamped]);
		}
	});

	it("ignores unusable keys", () => {
		const bench = new Bench(4, { speed: "nonsense", throttle: "all|0x1|x|", rpm: "chassis|0x280|engine_rpm|rpm" });
		assert.equal(bench.frame(CHASSIS, 0x1a0, "00 00 88 27 00 00 00 00", 10).speedKmh, 51);
	});
});
