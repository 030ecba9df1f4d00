/** A condition that selects a stored map: hazard lights on the bus, and what the coupling is asked for then. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Bench, flatMap, withBench, withFlash } from "./bench-car.js";
import { NUMBERED_ID } from "./car-rows.js";
import { sleep } from "./wait.js";

/** The marker byte of generation 5 at full lock, 40 and 20 %. Source: docs/control-and-can.md 1.6. */
const [FULL, AT_40, AT_20] = [250, 100, 75];
const PATIENT_MS = 8000;
/** A change is on flash within 2 s. */
const ON_FLASH_MS = 2500;
const signal = "chassis|0x366|hazard switch|";
const DRIVING = { mode: "5050", releaseRate: 0 };

const write = async (bench: Bench, path: string, body: object): Promise<void> =>
	assert.equal((await bench.post(path, body)).code, 200, `${path} ${JSON.stringify(body)}`);
const set = (bench: Bench, ...conditions: object[]): Promise<void> =>
	write(bench, "/api/settings", { conditions: conditions.map((one) => ({ enabled: true, signal, ...one })) });

const untilReason = (bench: Bench, reason: string) => bench.untilStatus((status) => status.reason === reason, PATIENT_MS, reason);

/** Lets the car send the hazard lights' frame. @returns what turns them on */
function hazardLights(bench: Bench): () => void {
	const row = { ...bench.row(NUMBERED_ID), id: 0x366, periodMs: 100, data: new Uint8Array(8), numbered: false };
	bench.chassisRows.push(row);
	return () => {
		row.data[2] = 0x10;
	};
}

describe("system: conditions", () => {
	it("a switch selects a stored map, also after a power cut, and no other map replaces it", () =>
		withFlash(async (flash) => {
			const path = "/maps/Wet_ 2.json";
			const importMap = (bench: Bench, lock: number) => write(bench, "/api/maps/import?name=Wet%3F%202", flatMap(lock));
			await withBench({ flash, settings: DRIVING }, async (bench) => {
				const switchOn = hazardLights(bench);
				await importMap(bench, 40);
				await set(bench, { effect: "map", map: path });
				await bench.untilCommand(FULL, PATIENT_MS);
				switchOn();
				await bench.untilCommand(AT_40);
				const { mode, effectiveMode, conditionMap, reason } = await bench.status();
				assert.deepEqual([mode, effectiveMode, conditionMap], ["5050", "MAP", path]);
				assert.equal(reason, `control is active in the mode of a condition (${path})`);
				await write(bench, "/api/map", flatMap(90));
				assert.equal(bench.command(), AT_40, "the driver's own map waits");
				await importMap(bench, 20);
				await bench.untilCommand(AT_20);
				await sleep(ON_FLASH_MS);
				await bench.cutPower();
			});
			await withBench({ flash, settings: null }, async (bench) => {
				hazardLights(bench)();
				await bench.untilCommand(AT_20, PATIENT_MS);
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
				await bench.untilCommand(FULL, PATIENT_MS);
				assert.deepEqual((await bench.status()).storageProblems, []);
			});
		}));
});
