import assert from "node:assert/strict";
import { request } from "../support/api-client.js";
import { frameTextOf } from "../support/frame-lines.js";
import { type Record, TraceTable } from "../support/gateway-memory.js";

const EXTENDED = 0x80000000;
const REMOTE = 0x40000000;
const NOW_MS = 100_000;

function aTable(...records: Record[]): TraceTable {
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
		const { status, headers, lines } = dump(aTable(...RECORDS));
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
		const { headers, lines } = dump(aTable(...RECORDS), "?format=candump");
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
		const { headers, lines } = dump(aTable(...RECORDS), "?format=savvycan");
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
			dump(aTable(...RECORDS), query)
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
		assert.equal(dump(aTable(), "?bus=coupling").lines[1], "window_ms=30000 bus=haldex");
	});

	it("filters by direction", () => {
		const directions = (query: string) =>
			new Set(
				dump(aTable(...RECORDS), query)
					.lines.slice(3)
					.map((line) => line.split("\t")[2]),
			);
		assert.deepEqual([...directions("?dir=rx")], ["RX"]);
		assert.deepEqual([...directions("?dir=tx")], ["TX"]);
		assert.deepEqual([...directions("?dir=all")], ["RX", "TX"]);
		const tx = dump(aTable(...RECORDS), "?dir=tx&format=candump").lines;
		assert.deepEqual(tx.slice(0, 2), ["(0000000099.000007) can1 1A0#0042FF", "(0000000099.000999) can0 1B000010#10"]);
	});

	it("looks back as long as it is asked to, within 1 to 120 s", () => {
		const table = aTable(
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
		for (const seconds of ["x", "", "%20", "5s"]) {
			const answer = request({}, "GET", `/api/canview/dump?seconds=${seconds}`);
			const { error, allowed } = answer.json();
			assert.deepEqual([answer.status, error, allowed], [400, "invalid seconds", "a number; used as 1..120"], seconds);
		}
	});

	it("says how much it covers: the window, the time since start, or what the ring holds", () => {
		const covered = (table: TraceTable, query: string, nowMs: number) => dump(table, query, nowMs).headers["x-covered-ms"];
		assert.equal(covered(aTable(), "?seconds=5", 2000), "2000");
		assert.equal(covered(aTable(), "?seconds=5", 60_000), "5000");
		assert.equal(covered(aTable(...RECORDS), "", NOW_MS), "30000");
		const table = aTable(...RECORDS);
		table.lost = 3;
		assert.equal(covered(table, "", NOW_MS), "500");
		assert.equal(dump(table).lines[3], "99500\tchassis\tRX\t-\t0x280\t8\t01 02 03 04 05 06 07 08");
		assert.equal(covered(aTable({ timeUs: 1000, id: 1, bus: 0 }), "?seconds=5", 60_000), "5000");
	});

	it("goes on where the time of 32 bits begins again", () => {
		const wrapped = 2 ** 32 * 1000;
		const table = aTable(
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
			const table = aTable(...many);
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

	it("rejects an unknown format and direction", () => {
		assert.deepEqual(dump(aTable(), "?format=asc").json(), {
			error: "invalid format",
			field: "format",
			value: "asc",
			allowed: ["text", "candump", "savvycan"],
		});
		const wrong = dump(aTable(), "?dir=both");
		assert.equal(wrong.status, 400);
		assert.deepEqual(wrong.json(), { error: "invalid dir", field: "dir", value: "both", allowed: ["all", "rx", "tx"] });
	});
});
