import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import {
	findSelector,
	findSignal,
	MUX_SELECTOR,
	type Network,
	parseSignalKey,
	resolveSignalKey,
} from "../../src/can/catalogue.js";
import { type DataIdOrder, dataIdsOf, MOTOR_11_SIGNALS, MQB_SIGNALS } from "../../src/can/layouts/mqb.js";
import { PQ_SIGNALS } from "../../src/can/layouts/pq.js";
import type { RawRow, SignalRow } from "../../src/can/signal-layout.js";
import { buildCatalogue, catalogueTexts } from "../../tools/build-catalogue.mjs";
import { endToEndChecksum } from "../support/checksum.js";
import { listSignals } from "../support/signals.js";

const TEXTS = catalogueTexts();
const frameIds = (network: Network) =>
	(network === "mqb" ? TEXTS.networks[1]! : TEXTS.networks[0]!).map((text) => Number.parseInt(text, 16));

describe("can/catalogue", () => {
	it("fits into its share of flash and is up to date with the DBC files", () => {
		const { path, built } = buildCatalogue();
		assert.equal(built, false);
		const text = readFileSync(path, "latin1");
		assert.ok(text.length < 90_000, `${text.length} bytes`);
		assert.ok([...text].every((character) => character <= "~"));
	});

	it("has 692 signals in 36 PQ frames and 1348 in 103 MQB frames, none longer than the 32 bits that the control tick reads", () => {
		for (const [network, frames, signals] of [
			["pq", 36, 692],
			["mqb", 103, 1348],
		] as const) {
			const list = frameIds(network);
			assert.equal(list.length, frames);
			const all = list.flatMap((frameId) => listSignals(network, frameId));
			assert.equal(all.length, signals);
			assert.ok(all.every(({ length }) => length <= 32));
		}
	});

	it("knows extended identifiers and selectors, and has no signals of unknown frames", () => {
		assert.deepEqual([...new Set(listSignals("pq", 0x1a0).map(({ extended }) => extended))], [false]);
		assert.deepEqual([...new Set(listSignals("mqb", 0x1b000010).map(({ extended }) => extended))], [true]);
		for (const frameId of [0x118, -1, 2 ** 29, 2 ** 31 + 0x1a0, 1e300, Number.NaN])
			assert.deepEqual(listSignals("mqb", frameId), [], String(frameId));
		for (const network of ["pq", "mqb"] as const)
			for (const frameId of frameIds(network)) {
				const selector = listSignals(network, frameId).find(({ mux }) => mux === MUX_SELECTOR);
				assert.deepEqual(findSelector(network, frameId), selector, String(frameId));
			}
		assert.equal(findSelector("pq", 0x5a0)?.name, "Lateral_Acceleration_Timer_Tick");
		assert.equal(findSelector("pq", 0x2c0)?.name, "Unit_of_Clutch_Stiffness");
		assert.equal(findSelector("pq", 0x2a0), undefined);
	});

	it("agrees with the layout tables about the signals that both have", () => {
		let shared = 0;
		for (const [network, table] of [
			["pq", PQ_SIGNALS],
			["mqb", MQB_SIGNALS],
			["mqb", MOTOR_11_SIGNALS],
		] as const) {
			for (const row of Object.values(table) as (RawRow | SignalRow)[]) {
				const signal = listSignals(network, row.id).find((one) => one.name === row.dbc);
				if (signal === undefined) continue;
				shared++;
				for (const key of ["start", "length"] as const) assert.equal(signal[key], row[key], `${row.dbc} ${key}`);
				for (const key of ["motorola", "signed"] as const) assert.equal(signal[key], row[key] ?? false, `${row.dbc} ${key}`);
				assert.equal(signal.extended, row.extended === true, `${row.dbc} extended`);
				if (!("unit" in row)) continue;
				for (const key of ["factor", "offset", "unit"] as const) assert.equal(signal[key], row[key], `${row.dbc} ${key}`);
			}
		}
		assert.ok(shared >= 30, `${shared}`);
	});

	it("has the standing of each row in its DBC file: in the head, and exceptions in comments, the same as in the layout tables", () => {
		for (const [network, rows] of [
			["pq", Object.values(PQ_SIGNALS)],
			["mqb", Object.values(MQB_SIGNALS)],
		] as const) {
			const text = readFileSync(`src/can/dbc/${network}.dbc`, "utf8");
			assert.match(text, /^CM_ "Signals .*Standing of each row: firmware, .* unless a comment below begins with another/m);
			const comments = [...text.matchAll(/^CM_ SG_ (\d+) (\w+) "(\w+), (.*)";$/gm)].map(([, id, name, standing]) => [
				`${Number(id) % 0x80000000} ${name}`,
				standing,
			]);
			assert.equal(comments.length, text.match(/^CM_ SG_/gm)?.length);
			const standings = new Map(comments as [string, string][]);
			assert.equal(standings.size, comments.length, "one each");
			for (const [row, standing] of standings) {
				const [id, name] = row.split(" ");
				assert.ok(
					listSignals(network, Number(id)).some((one) => one.name === name),
					row,
				);
				assert.ok(["car", "bench", "maker", "firmware", "assumed"].includes(standing), `${row}: ${standing}`);
			}
			for (const row of rows) {
				if (!listSignals(network, row.id).some(({ name }) => name === row.dbc)) continue;
				assert.equal(standings.get(`${row.id} ${row.dbc}`), row.source.split(",")[0], row.dbc);
			}
		}
	});

	it("tells of which signals the codes are known: of those of the layout tables, and of single bits", () => {
		for (const [network, frameId, name, known] of [
			["pq", 0x1a0, "br1 wheel speed kmh", true],
			["pq", 0x320, "handbrake", true],
			["pq", 0x320, "speed cluster 1", true],
			["pq", 0x440, "ge1 selector position", true],
			["pq", 0x420, "ambient temperature filtered", false],
			["mqb", 0x121, "mo fahrpedalrohwert 01", true],
			["mqb", 0x366, "hazard switch", true],
			["mqb", 0x104, "epb status", false],
		] as const)
			assert.equal(findSignal(network, frameId, name)?.codesKnown, known, name);
	});

	it("finds names as keys spell them, not with underscores, and no part of a name", () => {
		assert.equal(findSignal("pq", 0x280, " Engine RPM ")?.name, "Engine_RPM");
		for (const name of ["engine_rpm", "engine", "rpm", "", "engine rpm,16", "|engine rpm"]) {
			assert.equal(findSignal("pq", 0x280, name), undefined, name);
		}
		assert.equal(findSignal("pq", 0x488, "altitudeinfo  engine 6")?.name ?? "AltitudeInfo__Engine_6_", "AltitudeInfo__Engine_6_");
	});
});

describe("can/catalogue: keys", () => {
	it("reads identifiers as C does", () => {
		for (const [text, id] of [
			["0x1a0", 416],
			["0X1A0", 416],
			["416", 416],
			["0640", 416],
			["+416", 416],
			["0", 0],
			["0x", -1],
			["0690", -1],
			["1a0", -1],
			["-1", -1],
			["", -1],
		] as const) {
			assert.equal(parseSignalKey(`all|${text}|a|b`).frameId, id, text);
		}
	});

	it("gives everything after the third bar to the unit, and cuts at 160 characters", () => {
		assert.equal(parseSignalKey("all|1|a|b|c").unit, "b|c");
		assert.equal(parseSignalKey(`all|1|${"a".repeat(200)}|b`).bus, "unknown");
	});

	it("writes keys that resolve to the same signal", () => {
		for (const network of ["pq", "mqb"] as const) {
			for (const frameId of frameIds(network)) {
				for (const signal of listSignals(network, frameId)) {
					const resolved = resolveSignalKey(network, `all|0x${frameId.toString(16)}|${signal.name.replaceAll("_", " ")}|`);
					assert.deepEqual(resolved, { bus: "any", signal });
				}
			}
		}
	});
});

// docs/control-and-can.md 9.2: frame, identifier, byte 0 with the DataID first and last.
const FRAMES = [
	["00 70 00 00 00 64 0F 70", 0x0a8, 0x9c, 0x18],
	["00 70 00 00 00 64 0F 32", 0x0a8, 0x24, 0x71],
	["00 40 FA FA 00 FA FA FA", 0x0a7, 0xb3, 0x80],
	["00 40 FA FA 00 FA 70 70", 0x0a7, 0x26, 0x5e],
	["00 10 00 00 00 00 00 FE", 0x08a, 0xde, 0xc5],
	["00 10 00 00 00 00 00 72", 0x08a, 0xd6, 0x92],
	["00 05 01 04 00 40 00 05", 0x116, 0x73, 0xc1],
	["00 80 64 C0 00 00 FD 00", 0x106, 0xb1, 0x7e],
	["00 00 BF 7F 00 00 7C 78", 0x5be, 0x43, 0x02],
	["00 10 E6 01 C8 80 00 80", 0x3be, 0x8c, 0x37],
	["00 20 00 00 00 00 00 00", 0x392, 0xff, 0x28],
	["00 10 2B 53 14 14 D7 24", 0x641, 0x3d, 0xd9],
	["00 30 2B 10 00 00 E2 79", 0x65d, 0x53, 0xdd],
	["00 00 00 FE 00 00 00 00", 0x0ad, 0xb5, 0x52],
	["00 10 01 00 00 00 00 00", 0x086, 0x5b, 0x76],
	["00 00 40 40 19 59 7E FE", 0x121, 0xae, 0x70],
] as const;

// Frames recorded in vehicles (9.2).
const RECORDED = [
	["6B 00 BD 00 00 00 00 00", 0x086],
	["F8 E0 BF FF 5F 20 20 20", 0x0ad],
	["90 80 64 00 00 00 E7 10", 0x106],
	["2D 00 D5 98 9F 26 25 0F", 0x116],
	["B9 00 00 C0 39 46 7E FE", 0x121],
] as const;

describe("can/layouts: DataIDs", () => {
	const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));
	const checksum = (frame: string, id: number, order: DataIdOrder) =>
		endToEndChecksum(bytes(frame), dataIdsOf(id, order) ?? [], order);

	it("go into the checksum first as in the reference, or last as in recorded frames of cars", () => {
		for (const [frame, id, reference, autosar] of FRAMES)
			assert.deepEqual([checksum(frame, id, "reference"), checksum(frame, id, "autosar")], [reference, autosar], frame);
		for (const [frame, id] of RECORDED) assert.equal(checksum(frame, id, "autosar"), bytes(frame)[0], frame);
	});

	it("exist for received frames with a checksum, and for no frame without one", () => {
		assert.equal(dataIdsOf(0x0b2, "autosar"), undefined);
		for (const id of [0x0fd, 0x101, 0x3c0]) assert.equal(dataIdsOf(id, "autosar")?.length, 16);
	});
});
