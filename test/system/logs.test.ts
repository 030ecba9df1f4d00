/**
 * The log files of the real program: what is in them, and that no power cut, full flash or failing write
 * breaks them.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Bench, withBench, withFlash } from "./bench-car.js";
import { sleep, until } from "./wait.js";

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

const post = (bench: Bench, path: string, body: unknown) => bench.ask("POST", path, JSON.stringify(body));

describe("system: logs", () => {
	it("has boot, modes with their reason, faults, buses, rejected requests; a kill loses no line that is on flash", () =>
		withFlash(async (flash) => {
			await withBench({ flash }, async (bench) => {
				bench.show(20, 80);
				await logged(flash, /\tmode\tMAP: control is active\n/);
				await bench.mode("5050");
				assert.equal((await post(bench, "/api/mode", { mode: "warp" })).code, 400);
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

	it("on a full flash old copies are deleted, then logging stops with one report and the rest goes on", () =>
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
