import assert from "node:assert/strict";
import { couplingStateText } from "../../src/vehicle/coupling-status.js";
import { Dashboard, SignalText } from "../../src/vehicle/dashboard.js";
import { LatestFrames } from "../../src/vehicle/latest-frames.js";
import { type Latest, LatestTable } from "../support/gateway-memory.js";

const SPEED = "chassis|0x1a0|br1 wheel speed kmh|km/h";
const speedData = (kmh: number): number[] => [0, 0, ((kmh * 100) << 1) & 0xff, ((kmh * 100) >> 7) & 0xff, 0, 0, 0, 0];
const slotOf = (key: string, generation: number, ...entries: Latest[]) =>
	new Dashboard(new LatestFrames(new LatestTable(...entries))).slot(0, key, generation);

describe("vehicle/dashboard", () => {
	it("decodes a signal of the catalogue from the latest frame received", () => {
		const slot = slotOf(SPEED, 4, { bus: 0, id: 0x1a0, received: { ageMs: 1500, data: speedData(50) } });
		const { found, label, bus, sent, unit, generated, ageMs, numeric, value, display } = slot;
		assert.deepEqual(
			{ found, label, bus, sent, unit, generated, ageMs, numeric, value, display },
			{
				found: true,
				label: "BR1_Wheel_Speed_kmh",
				bus: 0,
				sent: false,
				unit: "km/h",
				generated: false,
				ageMs: 1500,
				numeric: true,
				value: 50,
				display: "50 km/h",
			},
		);
	});

	it("shows the newer of received and sent on the signal's bus, the sent one if both are of the same age", () => {
		const received = (ageMs: number): Latest => ({ bus: 0, id: 0x1a0, received: { ageMs, data: speedData(10) } });
		const sent: Latest = { bus: 1, id: 0x1a0, sent: { ageMs: 20, data: speedData(30), flags: 1 } };
		for (const [ageMs, value] of [
			[19, 10],
			[20, 30],
			[21, 30],
		] as const) {
			const slot = slotOf(SPEED, 4, received(ageMs), sent);
			assert.deepEqual([slot.value, slot.sent, slot.generated], [value, value === 30, value === 30]);
		}
		const forwarded: Latest = { bus: 0, id: 0x1a0, sent: { ageMs: 1, data: speedData(70) } };
		assert.equal(slotOf(SPEED, 4, forwarded).found, false, "that went to the other bus");
		assert.equal(slotOf("haldex|0x1a0|br1 wheel speed kmh|", 4, forwarded).value, 70);
	});

	it("shows the key's name while the frame is stale, short or missing", () => {
		for (const seen of [{ received: { ageMs: 1501, data: speedData(5) } }, { received: { data: [0, 0, 1] } }, {}]) {
			const slot = slotOf(SPEED, 4, { bus: 0, id: 0x1a0, ...seen });
			assert.deepEqual([slot.found, slot.label, slot.display], [false, "br1 wheel speed kmh", "--"]);
		}
		for (const key of ["none", "all|0x1a0|br1 wheel speed kmh|", "chassis|0x1a0|no_such|"])
			assert.equal(slotOf(key, 4, { bus: 0, id: 0x1a0, received: { data: speedData(5) } }).found, false, key);
		assert.equal(slotOf("chassis|0x1a0|no_such|", 4).label, "no such");
	});

	it("reads a multiplexed signal only with its selector's value", () => {
		const key = "chassis|0x5a0|lateral acceleration|g";
		for (const [selector, found] of [
			[0, true],
			[1, false],
		] as const)
			assert.equal(slotOf(key, 4, { bus: 0, id: 0x5a0, received: { data: [227, selector, 0, 0, 0, 0, 0, 0] } }).found, found);
	});

	it("knows the coupling's state and engagement beside the catalogue", () => {
		const pq: Latest = { bus: 1, id: 0x2c0, received: { ageMs: 3, data: [8, 200, 0, 0, 100] } };
		const state = slotOf("haldex|0x704|haldex state|", 4, pq);
		assert.deepEqual(
			[state.found, state.numeric, state.display, state.label],
			[true, false, "8 (Coupling open)", "Haldex state"],
		);
		assert.deepEqual(
			[1, 2, 4].map((generation) => slotOf("haldex|0x2c0|engagement|", generation, pq).value),
			[200, 200, 200],
		);
		const mqb: Latest = { bus: 1, id: 0x118, received: { data: [0, 0, 125, 15] } };
		assert.equal(slotOf("haldex|0x118|engagement|", 5, mqb).display, "125");
		assert.equal(slotOf("haldex|0x118|haldex state|", 5, mqb).display, "15 (None)");
		assert.equal(slotOf("chassis|0x2c0|engagement|", 4, pq).found, false);
		assert.equal(slotOf("haldex|0x2c0|engagement|", 0, pq).found, false);
		assert.equal(couplingStateText(0x47, 2), "71 (Clutch 1 report, Temperature protection, Clutch 2 report, Speed limit)");
	});

	it("makes a slot once for a key and generation, and reads it each time", () => {
		const table = new LatestTable({ bus: 0, id: 0x1a0, received: { data: speedData(10) } });
		const dashboard = new Dashboard(new LatestFrames(table));
		const slot = dashboard.slot(2, SPEED, 4);
		table.entries[0] = { bus: 0, id: 0x1a0, received: { data: speedData(20) } };
		assert.equal(dashboard.slot(2, SPEED, 4), slot);
		assert.equal(slot.value, 20);
		assert.notEqual(dashboard.slot(2, SPEED, 2), slot);
	});
});

describe("SignalText", () => {
	it("shows fewer decimals for larger values and no zeros behind them", () => {
		for (const [value, text] of [
			[0, "0"],
			[-0.001, "0"],
			[12.345, "12.35"],
			[12.3, "12.3"],
			[-7, "-7"],
			[100.25, "100.3"],
			[850, "850"],
			[999.96, "1000"],
			[1000.4, "1000"],
			[3000, "3000"],
			[-12345.6, "-12346"],
		] as const)
			assert.equal(new SignalText("x", "").of(value), text);
	});

	it("shows engine speeds as whole numbers, and in full where a catalogue has hundreds", () => {
		for (const [value, unit, name, text] of [
			[3000, "rpm", "Engine_RPM", "3000 rpm"],
			[850.5, "rpm", "x", "851 rpm"],
			[30, "", "MO5_RPM", "30"],
			[8.5, "rpm", "x", "850 rpm"],
			[8.5, "", "MO5_RPM", "850"],
			[0.99, "rpm", "x", "0.99 rpm"],
			[19.99, "rpm", "x", "1999 rpm"],
			[12, "Unit_MinutInver", "MO_Drehzahl_01", "12 rpm"],
		] as const)
			assert.equal(new SignalText(name, unit).of(value), text);
	});

	it("writes units as people do and leaves unknown ones", () => {
		assert.equal(new SignalText("x", "Unit_KiloMeterPerHour").of(50.5), "50.5 km/h");
		assert.equal(new SignalText("x", "degC").of(90), "90 °C");
		assert.equal(new SignalText("x", "tics").of(1), "1 tics");
	});
});
