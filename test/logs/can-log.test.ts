import assert from "node:assert/strict";
import { CanLog, STEP_MS } from "../../src/logs/can-log.js";
import { FLUSH_AFTER_MS } from "../../src/logs/log.js";
import { frameTextOf } from "../support/frame-lines.js";
import { TraceTable } from "../support/gateway-memory.js";
import { aLogBench } from "../support/memory-files.js";

const ON = { can: true, debugCan: true };
const ALL = "logs/all.txt";
const CAN = "logs/can/can.txt";

function aCanLog(logging: Parameters<typeof aLogBench>[0] = ON) {
	const bench = aLogBench(logging);
	const table = new TraceTable();
	const canLog = new CanLog(frameTextOf(table), bench.log, bench.clock, bench.later, bench.writes);
	return { ...bench, table, canLog };
}

describe("logs/can-log", () => {
	it("writes each frame as it was received and as it was sent, to both files, from the moment it is switched on", () => {
		const { table, canLog, files, pass } = aCanLog();
		table.records.push({ timeUs: 1000, id: 0x100, bus: 0, received: [1] });
		canLog.observe();
		table.records.push({ timeUs: 2_999, id: 0x1a0, bus: 0, received: [0, 0xab] });
		table.records.push({
			timeUs: 3_000,
			id: 0x9a000001,
			bus: 0,
			flags: 1,
			received: [1, 2, 3, 4, 5, 6, 7, 8],
			sent: [0, 0, 0, 0, 0, 0, 0, 9],
		});
		table.records.push({ timeUs: 2 ** 32 * 1000 + 4_000_000, id: 0x7, bus: 1, flags: 2, received: [] });
		table.records.push({ timeUs: 5_000_000, id: 0x6b0, bus: 0, flags: 4, sent: [0xff] });
		pass(2000);
		const text = [
			"2\tCAN\tchassis\tRX\t-\t0x1a0\t2\t00 ab",
			"2\tCAN\thaldex\tTX\t-\t0x1a0\t2\t00 ab",
			"3\tCAN\tchassis\tRX\t-\t0x1a000001\t8\t01 02 03 04 05 06 07 08",
			"3\tCAN\thaldex\tTX\tGEN\t0x1a000001\t8\t00 00 00 00 00 00 00 09",
			"4000\tCAN\thaldex\tRX\t-\t0x7\t0\t",
			"5000\tCAN\tchassis\tTX\t-\t0x6b0\t1\tff",
			"",
		].join("\n");
		assert.equal(files.text(CAN), text);
		assert.equal(files.text(ALL), text);
	});

	for (const logging of [{ can: true }, { debugCan: true }, { ...ON, file: false }])
		it(`writes nothing with ${JSON.stringify(logging)}`, () => {
			const { table, canLog, files, pass } = aCanLog(logging);
			canLog.observe();
			table.records.push({ timeUs: 0, id: 1, bus: 0, received: [1] });
			pass(3000);
			canLog.observe();
			assert.deepEqual(files.names, []);
		});

	it("writes full batches in few operations, a small one within a second, and the rest when it is switched off", () => {
		const { log, table, canLog, files, pass } = aCanLog();
		canLog.observe();
		for (let i = 0; i < 1000; i++) table.records.push({ timeUs: i, id: 0x100, bus: 0, received: [1, 2, 3, 4, 5, 6, 7, 8] });
		pass(200);
		const { operations } = files;
		const text = files.text(CAN) ?? "";
		assert.ok(text.length > 80_000 && operations < text.length / 700, `${operations} operations for ${text.length} bytes`);
		pass(1000);
		assert.equal((files.text(CAN) ?? "").match(/\n/g)?.length, 2000);
		table.records.push({ timeUs: 9000, id: 0x200, bus: 0, received: [] });
		pass(2 * STEP_MS);
		assert.doesNotMatch(files.text(CAN) ?? "", /0x200/);
		log.logging = { ...log.logging, can: false };
		pass(2 * STEP_MS);
		assert.match(files.text(CAN) ?? "", /0x200/);
		assert.equal(files.text(ALL), files.text(CAN));
		table.records.push({ timeUs: 9000, id: 0x300, bus: 0, received: [] });
		pass(2000);
		log.logging = { ...log.logging, can: true };
		canLog.observe();
		table.records.push({ timeUs: 9000, id: 0x400, bus: 0, received: [] });
		pass(2000);
		assert.match(files.text(CAN) ?? "", /0x200[^3]*0x400\t0\t\n$/);
	});

	it("reports how many frames the ring and failed batches have lost", () => {
		const { table, canLog, files, pass } = aCanLog();
		canLog.observe();
		for (let i = 0; i < 500; i++) table.records.push({ timeUs: i, id: 0x100, bus: 0, received: [1] });
		table.lost = 123;
		pass(11_000);
		assert.match(files.text(ALL) ?? "", /\tWARN\tcan\t123 frames are missing: /);
		assert.equal((files.text(CAN) ?? "").match(/\n/g)?.length, 2 * 377);
		files.onWrite = () => {
			throw new Error("write failed");
		};
		table.records.push({ timeUs: 9000, id: 0x200, bus: 0, received: [] });
		pass(5000);
		files.onWrite = () => {};
		pass(11_000 + FLUSH_AFTER_MS);
		assert.match(files.text(ALL) ?? "", /\tWARN\tcan\t1 frames are missing: /);
	});
});
