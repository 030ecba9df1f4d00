/**
 * All C of a board's manifests, compiled for its chip as Moddable does it and linked with what ESP-IDF, the
 * chip's ROM, the C library and the engine provide: names what nobody provides, which a build would say last
 * of all. ESP-IDF's declarations are those in `idf.h`, the engine is the host's: strict.test.ts compiles with
 * ESP-IDF's and the SDK's own.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
import { ROOT, WARNINGS } from "../../modules/can-gateway/build.js";
import { IDF_PROVIDES, IN_LINE_OR_ADDRESS, LIBRARY_PROVIDES, S3_ROM_PROVIDES } from "./provided.js";

const BUILD = join(ROOT, "build/test/esp32-link");
/** The one file that only tests use. */
const FOR_TESTS = ["modules/can-gateway/can-gateway-core-xs.c"];

const run = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: "utf8", cwd: ROOT, maxBuffer: 1 << 26 });

/** C functions of the engine. */
function engineProvides(): Set<string> {
	const folder = join(ENGINE, "sources");
	const files = readdirSync(folder).filter((name) => name.endsWith(".c"));
	const texts = files.map((name) => readFileSync(join(folder, name), "utf8"));
	return new Set(texts.flatMap((text) => [...text.matchAll(/^[\w*][\w\s*]*?\b(_?[fx][xs]\w+)\(/gm)].map(([, name]) => name!)));
}

describe("hal/esp32: all C of a board", function () {
	this.timeout(300_000);

	it("is named in a board's manifests", () => {
		const named = new Set(CHIPS.flatMap(({ board, relative }) => sourcesOf(board, relative)));
		const others = cFilesBelow(["modules", "hal/esp32"]).filter((path) => !named.has(path));
		assert.deepEqual(others.sort(), FOR_TESTS);
	});

	for (const chip of CHIPS)
		describe(`for the ${chip.name}`, () => {
			const build = join(BUILD, chip.board);
			let objects: string[] | undefined;

			before(function () {
				const missing = missingTools(chip);
				if (missing === "") return;
				console.log(`      skipped: ${missing}`);
				this.skip();
			});

			it("compiles, with every function declared", () => {
				objects = compileC(chip, build, WARNINGS, sourcesOf(chip.board, chip.relative));
			});

			it("does not tell in which folder it was compiled", function () {
				if (objects === undefined) this.skip();
				assert.deepEqual(
					objects.filter((path) => readFileSync(path).includes(ROOT)),
					[],
				);
			});

			it("links", function () {
				if (objects === undefined) this.skip();
				const engine = engineProvides();
				assert.ok(engine.has("fxToInteger"));
				assert.deepEqual(missingSymbols(chip, objects, build, engine), []);
			});
		});
});

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
	const said = run(findCompiler(chip), ...chip.machine, "-nostdlib", ...objects, standIn, "-lgcc", "-o", join(build, "linked"));
	const missing = new Set<string>();
	for (const line of said.stderr.split("\n")) {
		const [, object, symbol] = /([\w-]+?)(?:-[0-9a-f]{16}\.o|\.c):\S+ undefined reference to `(\w+)'/.exec(line) ?? [];
		if (object && symbol && !IN_LINE_OR_ADDRESS.test(symbol)) missing.add(`${symbol} in ${object}.c`);
	}
	assert.ok(said.status === 0 || said.stderr.includes("undefined reference"), said.stderr);
	return [...missing].sort();
}
