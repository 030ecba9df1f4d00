import assert from "node:assert/strict";
import { COUPLINGS } from "../../src/coupling/couplings/couplings.js";
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

	it("shows the report of each coupling that there is", () => {
		for (const { generation, status } of COUPLINGS) {
			const report: Latest = { bus: COUPLING, id: status.state.id, received: { data: Array(8).fill(0) } };
			const { decoded } = view(aTable(report), undefined, generation);
			assert.deepEqual([decoded[0]?.name, decoded[0]?.id], ["Haldex state", status.state.id], `generation ${generation}`);
		}
	});

	it("says of each bit of a coupling's status byte what the layouts call it", () => {
		for (const { generation, status } of COUPLINGS)
			for (const state of [0, ...Array.from({ length: 8 }, (_, bit) => 1 << bit), 255]) {
				const bytes = Array(8).fill(0);
				bytes[status.state.start >> 3] = state;
				const { decoded } = view(
					aTable({ bus: COUPLING, id: status.state.id, received: { data: bytes } }),
					undefined,
					generation,
				);
				assert.equal(decoded[0]?.value, couplingStateText(state, generation), `generation ${generation}`);
			}
	});

	it("says what the coupling's status byte and engagement mean, by generation", () => {
		const state = (generation: Generation, entry: Latest) => {
			const { decoded } = view(aTable(entry), undefined, generation);
			return decoded.slice(0, 2).map(({ name, value }) => `${name}: ${value}`);
		};
		const text = "Haldex state: 75 (Clutch 1 report, Temperature protection, Coupling open, Speed limit)";
		for (const generation of [0, 1, 2, 4] as const) assert.deepEqual(state(generation, STATUS), [text, "Engagement: 150"]);
		const open: Latest = { bus: COUPLING, id: 0x2c0, received: { data: data(8, 128) } };
		assert.equal(state(4, open)[0], "Haldex state: 8 (Coupling open)");
		assert.equal(state(4, { ...open, received: { data: data(0, 128) } })[0], "Haldex state: 0 (None)");
		const mqb: Latest = { bus: COUPLING, id: 0x118, received: { data: data(0, 0, 200, 0x4b) } };
		assert.deepEqual(state(5, mqb), ["Haldex state: 75 (None)", "Engagement: 200"]);
		// a frame too short for the byte shows nothing of it
		assert.deepEqual(state(5, { bus: COUPLING, id: 0x118, received: { data: [0, 0, 9] } }), ["Engagement: 9"]);
		assert.deepEqual(
			view(aTable(STATUS), "?bus=chassis&decoded=1", 4)
				.decoded.map(({ name }) => name)
				.filter((name) => name === "Engagement"),
			[],
		);
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

	it("has as many as it is asked for, 200 unless it is", () => {
		const table = aTable(
			...[0x1a0, 0x280, 0x288, 0x380, 0x480, 0x5d0, 0x390, 0x4a8, 0x2c0].map(
				(id): Latest => ({ bus: CHASSIS, id, received: { data: data(0) }, sent: { data: data(0) } }),
			),
		);
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
		const ids = [0x280, 0x288, 0x380, 0x480, 0x1a0];
		const table = aTable(
			STATUS,
			...ids.map((id): Latest => ({ bus: CHASSIS, id, received: { data: data(0) }, sent: { data: data(0) } })),
		);
		const share = (query: string) => {
			const { decoded } = view(table, query);
			return [decoded.length, decoded.filter(({ bus }) => bus === "chassis").length];
		};
		for (const limit of [2, 9, 40, 150]) assert.deepEqual(share(`?decoded=${limit}`), [limit, Math.trunc(limit / 2)]);
		const [coupling] = share("?decoded=2000&bus=haldex");
		const [chassis] = share("?decoded=2000&bus=chassis");
		assert.deepEqual(share("?decoded=2000"), [coupling + chassis, chassis], "all of both where there is room");
		// what the chassis does not need is the coupling bus's
		const quiet = aTable(STATUS, { bus: CHASSIS, id: 0x280, sent: { data: data(0) } });
		const { decoded } = view(quiet, "?decoded=40");
		assert.deepEqual(
			[decoded.length, decoded.filter(({ bus }) => bus === "chassis").length],
			[39, listSignals("pq", 0x2c0).length - 1],
		);
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

const REMOTE = 0x40000000;
const NOW_MS = 100_000;

function recorded(...records: Record[]): TraceTable {
	const table = new TraceTable();
	table.records.push(...records);
	return table;
}

function dump(table: TraceTable, query = "", nowMs = NOW_MS) {
	table.nowMs = nowMs;
	const answer = request({ frameText: frameTextOf(table) }, "GET", `/api/canview/dump${query}`);
	return { ...answer, lines: answer.text.split("\n").slice(0, -1) };
}

const RECORDS: Record[] = [
	{ timeUs: 99_000_007, id: 0x1a0, bus: 0, received: [0, 0x41, 0xff], sent: [0, 0x42, 0xff], flags: 1 },
	{ timeUs: 99_000_999, id: 0x1b000010 + EXTENDED, bus: 1, received: [0x10] },
	{ timeUs: 99_001_000, id: 0x7 + REMOTE, bus: 0, received: [], dlcs: [4, 4] },
	{ timeUs: 99_500_000, id: 0x280, bus: 0, received: [1, 2, 3, 4, 5, 6, 7, 8], sent: [], flags: 2 },
	{ timeUs: 99_999_000, id: 0x6b0, bus: 0, received: [], sent: [9], flags: 4 },
	{ timeUs: 99_999_500, id: 0x6b0, bus: 0, received: [], sent: [], flags: 6 },
	{ timeUs: 99_999_600, id: 0x6c0, bus: 1, received: [], sent: [7], flags: 4 },
];

describe("api/canview: getCanviewDump", () => {
	it("lists every frame as received and as sent in the reference's table", () => {
		const { status, headers, lines } = dump(recorded(...RECORDS));
		assert.equal(status, 200);
		assert.equal(headers["content-type"], "text/plain");
		assert.equal(headers["content-disposition"], "attachment; filename=openhaldex-can-dump.txt");
		assert.deepEqual(lines, [
			"OpenHaldex CAN dump",
			"window_ms=30000 bus=all",
			"ts_ms\tbus\tdir\tgen\tid\tdlc\tdata",
			"99000\tchassis\tRX\t-\t0x1a0\t3\t00 41 ff",
			"99000\thaldex\tTX\tGEN\t0x1a0\t3\t00 42 ff",
			"99000\thaldex\tRX\t-\t0x1b000010\t1\t10",
			"99000\tchassis\tTX\t-\t0x1b000010\t1\t10",
			"99001\tchassis\tRX\t-\t0x7\t4\t",
			"99001\thaldex\tTX\t-\t0x7\t4\t",
			"99500\tchassis\tRX\t-\t0x280\t8\t01 02 03 04 05 06 07 08",
			"99999\tchassis\tTX\t-\t0x6b0\t1\t09",
			"99999\thaldex\tTX\tGEN\t0x6c0\t1\t07",
		]);
	});

	it("writes the log of candump -L", () => {
		const { headers, lines } = dump(recorded(...RECORDS), "?format=candump");
		assert.equal(headers["content-disposition"], "attachment; filename=openhaldex-can-dump.log");
		assert.deepEqual(lines, [
			"(0000000099.000007) can0 1A0#0041FF",
			"(0000000099.000007) can1 1A0#0042FF",
			"(0000000099.000999) can1 1B000010#10",
			"(0000000099.000999) can0 1B000010#10",
			"(0000000099.001000) can0 007#R4",
			"(0000000099.001000) can1 007#R4",
			"(0000000099.500000) can0 280#0102030405060708",
			"(0000000099.999000) can0 6B0#09",
			"(0000000099.999600) can1 6C0#07",
		]);
	});

	it("writes SavvyCAN's CSV", () => {
		const { headers, lines } = dump(recorded(...RECORDS), "?format=savvycan");
		assert.equal(headers["content-type"], "text/csv");
		assert.equal(headers["content-disposition"], "attachment; filename=openhaldex-can-dump.csv");
		assert.deepEqual(lines.slice(0, 5), [
			"Time Stamp,ID,Extended,Dir,Bus,LEN,D1,D2,D3,D4,D5,D6,D7,D8",
			"99000007,000001A0,false,Rx,0,3,00,41,FF,00,00,00,00,00,",
			"99000007,000001A0,false,Tx,1,3,00,42,FF,00,00,00,00,00,",
			"99000999,1B000010,true,Rx,1,1,10,00,00,00,00,00,00,00,",
			"99000999,1B000010,true,Tx,0,1,10,00,00,00,00,00,00,00,",
		]);
		assert.equal(lines[7], "99500000,00000280,false,Rx,0,8,01,02,03,04,05,06,07,08,");
	});

	it("filters by bus, any letter case and alias; an unknown one means all", () => {
		const places = (query: string) =>
			dump(recorded(...RECORDS), query)
				.lines.slice(3)
				.map((line) => line.split("\t").slice(1, 3).join(" "));
		const all = places("");
		for (const query of ["?bus=ALL", "?bus=", "?bus=lin", "?bus=%ff", "?bus=%"]) assert.deepEqual(places(query), all, query);
		for (const [query, bus] of [
			["?bus=Chassis", "chassis"],
			["?bus=HALDEX", "haldex"],
			["?bus=coupling", "haldex"],
		])
			assert.deepEqual(
				places(query),
				all.filter((place) => place.startsWith(bus)),
				query,
			);
		assert.equal(dump(recorded(), "?bus=coupling").lines[1], "window_ms=30000 bus=haldex");
	});

	it("filters by direction", () => {
		const directions = (query: string) =>
			new Set(
				dump(recorded(...RECORDS), query)
					.lines.slice(3)
					.map((line) => line.split("\t")[2]),
			);
		assert.deepEqual([...directions("?dir=rx")], ["RX"]);
		assert.deepEqual([...directions("?dir=tx")], ["TX"]);
		assert.deepEqual([...directions("?dir=all")], ["RX", "TX"]);
		const tx = dump(recorded(...RECORDS), "?dir=tx&format=candump").lines;
		assert.deepEqual(tx.slice(0, 2), ["(0000000099.000007) can1 1A0#0042FF", "(0000000099.000999) can0 1B000010#10"]);
	});

	it("looks back as long as it is asked to, within 1 to 120 s", () => {
		const table = recorded(
			...Array.from({ length: 1300 }, (_, i) => ({ timeUs: i * 100_000, id: 1, bus: 0, received: [] }) as const),
		);
		const window = (query: string) => {
			const { lines, headers } = dump(table, query, 129_900);
			return { text: lines[1], rows: lines.length - 3, first: Number(lines[3].split("\t")[0]), covered: headers["x-covered-ms"] };
		};
		assert.deepEqual(window(""), { text: "window_ms=30000 bus=all", rows: 602, first: 99_900, covered: "30000" });
		assert.equal(window("?seconds=1").first, 128_900);
		assert.equal(window("?seconds=120").first, 9900);
		for (const seconds of ["500", "121", "99999999999"]) assert.equal(window(`?seconds=${seconds}`).first, 9900, seconds);
		for (const seconds of ["0", "-1", "1.9"]) assert.equal(window(`?seconds=${seconds}`).first, 128_900, seconds);
	});

	it("says how much it covers: the window, the time since start, or what the ring holds", () => {
		const covered = (table: TraceTable, query: string, nowMs: number) => dump(table, query, nowMs).headers["x-covered-ms"];
		assert.equal(covered(recorded(), "?seconds=5", 2000), "2000");
		assert.equal(covered(recorded(), "?seconds=5", 60_000), "5000");
		assert.equal(covered(recorded(...RECORDS), "", NOW_MS), "30000");
		const table = recorded(...RECORDS);
		table.lost = 3;
		assert.equal(covered(table, "", NOW_MS), "500");
		assert.equal(dump(table).lines[3], "99500\tchassis\tRX\t-\t0x280\t8\t01 02 03 04 05 06 07 08");
		assert.equal(covered(recorded({ timeUs: 1000, id: 1, bus: 0 }), "?seconds=5", 60_000), "5000");
	});

	it("goes on where the time of 32 bits begins again", () => {
		const wrapped = 2 ** 32 * 1000;
		const table = recorded(
			{ timeUs: wrapped - 40e6, id: 1, bus: 0 },
			{ timeUs: wrapped - 1e6, id: 2, bus: 0 },
			{ timeUs: wrapped + 5000, id: 3, bus: 0 },
		);
		const { lines } = dump(table, "?dir=rx", 2 ** 32 + 10);
		assert.deepEqual(lines.slice(3), ["4294966296\tchassis\tRX\t-\t0x2\t0\t", "5\tchassis\tRX\t-\t0x3\t0\t"]);
	});

	it("ends with the last frame before the request, and tells of frames that were overwritten before they could be sent", () => {
		const many = Array.from({ length: 400 }, (_, i) => ({ timeUs: 99_000_000 + i, id: i, bus: 0, received: [] }) as const);
		for (const [query, comments] of [
			["?dir=rx", 1],
			["?dir=rx&format=candump", 0],
			["?dir=rx&format=savvycan", 0],
		] as const) {
			const table = recorded(...many);
			let reads = 0;
			table.onRead = () => {
				if (++reads < 20) return;
				table.lost = Math.max(table.lost, 300);
				if (reads === 20) table.records.push({ timeUs: 99_900_000, id: 0x7ff, bus: 0, received: [] });
			};
			const { lines } = dump(table, query);
			const told = lines.filter((line) => /^# \d+ frames were overwritten/.test(line));
			assert.equal(told.length, comments, query);
			const text = lines.join("\n");
			assert.ok(!/7ff/i.test(text), "what came later");
			assert.match(text, /18f|18F/, "the last one");
			if (comments === 0) continue;
			const ids = lines.slice(3).filter((line) => !line.startsWith("#"));
			assert.equal(Number(told[0].split(" ")[1]) + ids.length, 400, "every frame is there or counted");
		}
	});
});
