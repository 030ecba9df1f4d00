/** POST /api/mode: what it changes on the coupling bus, and how fast. */
import assert from "node:assert/strict";
import type { Drive } from "../../tools/campaign/drive.js";
import { withDrive } from "../virtual-time/with-drive.js";
import { withBench } from "./bench-car.js";
import { adjusted } from "./car-rows.js";

/** From a request to the frame that obeys it. */
const MODE_CHANGE_MS = 50;
const REPEATS = 6;
const READY_MS = 2500;
const SETTLED_MS = 300;

/** On a car that drives, with an instant release. */
const driven = (test: (drive: Drive) => Promise<void>): Promise<void> => {
	const wishes = { mode: "5050", disableSpeedKmh: 0, releaseRate: 0 };
	return withDrive({ settings: { mode: "5050", releaseRate: 0 }, wishes }, async (drive) => {
		await drive.run(READY_MS);
		drive.pieceMs = 1;
		await test(drive);
	});
};

/** Whether the last frame says this lock; most frames can stand for many. */
const says = ({ isCommanding, lastLock: { least, most } }: Drive, percent: number): boolean =>
	isCommanding && most - least <= 2 && least <= percent && most >= percent;

/** Posts a mode; @returns ms from the request to the first frame that shows it. */
async function changeMode(drive: Drive, mode: string, shows: () => boolean): Promise<number> {
	const from = drive.nowMs;
	assert.equal((await drive.ask("POST", "/api/mode", JSON.stringify({ mode })))?.code, 200);
	while (!shows()) {
		assert.ok(drive.nowMs - from < 1000, `${mode} is not on the bus`);
		await drive.run(1);
	}
	return drive.nowMs - from;
}

describe("system: POST /api/mode", () => {
	it("changes what is on the coupling bus within 50 ms", () =>
		driven(async (drive) => {
			for (let i = 0; i < REPEATS; i++) {
				const [mode, percent] = i % 2 === 0 ? (["9010", 10] as const) : (["5050", 100] as const);
				const tookMs = await changeMode(drive, mode, () => says(drive, percent));
				assert.ok(tookMs <= MODE_CHANGE_MS, `${mode} only in a frame ${tookMs} ms after the request`);
				await drive.run(SETTLED_MS + i);
			}
		}));

	it("with STOCK leaves the frames unmodified within 50 ms, without a ramp", () =>
		driven(async (drive) => {
			for (let i = 0; i < 3; i++) {
				await changeMode(drive, "5050", () => says(drive, 100));
				const tookMs = await changeMode(drive, "STOCK", () => {
					assert.equal(drive.lastLock.most, 100, "a ramp");
					return !drive.isCommanding;
				});
				assert.ok(tookMs <= MODE_CHANGE_MS, `stock only after ${tookMs} ms`);
				const { effectiveMode, reason } = JSON.parse((await drive.ask("GET", "/api/status"))?.text ?? "");
				assert.deepEqual([effectiveMode, reason], ["STOCK", "stock mode is selected"]);
				await drive.run(SETTLED_MS + i);
			}
		}));

	it("takes aliases in any case, and rejects what is no mode without changing anything", () =>
		withBench({ settings: { mode: "FWD", releaseRate: 0 } }, async (bench) => {
			bench.show(30, 30);
			await bench.untilCommand(0);
			const aliases: [unknown, string, number][] = [
				["lock", "5050", 100],
				["60:40", "6040", 40],
				["7525", "7030", 30],
				[8020, "8020", 20],
				["expert", "MAP", 20],
				[" 100:0 ", "FWD", 0],
			];
			for (const [alias, mode, lock] of aliases) {
				assert.deepEqual(JSON.parse((await bench.mode(alias)).text), { ok: true, mode });
				await bench.untilCommand(adjusted(0xfa, lock));
				assert.equal((await bench.status()).mode, mode);
			}
			for (const wrong of ["SPORT", "", null, 6, true, ["MAP"]]) assert.equal((await bench.mode(wrong)).code, 400);
			assert.equal((await bench.ask("POST", "/api/mode", "{")).code, 400);
			const status = await bench.status();
			assert.deepEqual([status.mode, bench.command()], ["FWD", 0]);
			await bench.mode("PASSTHRU");
			await bench.untilStock();
		}));
});
