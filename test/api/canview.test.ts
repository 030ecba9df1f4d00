import assert from "node:assert/strict";
import { COUPLINGS, UNCONFIGURED } from "../../src/coupling/couplings/couplings.js";
import { couplingStateText } from "../../src/vehicle/coupling-status.js";
import { request } from "../support/api-client.js";
import { aController } from "../support/controller-view.js";
import { frameTextOf } from "../support/frame-lines.js";
import { type Latest, type Record, TraceTable } from "../support/gateway-memory.js";
import { listSignals } from "../support/signals.js";

const EXTENDED = 0x80000000;
const CHASSIS = 0;
const COUPLING = 1;

interface Row {
	readonly bus: string;
	readonly dir: string;
	readonly id: number;
	readonly name: string;
	readonly value: number | string;
	readonly unit: string;
	readonly ts: number;
	readonly generated: boolean;
	readonly ageMs: number;
	readonly hz: number;
	readonly dlc: number;
	readonly data: string;
}

function aTable(...entries: Latest[]): TraceTable {
	const table = new TraceTable(...entries);
	table.nowMs = 50_000;
	return table;
}

type Generation = 0 | 1 | 2 | 4 | 5 | 51 | 53;

function view(table: TraceTable, query = "?decoded=2000&raw=0", generation: Generation = 4, frameText = frameTextOf(table)) {
	const controller = aController({ generation });
	const answer = request({ frameText, controller }, "GET", `/api/canview${query}`);
	assert.equal(answer.status, 200);
	const { decoded, raw } = answer.json() as unknown as { decoded: Row[]; raw: Row[] };
	return { decoded, raw, text: answer.text };
}

const data = (...bytes: number[]) => [...bytes, ...Array(8 - bytes.length).fill(0)];
/** Allrad_1 of the coupling, forwarded to the chassis; Bremse_1 of the chassis, changed on its way. */
const STATUS: Latest = {
	bus: COUPLING,
	id: 0x2c0,
	received: { ageMs: 10, data: data(0x4b, 150, 0, 0, 7) },
	sent: { ageMs: 9, data: data(0x4b, 150) },
};
const BRAKES: Latest = {
	bus: CHASSIS,
	id: 0x1a0,
	received: { ageMs: 20, data: data(0, 0x41, 0x88, 0x13) },
	sent: { ageMs: 21, data: data(0, 0x41, 0, 0), flags: 1 },
};

/** Frames of the chassis, received and forwarded. */
const forwarded = (...ids: number[]): Latest[] =>
	ids.map((id) => ({ bus: CHASSIS, id, received: { data: data(0) }, sent: { data: data(0) } }));

const places = (rows: readonly Row[]) => [...new Set(rows.map((row) => `${row.bus} ${row.dir} ${row.id.toString(16)}`))];

describe("api/canview, decoded rows", () => {
	it("lists the coupling's state, then the signals in the reference's order", () => {
		const { decoded } = view(aTable(BRAKES, STATUS));
		assert.deepEqual(places(decoded), ["haldex RX 2c0", "haldex TX 1a0", "chassis RX 1a0", "chassis TX 2c0"]);
		const expected = [
			...listSignals("pq", 0x2c0)
				.filter(({ mux }) => mux <= 0)
				.map(({ name }) => name),
			...listSignals("pq", 0x1a0)
				.filter(({ mux }) => mux < 0)
				.map(({ name }) => name),
		];
		const listed = decoded
			.slice(2)
			.filter(({ bus }) => bus === "haldex")
			.map(({ name }) => name);
		assert.deepEqual(
			listed.filter((name) => expected.includes(name)),
			expected,
		);
	});

	it("writes a row with every field, the value with three decimals", () => {
		const { text, decoded } = view(aTable(BRAKES, STATUS), "?bus=chassis&decoded=2000&raw=0");
		const speed = decoded.find(({ name }) => name === "BR1_Wheel_Speed_kmh");
		assert.deepEqual(speed, {
			bus: "chassis",
			dir: "RX",
			id: 0x1a0,
			name: "BR1_Wheel_Speed_kmh",
			value: 25,
			unit: "km/h",
			codesKnown: true,
			ts: 49_980,
			generated: false,
			ageMs: 20,
			hz: 0,
		});
		assert.match(text, /"name":"BR1_Wheel_Speed_kmh","value":25\.000,"unit":"km\/h"/);
	});

	it("marks what the controller changed or made, on the coupling bus only", () => {
		const cyclic: Latest = { bus: COUPLING, id: 0x1a0, sent: { ageMs: 1, data: data(1), flags: 4 } };
		const { decoded } = view(aTable(BRAKES, STATUS, cyclic));
		const generated = decoded.filter((row) => row.generated);
		assert.deepEqual(places(generated), ["haldex TX 1a0"]);
		assert.ok(decoded.some((row) => row.bus === "chassis" && row.dir === "TX" && row.id === 0x1a0));
	});

	it("shows the report of each coupling as its table describes it, and of generation 0 as of an unconfigured one", () => {
		const rows = [...COUPLINGS.map((coupling) => [coupling.generation, coupling] as const), [0, UNCONFIGURED] as const];
		for (const [generation, { generation: shownAs, status }] of rows)
			for (const state of [0, ...Array.from({ length: 8 }, (_, bit) => 1 << bit), 255]) {
				const bytes = Array(8).fill(0);
				bytes[status.state.start >> 3] = state;
				bytes[status.engagement.start >> 3] = 150;
				const report: Latest = { bus: COUPLING, id: status.state.id, received: { data: bytes } };
				const [first, second] = view(aTable(report), undefined, generation).decoded;
				assert.deepEqual(
					[first, second].map(({ name, id, value }) => [name, id, value]),
					[
						["Haldex state", status.state.id, couplingStateText(state, shownAs)],
						["Engagement", status.state.id, 150],
					],
					`generation ${generation}`,
				);
			}
	});

	it("decodes the frames of the network that each coupling's car has", () => {
		for (const { generation, car } of COUPLINGS)
			assert.equal(
				view(aTable(BRAKES), undefined, generation).decoded.length > 0,
				car.network === "pq",
				`generation ${generation}`,
			);
	});

	it("says what the coupling's status byte and engagement mean, by generation", () => {
		const words = "75 (Clutch 1 report, Temperature protection, Coupling open, Speed limit)";
		const mqb = (...bytes: number[]): Latest => ({ bus: COUPLING, id: 0x118, received: { data: bytes } });
		for (const [generation, entry, ...expected] of [
			...[0, 1, 2, 4].map((generation) => [generation, STATUS, `Haldex state: ${words}`, "Engagement: 150"] as const),
			[5, mqb(0, 0, 200, 0x4b, 0, 0, 0, 0), "Haldex state: 75 (None)", "Engagement: 200"],
			[5, mqb(0, 0, 9), "Engagement: 9"], // too short for the status byte
		] as const) {
			const { decoded } = view(aTable(entry), undefined, generation as Generation);
			assert.deepEqual(
				decoded.slice(0, 2).map(({ name, value }) => `${name}: ${value}`),
				expected,
			);
		}
	});

	it("leaves out what is older than 1500 ms, of the other network, or of the other identifier type", () => {
		const aged = (ageMs: number): Latest => ({ bus: CHASSIS, id: 0x1a0, received: { ageMs, data: data(0) } });
		assert.ok(view(aTable(aged(1500))).decoded.length > 0);
		assert.deepEqual(view(aTable(aged(1501))).decoded, []);
		assert.deepEqual(view(aTable(aged(0)), undefined, 5).decoded, []);
		assert.deepEqual(view(aTable({ ...aged(0), id: 0x1a0 + EXTENDED })).decoded, []);
	});

	it("lists signals of a multiplexed frame only while they are selected and the frame is long enough", () => {
		const signals = listSignals("pq", 0x480);
		const selector = signals.find(({ mux }) => mux === -2);
		assert.ok(selector !== undefined && selector.start === 6 && selector.length === 2, JSON.stringify(selector));
		const names = (value: number) =>
			view(aTable({ bus: CHASSIS, id: 0x480, received: { data: data(value << 6) } }), "?bus=chassis&decoded=2000").decoded.map(
				({ name }) => name,
			);
		for (const value of [0, 1, 2, 3])
			assert.deepEqual(
				names(value),
				signals.filter(({ mux }) => mux < 0 || mux === value).map(({ name }) => name),
				`selector ${value}`,
			);
		const short = view(aTable({ bus: CHASSIS, id: 0x1a0, received: { data: [0, 0x41] } })).decoded;
		assert.ok(short.length > 0 && !short.some(({ name }) => name === "BR1_Wheel_Speed_kmh"));
	});

	it("has as many rows as it is asked for, by default 200", () => {
		const table = aTable(...forwarded(0x1a0, 0x280, 0x288, 0x380, 0x480, 0x5d0, 0x390, 0x4a8, 0x2c0));
		const count = (query: string) => view(table, query).decoded.length;
		const all = count("?decoded=2000");
		assert.ok(all > 220, String(all));
		for (const [query, expected] of [
			["", 200],
			["?decoded=0", 0],
			["?decoded=1&decoded=9", 1],
			["?decoded=2.9", 2],
			["?decoded=-3", 0],
			["?decoded=2001", all],
			["?decoded=99999999999999999999", all],
		] as const)
			assert.equal(count(query), expected, query);
	});

	it("leaves the chassis bus its share of the limit", () => {
		const busy = aTable(STATUS, ...forwarded(0x280, 0x288, 0x380, 0x480, 0x1a0));
		/** Rows, and those of the chassis among them. */
		const share = (query: string, table = busy) => {
			const { decoded } = view(table, query);
			return [decoded.length, decoded.filter(({ bus }) => bus === "chassis").length];
		};
		for (const limit of [2, 9, 40, 150]) assert.deepEqual(share(`?decoded=${limit}`), [limit, Math.trunc(limit / 2)]);
		const [coupling] = share("?decoded=2000&bus=haldex");
		const [chassis] = share("?decoded=2000&bus=chassis");
		assert.deepEqual(share("?decoded=2000"), [coupling + chassis, chassis], "all of both where there is room");
		// what the chassis does not need is the coupling bus's
		const quiet = aTable(STATUS, { bus: CHASSIS, id: 0x280, sent: { data: data(0) } });
		assert.deepEqual(share("?decoded=40", quiet), [39, listSignals("pq", 0x2c0).length - 1]);
		assert.deepEqual(share("?decoded=7&bus=coupling"), [7, 0]);
	});

	it("filters by bus; an unknown one has no rows", () => {
		const table = aTable(BRAKES, STATUS);
		table.records.push({ timeUs: 1, id: 1, bus: 0 });
		const buses = (query: string) => {
			const { decoded, raw } = view(table, query);
			return [...new Set([...decoded, ...raw].map(({ bus }) => bus))].sort();
		};
		for (const bus of ["", "all", "ALL"]) assert.deepEqual(buses(`?bus=${bus}`), ["chassis", "haldex"]);
		assert.deepEqual(buses("?bus=Chassis"), ["chassis"]);
		assert.deepEqual(buses("?bus=haldex"), ["haldex"]);
		assert.deepEqual(buses("?bus=Coupling"), ["haldex"]);
		for (const bus of ["lin", "chassis%20", "0"]) assert.equal(view(table, `?bus=${bus}`).text, '{"decoded":[],"raw":[]}');
	});

	it("counts how often a frame comes, from the second request on", () => {
		let count = 70_000;
		const table = aTable();
		const frameText = frameTextOf(table);
		const rate = (afterMs: number, frames: number) => {
			table.nowMs += afterMs;
			count += frames;
			table.entries[0] = {
				bus: CHASSIS,
				id: 0x1a0,
				received: { count, data: data(0) },
				sent: { count: count >> 1, data: data(0) },
			};
			const { decoded } = view(table, "?decoded=2000&raw=0", 4, frameText);
			return [decoded[decoded.length - 1].hz, decoded[0].hz];
		};
		assert.deepEqual(rate(0, 0), [0, 0]);
		assert.deepEqual(rate(999, 99), [0, 0], "the window is a second at least");
		assert.deepEqual(rate(1, 1), [100, 50]);
		assert.deepEqual(rate(500, 9), [100, 50]);
		assert.deepEqual(rate(1500, 11), [10, 5]);
		assert.deepEqual(rate(10_001, 5000), [0, 0], "a count that is too old");
	});
});

describe("api/canview, raw rows", () => {
	it("lists the last frames, newest first, as sent and as received", () => {
		const table = aTable();
		table.records.push(
			{ timeUs: 48_000_999, id: 0x1a0, bus: CHASSIS, received: [1, 0xab], sent: [2, 0xab], flags: 1 },
			{ timeUs: 49_999_000, id: 0x1b000010 + EXTENDED, bus: COUPLING, received: [], flags: 2 },
			{ timeUs: 50_003_000, id: 0x6b0, bus: CHASSIS, sent: [5], flags: 4 },
		);
		assert.deepEqual(view(table, "?raw=9").raw, [
			{ bus: "chassis", dir: "TX", id: 0x6b0, dlc: 1, data: "05", ts: 50_003, generated: false, ageMs: 0 },
			{ bus: "haldex", dir: "RX", id: 0x1b000010, dlc: 0, data: "", ts: 49_999, generated: false, ageMs: 1 },
			{ bus: "haldex", dir: "TX", id: 0x1a0, dlc: 2, data: "02 ab", ts: 48_000, generated: true, ageMs: 2000 },
			{ bus: "chassis", dir: "RX", id: 0x1a0, dlc: 2, data: "01 ab", ts: 48_000, generated: false, ageMs: 2000 },
		]);
	});

	it("keeps 32 of each bus and direction", () => {
		const table = aTable();
		for (let i = 0; i < 200; i++) table.records.push({ timeUs: i * 1000, id: i, bus: (i & 1) as 0 | 1, received: [i] });
		const counts = (query: string) => {
			const found: { [place: string]: number } = {};
			for (const { bus, dir } of view(table, query).raw) found[`${bus} ${dir}`] = (found[`${bus} ${dir}`] ?? 0) + 1;
			return found;
		};
		const full = { "chassis RX": 32, "chassis TX": 32, "haldex RX": 32, "haldex TX": 32 };
		assert.deepEqual(counts("?raw=128"), full);
		assert.deepEqual(counts("?raw=128&bus=chassis"), { "chassis RX": 32, "chassis TX": 32 });
		assert.equal(view(table, "").raw.length, 20);
		assert.equal(view(table, "?raw=0").raw.length, 0);
		assert.deepEqual(counts("?decoded=256&raw=256"), full);
		assert.equal(view(table, "?raw=-1").raw.length, 0);
		assert.deepEqual(
			view(table, "?raw=3").raw.map(({ id }) => id),
			[199, 199, 198],
		);
	});

	it("looks for the frames of a quiet bus among the last 512, and ends where the ring is overwritten meanwhile", () => {
		const table = aTable();
		table.records.push({ timeUs: 1, id: 1, bus: COUPLING, received: [1] }, { timeUs: 2, id: 2, bus: COUPLING, received: [2] });
		for (let i = 0; i < 511; i++) table.records.push({ timeUs: 3, id: 3, bus: CHASSIS, received: [], flags: 2 });
		const { raw } = view(table, "?raw=128&bus=coupling");
		assert.deepEqual(
			raw.map(({ id }) => id),
			[2],
		);
		table.lostMeanwhile = table.records.length - 8;
		assert.equal(view(table, "?raw=128&bus=chassis").raw.length, 8);
	});
});

/** Lines are those of `modules/frame-text`, which its own tests compare. */
describe("api/canview: getCanviewDump", () => {
	const RECORDS: Record[] = [
		{ timeUs: 99_000_007, id: 0x1a0, bus: 0, received: [0, 0x41, 0xff], sent: [0, 0x42, 0xff], flags: 1 },
		{ timeUs: 99_000_999, id: 0x1b000010 + EXTENDED, bus: 1, received: [0x10] },
	];

	function dump(query: string, nowMs = 100_000, records: readonly Record[] = RECORDS) {
		const table = new TraceTable();
		table.records.push(...records);
		table.nowMs = nowMs;
		const answer = request({ frameText: frameTextOf(table) }, "GET", `/api/canview/dump${query}`);
		return { ...answer, lines: answer.text.split("\n").slice(0, -1) };
	}

	it("lists every frame as received and as sent, as a table, as candump -L, and as SavvyCAN's CSV", () => {
		for (const [query, type, file, ...expected] of [
			[
				"",
				"text/plain",
				"openhaldex-can-dump.txt",
				"OpenHaldex CAN dump",
				"window_ms=30000 bus=all",
				"ts_ms\tbus\tdir\tgen\tid\tdlc\tdata",
			],
			["?format=candump", "text/plain", "openhaldex-can-dump.log", "(0000000099.000007) can0 1A0#0041FF"],
			["?format=savvycan", "text/csv", "openhaldex-can-dump.csv", "Time Stamp,ID,Extended,Dir,Bus,LEN,D1,D2,D3,D4,D5,D6,D7,D8"],
		]) {
			const { status, headers, lines } = dump(query);
			assert.deepEqual([status, headers["content-type"]], [200, type]);
			assert.equal(headers["content-disposition"], `attachment; filename=${file}`);
			assert.deepEqual(lines.slice(0, expected.length), expected);
		}
		assert.deepEqual(dump("").lines.slice(3), [
			"99000\tchassis\tRX\t-\t0x1a0\t3\t00 41 ff",
			"99000\thaldex\tTX\tGEN\t0x1a0\t3\t00 42 ff",
			"99000\thaldex\tRX\t-\t0x1b000010\t1\t10",
			"99000\tchassis\tTX\t-\t0x1b000010\t1\t10",
		]);
	});

	it("filters by bus, any letter case and alias, an unknown one means all, and by direction", () => {
		for (const [query, places] of [
			["?bus=ALL", "chassis RX, haldex TX, haldex RX, chassis TX"],
			["?bus=lin", "chassis RX, haldex TX, haldex RX, chassis TX"],
			["?bus=%ff", "chassis RX, haldex TX, haldex RX, chassis TX"],
			["?bus=Chassis", "chassis RX, chassis TX"],
			["?bus=HALDEX", "haldex TX, haldex RX"],
			["?bus=coupling&dir=tx", "haldex TX"],
			["?dir=rx", "chassis RX, haldex RX"],
			["?dir=tx", "haldex TX, chassis TX"],
		] as const) {
			const seen = dump(query)
				.lines.slice(3)
				.map((line) => line.split("\t").slice(1, 3).join(" "));
			assert.equal(seen.join(", "), places, query);
		}
		assert.equal(dump("?bus=coupling").lines[1], "window_ms=30000 bus=haldex");
	});

	it("looks back as long as it is asked to, within 1 to 120 s, and says how much it covers", () => {
		const records = Array.from({ length: 1300 }, (_, i) => ({ timeUs: i * 100_000, id: 1, bus: 0, received: [] }) as const);
		for (const [query, first, covered] of [
			["", 99_900, "30000"],
			["?seconds=1", 128_900, "1000"],
			["?seconds=0", 128_900, "1000"],
			["?seconds=1.9", 128_900, "1000"],
			["?seconds=120", 9900, "120000"],
			["?seconds=99999999999", 9900, "120000"],
		] as const) {
			const { lines, headers } = dump(query, 129_900, records);
			assert.deepEqual([Number(lines[3].split("\t")[0]), headers["x-covered-ms"]], [first, covered], query);
		}
		assert.equal(dump("?seconds=5", 2000, []).headers["x-covered-ms"], "2000", "since the start");
	});
});
