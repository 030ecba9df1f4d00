import assert from "node:assert/strict";
import { LEARNED_DOCUMENT, NOTHING_LEARNED } from "../../src/calibration/learning.js";
import { CalibrationProblem } from "../../src/calibration/sweep.js";
import { Reason } from "../../src/controller/reason.js";
import { LatestFrames } from "../../src/vehicle/latest-frames.js";
import { request } from "../support/api-client.js";
import { aController, type ControllerChanges } from "../support/controller-view.js";
import { LatestTable } from "../support/gateway-memory.js";
import { aLearning } from "../support/stores.js";

const TABLE = Array.from({ length: 101 }, (_, factor) => Math.round(factor * 9.95) / 10);
const LEARNED = { ...NOTHING_LEARNED, generation: 5, date: "2026-11-23", table: TABLE } as const;
const CONFIRMED = '{"confirmed":true,"date":"2026-11-23"}';

/** A car that stands; `changes` override single values. */
function desk(changes: ControllerChanges = {}) {
	const table = new LatestTable();
	const controller = aController({ speedKmh: 0, engagementValid: true, ...changes });
	const context = { controller, frames: new LatestFrames(table), learning: aLearning(controller) };
	const ask = (method: string, path: string, body = "") => request(context, method, `/api/learn/${path}`, body);
	return { table, controller, context, ask, sweep: controller.calibration.sweep };
}

describe("api/learn", () => {
	it("has no table and no progress at first", () => {
		const rest = { active: false, tableValid: false, tableDiffers: "", progress: 0, currentCF: 0 };
		const { ask, context } = desk();
		const more = { currentEng: 32, problem: "", problemCode: "", measured: [], unsteady: [] };
		assert.deepEqual(ask("GET", "status").json(), { ...rest, ...more });
		assert.deepEqual(request(context, "GET", "/api/status").json()["learn"], rest);
		assert.deepEqual(ask("GET", "table").json(), { ...NOTHING_LEARNED, inForce: false, differs: "" });
	});

	it("begins once it is confirmed; a second start is told that it runs", () => {
		const { ask, sweep } = desk();
		for (const body of ["anything", "[]"]) assert.equal(ask("POST", "start", body).status, 400, body);
		for (const body of ["", "{}", '{"confirmed":false}'])
			assert.match(String(ask("POST", "start", body).json()["error"]), /^confirm that the car stands/, body);
		assert.equal(sweep.phase, "resting");
		assert.deepEqual(ask("POST", "start", CONFIRMED).json(), { ok: true });
		assert.equal(ask("GET", "status").json()["active"], true);
		assert.deepEqual(ask("POST", "start").json(), { ok: true, alreadyActive: true });
	});

	it("is rejected with the reason, in the reference's words where it has some", () => {
		for (const [changes, error] of [
			[{ captureActive: true }, { error: "CAN View capture is active" }],
			[{ engagementValid: false }, { error: "No Haldex CAN data available" }],
			[{ calibrationRejection: CalibrationProblem.CAR_MOVES }, { error: "the car moves", errorCode: "carMoves" }],
			[{ calibrationRejection: Reason.NO_SPEED }, { error: "no valid vehicle speed", errorCode: "noSpeed" }],
		] as const) {
			const { status, json } = desk(changes).ask("POST", "start", CONFIRMED);
			assert.deepEqual([status, json()], [200, { ok: false, ...error }]);
		}
	});

	it("is kept alive by its page alone", () => {
		const { ask, sweep, controller } = desk();
		ask("POST", "start", CONFIRMED);
		for (const polls of ["GET", "POST"] as const) {
			const nowMs = controller.nowMs;
			for (let ms = 0; ms < 6000; ms += 100) {
				controller.nowMs = nowMs + ms;
				if (polls === "POST") ask("POST", "alive");
				else if (ms % 1000 === 0) ask("GET", "status");
				sweep.tick(controller.nowMs, 50);
			}
			assert.equal(sweep.phase, polls === "POST" ? "running" : "failed");
			controller.nowMs += 100_000;
			ask("POST", "start", CONFIRMED);
		}
	});

	it("ends by cancel with the step it had reached, by clear with nothing", () => {
		const { ask, sweep, context } = desk();
		context.learning.replace(LEARNED, () => undefined);
		ask("POST", "start", CONFIRMED);
		assert.deepEqual(ask("POST", "cancel").json(), { ok: true });
		assert.equal(sweep.phase, "cancelled");
		assert.equal(context.learning.learned, LEARNED);
		assert.deepEqual(ask("POST", "clear").json(), { ok: true });
		assert.deepEqual([sweep.phase, ask("GET", "status").json()["progress"]], ["resting", 0]);
		assert.deepEqual(ask("GET", "table").json(), { ...NOTHING_LEARNED, inForce: false, differs: "" });
	});

	it("tries another model, ceiling and frames without keeping what comes of it", () => {
		const { ask, sweep, context, controller } = desk();
		context.learning.replace(LEARNED, () => undefined);
		for (const [trial, says] of [
			[{ torqueModel: "x" }, "torqueModel"],
			[{ torqueCeilingNm: 300 }, "torqueModel"],
			[{ torqueModel: "proportional", torqueCeilingNm: 510 }, "torqueCeilingNm"],
			[{ torqueModel: "proportional", framesOff: "Motor_11" }, "framesOff"],
		] as const) {
			const { status, json } = ask("POST", "start", JSON.stringify({ confirmed: true, ...trial }));
			assert.deepEqual([status, json()["error"]], [400, "invalid trial"]);
			assert.ok(String(json()["detail"]).startsWith(says), String(json()["detail"]));
		}
		const trial = { torqueModel: "proportional", torqueCeilingNm: 300, framesOff: "0x08A" };
		assert.deepEqual(ask("POST", "start", JSON.stringify({ confirmed: true, date: "", ...trial })).json(), { ok: true });
		for (let { nowMs } = controller; sweep.phase === "running"; nowMs += 10) {
			sweep.heard(nowMs);
			sweep.tick(nowMs, sweep.factorPercent * 0.9);
			if (sweep.factorPercent === 50) assert.ok((ask("GET", "status").json()["measured"] as number[]).length >= 50);
		}
		context.learning.tick();
		const { progress, measured } = ask("GET", "status").json();
		assert.deepEqual([progress, (measured as number[]).length, (measured as number[])[100]], [101, 101, 90]);
		assert.equal(context.learning.learned, LEARNED);
	});

	it("applies a trial together with the settings that it was measured with, or neither", () => {
		const { ask, context, controller } = desk();
		const found = { ...LEARNED, torqueModel: "proportional", torqueCeilingNm: 300, framesOff: "0x0B2" };
		const before = controller.settings;
		for (const [body, error] of [
			[{ ...found, apply: 2 }, "invalid apply"],
			[{ ...found, apply: true, generation: 4 }, "invalid table"],
			[{ ...found, apply: true, frameProfile: "corrected" }, "invalid table"],
			[{ ...found, apply: true, torqueCeilingNm: 1 }, "invalid table"],
		] as const)
			assert.deepEqual(ask("POST", "table", JSON.stringify(body)).json()["error"], error);
		assert.equal(ask("POST", "table", JSON.stringify(found)).status, 200);
		assert.equal(controller.settings, before, "a backup's table changes no setting");
		assert.equal(ask("POST", "table", JSON.stringify({ ...found, apply: 1 })).status, 200);
		const { torqueModel, torqueCeilingNm, framesOff } = controller.settings;
		assert.deepEqual([torqueModel, torqueCeilingNm, framesOff], ["proportional", 300, "0x0B2"]);
		assert.deepEqual(context.learning.learned, { ...found });
	});

	it("rounds a table to tenths, so that its file can be read again", () => {
		const { ask, context } = desk();
		const table = TABLE.map((_, factor) => (factor < 2 ? 1e-30 / 3 : 49.987 + factor / 3));
		assert.equal(ask("POST", "table", JSON.stringify({ ...LEARNED, table })).status, 200);
		const { learned } = context.learning;
		assert.deepEqual(learned.table.slice(1, 4), [0, 50.7, 51]);
		assert.ok(JSON.stringify({ format: 1, ...LEARNED_DOCUMENT.write(learned) }).length < LEARNED_DOCUMENT.maxBytes);
		assert.deepEqual(LEARNED_DOCUMENT.read({ ...learned }), learned);
	});

	it("shows the active table in whole percent, and gives it and takes it as it is", () => {
		const { ask } = desk();
		assert.deepEqual(ask("POST", "table", JSON.stringify(LEARNED)).json(), { ok: true });
		assert.deepEqual(ask("GET", "status").json()["table"], TABLE.map(Math.round));
		assert.deepEqual(ask("GET", "table").json(), { ...LEARNED, inForce: true, differs: "" });
		const refusal = ask("POST", "table", JSON.stringify({ ...LEARNED, generation: 3 })).json();
		assert.equal(refusal["detail"], "generation 3 is not allowed; allowed: 0, 1, 2, 4, 5, 51, 53");
		assert.deepEqual(ask("GET", "table").json()["table"], TABLE);
	});
});
