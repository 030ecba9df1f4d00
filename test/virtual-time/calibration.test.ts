/**
 * Calibration from outside: a coupling with friction, offset, delay and a bent characteristic is found out.
 * docs/control-and-can.md 5.1.
 */
import assert from "node:assert/strict";
import { BENT, type ClutchCurve, reportedPercent } from "../../tools/vehicle/coupling-ecu.js";
import type { Generation } from "../system/car-rows.js";
import { type Car, withCar } from "./car.js";

/** What the bent coupling reaches at the most, percent of what its report can say. */
const MOST = 92;
/** Percent of the most that a clutch closes, from which on the report says no more. */
const REPORTED: Readonly<Record<Generation, number>> = { 1: 24.1, 2: 43.4, 4: 43.4, 5: 100, 51: 43.4, 53: 100 };
/** A weaker clutch, which the report follows to its end. */
const bent = (generation: Generation): ClutchCurve => ({
	reaches: (share) => (BENT.reaches(share) * REPORTED[generation]) / 100,
	frictionPercent: (BENT.frictionPercent * REPORTED[generation]) / 100,
});
/** Until control is active. */
const READY_MS = 2500;
const SETTLED_MS = 900;
/** Up and down: friction holds it on either side. */
const WANTED = [5, 30, 70, 95, 60, 20];

/** What `GET /api/learn/status` answers. */
interface Learn {
	readonly active: boolean;
	readonly progress: number;
	readonly problem: string;
	readonly measured: readonly number[];
	readonly unsteady: readonly number[];
}

async function ready(car: Car): Promise<void> {
	await car.run(READY_MS);
}

/** A car whose control is active. */
function withReady(
	generation: Generation,
	settings: Record<string, unknown>,
	use: (car: Car) => Promise<void>,
	character?: "554k",
): Promise<void> {
	const coupling = character === undefined ? { curve: bent(generation) } : { character };
	const test = async (car: Car): Promise<void> => {
		await ready(car);
		await use(car);
	};
	return withCar(generation, settings, test, { coupling });
}

const learned = (car: Car): Promise<Learn> => car.ask("GET", "/api/learn/status");

/** @param trial what is tried in the place of the settings */
async function begin(car: Car, trial: object = {}): Promise<void> {
	assert.deepEqual(await car.ask("POST", "/api/learn/start", { confirmed: true, date: "2026-11-23", ...trial }), { ok: true });
}

/** The page that has begun it stays open until a step is reached or it has ended. */
async function stay(car: Car, untilStep = 200): Promise<Learn> {
	for (;;) {
		await car.ask("POST", "/api/learn/alive");
		const learn = await learned(car);
		if (!learn.active || learn.progress >= untilStep) return learn;
		await car.run(Math.min(1000, Math.max(10, (untilStep - learn.progress) * 600 - 300)));
	}
}

/** How far the coupling itself is from what is asked for, at the worst, percent of its report's scale. */
async function worstError(car: Car, wanted: readonly number[]): Promise<number> {
	let worst = 0;
	for (const lock of wanted) {
		const [speedBins, throttleBins] = [
			[0, 10, 20, 30, 40, 50, 60, 70, 80],
			[0, 10, 20, 30, 40, 50, 60],
		];
		await car.ask("POST", "/api/map", { speedBins, throttleBins, lockTable: Array(7).fill(Array(9).fill(lock)) });
		await car.run(SETTLED_MS);
		const { generation, coupling } = car.vehicle;
		const engaged = reportedPercent(generation, coupling.engagementPercent);
		worst = Math.max(worst, Math.abs(engaged - Math.min(lock, MOST)));
	}
	return worst;
}

describe("virtual time: calibration", function () {
	this.timeout(600_000);

	// Open, a coupling of generation 2 reports 88, so that it says nothing of the least lock; on the scale of
	// generation 1 that is more. Of generation 4 byte 0 of Bremse_4 passes 7F, which opens at once.
	for (const [generation, frameProfile, within] of [
		[1, "corrected", 10],
		[2, "reference", 5],
		[4, "reference", 36],
		[5, "corrected", 3],
	] as const)
		it(`makes a bent coupling of generation ${generation} follow requests within ${within} %, ${frameProfile}`, () =>
			withReady(generation, { mode: "MAP", frameProfile }, async (car) => {
				const before = await worstError(car, [20, 50, 80]);
				await begin(car);
				const learn = await stay(car);
				assert.deepEqual([learn.progress, learn.problem], [101, ""]);
				const after = await worstError(car, WANTED);
				assert.ok(before > 10, `${before} %`);
				assert.ok(after <= within, `${after} %`);
				const { inForce, differs, ...table } = await car.ask("GET", "/api/learn/table");
				assert.deepEqual([inForce, differs], [true, ""]);
				assert.deepEqual(JSON.parse(car.stored("calibration.json")), { format: 1, ...table });
				assert.deepEqual([table.generation, table.date], [generation, "2026-11-23"]);
				// where the coupling reports it
				assert.equal(table.oilC.length, generation === 4 ? 2 : 0);
			}));

	it("ends when an owner's password is set, and stores nothing", () =>
		withReady(4, { mode: "6040" }, async (car) => {
			const stored = () => [JSON.parse(car.stored("settings.json")).mode, car.stored("calibration.json")];
			await begin(car);
			assert.equal((await stay(car, 3)).progress, 3);
			await car.ask("POST", "/api/owner", { password: "of the new owner" });
			await car.run(600);
			const { active, problem } = await learned(car);
			assert.deepEqual([active, problem, stored()], [false, "", ["6040", ""]]);
		}));

	it("finds the torque model that holds a 554K steady, and stores it only when the driver applies it", () =>
		withReady(
			5,
			{ mode: "6040", frameProfile: "corrected" },
			async (car) => {
				const worst = (learn: Learn): number => Math.max(...learn.unsteady);
				const stored = () => [car.stored("settings.json").includes("proportional"), car.stored("calibration.json")];
				await begin(car, { torqueModel: "pinned" });
				const pinned = await stay(car);
				assert.ok(worst(pinned) > 10, `hunts by ${worst(pinned)} %`);
				const trial = { torqueModel: "proportional", torqueCeilingNm: 400, framesOff: "0x08A 0x0B2" };
				await begin(car, trial);
				const found = await stay(car);
				assert.deepEqual([found.progress, found.measured.length, found.measured[100]], [101, 101, 100]);
				assert.ok(worst(found) < 5, `${worst(found)} %`);
				await ready(car);
				assert.deepEqual(stored(), [false, ""]);
				const table = { generation: 5, frameProfile: "corrected", ...trial, date: "2026-11-23", table: found.measured, oilC: [] };
				await car.ask("POST", "/api/learn/table", { ...table, apply: true });
				await ready(car);
				assert.deepEqual(JSON.parse(car.stored("calibration.json")), { format: 1, ...table });
				await car.restart();
				await ready(car);
				const { torqueModel, torqueCeilingNm, framesOff, learn } = await car.status();
				assert.deepEqual({ torqueModel, torqueCeilingNm, framesOff }, trial);
				assert.equal(learn.tableValid, true);
				await car.run(1000);
				assert.equal((await car.status()).reason, "control is active");
				assert.ok(Math.abs(car.vehicle.coupling.engagementPercent - 40) < 2, `${car.vehicle.coupling.engagementPercent} %`);
			},
			"554k",
		));
});
