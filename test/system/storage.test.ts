/**
 * Settings survive power cuts and failing flash: old or new, never broken, and the program starts again.
 * Architecture point 7.
 */
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
	it("a mode is on flash within 2 s: killed then, it is there after the restart, which begins in stock", () =>
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

	it("a torn write: the mode works, the old settings stay whole, the next change is stored", () =>
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

	it("a calibration that can't be cleared on flash says so to the client, and stays in effect", () =>
		withFlash(async (flash) => {
			const table = Array.from({ length: 101 }, (_, factor) => factor);
			writeFileSync(
				join(flash, "calibration.json"),
				JSON.stringify({ format: 1, generation: 4, frameProfile: "reference", date: "", table }),
			);
			await withBench({ flash, settings: UNLOGGED, connected: false, args: ["--fault", "flash-full"] }, async (bench) => {
				const { code, text } = await bench.ask("POST", "/api/learn/clear");
				assert.deepEqual([code, JSON.parse(text)], [500, { error: "save failed", detail: "no space" }]);
				assert.equal(JSON.parse((await bench.ask("GET", "/api/learn/table")).text).table.length, 101);
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

	it("an owner's password that can't be read is said at each start, until another is set", () =>
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

	it("settings that make no sense are set aside and reported, and the controller starts in stock", () =>
		withFlash(async (flash) => {
			writeFileSync(join(flash, "settings.json"), '{"format":1,"generation":3}');
			await withBench({ flash, settings: null, connected: false }, async (bench) => {
				const { mode, storageProblems } = await bench.status();
				assert.equal(mode, "STOCK");
				assert.deepEqual(
					storageProblems.map(({ path }) => path),
					["settings.json"],
				);
				const problem = /^settings\.json can't be used \(it is kept as settings\.json\.bad\): generation is 3/;
				assert.match(storageProblems[0].problem, problem);
				assert.ok((bench.stdout + bench.stderr).includes(storageProblems[0].problem));
				assert.equal(readFileSync(join(flash, "settings.json.bad"), "utf8"), '{"format":1,"generation":3}');
			});
		}));
});
