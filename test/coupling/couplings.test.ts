/**
 * Values that readers get by the tables of couplings and cars: docs/control-and-can.md 2.2, 3.12 item 4
 * and 7, typed in anew.
 */
import assert from "node:assert/strict";
import { inWords } from "../../src/api/words.js";
import { Reason } from "../../src/controller/reason.js";
import {
	COUPLINGS,
	carOf,
	couplingOf,
	FRAME_PROFILES,
	GENERATIONS,
	isGeneration,
	networkOf,
} from "../../src/coupling/couplings/couplings.js";
import { couplingFlags, couplingStateText, engagementNm } from "../../src/vehicle/coupling-status.js";
import { wordsOf } from "../../src/vehicle/sample.js";
import { Telemetry } from "../../src/vehicle/telemetry.js";
import type { VehicleState } from "../../src/vehicle/vehicle-state.js";
import { SampleBuilder } from "../support/sample-builder.js";

const NOW_MS = 1000;

/** The vehicle's state after one frame. */
function after(generation: number, bus: number, id: number, data: readonly number[], standalone = false): VehicleState {
	const telemetry = new Telemetry(generation, { speed: "", throttle: "", rpm: "" }, !standalone);
	const gateway = new SampleBuilder(telemetry.watch.bytes());
	const bytes = Uint8Array.of(...data, 0, 0, 0, 0, 0, 0, 0, 0).subarray(0, 8);
	gateway.frame(bus, id, false, false, data.length, bytes, NOW_MS);
	const sample = gateway.bytes(NOW_MS);
	telemetry.update(sample, wordsOf(sample), NOW_MS);
	return telemetry.state;
}

/** Of a status frame: identifier, and the bytes that say a raw engagement. */
const reported = (generation: number, raw: number, status = 0): VehicleState =>
	generation === 5 ? after(5, 1, 0x118, [0, 0, raw, 0]) : after(generation, 1, 0x2c0, [status, raw, 0, 0]);

/** Whether a frame of ABS and ESP of this length is taken, all its flags set. */
const intervention = (generation: number, dlc: number): boolean =>
	after(generation, 0, carOf(generation).interventions[0].id, new Array<number>(dlc).fill(0xff)).interventionsValid;

describe("coupling/couplings: car and report", () => {
	// a 1K0 907 554 A sends four bytes, a generation 5 unit as many: shared/cars, so no more is asked for
	for (const [generation, zeroRaw, fullRaw, mostRaw] of [
		[1, 128, 198, 254],
		[2, 128, 254, 254],
		[4, 128, 254, 254],
		[5, 0, 254, 254],
	] as const)
		it(`reads engagement of generation ${generation} from ${zeroRaw} = 0 % to ${fullRaw} = 100 %, and no code`, () => {
			const percent = (raw: number): number => reported(generation, raw).engagementPercent;
			const oneOf100 = Math.ceil((fullRaw - zeroRaw) / 100);
			assert.deepEqual([percent(zeroRaw), percent(fullRaw), percent(fullRaw - 1) < 100], [0, 100, true]);
			assert.deepEqual([percent(zeroRaw + oneOf100) >= 1, percent(zeroRaw + oneOf100 - 1)], [true, 0]);
			for (const [raw, isValue] of [
				[zeroRaw - 1, false],
				[zeroRaw, true],
				[mostRaw, true],
				[mostRaw + 1, false],
			] as const)
				if (raw >= 0) assert.equal(reported(generation, raw).engagementValid, isValue, `raw ${raw}`);
			const least = generation === 5 ? [0, 0, fullRaw, 0] : [0, fullRaw];
			const id = generation === 5 ? 0x118 : 0x2c0;
			assert.equal(after(generation, 1, id, least).engagementValid, true);
			assert.equal(after(generation, 1, id, least.slice(0, generation === 5 ? 2 : 1)).engagementValid, false);
		});

	it("reads PQ's report as a torque, and marks its largest values as 'at least'", () => {
		for (const [generation, raw, status, newtonMetres, isAtLeast] of [
			[4, 0x80, 0, 0, false],
			[4, 0xb6, 0, 378, false],
			[4, 0xc1, 0, 455, false],
			[4, 0xfd, 0, 875, false],
			[4, 0xfe, 0, 882, true],
			[2, 0xfe, 0, 882, true],
			[1, 198, 0, 490, true],
			[4, 0xfe, 0x80, Number.NaN, true],
			[5, 254, 0, Number.NaN, false],
		] as const) {
			const vehicle = reported(generation, raw, status);
			const told = [engagementNm(vehicle, generation), vehicle.engagementSaturated];
			assert.deepEqual(told, [newtonMetres, isAtLeast], `${generation} ${raw}`);
		}
	});

	it("shows 0 % while the coupling says that it is fully open, whatever its torque says", () => {
		for (const generation of [1, 2, 4]) {
			const { engagementPercent, engagementRaw, engagementValid } = reported(generation, 0x88, 0x08);
			assert.deepEqual([engagementPercent, engagementRaw, engagementValid], [0, 0x88, true]);
			assert.ok(reported(generation, 0x88).engagementPercent > 5);
		}
	});

	it("reads the oil's temperature where the report has it, and adds it to nothing", () => {
		for (const generation of [1, 2, 4]) {
			const warm = after(generation, 1, 0x2c0, [0x18, 0x80, 0, 0, 0x59, 0xc0, 0xfe, 0x03]);
			assert.deepEqual([warm.clutchTemperatureC, warm.engagementPercent, warm.engagementRaw], [29, 0, 0x80]);
			for (const code of [0xfe, 0xff])
				assert.equal(after(generation, 1, 0x2c0, [0x18, 0x80, 0, 0, code, 0xc0, 0xfe, 0x03]).clutchTemperatureC, Number.NaN);
			assert.equal(reported(generation, 0x88, 8).clutchTemperatureC, Number.NaN, "four bytes");
		}
		assert.equal(reported(5, 77).clutchTemperatureC, Number.NaN);
	});

	it("treats emergency mode as a fault in a car only, not in standalone operation", () => {
		for (const [standalone, isFault] of [
			[false, true],
			[true, false],
		] as const) {
			const unit = after(4, 1, 0x2c0, [0x10, 0xfe, 0, 0, 0x56, 0xc0, 0xfe, 0x03], standalone);
			assert.deepEqual([unit.emergencyMode, unit.couplingFault, unit.engagementPercent], [true, isFault, 100]);
			assert.equal(after(4, 1, 0x2c0, [0x11, 0x80], standalone).couplingFault, true, "clutch error beside it");
		}
	});

	it("has words for the state's flags on PQ only", () => {
		const words = [
			[0x01, "Clutch 1 report"],
			[0x02, "Temperature protection"],
			[0x04, "Clutch 2 report"],
			[0x08, "Coupling open"],
			[0x40, "Speed limit"],
		] as const;
		for (const generation of [1, 2, 4]) {
			for (const [bit, text] of words) assert.equal(couplingStateText(bit, generation), `${bit} (${text})`);
			assert.equal(couplingStateText(0xb0, generation), "176 (None)");
			assert.equal(couplingFlags(0x4f, generation), 0x4f);
		}
		assert.deepEqual([couplingStateText(0xff, 5), couplingFlags(0xff, 5)], ["255 (None)", 0]);
	});

	it("needs one byte of the flags' frame on PQ, eight on MQB", () => {
		for (const generation of [1, 2, 4])
			assert.deepEqual([intervention(generation, 0), intervention(generation, 1)], [false, true]);
		assert.deepEqual([intervention(5, 7), intervention(5, 8)], [false, true]);
	});

	it("knows park and neutral of each car's selector, and every other position from them", () => {
		/** Positions that count as parked, of 16; what else is in the frame is set. */
		const parked = (generation: number, id: number, bytesOf: (position: number) => number[]): number[] =>
			Array.from({ length: 16 }, (_, position) => position).filter((position) => {
				const { selector } = after(generation, 0, id, bytesOf(position));
				assert.notEqual(selector, "unknown");
				return selector === "parked";
			});
		for (const generation of [1, 2, 4]) {
			assert.deepEqual(
				parked(generation, 0x440, (position) => [0xff, (position << 4) | 0x0f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
				[6, 8],
			);
			assert.equal(after(generation, 0, 0x1a0, [0]).selector, "unknown");
		}
		// bits 42 to 45
		assert.deepEqual(
			parked(5, 0x0ad, (position) => [0xff, 0xff, 0xff, 0xff, 0xff, (position << 2) | 0xc3, 0xff, 0xff]),
			[5, 7],
		);
	});
});

describe("coupling/couplings", () => {
	it("finds each by its generation, and returns undefined for other numbers", () => {
		for (const coupling of COUPLINGS) assert.equal(couplingOf(coupling.generation), coupling);
		for (const generation of [0, 3, -1, Number.NaN]) assert.equal(couplingOf(generation), undefined);
	});

	it("has six generations and two frame profiles, the reference's first", () => {
		assert.deepEqual(
			[GENERATIONS, FRAME_PROFILES],
			[
				[1, 2, 4, 5, 51, 53],
				["reference", "corrected"],
			],
		);
		for (const value of GENERATIONS) assert.equal(isGeneration(value), true, `${value}`);
		for (const value of [0, 3, -1, 1.5, Number.NaN, "1", null, undefined, true, [1], {}])
			assert.equal(isGeneration(value), false, `${value}`);
	});

	it("has the PQ network for every generation except 5", () => {
		assert.deepEqual([0, 1, 2, 4, 5, 51, 53].map(networkOf), ["pq", "pq", "pq", "pq", "mqb", "pq", "pq"]);
		assert.equal(carOf(0), carOf(4));
	});
});

/** Parts of a further coupling beside its tables of which nothing else reminds: docs/add-a-coupling.md. */
describe("facts outside of a coupling's tables", () => {
	const hex = (id: number): string => `0x${id.toString(16).toUpperCase().padStart(3, "0")}`;

	it("has the identifiers of its frames in the reasons for stock, which name no others", () => {
		const named = (reason: Reason): readonly string[] => inWords(reason).match(/0x[0-9A-F]+/g) ?? [];
		const each = (ids: readonly number[]): readonly string[] => [...new Set(ids.map(hex))];
		const reports = COUPLINGS.flatMap(({ status: { state, engagement } }) => [state.id, engagement.id]);
		const interventions = COUPLINGS.flatMap(({ car }) => car.interventions.map(({ id }) => id));
		assert.deepEqual(named(Reason.NO_FEEDBACK), each(reports));
		assert.deepEqual(named(Reason.NO_INTERVENTIONS), each(interventions));
		const { NO_FEEDBACK: _, NO_INTERVENTIONS: __, ...others } = Reason;
		assert.deepEqual(Object.values(others).flatMap(named), []);
	});
});
