/**
 * Clients at the worst moments, in virtual time: while the controller starts, while conditions on hostile
 * signals are changed, and two at one calibration. Judged are each frame, the heap and the engine's table of
 * names.
 */

import assert from "node:assert/strict";
import type { Drive } from "../../tools/campaign/drive.js";
import { judgeStatus } from "../../tools/campaign/status-judge.js";
import { leavesNothing, withDrive } from "./with-drive.js";

const READY_MS = 2500;
const HAZARD = "chassis|0x366|hazard switch|";
const BRAKE = "chassis|0x3be|mo fahrer bremst|";
const OPERATORS = ["gt", "gte", "lt", "lte", "eq", "neq", "change", "change"] as const;

const answerOf = async (drive: Drive, method: string, path: string, body: unknown = ""): Promise<string> => {
	const text = typeof body === "string" ? body : JSON.stringify(body);
	const answer = await drive.ask(method, path, text);
	return `${answer?.code} ${answer?.text}`;
};

/** For the second time. */
async function leavesNothingAgain(drive: Drive, happens: () => Promise<void>): Promise<void> {
	const once = async (): Promise<void> => {
		await happens();
		await drive.run(READY_MS);
	};
	await once();
	await leavesNothing(drive, once);
}

/** Bodies of conditions that are wrong, each in its way. */
const WRONG: readonly unknown[] = [
	{ conditions: {} },
	{ conditions: "open" },
	{ conditions: [1] },
	{ conditions: [null] },
	{ conditions: [[]] },
	{ conditions: Array(9).fill({}) },
	{ conditions: [{ effect: "shut" }] },
	{ conditions: [{ operator: "constructor" }] },
	{ conditions: [{ effect: "__proto__" }] },
	{ conditions: [{ mode: "hasOwnProperty" }] },
	{ conditions: [{ value: "1e999" }] },
	{ conditions: [{ holdMs: null }] },
	{ conditions: [{ limitPercent: "" }] },
	{ conditions: [{ signal: 7 }] },
	{ conditions: [{ enabled: "perhaps" }] },
];

describe("virtual time: hostile moments", () => {
	it("a start is stock for its second, whatever is asked from its first moment on", async function () {
		this.timeout(300_000);
		await withDrive({}, async (drive) => {
			for (let ms = 0; ms < 24; ms++) {
				drive.subject = `asked ${ms * 2} ms after a start`;
				await drive.boot();
				await drive.run(ms * 2);
				const asked = [
					["POST", "/api/mode", '{"mode":"5050"}'],
					["POST", "/api/learn/start", '{"confirmed":true}'],
					["POST", "/api/settings", JSON.stringify({ conditions: [] })],
					["GET", "/api/conditions", ""],
					["POST", "/ota/update", "no image"],
					["POST", "/api/learn/cancel", ""],
				] as const;
				for (let i = 0; i < asked.length; i++) {
					const [method, path, body] = asked[(i + ms) % asked.length] as (typeof asked)[number];
					const answer = await answerOf(drive, method, path, body);
					assert.match(answer, /^(200|400|409|415|503) /, `${method} ${path}: ${answer}`);
				}
				await judgeStatus(drive);
			}
			await drive.run(READY_MS);
			drive.judgeSteady("after all starts");
		});
	});

	it("conditions on signals that pulse may be changed, badly too, without a frame too much or a name", async function () {
		this.timeout(300_000);
		await withDrive({}, async (drive) => {
			drive.car.hazardLights = (ms) => (ms % 4000 < 2000 ? ms % 80 < 40 : ms % 400 < 100);
			await drive.run(READY_MS);
			await leavesNothingAgain(drive, async () => {
				for (let round = 0; round < OPERATORS.length; round++) {
					const conditions = OPERATORS.map((operator, i) => ({
						enabled: true,
						effect: (i + round) % 3 === 0 ? "open" : "limit",
						operator,
						value: [0, 1, 0.001, 1.001, -1, 1e6, 1, 0][i],
						holdMs: 300 + 100 * i,
						limitPercent: 1 + i,
						signal: i % 2 === 0 ? HAZARD : BRAKE,
					}));
					assert.match(await answerOf(drive, "POST", "/api/settings", { conditions }), /^200 /);
					await drive.run(370);
					for (const wrong of WRONG.slice(round, round + 3)) {
						const answer = await answerOf(drive, "POST", "/api/settings", wrong);
						assert.match(answer, /^400 .*"field":/, `${JSON.stringify(wrong)}: ${answer}`);
					}
					assert.match(await answerOf(drive, "GET", "/api/conditions"), /^200 /);
					await drive.run(500);
				}
				for (const wrong of WRONG) {
					const answer = await answerOf(drive, "POST", "/api/settings", wrong);
					assert.match(answer, /^400 .*"field":/, `${JSON.stringify(wrong)}: ${answer}`);
				}
				assert.match(await answerOf(drive, "POST", "/api/settings", { conditions: [] }), /^200 /);
			});
			drive.judgeSteady("without conditions");
		});
	});

	it("two clients at one calibration end it, keep it and begin it in turns: one at a time runs, and control is back", async function () {
		this.timeout(300_000);
		await withDrive({}, async (drive) => {
			Object.assign(drive.car, { speedKmh: 0, selector: "P" });
			await drive.run(READY_MS);
			await leavesNothingAgain(drive, async () => {
				for (let round = 0; round < 6; round++) {
					const calibration = drive.demands.calibrate(drive.nowMs);
					assert.equal(await answerOf(drive, "POST", "/api/learn/start", { confirmed: true }), '200 {"ok":true}');
					calibration.begun(drive.nowMs);
					const again = await answerOf(drive, "POST", "/api/learn/start", { confirmed: true, date: "2026-11-23" });
					assert.match(again, /^200 .*"alreadyActive":true/);
					await drive.run(700 + 90 * round);
					for (const wrong of ["[]", '{"confirmed":1}', '{"table":[]}', "{", '{"generation":5,"table":[1]}'])
						await answerOf(drive, "POST", wrong.includes("table") ? "/api/learn/table" : "/api/learn/alive", wrong);
					calibration.heard(drive.nowMs);
					assert.match(await answerOf(drive, "GET", "/api/learn/status"), /"active":true/);
					calibration.end(drive.nowMs, "it was given up");
					const ends = round % 2 === 0 ? "/api/learn/cancel" : "/api/learn/clear";
					assert.match(await answerOf(drive, "POST", ends), /^200 /);
					assert.match(await answerOf(drive, "POST", "/api/learn/cancel"), /^200 /);
					assert.match(await answerOf(drive, "POST", "/api/learn/alive"), /^200 .*"active":false/);
					await drive.run(1200);
					drive.judgeSteady("after it");
				}
			});
		});
	});
});
