/**
 * Maps on the real program: the car feels them, flash keeps them, and nothing that goes wrong with one stops
 * the controller.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Bench, withBench, withFlash } from "./bench-car.js";
import { sleep, until } from "./wait.js";

const ON_FLASH_WITHIN_MS = 2000;
const FULL_LOCK = 0xfa;

const map = (lock: number) => ({
	speedBins: [0, 10, 20, 30, 40, 50, 60, 70, 80],
	throttleBins: [0, 10, 20, 30, 40, 50, 60],
	lockTable: Array(7).fill(Array(9).fill(lock)),
});

const read = (bench: Bench, path: string) => readFileSync(join(bench.flash, path), "utf8");
const get = async (bench: Bench, path: string) => JSON.parse((await bench.ask("GET", path)).text);

async function post(bench: Bench, path: string, body: unknown): Promise<{ code: number; answer: Record<string, unknown> }> {
	const { code, text } = await bench.ask("POST", path, JSON.stringify(body));
	return { code, answer: JSON.parse(text) };
}

async function succeed(bench: Bench, path: string, body: unknown): Promise<void> {
	assert.equal((await post(bench, path, body)).code, 200, `${path} ${JSON.stringify(body)}`);
}

describe("system: maps", () => {
	it("are tried, swapped with one request while the car drives, and neither is lost with the supply", () =>
		withFlash(async (flash) => {
			const locks = async (bench: Bench, query = "") => (await get(bench, `/api/map${query}`)).lockTable[0][0];
			await withBench({ flash, settings: { mode: "MAP" } }, async (bench) => {
				bench.show(20, 80);
				await succeed(bench, "/api/map", map(100));
				await succeed(bench, "/api/maps/save", { name: "Rigid" });
				await bench.untilCommand(FULL_LOCK);
				await succeed(bench, "/api/map", { ...map(0), try: true });
				await bench.untilStatus(({ telemetry }) => telemetry["spec"] === 0, 4000, "no lock");
				assert.equal((await get(bench, "/api/status")).earlier.mapName, "Rigid");
				assert.deepEqual(JSON.parse(read(bench, "maps/Rigid.json")), map(100), "not in the named file");
				const late = await post(bench, "/api/map/swap", { revision: 1 });
				assert.deepEqual([late.code, late.answer["error"], await locks(bench)], [409, "changed meanwhile", 0]);
				const { revisions } = await get(bench, "/api/status");
				await succeed(bench, "/api/map/swap", { revision: revisions.map });
				assert.equal(await locks(bench), 100, "in force when it is answered");
				await bench.untilCommand(FULL_LOCK);
				assert.equal((await get(bench, "/api/maps")).currentName, "Rigid");
				await sleep(ON_FLASH_WITHIN_MS);
				await bench.cutPower();
			});
			await withBench({ flash, settings: null, connected: false }, async (bench) => {
				assert.deepEqual([await locks(bench), await locks(bench, "?before=1")], [100, 0]);
				await succeed(bench, "/api/map/swap", {});
				assert.deepEqual([await locks(bench), (await get(bench, "/api/maps")).current], [0, "/maps/current.json"]);
				await succeed(bench, "/api/map/swap", {});
				assert.equal((await get(bench, "/api/maps")).currentName, "Rigid");
			});
		}));

	it("are rejected whole on a full flash, with the reason, and the active map stays", () =>
		withBench({ args: ["--fault", "flash-full"] }, async (bench) => {
			bench.show(20, 80);
			await succeed(bench, "/api/map", map(100));
			await bench.untilCommand(FULL_LOCK);
			for (const [path, error] of [
				["/api/maps/save", "save failed"],
				["/api/maps/load", "load failed"],
			] as const)
				assert.deepEqual(await post(bench, path, { name: "fwd" }), { code: 400, answer: { error, detail: "no space" } });
			assert.deepEqual(await get(bench, "/api/map"), map(100));
			assert.equal(bench.command(), FULL_LOCK);
			await until(() => /maps\/current\.json can't be stored: no space/.test(bench.stdout + bench.stderr), 2500, "a report");
		}));

	it("that make no sense are set aside at boot and reported; the current named one is there instead", () => {
		const files = {
			"settings.json": '{"format":1,"currentMap":"/maps/mine.json"}',
			"maps/current.json": '{"speedBins":[1,2]}',
			"maps/mine.json": JSON.stringify(map(13)),
		};
		return withBench({ settings: null, connected: false, files }, async (bench) => {
			assert.deepEqual(await get(bench, "/api/map"), map(13));
			assert.match(bench.stdout + bench.stderr, /maps\/current\.json can't be used \(.*\): invalid map sizes/);
			assert.equal(read(bench, "maps/current.json.bad"), '{"speedBins":[1,2]}');
			await until(() => existsSync(join(bench.flash, "maps/current.json")), ON_FLASH_WITHIN_MS, "current.json");
		});
	});

	for (const [what, content, currentMap, problems] of [
		["truncated", JSON.stringify(map(0)).slice(0, -9), "/maps/current.json", ["maps/current.json"]],
		["empty, and its named file gone,", "", "/maps/mine.json", ["maps/current.json", "maps/mine.json"]],
	] as const)
		it(`in a file that is ${what} are not replaced by another: stock, until one is loaded or posted`, () =>
			withFlash(
				async (flash) => {
					for (const start of ["first", "second"]) {
						await withBench({ flash, settings: null }, async (bench) => {
							bench.show(20, 80);
							const reason = `a map that is needed can't be read: load or change one (${currentMap})`;
							const status = await bench.untilStatus((now) => now.reason === reason, 2000, reason);
							await sleep(1500);
							assert.equal(bench.command(), undefined, `${start} start`);
							assert.deepEqual(
								status.storageProblems.map(({ path }) => path),
								problems,
							);
							await bench.mode("5050");
							await bench.untilCommand(FULL_LOCK);
							await bench.mode("MAP");
							await bench.untilStock();
							if (start === "first") return;
							await succeed(bench, "/api/maps/load", { name: "other" });
							await bench.untilCommand(FULL_LOCK);
							assert.deepEqual((await bench.status()).storageProblems, []);
						});
					}
				},
				{
					"settings.json": JSON.stringify({ format: 1, generation: 5, mode: "MAP", currentMap }),
					"maps/current.json": content,
					"maps/other.json": JSON.stringify(map(100)),
				},
			));

	it("of the longest names fill no heap: 64 are stored, the list goes to eight clients at once, names in bodies leave nothing behind", () =>
		withBench({ connected: false }, async (bench) => {
			const line = "T0\t\t1\t1\t1\t1\t1\t1\t1\t1\t1";
			const txt = ["\t\t0\t1\t2\t3\t4\t5\t6\t7\t8", ...Array.from({ length: 7 }, (_, i) => line.replace("T0", `T${i}`))].join(
				"\n",
			);
			for (let i = 0; i < 64; i++) {
				const { code } = await bench.ask("POST", `/api/maps/import?name=${String(i).padStart(58, "n")}`, txt);
				assert.equal(code, 200, `map ${i}`);
			}
			assert.equal((await bench.ask("POST", "/api/maps/import?name=more", txt)).code, 400);
			const lists = await Promise.all(Array.from({ length: 8 }, () => get(bench, "/api/maps")));
			for (const { maps } of lists) assert.equal(maps.length, 68);
			// more names than the machine has memory for
			for (let i = 0; i < 300; i++) {
				const name = `x${i}`.repeat(10);
				assert.equal((await post(bench, "/api/map", { [name]: { [name]: name } })).code, 400);
			}
			await succeed(bench, "/api/maps/load", { name: "0".padStart(58, "n") });
			assert.deepEqual((await get(bench, "/api/map")).lockTable[3], Array(9).fill(1));
		}));
});
