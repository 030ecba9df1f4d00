/**
 * CAN logging beside two busy buses: no frame is lost, and what is in the log is every frame, or the log says
 * how many are missing.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CanFrame } from "../../tools/vehicle/frame.js";
import { withBench } from "./bench-car.js";
import * as rows from "./car-rows.js";
import { sleep, until } from "./wait.js";

const DRIVE_MS = 2500;
/** When it is known how many frames are missing: `REPORT_MS` of can-log.ts, and a batch. */
const REPORTED_MS = 11_500;
const LOST = ["droppedQueueFull", "droppedTooOld", "droppedNotRunning", "malformed"];

/** Lines of a log with its copies, oldest first. */
const linesOf = (flash: string, stem: string) =>
	[".4", ".3", ".2", ".1", ""].flatMap((copy) => {
		const path = join(flash, "logs", `${stem}${copy}.txt`);
		return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
	});

/** Gaps in the numbers of the busy frames, as received and as sent. */
function gaps(lines: string[]): number {
	const last = new Map<string, number>();
	let missing = 0;
	for (const line of lines) {
		const [, , bus, direction, , id, , data] = line.split("\t");
		if (!(Number(id) >= rows.BUSY_ID && Number(id) < rows.BUSY_ID + 2 * rows.BUSY_ROWS)) continue;
		const number = Buffer.from(data.replaceAll(" ", ""), "hex").readUInt32LE();
		const key = `${bus} ${direction} ${id}`;
		missing += number - (last.get(key) ?? number - 1) - 1;
		last.set(key, number);
	}
	assert.equal(last.size, 4 * rows.BUSY_ROWS, "every busy frame is there, in both directions");
	return missing;
}

describe("system: CAN log", () => {
	it("logs two buses of 2,000 frames/s and loses none of their frames", () =>
		withBench({ settings: { mode: "MAP", logging: { file: true, can: true, debugCan: true } } }, async (bench) => {
			rows.makeBusy(bench.chassisRows, bench.couplingRows);
			await sleep(DRIVE_MS);
			bench.park();
			await bench.assertShortTurns();
			const { gateway } = await bench.status();
			for (const counter of LOST) assert.equal(gateway[counter], 0, counter);
			assert.ok(gateway["receivedChassis"] + gateway["receivedCoupling"] > DRIVE_MS, "the buses were busy");
			const ends = [bench.chassis, bench.coupling].map(({ sent }) => {
				const { id, data } = sent
					.filter((frame) => frame.id >= rows.BUSY_ID && frame.id < rows.BUSY_ID + 2 * rows.BUSY_ROWS)
					.at(-1) as CanFrame;
				return `TX\t-\t0x${id.toString(16)}\t8\t${Buffer.from(data)
					.toString("hex")
					.replace(/..(?=.)/g, "$& ")}`;
			});
			let lines: string[] = [];
			await until(
				() => {
					lines = linesOf(bench.flash, "can/can");
					return ends.every((end) => lines.some((line) => line.endsWith(end)));
				},
				30_000,
				() => `${ends} in the log; the last line is ${lines.at(-1)}`,
			);
			for (const line of lines)
				assert.match(line, /^\d+\tCAN\t(chassis|haldex)\t(RX|TX)\t(-|GEN)\t0x[0-9a-f]+\t\d\t([0-9a-f]{2}( [0-9a-f]{2})*)?$/);
			if (gaps(lines) > 0) await sleep(REPORTED_MS);
			const all = linesOf(bench.flash, "all");
			const told = all
				.map((line) => Number(/\tcan\t(\d+) frames are missing/.exec(line)?.[1] ?? 0))
				.reduce((sum, count) => sum + count, 0);
			assert.ok(told > 0 || gaps(lines) === 0, `${gaps(lines)} lines are missing and nobody says so`);
			const canLines = all.filter((line) => line.includes("\tCAN\t"));
			const from = canLines.indexOf(lines[lines.length - 1000]);
			assert.deepEqual(canLines.slice(from, from + 1000), lines.slice(-1000), "both logs have the same");
			assert.ok(told > 0 || gaps(canLines) === 0);
		}));
});
