/** What lies on flash: settings, maps and logs survive power cuts, a full flash and damaged files. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Bench, withBench, withFlash } from "./bench-car.js";
import { marker } from "./car-rows.js";
import { now, sleep, until } from "./wait.js";

const ON_FLASH_WITHIN_MS = 2000;
/** After boot, less what the first frame may have taken. */
const STOCK_MS = 900;
/** Without the log's storage operations between those that are counted. */
const UNLOGGED = { mode: "MAP", logging: { file: false } };

/** Starts again on what is left, without a car; @returns the selected mode */
async function modeAfterRestart(flash: string): Promise<string> {
	let mode = "";
	await withBench({ flash, settings: null, connected: false }, async (bench) => {
		const status = await bench.status();
		assert.equal(status.effectiveMode, "STOCK");
		mode = status.mode;
		assert.ok(!existsSync(join(flash, "settings.json.bad")), "nothing had to be set aside");
	});
	return mode;
}

const storedMode = (bench: Bench): unknown => bench.settingsFile()["mode"];

describe("system: storage", () => {
	it("a mode survives a kill 2 s later, and the restart begins in stock", () =>
		withFlash(async (flash) => {
			await withBench({ flash }, async (bench) => {
				bench.show(20, 80);
				await bench.untilCommand();
				assert.equal((await bench.mode("FWD")).code, 200);
				assert.equal((await bench.mode("5050")).code, 200);
				const from = now();
				await sleep(ON_FLASH_WITHIN_MS);
				await bench.cutPower();
				assert.equal(await bench.ended, null);
				assert.ok(now() - from < ON_FLASH_WITHIN_MS + 200);
			});
			await withBench({ flash, settings: null }, async (bench) => {
				bench.show(20, 80);
				const status = await bench.status();
				assert.deepEqual([status.mode, status.effectiveMode], ["5050", "STOCK"]);
				await bench.untilCommand(0xfa);
				const found = bench.passed(marker(5).id);
				const first = found.find(({ rewritten }) => rewritten);
				assert.ok(first !== undefined && first.at - found[0].at > STOCK_MS, "the first second is stock");
			});
		}));

	it("a torn write leaves the old settings whole, and the next change is stored", () =>
		withFlash(async (flash) => {
			await withBench({ flash, settings: UNLOGGED, args: ["--fault", "flash-write-torn=1"] }, async (bench) => {
				bench.show(20, 80);
				await bench.untilCommand();
				assert.equal((await bench.mode("5050")).code, 200);
				await bench.untilCommand(0xfa);
				await until(() => /settings\.json can't be stored/.test(bench.stderr + bench.stdout), 1500, "a report");
				assert.equal(storedMode(bench), "MAP");
				assert.equal((await bench.status()).storageProblems.length, 1);
				await bench.mode("6040");
				await until(() => storedMode(bench) === "6040", ON_FLASH_WITHIN_MS + 500, "the next change on flash");
				assert.deepEqual((await bench.status()).storageProblems, [], "nothing is wrong any more");
			});
			assert.equal(await modeAfterRestart(flash), "6040");
		}));

	it("a calibration that can't be cleared on flash stays in effect, and the client is told", () =>
		withFlash(async (flash) => {
			const table = Array.from({ length: 101 }, (_, factor) => factor);
			writeFileSync(
				join(flash, "calibration.json"),
				JSON.stringify({ format: 1, generation: 4, frameProfile: "reference", date: "", table }),
			);
			await withBench({ flash, settings: UNLOGGED, connected: false, args: ["--fault", "flash-full"] }, async (bench) => {
				const cleared = await bench.post("/api/learn/clear");
				assert.deepEqual(cleared, { code: 500, answer: { error: "save failed", detail: "no space" } });
				assert.equal((await bench.get("/api/learn/table")).table.length, 101);
			});
		}));

	for (const [what, problems] of [
		[
			"with other members, or that are folders",
			[
				["maps/current.json", undefined, "it is a folder"],
				["owner.json", '{"format":1,"salt":"x"}', "rounds is not allowed; allowed: 1..1000000"],
				["settings.json", '{"format":1,"ssid":"home","password":"password1"}', "it has none of our fields"],
				["wifi.json", '{"format":1,"generation":5,"mode":"MAP"}', "it has none of our fields"],
			],
		],
		[
			"without members, or that are folders",
			[
				["crashes", undefined, "it is a folder"],
				["settings.json", '{"format":1}', "it has none of our fields"],
				["wifi.json", undefined, "it is a folder"],
			],
		],
		[
			"that are no object, or folders",
			[
				["settings.json", undefined, "it is a folder"],
				["wifi.json", '"text"', "not a JSON object"],
			],
		],
	] as const)
		it(`files ${what}, are set aside and reported`, () => {
			const files = Object.fromEntries(
				problems.map(([path, content]) => [content === undefined ? `${path}/inside` : path, content ?? ""]),
			);
			return withBench({ settings: null, connected: false, files }, async (bench) => {
				assert.deepEqual(
					[...(await bench.status()).storageProblems].sort((a, b) => (a.path < b.path ? -1 : 1)),
					problems.map(([path, , problem]) => ({
						path,
						problem: `${path} can't be used (it is kept as ${path}.bad): ${problem}`,
					})),
				);
				for (const [path, content] of problems)
					assert.ok(existsSync(join(bench.flash, content === undefined ? `${path}.bad/inside` : `${path}.bad`)));
				await bench.ask("POST", "/api/settings", '{"disableSpeed":60,"couplingGeneration":5}');
				await until(() => existsSync(join(bench.flash, "settings.json")), ON_FLASH_WITHIN_MS, "the settings");
			});
		});

	it("an unreadable owner's password is reported at each start", () =>
		withFlash(async (flash) => {
			writeFileSync(join(flash, "owner.json"), "{");
			const assertSaid = (paths: readonly string[]): Promise<void> =>
				withBench({ flash, settings: null, connected: false }, async (bench) => {
					const { storageProblems } = await bench.status();
					assert.deepEqual(
						storageProblems.map(({ path }) => path),
						paths,
					);
				});
			await assertSaid(["owner.json"]);
			await assertSaid(["owner.json"]);
			writeFileSync(join(flash, "owner.json"), '{"format":1,"salt":"","rounds":0,"proof":""}');
			await assertSaid([]);
		}));
});

const FULL_LOCK = 0xfa;

const map = (lock: number) => ({
	speedBins: [0, 10, 20, 30, 40, 50, 60, 70, 80],
	throttleBins: [0, 10, 20, 30, 40, 50, 60],
	lockTable: Array(7).fill(Array(9).fill(lock)),
});

const read = (bench: Bench, path: string) => readFileSync(join(bench.flash, path), "utf8");

async function succeed(bench: Bench, path: string, body: unknown): Promise<void> {
	assert.equal((await bench.post(path, body)).code, 200, `${path} ${JSON.stringify(body)}`);
}

describe("system: maps", () => {
	it("are tried and swapped while the car drives, and survive a power cut", () =>
		withFlash(async (flash) => {
			const locks = async (bench: Bench, query = "") => (await bench.get(`/api/map${query}`)).lockTable[0][0];
			await withBench({ flash, settings: { mode: "MAP" } }, async (bench) => {
				bench.show(20, 80);
				await succeed(bench, "/api/map", map(100));
				await succeed(bench, "/api/maps/save", { name: "Rigid" });
				await bench.untilCommand(FULL_LOCK);
				await succeed(bench, "/api/map", { ...map(0), try: true });
				await bench.untilStatus(({ telemetry }) => telemetry["spec"] === 0, 4000, "no lock");
				assert.equal((await bench.get("/api/status")).earlier.mapName, "Rigid");
				assert.deepEqual(JSON.parse(read(bench, "maps/Rigid.json")), map(100), "not in the named file");
				const late = await bench.post("/api/map/swap", { revision: 1 });
				assert.deepEqual([late.code, late.answer["error"], await locks(bench)], [409, "changed meanwhile", 0]);
				const { revisions } = await bench.get("/api/status");
				await succeed(bench, "/api/map/swap", { revision: revisions.map });
				assert.equal(await locks(bench), 100, "in force when it is answered");
				await bench.untilCommand(FULL_LOCK);
				assert.equal((await bench.get("/api/maps")).currentName, "Rigid");
				await sleep(ON_FLASH_WITHIN_MS);
				await bench.cutPower();
			});
			await withBench({ flash, settings: null, connected: false }, async (bench) => {
				assert.deepEqual([await locks(bench), await locks(bench, "?before=1")], [100, 0]);
				await succeed(bench, "/api/map/swap", {});
				assert.deepEqual([await locks(bench), (await bench.get("/api/maps")).current], [0, "/maps/current.json"]);
				await succeed(bench, "/api/map/swap", {});
				assert.equal((await bench.get("/api/maps")).currentName, "Rigid");
			});
		}));

	it("are rejected on a full flash, and the active map stays", () =>
		withBench({ args: ["--fault", "flash-full"] }, async (bench) => {
			bench.show(20, 80);
			await succeed(bench, "/api/map", map(100));
			await bench.untilCommand(FULL_LOCK);
			for (const [path, error] of [
				["/api/maps/save", "save failed"],
				["/api/maps/load", "load failed"],
			] as const)
				assert.deepEqual(await bench.post(path, { name: "fwd" }), { code: 400, answer: { error, detail: "no space" } });
			assert.deepEqual(await bench.get("/api/map"), map(100));
			assert.equal(bench.command(), FULL_LOCK);
			await until(() => /maps\/current\.json can't be stored: no space/.test(bench.stdout + bench.stderr), 2500, "a report");
		}));

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

	it("with the longest names leave heap: 64 are stored, and eight clients get the list at once", () =>
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
			const lists = await Promise.all(Array.from({ length: 8 }, () => bench.get("/api/maps")));
			for (const { maps } of lists) assert.equal(maps.length, 68);
			// more names than the machine has memory for
			for (let i = 0; i < 300; i++) {
				const name = `x${i}`.repeat(10);
				assert.equal((await bench.post("/api/map", { [name]: { [name]: name } })).code, 400);
			}
			await succeed(bench, "/api/maps/load", { name: "0".padStart(58, "n") });
			assert.deepEqual((await bench.get("/api/map")).lockTable[3], Array(9).fill(1));
		}));
});

const ON_FLASH_MS = 5000;
const LINE = /^\d+\t(EVENT|DEBUG|INFO|WARN|ERROR)\t[a-z]+\t[^\t\n]+$/;

const allOf = (flash: string) => {
	const path = join(flash, "logs/all.txt");
	return existsSync(path) ? readFileSync(path, "utf8") : "";
};

/** Waits until the log on flash has it. */
const logged = (flash: string, pattern: RegExp) =>
	until(
		() => pattern.test(allOf(flash)),
		ON_FLASH_MS,
		() => `${pattern} in ${allOf(flash)}`,
	);

describe("system: logs", () => {
	it("have boot, modes, faults, buses and rejected requests, and survive a kill", () =>
		withFlash(async (flash) => {
			await withBench({ flash }, async (bench) => {
				bench.show(20, 80);
				await logged(flash, /\tmode\tMAP: control is active\n/);
				await bench.mode("5050");
				assert.equal((await bench.post("/api/mode", { mode: "warp" })).code, 400);
				assert.equal((await bench.ask("GET", "/api/nothing")).code, 404);
				await logged(flash, /404 not found/);
				bench.chassis.disconnect();
				await logged(flash, /\tmode\tSTOCK: the chassis bus is not running \(5050 is selected\)/);
				await bench.cutPower();
			});
			const text = allOf(flash);
			for (const line of text.trimEnd().split("\n")) assert.match(line, LINE);
			assert.match(text, /^\d+\tEVENT\tboot\tOpenCoupling v\S+ starts: power on\n/);
			assert.match(text, /\tEVENT\thttp\tthe server listens on port \d+\n/);
			assert.match(text, /\tINFO\tcan\tchassis bus: error-active\n/);
			assert.match(text, /\tWARN\tcan\tchassis bus: nobody is connected\n/);
			assert.match(text, /\tEVENT\tmode\tMAP: control is active\n/);
			assert.match(text, /\tEVENT\tmode\t5050: control is active\n/);
			assert.doesNotMatch(text, /\tsettings\tchanged/); // the mode's own line says it
			assert.match(text, /\tWARN\tfault\t.*chassisBusDown/);
			assert.match(text, /\tWARN\trequest\tPOST "\/api\/mode" 400 invalid mode\n/);
			assert.match(text, /\tWARN\trequest\tGET "\/api\/nothing" 404 not found\n/);
			await withBench({ flash, settings: null, connected: false }, async (bench) => {
				await until(() => allOf(flash).match(/\tboot\t/g)?.length === 2, ON_FLASH_MS, "the second boot");
				assert.ok(allOf(flash).startsWith(text), "nothing of the first run is lost");
				const { text: read } = await bench.ask("GET", "/api/logs/read?path=/logs/all.txt&max=262144");
				assert.ok(read.startsWith(text));
			});
		}));

	it("on a full flash lose old copies, then stop with one report", () =>
		withFlash(async (flash) => {
			const files = { "logs/all.1.txt": "0\tINFO\told\tcopy\n".repeat(10) };
			await withBench({ flash, files, args: ["--fault", "flash-full"] }, async (bench) => {
				bench.show(20, 80);
				await bench.untilCommand();
				await until(
					() => /\tboot\t/.test(allOf(flash)) || /can't be written/.test(bench.stdout),
					ON_FLASH_MS,
					"boot line or report",
				);
				assert.ok(!existsSync(join(flash, "logs/all.1.txt")));
				for (let i = 0; i < 8; i++) await bench.ask("GET", `/api/nothing${i}`);
				await until(() => /the log can't be written: no space/.test(bench.stdout), ON_FLASH_MS, "a report");
				assert.equal((await bench.mode("5050")).code, 200);
				await bench.untilCommand(0xfa);
				await sleep(1500);
				assert.equal(bench.stdout.match(/the log can't be written/g)?.length, 1);
			});
		}));
});
