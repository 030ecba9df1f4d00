/**
 * The boards' C: the drivers on models of their hardware, and all C of a board's manifests, compiled for its chip as
 * Moddable does it, where there is a compiler. It is linked with what ESP-IDF, the chip's ROM, the C library and the
 * engine provide: that names what nothing provides, which a build would say last of all. ESP-IDF's declarations
 * are those in `idf.h`, the engine is the host's: strict.test.ts compiles with ESP-IDF's and the SDK's own.
 */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { BOARDS } from "../../../tools/device/boards.mjs";
import {
	CHIPS,
	type Chip,
	cFilesBelow,
	compileC,
	ENGINE,
	findCompiler,
	missingTools,
	sourcesOf,
} from "../../../tools/device/c-half.mjs";
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
import { skip } from "../../support/skip.js";
import { IDF_PROVIDES, IN_LINE_OR_ADDRESS, LIBRARY_PROVIDES, outOfReach, S3_ROM_PROVIDES, staticRamBytes } from "./objects.js";

const here = dirname(fileURLToPath(import.meta.url));
const DRIVERS = join(ROOT, "hal/esp32");
const TESTING = join(ROOT, "test/modules/can-gateway");
const CONTRACT = join(ROOT, "test/hal/contract");
const SIGNATURE = join(ROOT, "modules/signature");
const BUILD = join(ROOT, "build/test/esp32");

/** Those that name hardware of a board in ways that only a board, or QEMU, can try. */
const BOARD_ONLY = ["board_emulator.c", "board_t2can.c", "gateway_esp32.c"];
/** Those that need the engine of the SDK, too. */
const ENGINE_ONLY = ["board_c6.c", "ethernet_natives.c", "heap_figures.c", "platform.c", "tcp_natives.c", "wifi_natives.c"];

const cFiles = (folder: string) => readdirSync(folder).filter((name) => name.endsWith(".c") && !ENGINE_ONLY.includes(name));
const paths = (folder: string) => cFiles(folder).map((name) => join(folder, name));
const asBoard = [...AS_BOARD, ...BOARD_INCLUDES];
const testFiles = paths(here);
const files = [
	...testFiles,
	join(TESTING, "testing.c"),
	// their cases are run, and named, by tests of the contract: here they count for what is reached
	...["can_behaviours.c", "tcp_behaviours.c"].map((name) => join(CONTRACT, name)),
	join(SIGNATURE, "signature_check.c"),
	...paths(DRIVERS).filter((path) => !BOARD_ONLY.includes(basename(path))),
];

/** The one file that only tests use. */
const FOR_TESTS = ["modules/can-gateway/can-gateway-core-xs.c"];

const run = (command: string, ...args: string[]) => execFileSync(command, args, { encoding: "utf8", stdio: "pipe" });

/** C functions of the engine. */
function engineProvides(): Set<string> {
	const folder = join(ENGINE, "sources");
	const files = readdirSync(folder).filter((name) => name.endsWith(".c"));
	const texts = files.map((name) => readFileSync(join(folder, name), "utf8"));
	return new Set(texts.flatMap((text) => [...text.matchAll(/^[\w*][\w\s*]*?\b(_?[fx][xs]\w+)\(/gm)].map(([, name]) => name!)));
}

/** Links against a stand-in that defines what is provided. @returns what the linker misses, and where */
function missingSymbols(chip: Chip, objects: readonly string[], build: string, engine: Set<string>): string[] {
	const provided = [
		...IDF_PROVIDES,
		...LIBRARY_PROVIDES,
		...(chip.board === "t2can" ? S3_ROM_PROVIDES : []),
		...engine,
		"modMessagePostToMachine", // of the board's half of the engine
	];
	const standIn = join(build, "provided.s");
	writeFileSync(
		standIn,
		`${provided.map((name) => `.balign 4\n.weak ${name}\n${name}: .word 0\n`).join("")}.globl _start\n_start:\n`,
	);
	const said = spawnSync(
		findCompiler(chip),
		[...chip.machine, "-nostdlib", ...objects, standIn, "-lgcc", "-o", join(build, "linked")],
		{ encoding: "utf8" },
	);
	const missing = new Set<string>();
	for (const line of said.stderr.split("\n")) {
		const [, object, symbol] = /([\w-]+?)(?:-[0-9a-f]{16}\.o|\.c):\S+ undefined reference to `(\w+)'/.exec(line) ?? [];
		if (object && symbol && !IN_LINE_OR_ADDRESS.test(symbol)) missing.add(`${symbol} in ${object}.c`);
	}
	assert.ok(said.status === 0 || said.stderr.includes("undefined reference"), said.stderr);
	return [...missing].sort();
}

describe("hal/esp32 drivers", function () {
	this.timeout(120000);
	let check: (title: string) => void;

	before(() => {
		mkdirSync(BUILD, { recursive: true });
		check = casesIn(compile("esp32", files, [...SANITIZERS, ...AS_BOARD], BOARD_INCLUDES), files.flatMap(casesOf));
	});

	for (const file of testFiles.filter((path) => path.endsWith("_test.c")))
		describe(basename(file, "_test.c"), () => {
			for (const title of casesOf(file)) it(title, () => check(title));
		});

	it("have no line or branch that these cases do not reach", () => {
		const { missed, branches } = coverage(files, DRIVERS, asBoard);
		assert.deepEqual(missed, []);
		assert.ok(branches > 150, `only ${branches} branches were counted`);
	});

	it("are named in a board's manifests, once, like all other C", () => {
		for (const board of BOARDS) {
			const paths = sourcesOf(board);
			assert.deepEqual(paths.sort(), [...new Set(paths)].sort(), board);
		}
		const named = new Set(CHIPS.flatMap(({ board, relative }) => sourcesOf(board, relative)));
		const others = cFilesBelow(["modules", "hal/esp32"]).filter((path) => !named.has(path));
		assert.deepEqual(others.sort(), FOR_TESTS);
	});

	for (const chip of CHIPS)
		describe(`for the ${chip.name}`, () => {
			const build = join(BUILD, chip.board);
			/** Of the board, and with those of its relative. */
			let objects: string[];
			let all: string[];
			const tool = (name: string) => findCompiler(chip).replace(/gcc$/, name);

			before(function () {
				const missing = missingTools(chip);
				if (missing !== "") skip(this, missing);
				all = compileC(chip, build, WARNINGS, sourcesOf(chip.board, chip.relative));
				objects = compileC(chip, build, WARNINGS);
			});

			it("do not tell in which folder they were compiled", () => {
				assert.deepEqual(
					all.filter((path) => readFileSync(path).includes(ROOT)),
					[],
				);
			});

			it("link with the rest of the board's C", () => {
				const engine = engineProvides();
				assert.ok(engine.has("fxToInteger"));
				assert.deepEqual(missingSymbols(chip, all, build, engine), []);
			});

			if (chip.board === "c6")
				it("take the static RAM that the README says", () => {
					// a driver of the other board's chip, and its board file, are not linked
					const linked = objects.filter((path) => !/mcp2515|t2can/.test(basename(path)));
					const row = /\| C6: all static RAM of our C[^|]*\| ([\d,]+) \|/;
					const said = Number(row.exec(readFileSync(join(DRIVERS, "README.md"), "utf8"))?.[1]?.replaceAll(",", ""));
					const bytes = staticRamBytes(linked, tool("objdump"));
					// another compiler's code differs by some bytes
					assert.ok(Math.abs(bytes - said) < 512, `${bytes} bytes, the README says ${said}`);
				});

			it("have nothing on the path of an interrupt that lies in flash", () => {
				const { missing, seen } = outOfReach(objects, tool("objdump"));
				// in line in ESP-IDF's header, as strict.test.ts sees; here they are the model's
				const isRegister = (symbol: string) => symbol.startsWith("twai_ll_");
				assert.deepEqual(
					missing.filter((symbol) => !isRegister(symbol)),
					[],
				);
				assert.equal(missing.filter(isRegister).length, 7);
				assert.ok(seen > 100, `only ${seen} references were seen`);
			});

			it("fail that test when a function on that path lies in flash", () => {
				const object = objects.find((path) => basename(path).startsWith("gateway_rewrite"))!;
				const moved = join(BUILD, "gateway_rewrite-in-flash.o");
				run(tool("objcopy"), "--rename-section", ".iram1=.text1", object, moved);
				const others = objects.map((path) => (path === object ? moved : path));
				const { missing } = outOfReach(others, tool("objdump"));
				assert.ok(missing.includes("gateway_rewrite (.text1)"));
			});
		});
});
