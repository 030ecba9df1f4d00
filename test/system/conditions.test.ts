/**
 * Conditions as a driver uses them: hazard lights, brake and handbrake on the bus, and what the coupling is
 * asked for then.
 */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Bench, withBench, withFlash } from "./bench-car.js";
import { adjusted, marker, NUMBERED_ID, type Row } from "./car-rows.js";
import { now, sleep, until } from "./wait.js";

const FLAT: readonly number[][] = Array(7).fill(Array(9).fill(0));
/** Full scale of the marker byte of generation 5. */
const BASE = 0xfa;
const PATIENT_MS = 8000;
/** A change is on flash within 2 s. */
const ON_FLASH_MS = 2500;
/** A condition's signal is lost after this; then a ramp. */
const LOST_MS = 1500 + 500;

interface Shown {
	readonly doing: string;
	readonly live: boolean;
	readonly lastValue: number;
	readonly signal: string;
}
interface Answer {
	readonly conditions: readonly Shown[];
	readonly max: number;
	readonly recommended: readonly { readonly name: string; readonly signal: string }[];
}

async function set(bench: Bench, body: unknown): Promise<number> {
	return (await bench.post("/api/settings", body)).code;
}

async function shown(bench: Bench): Promise<Answer> {
	return bench.get("/api/conditions");
}

const doing = async (bench: Bench): Promise<string> => (await shown(bench)).conditions.map((one) => one.doing).join();

/** Lets the car send another frame from now on. @returns it */
function send(bench: Bench, id: number, periodMs: number): Row {
	const row = { ...bench.row(NUMBERED_ID), id, periodMs, data: new Uint8Array(8), numbered: false };
	bench.chassisRows.push(row);
	return row;
}

/** The signals that are recommended for conditions, by name. */
async function recommended(bench: Bench): Promise<Readonly<Record<string, string>>> {
	return Object.fromEntries((await shown(bench)).recommended.map(({ name, signal }) => [name, signal]));
}

describe("system: conditions", () => {
	it("hazard lights open the coupling within 100 ms in each mode, until 2 s after they came on", () =>
		withBench({ settings: { mode: "5050", releaseRate: 0 } }, async (bench) => {
			const hazard = send(bench, 0x366, 100);
			const { hazardLights: signal } = await recommended(bench);
			assert.equal(signal, "chassis|0x366|hazard switch|");
			assert.equal(await set(bench, { conditions: [{ enabled: true, effect: "open", signal, holdMs: 2000 }] }), 200);
			await bench.untilCommand(BASE, PATIENT_MS);
			assert.equal(await doing(bench), "waits");
			hazard.data[2] = 0x10;
			const on = now();
			await bench.untilCommand(0);
			const status = await bench.untilStatus((now) => now.telemetry["spec"] === 0, PATIENT_MS, "open");
			assert.deepEqual(
				[status.reason, status.effectiveMode, status.controlActive],
				["a condition opens the coupling", "5050", true],
			);
			assert.equal(await doing(bench), "acts");
			const { id, index } = marker(5);
			hazard.data[2] = 0;
			await bench.untilCommand(BASE);
			// frames with less than full lock, as long as it was so: what is between two frames is not seen
			const opened = bench.passed(id, on).filter((passage) => passage.data[index] < BASE);
			assert.ok(opened.length * bench.row(id).periodMs >= 1900, `${opened.length} frames`);
			const onTheWay = bench.passed(id, on).filter((passage) => passage.data[index] > 0 && passage.data[index] < BASE);
			assert.ok(onTheWay.length * bench.row(id).periodMs <= 120, `${onTheWay.length} frames between`);

			for (const mode of ["FWD", "9010", "MAP"]) {
				hazard.data[2] = 0;
				await bench.mode(mode);
				await bench.untilStatus((now) => now.effectiveMode === mode && now.reason === "control is active", PATIENT_MS, mode);
				hazard.data[2] = 0x10;
				await bench.untilStatus((now) => now.reason === "a condition opens the coupling", PATIENT_MS, "open");
			}
			await bench.mode("STOCK");
			await bench.untilStock();
			assert.equal(await doing(bench), "stock");
		}));

	it("a lost signal: a mode lets go, a limit stays, what opens means stock until it is back", () =>
		withBench({ settings: { mode: "5050", releaseRate: 0 } }, async (bench) => {
			const row = send(bench, 0x366, 100);
			const signal = "chassis|0x366|hazard switch|";
			row.data[2] = 0x10;
			const lose = async (): Promise<void> => {
				row.silent = true;
				await sleep(LOST_MS);
			};
			await set(bench, { conditions: [{ enabled: true, effect: "mode", mode: "FWD", signal }] });
			await bench.untilCommand(0, PATIENT_MS);
			await lose();
			await bench.untilCommand(BASE);
			assert.equal(await doing(bench), "no signal");
			row.silent = false;
			const one = { enabled: true, effect: "mode", mode: "5050", signal };
			await set(bench, { conditions: [one, { ...one, alsoFromStock: true }] });
			await bench.mode("STOCK");
			await bench.untilCommand(BASE);
			assert.equal(await doing(bench), "stock,acts");
			row.data[2] = 0;
			await bench.untilStatus((now) => now.reason === "stock mode is selected", PATIENT_MS, "stock");
			await bench.mode("5050");
			row.data[2] = 0;
			await set(bench, { conditions: [{ enabled: true, effect: "limit", limitPercent: 40, signal }] });
			await bench.untilCommand(BASE, PATIENT_MS);
			await lose();
			await bench.untilCommand(adjusted(BASE, 40));
			assert.deepEqual(
				(await shown(bench)).conditions.map(({ doing, live }) => [doing, live]),
				[["acts", false]],
			);
			row.silent = false;
			await set(bench, { conditions: [{ enabled: true, effect: "open", signal }] });
			await bench.untilCommand(BASE, PATIENT_MS);
			await lose();
			await bench.untilStock();
			assert.equal((await bench.status()).reason, "a condition that opens the coupling gets no valid value of its signal");
			row.silent = false;
			await bench.untilCommand(BASE, PATIENT_MS);
		}));

	it("a switch selects a stored map, also after a power cut, and no other map replaces it", () =>
		withFlash(async (flash) => {
			const signal = "chassis|0x366|hazard switch|";
			const flat = (lock: number) =>
				JSON.stringify({
					speedBins: [0, 5, 10, 20, 40, 60, 80, 100, 140],
					throttleBins: [0, 5, 10, 20, 40, 60, 80],
					lockTable: FLAT.map((row) => row.map(() => lock)),
				});
			const code = async (bench: Bench, path: string, body: string) => (await bench.ask("POST", path, body)).code;
			await withBench({ flash, settings: { mode: "5050", releaseRate: 0 } }, async (bench) => {
				const hazard = send(bench, 0x366, 100);
				const one = { enabled: true, effect: "map", map: "/maps/Wet_ 2.json", signal };
				assert.equal(await set(bench, { conditions: [one] }), 400);
				assert.equal(await code(bench, "/api/maps/import?name=Wet%3F%202", flat(40)), 200);
				assert.equal(await set(bench, { conditions: [one] }), 200);
				await bench.untilCommand(BASE, PATIENT_MS);
				assert.equal((await bench.status()).conditionMap, "");
				hazard.data[2] = 0x10;
				await bench.untilCommand(adjusted(BASE, 40));
				const status = await bench.status();
				assert.deepEqual(
					[status.mode, status.effectiveMode, status.conditionMap, status.reason],
					["5050", "MAP", one.map, `control is active in the mode of a condition (${one.map})`],
				);
				assert.equal(await doing(bench), "acts");
				assert.equal(await code(bench, "/api/maps/delete", '{"name":"Wet_ 2"}'), 400);
				assert.equal(await code(bench, "/api/map", flat(90)), 200);
				assert.equal(bench.command(), adjusted(BASE, 40), "the driver's own map waits");
				assert.equal(await code(bench, "/api/maps/import?name=Wet_%202", flat(20)), 200);
				await bench.untilCommand(adjusted(BASE, 20));
				hazard.data[2] = 0;
				await bench.untilCommand(BASE);
				const log = async () => (await bench.ask("GET", "/api/logs/read?path=/logs/all.txt&max=65536")).text;
				await until(async () => (await log()).includes(`MAP: ${status.reason} (5050 is selected)`), PATIENT_MS, "a line");
				await sleep(ON_FLASH_MS);
				await bench.cutPower();
			});
			for (const content of [undefined, "{}"]) {
				await withBench({ flash, settings: null }, async (bench) => {
					send(bench, 0x366, 100).data[2] = 0x10;
					await bench.untilCommand(adjusted(BASE, 20), PATIENT_MS);
					await bench.cutPower();
				});
				const file = join(flash, "maps/Wet_ 2.json");
				if (content === undefined) rmSync(file);
				else writeFileSync(file, content);
				await withBench({ flash, settings: null }, async (bench) => {
					const reason = "a map that is needed can't be read: load or change one (/maps/Wet_ 2.json)";
					const status = await bench.untilStatus((now) => now.reason === reason, PATIENT_MS, reason);
					assert.match(
						JSON.stringify(status.storageProblems),
						/^\[\{"path":"maps\/Wet_ 2.json","problem":"[^"]*the map of a condition/,
					);
					assert.equal(await set(bench, { setupDone: true }), 200, "what has nothing to do with it");
					const hazard = send(bench, 0x366, 100);
					hazard.data[2] = 0x10;
					await until(async () => (await doing(bench)) === "stock", PATIENT_MS, "a condition that can do nothing");
					hazard.data[2] = 0;
					await sleep(1500);
					assert.equal(bench.command(), undefined);
					assert.equal(await code(bench, "/api/maps/import?name=Wet_%202", flat(20)), 200);
					await bench.untilCommand(BASE, PATIENT_MS);
					assert.deepEqual((await bench.status()).storageProblems, []);
					await sleep(ON_FLASH_MS);
				});
			}
		}));
});
