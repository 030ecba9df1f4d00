/**
 * The log files of the real program: what is in them, and that no power cut, full flash or failing write
 * breaks them.
 */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bench, withBench } from "./bench-car.js";
import { sleep, until } from "./wait.js";

const ON_FLASH_MS = 5000;
const FILE_BYTES = 262_144;
const POWER_CUT_CODE = 9;
/**
 * Storage operations in a rotation, which takes five batches; every one of them is cut in
 * test/logs/log-file.test.ts.
 */
const CUTS = [1, 4, 6, 9, 11, 14];
const LINE = /^\d+\t(EVENT|DEBUG|INFO|WARN|ERROR)\t[a-z]+\t[^\t\n]+$/;

async function withFlash(test: (flash: string) => Promise<void>): Promise<void> {
	const flash = join(mkdtempSync(join(tmpdir(), "oc-logs-")), "flash");
	mkdirSync(join(flash, "logs"), { recursive: true });
	try {
		await test(flash);
	} finally {
		rmSync(join(flash, ".."), { recursive: true, force: true });
	}
}

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

/** All lines on flash, oldest first. */
function history(flash: string): string[] {
	const names = readdirSync(join(flash, "logs"))
		.filter((name) => name.startsWith("all"))
		.sort()
		.reverse();
	return ["all.txt", ...names.filter((name) => name !== "all.txt").reverse()].reverse().flatMap((name) =>
		names.includes(name)
			? readFileSync(join(flash, "logs", name), "utf8")
					.split("\n")
					.slice(0, -1)
			: [],
	);
}

describe("system: logs", () => {
	it("has boot, modes with their reason, faults, buses, refused requests; a kill loses no line that is on flash", () =>
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

	it("lists, reads, deletes and clears over the interface; a deleted file comes back with the next line", () =>
		withFlash(async (flash) => {
			writeFileSync(join(flash, "logs/all.2.txt"), `${"x".repeat(99)}\n`.repeat(2000));
			await withBench({ flash, connected: false }, async (bench) => {
				await logged(flash, /boot/);
				const list = async () => JSON.parse((await bench.ask("GET", "/api/logs")).text).files as { path: string; size: number }[];
				assert.deepEqual(
					(await list()).map(({ path }) => path),
					["/logs/all.txt", "/logs/all.2.txt"],
				);
				assert.equal((await list())[1].size, 200_000);
				const long = await bench.ask("GET", "/api/logs/read?path=/logs/all.2.txt&max=150000");
				assert.equal(long.text, `[truncated to last 150000 bytes]\n${`${"x".repeat(99)}\n`.repeat(1500)}`);
				assert.deepEqual(await bench.ask("GET", "/api/logs/read?path=/logs/can/can.txt"), {
					code: 404,
					text: '{"error":"log read failed","field":"path","value":"/logs/can/can.txt","allowed":"a path of GET /api/logs"}',
				});
				assert.equal((await post(bench, "/api/logs/delete", { path: "/logs/all.txt" })).code, 200);
				await bench.mode("FWD");
				await logged(flash, /FWD is selected/);
				const cleared = await post(bench, "/api/logs/clear", {});
				assert.deepEqual(cleared, { code: 200, text: '{"ok":true,"debugCaptureActive":false,"disableController":false}' });
				assert.deepEqual(await list(), [
					{ scope: "all", path: "/logs/all.txt", size: 0 },
					{ scope: "can", path: "/logs/can/can.txt", size: 0 },
					{ scope: "error", path: "/logs/error/error.txt", size: 0 },
				]);
				assert.equal((await post(bench, "/api/logs/clear", [])).code, 400);
			});
		}));

	for (const part of [0, 1])
		it(`a power cut during a rotation loses nothing but the oldest copy (${part + 1} of 2)`, async () => {
			let cuts = 0;
			for (const n of CUTS.filter((_, i) => i % 2 === part))
				await withFlash(async (flash) => {
					const fill = (name: string, age: number) =>
						writeFileSync(
							join(flash, "logs", name),
							`${age}\tINFO\told\t${"y".repeat(100)}\n`.repeat(Math.ceil(FILE_BYTES / 110)),
						);
					for (const copy of [1, 2, 3, 4]) fill(`all.${copy}.txt`, 5 - copy);
					fill("all.txt", 5);
					const settings = { mode: "MAP", generation: 5 };
					await withBench({ flash, connected: false, settings, args: ["--fault", `power-cut=${n}`] }, async (bench) => {
						for (let i = 0; i < 8 && bench.stderr === ""; i++) {
							await bench.ask("GET", `/api/nothing${i}`).catch(() => undefined);
							await Promise.race([sleep(1100), bench.ended]);
						}
						if ((await Promise.race([bench.ended, sleep(1)])) === POWER_CUT_CODE) cuts++;
					}).catch((error) => {
						if (!/ended at start/.test(String(error))) throw error;
						cuts++;
					});
					const lines = history(flash);
					for (const line of lines) assert.match(line, LINE, `cut ${n}`);
					const ages = [...new Set(lines.filter((line) => line.includes("\told\t")).map((line) => line[0]))].join("");
					assert.match(ages, /^1?2345$/, `cut ${n}`);
					await withBench({ flash, settings: null, connected: false }, async () => {
						await logged(flash, /\tboot\t/);
					});
				});
			assert.ok(cuts >= 2, `${cuts} cuts`);
		});

	it("a torn write leaves whole lines, and its lines come with the next batch", () =>
		withFlash(async (flash) => {
			await withBench({ flash, connected: false, args: ["--fault", "flash-write-torn=1"] }, async (bench) => {
				await until(() => /the log can't be written: write failed/.test(bench.stdout + bench.stderr), ON_FLASH_MS, "a report");
				assert.equal(allOf(flash), "");
				await until(() => /\tboot\t/.test(allOf(flash)), 15_000, "the second try");
				for (const line of allOf(flash).trimEnd().split("\n")) assert.match(line, LINE);
			});
		}));

	it("on a full flash old copies give way, then logging stops with one report and the rest goes on", () =>
		withFlash(async (flash) => {
			writeFileSync(join(flash, "logs/all.1.txt"), "0\tINFO\told\tcopy\n".repeat(10));
			await withBench({ flash, args: ["--fault", "flash-full"] }, async (bench) => {
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
