/**
 * POST /api/settings, capture mode, mode trigger and dashboard: what the car feels, and what a restart
 * leaves. docs/api.md, "Settings".
 */
import assert from "node:assert/strict";
import { type Bench, withBench, withFlash } from "./bench-car.js";
import { adjusted, marker } from "./car-rows.js";
import { now, sleep, until } from "./wait.js";

const ON_FLASH_WITHIN_MS = 2000;
/** Full scale of the marker byte of generation 5. */
const BASE = 0xfa;
const PATIENT_MS = 8000;

/** Answer of a request: status code and parsed body. */
// biome-ignore lint/suspicious/noExplicitAny: the tests are about the shape
type Reply = { code: number; body: any };

async function post(bench: Bench, path: string, body: unknown): Promise<Reply> {
	const { code, text } = await bench.ask("POST", `/api/${path}`, JSON.stringify(body));
	return { code, body: JSON.parse(text) };
}

const set = (bench: Bench, body: unknown): Promise<Reply> => post(bench, "settings", body);

async function get(bench: Bench, path: string): Promise<Reply["body"]> {
	return JSON.parse((await bench.ask("GET", `/api/${path}`)).text);
}

describe("system: settings", () => {
	it("takes both spellings of an alias, and rejects two that differ (check 4)", () =>
		withBench({ connected: false }, async (bench) => {
			const both = async () => {
				const { broadcastControllerOverCAN, broadcastOpenHaldexOverCAN } = await get(bench, "status");
				return [broadcastControllerOverCAN, broadcastOpenHaldexOverCAN];
			};
			assert.equal((await set(bench, { broadcastControllerOverCAN: false })).code, 200);
			assert.deepEqual(await both(), [false, false]);
			assert.equal((await set(bench, { broadcastOpenHaldexOverCAN: true })).code, 200);
			assert.deepEqual(await both(), [true, true]);
			const { code, body } = await set(bench, { broadcastOpenHaldexOverCAN: true, broadcastControllerOverCAN: false });
			assert.deepEqual([code, body.error], [400, "conflicting broadcastControllerOverCAN/broadcastOpenHaldexOverCAN"]);
			assert.deepEqual(await both(), [true, true]);
		}));

	it("a capture is stock, rejects what would end it, and leaves everything as it was, across a restart too (check 5)", () =>
		withFlash(async (flash) => {
			await withBench({ flash, settings: { mode: "5050", broadcastOverCan: false } }, async (bench) => {
				bench.show(20, 30);
				await bench.untilCommand(BASE);
				const on = await post(bench, "canview/capture", { active: true });
				const safe = {
					active: true,
					disableController: true,
					broadcastOpenHaldexOverCAN: true,
					broadcastControllerOverCAN: true,
				};
				assert.deepEqual([on.code, on.body], [200, { ok: true, ...safe }]);
				assert.deepEqual(await get(bench, "canview/capture"), safe);
				await bench.untilStock();
				for (const body of [
					{ disableController: false },
					{ broadcastOpenHaldexOverCAN: false },
					{ broadcastControllerOverCAN: false },
				]) {
					const { code, body: answer } = await set(bench, body);
					assert.deepEqual([code, answer.error], [409, "canview capture mode active"]);
				}
				assert.equal((await set(bench, { disableThrottle: 5 })).code, 200);
				assert.equal((await bench.mode("map")).code, 409);
				const seen = await get(bench, "status");
				assert.deepEqual(
					[seen.mode, seen.effectiveMode, seen.canviewCaptureMode, seen.disableController],
					["STOCK", "STOCK", true, true],
				);
				await post(bench, "canview/capture", { active: false });
				await bench.untilCommand(BASE, PATIENT_MS);
				const after = await get(bench, "status");
				assert.deepEqual(
					[after.mode, after.disableController, after.broadcastOpenHaldexOverCAN, after.disableThrottle],
					["5050", false, false, 5],
				);
				await post(bench, "canview/capture", { active: true });
				await sleep(ON_FLASH_WITHIN_MS);
				await bench.cutPower();
			});
			await withBench({ flash, settings: null }, async (bench) => {
				bench.show(20, 30);
				await bench.untilCommand(BASE, PATIENT_MS);
				const { mode, canviewCaptureMode, broadcastOpenHaldexOverCAN, disableThrottle } = await get(bench, "status");
				assert.deepEqual([mode, canviewCaptureMode, broadcastOpenHaldexOverCAN, disableThrottle], ["5050", false, false, 5]);
			});
		}));

	it("takes effect in the car without a restart: gates, ramps, the controller's switch", () =>
		withBench({ settings: { mode: "5050" } }, async (bench) => {
			bench.show(50, 30);
			await bench.untilCommand(BASE);
			assert.equal((await set(bench, { disableSpeed: 40, lockReleaseRatePctPerSec: 0 })).code, 200);
			await bench.untilCommand(0);
			await set(bench, { disableSpeed: 0, disableThrottle: 20 });
			await bench.untilCommand(BASE);
			await set(bench, { disableController: true });
			await bench.untilStock();
			assert.equal((await get(bench, "status")).mode, "STOCK");
			const { body } = await set(bench, { disableController: false });
			assert.equal(body.disableController, false);
			assert.equal((await get(bench, "status")).mode, "MAP");
			await bench.untilCommand(adjusted(BASE, 17.5), PATIENT_MS);
		}));

	it("changes generation, profile and PWM in a running controller", () =>
		withBench({ settings: { mode: "5050" } }, async (bench) => {
			bench.show(50, 30);
			await bench.untilCommand(BASE);
			assert.equal(await bench.pwmDuty(), 1023);
			const { body } = await set(bench, { pwm: { frequencyHz: 5000, inverted: true }, frameProfile: "corrected" });
			assert.deepEqual([body.pwm, body.frameProfile], [{ frequencyHz: 5000, inverted: true }, "corrected"]);
			await until(async () => (await bench.pwmDuty()) === 0, PATIENT_MS, "an inverted output");
			assert.match(bench.stderr, /"hz":5000/);
			const answer = await set(bench, { couplingGeneration: 4 });
			assert.deepEqual([answer.body.haldexGeneration, answer.body.lowPower.sleepEnabled], [4, false]);
			assert.equal(answer.body.inputMappings.speed, "chassis|0x1a0|br1 wheel speed kmh|km/h");
			await bench.untilStock(PATIENT_MS);
		}));

	for (const [from, to, foreign] of [
		[5, 4, [0x280, 0x1a0, 0x4a0, 0x380, 0x5a0]],
		[4, 5, [0x0a7, 0x08a, 0x0b2, 0x0a8]],
	] as const)
		it(`asks for nothing in frames of generation ${to} that the car of generation ${from} does not have`, () =>
			withBench({ generation: from, settings: { mode: "5050" } }, async (bench) => {
				bench.show(50, 30);
				// frames with those identifiers that mean something else
				for (const id of foreign) bench.chassisRows.push({ ...bench.chassisRows[0], id, data: new Uint8Array(8), periodMs: 10 });
				await bench.untilCommand(marker(from).base);
				assert.equal((await set(bench, { couplingGeneration: to })).code, 200);
				const since = now();
				assert.equal(await bench.pwmDuty(), 0);
				const begun = await get(bench, "status");
				assert.deepEqual([begun.effectiveMode, begun.controlActive], ["STOCK", false]);
				await sleep(1500);
				const rewritten = foreign.flatMap((id) => bench.passed(id, since).filter((passage) => passage.rewritten));
				assert.ok(rewritten.length === 0 || rewritten[0].sentAt - since >= 900, "within a second");
				assert.equal(bench.command(), undefined, "the car's own frames");
			}));
});
