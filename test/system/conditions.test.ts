/** Conditions as a driver uses them: hazard lights on the bus, and what the coupling is asked for then. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Bench, flatMap, withBench, withFlash } from "./bench-car.js";
import { adjusted, marker, NUMBERED_ID, type Row } from "./car-rows.js";
import { now, sleep } from "./wait.js";

/** Full scale of the marker byte of generation 5. */
const BASE = 0xfa;
const PATIENT_MS = 8000;
/** A change is on flash within 2 s. */
const ON_FLASH_MS = 2500;
/** A condition's signal is lost after this; then a ramp. */
const LOST_MS = 1500 + 500;
const signal = "chassis|0x366|hazard switch|";
const DRIVING = { mode: "5050", releaseRate: 0 };

const write = async (bench: Bench, path: string, body: object): Promise<void> =>
	assert.equal((await bench.post(path, body)).code, 200, `${path} ${JSON.stringify(body)}`);
const set = (bench: Bench, ...conditions: object[]): Promise<void> =>
	write(bench, "/api/settings", { conditions: conditions.map((one) => ({ enabled: true, signal, ...one })) });

const doing = async (bench: Bench): Promise<string> =>
	(await bench.get("/api/conditions")).conditions.map((one: { doing: string }) => one.doing).join();

const untilReason = (bench: Bench, reason: string) => bench.untilStatus((status) => status.reason === reason, PATIENT_MS, reason);

/** Lets the car send the hazard lights' frame. @returns what turns them on or off, or lets the frame fall silent */
function hazardLights(bench: Bench): { row: Row; on(isOn: boolean): void } {
	const row = { ...bench.row(NUMBERED_ID), id: 0x366, periodMs: 100, data: new Uint8Array(8), numbered: false };
	bench.chassisRows.push(row);
	return { row, on: (isOn) => (row.data[2] = isOn ? 0x10 : 0) };
}

describe("system: conditions", () => {
	it("hazard lights open the coupling within 100 ms in each mode, until 2 s after they came on", () =>
		withBench({ settings: DRIVING }, async (bench) => {
			const lights = hazardLights(bench);
			const { recommended } = await bench.get("/api/conditions");
			assert.equal(recommended.find(({ name }: { name: string }) => name === "hazardLights").signal, signal);
			await set(bench, { effect: "open", holdMs: 2000 });
			await bench.untilCommand(BASE, PATIENT_MS);
			assert.equal(await doing(bench), "waits");
			lights.on(true);
			const on = now();
			await bench.untilCommand(0);
			const status = await bench.untilStatus(({ telemetry }) => telemetry["spec"] === 0, PATIENT_MS, "open");
			const { reason, effectiveMode, controlActive } = status;
			assert.deepEqual([reason, effectiveMode, controlActive], ["a condition opens the coupling", "5050", true]);
			assert.equal(await doing(bench), "acts");
			lights.on(false);
			await bench.untilCommand(BASE);
			// frames with less than full lock, as long as it was so: what is between two frames is not seen
			const { id, index } = marker(5);
			const opened = bench.passed(id, on).filter(({ data }) => data[index] < BASE);
			assert.ok(opened.length * bench.row(id).periodMs >= 1900, `${opened.length} frames`);
			const onTheWay = opened.filter(({ data }) => data[index] > 0);
			assert.ok(onTheWay.length * bench.row(id).periodMs <= 120, `${onTheWay.length} frames between`);

			for (const mode of ["FWD", "MAP"]) {
				lights.on(false);
				await bench.mode(mode);
				await bench.untilStatus((now) => now.effectiveMode === mode && now.reason === "control is active", PATIENT_MS, mode);
				lights.on(true);
				await untilReason(bench, "a condition opens the coupling");
			}
			await bench.mode("STOCK");
			await bench.untilStock();
			assert.equal(await doing(bench), "stock");
		}));

	it("a lost signal: a mode lets go, a limit stays, what opens means stock until it is back", () =>
		withBench({ settings: DRIVING }, async (bench) => {
			const { row, on } = hazardLights(bench);
			const lost = async (): Promise<void> => {
				row.silent = true;
				await sleep(LOST_MS);
			};
			on(true);
			await set(bench, { effect: "mode", mode: "FWD" });
			await bench.untilCommand(0, PATIENT_MS);
			await lost();
			await bench.untilCommand(BASE);
			assert.equal(await doing(bench), "no signal");
			row.silent = false;
			on(false);
			await set(bench, { effect: "limit", limitPercent: 40 });
			await bench.untilCommand(BASE, PATIENT_MS);
			await lost();
			await bench.untilCommand(adjusted(BASE, 40));
			row.silent = false;
			await set(bench, { effect: "open" });
			await bench.untilCommand(BASE, PATIENT_MS);
			await lost();
			await bench.untilStock();
			assert.equal((await bench.status()).reason, "a condition that opens the coupling gets no valid value of its signal");
			row.silent = false;
			await bench.untilCommand(BASE, PATIENT_MS);
		}));

	it("a switch selects a stored map, also after a power cut, and no other map replaces it", () =>
		withFlash(async (flash) => {
			const path = "/maps/Wet_ 2.json";
			const importMap = (bench: Bench, lock: number) => write(bench, "/api/maps/import?name=Wet%3F%202", flatMap(lock));
			await withBench({ flash, settings: DRIVING }, async (bench) => {
				const { on } = hazardLights(bench);
				await importMap(bench, 40);
				await set(bench, { effect: "map", map: path });
				await bench.untilCommand(BASE, PATIENT_MS);
				on(true);
				await bench.untilCommand(adjusted(BASE, 40));
				const { mode, effectiveMode, conditionMap, reason } = await bench.status();
				assert.deepEqual([mode, effectiveMode, conditionMap], ["5050", "MAP", path]);
				assert.equal(reason, `control is active in the mode of a condition (${path})`);
				await write(bench, "/api/map", flatMap(90));
				assert.equal(bench.command(), adjusted(BASE, 40), "the driver's own map waits");
				await importMap(bench, 20);
				await bench.untilCommand(adjusted(BASE, 20));
				await sleep(ON_FLASH_MS);
				await bench.cutPower();
			});
			await withBench({ flash, settings: null }, async (bench) => {
				hazardLights(bench).on(true);
				await bench.untilCommand(adjusted(BASE, 20), PATIENT_MS);
				await bench.cutPower();
			});
			rmSync(join(flash, "maps/Wet_ 2.json"));
			await withBench({ flash, settings: null }, async (bench) => {
				hazardLights(bench);
				const { storageProblems } = await untilReason(bench, `a map that is needed can't be read: load or change one (${path})`);
				assert.match(storageProblems[0].problem, /the map of a condition/);
				await sleep(1500);
				assert.equal(bench.command(), undefined);
				await importMap(bench, 20);
				await bench.untilCommand(BASE, PATIENT_MS);
				assert.deepEqual((await bench.status()).storageProblems, []);
			});
		}));
});
