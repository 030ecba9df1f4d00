/**
 * The boards' C drivers, on this computer: on models of their hardware, and compiled for rv32 where there is
 * a compiler for it.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CHIPS, compileC, findCompiler, missingTools } from "../../../tools/device/c-half.mjs";
import {
	AS_BOARD,
	BOARD_INCLUDES,
	casesIn,
	casesOf,
	compile,
	coverage,
	ROOT,
	SANITIZERS,
	WARNINGS,
} from "../../modules/can-gateway/build.js";
import { outOfReach, staticRamBytes } from "./placement.js";

const here = dirname(fileURLToPath(import.meta.url));
const DRIVERS = join(ROOT, "hal/esp32");
const TESTING = join(ROOT, "test/modules/can-gateway");
const CONTRACT = join(ROOT, "test/hal/contract");
const SIGNATURE = join(ROOT, "modules/signature");
const BUILD = join(ROOT, "build/test/esp32");

/** Those that name hardware of a board in ways that only a board can try. */
const BOARD_ONLY = ["board_c6.c", "board_t2can.c", "gateway_esp32.c", "parked_sleep.c"];
/** Those that need the engine of the SDK, too. */
const ENGINE_ONLY = ["controls_c6.c", "ethernet_natives.c", "heap_figures.c", "platform.c", "tcp_natives.c", "wifi_natives.c"];

const cFiles = (folder: string) => readdirSync(folder).filter((name) => name.endsWith(".c") && !ENGINE_ONLY.includes(name));
const paths = (folder: string) => cFiles(folder).map((name) => join(folder, name));
const asBoard = [...AS_BOARD, ...BOARD_INCLUDES];
const testFiles = paths(here);
const files = [
	...testFiles,
	join(TESTING, "testing.c"),
	// its cases are run, and named, by contract/can.test.ts: here they count for what is reached
	join(CONTRACT, "can_behaviours.c"),
	join(SIGNATURE, "signature_check.c"),
	...paths(DRIVERS).filter((path) => !BOARD_ONLY.includes(basename(path))),
];

const run = (command: string, ...args: string[]) => execFileSync(command, args, { encoding: "utf8", stdio: "pipe" });

describe("hal/esp32 drivers", function () {
	this.timeout(120000);
	let check: (title: string) => void;

	before(() => {
		mkdirSync(BUILD, { recursive: true });
		check = casesIn(compile("esp32", files, [...SANITIZERS, ...AS_BOARD], BOARD_INCLUDES));
	});

	for (const file of testFiles.filter((path) => path.endsWith("_test.c")))
		describe(basename(file, "_test.c"), () => {
			for (const title of casesOf(file)) it(title, () => check(title));
		});

	it("have every line and branch reached by these cases", () => {
		const { missed, branches } = coverage(files, DRIVERS, asBoard);
		assert.deepEqual(missed, []);
		assert.ok(branches > 150, `only ${branches} branches were counted`);
	});

	for (const chip of CHIPS)
		describe(`for the ${chip.name}`, () => {
			const build = join(BUILD, chip.board);
			let command: string;
			let objects: string[];

			before(function () {
				command = findCompiler(chip);
				const missing = missingTools(chip);
				if (missing === "") objects = compileC(chip, build, WARNINGS);
				else {
					console.log(`      skipped: ${missing}`);
					this.skip();
				}
			});

			if (chip.board === "c6")
				it("take the static RAM that the README says", () => {
					// a driver of the other board's chip, and its board file, are not linked
					const linked = objects.filter((path) => !/mcp2515|t2can/.test(basename(path)));
					const row = /\| C6: all static RAM of our C[^|]*\| ([\d,]+) \|/;
					const said = Number(row.exec(readFileSync(join(DRIVERS, "README.md"), "utf8"))?.[1]?.replaceAll(",", ""));
					const bytes = staticRamBytes(linked, command.replace(/gcc$/, "objdump"));
					// another compiler's code differs by some bytes
					assert.ok(Math.abs(bytes - said) < 512, `${bytes} bytes, the README says ${said}`);
				});

			it("have nothing on the path of an interrupt that lies in flash", () => {
				const { missing, seen } = outOfReach(objects, command.replace(/gcc$/, "objdump"));
				// in line in ESP-IDF's header, as strict.test.ts sees; here they are the model's
				const isRegister = (symbol: string) => symbol.startsWith("twai_ll_");
				assert.deepEqual(
					missing.filter((symbol) => !isRegister(symbol)),
					[],
				);
				assert.equal(missing.filter(isRegister).length, 9);
				assert.ok(seen > 100, `only ${seen} references were seen`);
			});

			it("are found out when something on that path is left in flash", () => {
				const object = objects.find((path) => basename(path).startsWith("gateway_rewrite"))!;
				const moved = join(BUILD, "gateway_rewrite-in-flash.o");
				run(command.replace(/gcc$/, "objcopy"), "--rename-section", ".iram1=.text1", object, moved);
				const others = objects.map((path) => (path === object ? moved : path));
				const { missing } = outOfReach(others, command.replace(/gcc$/, "objdump"));
				assert.ok(missing.includes("gateway_rewrite (.text1)"));
			});
		});
});
