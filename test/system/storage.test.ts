/** What lies on flash: settings, maps and logs survive power cuts, a full flash and damaged files. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { withBench, withFlash } from "./bench-car.js";
import { marker } from "./car-rows.js";
import { now, sleep, until } from "./wait.js";

const ON_FLASH_WITHIN_MS = 2000;
/** After boot, less what the first frame may have taken. */
const STOCK_MS = 900;
const ON_FLASH_MS = 5000;
const FULL_LOCK = 0xfa;

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
				await bench.untilCommand(FULL_LOCK);
				const found = bench.passed(marker(5).id);
				const first = found.find(({ rewritten }) => rewritten);
				assert.ok(first !== undefined && first.at - found[0].at > STOCK_MS, "the first second is stock");
			});
		}));

	it("a calibration that can't be cleared on a full flash stays in effect, and the client is told", () => {
		const table = Array.from({ length: 101 }, (_, factor) => factor);
		const stored = JSON.stringify({ format: 1, generation: 5, frameProfile: "reference", date: "", table });
		const options = { connected: false, files: { "calibration.json": stored }, args: ["--fault", "flash-full"] };
		return withBench(options, async (bench) => {
			const cleared = await bench.post("/api/learn/clear");
			assert.deepEqual(cleared, { code: 500, answer: { error: "save failed", detail: "no space" } });
			assert.deepEqual((await bench.get("/api/learn/table")).table, table);
		});
	});

	it("files with other members, or that are folders, are set aside and reported", () => {
		const problems = [
			["maps/current.json", undefined, "it is a folder"],
			["owner.json", '{"format":1,"salt":"x"}', "rounds is not allowed; allowed: 1..1000000"],
			["settings.json", '{"format":1,"ssid":"home","password":"password1"}', "it has none of our fields"],
			["wifi.json", '"text"', "not a JSON object"],
		] as const;
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
		});
	});
});

describe("system: maps", () => {
	it("64 maps with the longest names leave heap: eight clients get the list at once", () =>
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
			assert.equal((await bench.post("/api/maps/load", { name: "0".padStart(58, "n") })).code, 200);
			assert.deepEqual((await bench.get("/api/map")).lockTable[3], Array(9).fill(1));
		}));
});

const LINE = /^\d+\t(EVENT|INFO|WARN|ERROR)\t[a-z]+\t[^\t\n]+$/;

describe("system: logs", () => {
	it("have boot, modes, faults, buses and rejected requests, and survive a kill", () =>
		withFlash(async (flash) => {
			const all = () => readFileSync(join(flash, "logs/all.txt"), "utf8");
			const logged = (pattern: RegExp) =>
				until(
					() => pattern.test(all()),
					ON_FLASH_MS,
					() => `${pattern} in ${all()}`,
				);
			await withBench({ flash, files: { "logs/all.txt": "" } }, async (bench) => {
				bench.show(20, 80);
				await logged(/\tEVENT\tmode\tMAP: control is active\n/);
				await bench.mode("5050");
				assert.equal((await bench.ask("GET", "/api/nothing")).code, 404);
				await logged(/\tWARN\trequest\tGET "\/api\/nothing" 404 not found\n/);
				bench.chassis.disconnect();
				await logged(/\tEVENT\tmode\tSTOCK: the chassis bus is not running \(5050 is selected\)/);
				await bench.cutPower();
			});
			const text = all();
			for (const line of text.trimEnd().split("\n")) assert.match(line, LINE);
			for (const pattern of [
				/^\d+\tEVENT\tboot\tOpenCoupling v\S+ starts: power on\n/,
				/\tEVENT\thttp\tthe server listens on port \d+\n/,
				/\tINFO\tcan\tchassis bus: error-active\n/,
				/\tWARN\tcan\tchassis bus: nobody is connected\n/,
				/\tWARN\tfault\t.*chassisBusDown/,
			])
				assert.match(text, pattern);
			assert.doesNotMatch(text, /\tsettings\tchanged/); // the mode's own line says it
			await withBench({ flash, settings: null, connected: false }, async () => {
				await until(() => all().match(/\tboot\t/g)?.length === 2, ON_FLASH_MS, "the second boot");
				assert.ok(all().startsWith(text), "nothing of the first run is lost");
			});
		}));
});
