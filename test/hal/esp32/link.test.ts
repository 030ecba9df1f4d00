/**
 * All C of a board's manifests, compiled for its chip as Moddable does it and linked with what ESP-IDF, the chip's ROM, the C library and the
 * engine provide: names what nobody provides, which a build would say last of all. ESP-IDF's declarations are those in `idf/`, the engine is the
 * host's: strict.test.ts compiles with ESP-IDF's and the SDK's own.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT, WARNINGS } from "../../modules/can-gateway/build.js";
import { boardFlags, CHIPS, type Chip, findCompiler } from "./chips.js";
import { IDF_PROVIDES, IN_LINE_OR_ADDRESS, LIBRARY_PROVIDES } from "./provided.js";

const here = dirname(fileURLToPath(import.meta.url));
const BUILD = join(ROOT, "build/test/esp32-link");
const ENGINE = join(ROOT, "node_modules/@agoric/xsnap/moddable/xs");
/** C libraries for bare metal whose headers do for both chips. */
const LIBRARY_HEADERS = "/usr/lib/picolibc/riscv64-unknown-elf/include";

/** The one file that only tests use. */
const FOR_TESTS = ["modules/can-gateway/can-gateway-core-xs.c"];

interface Manifest {
	readonly modules: { readonly "*": readonly string[] };
}

/** C files that a board's manifests name, below ROOT. */
function sourcesOf(board: string): string[] {
	const manifests = [ROOT, join(ROOT, "hal/esp32/boards", board)];
	const named = manifests.flatMap((folder) => {
		const { modules } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Manifest;
		return modules["*"].filter((path) => path.startsWith(".")).map((path) => `${join(folder, path)}.c`);
	});
	return named.filter((path) => existsSync(path)).map((path) => relative(ROOT, path));
}

const run = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: "utf8", cwd: ROOT, maxBuffer: 1 << 26 });

function engineProvides(): Set<string> {
	const folder = join(ENGINE, "sources");
	const files = readdirSync(folder).filter((name) => name.endsWith(".c"));
	const texts = files.map((name) => readFileSync(join(folder, name), "utf8"));
	return new Set(texts.flatMap((text) => [...text.matchAll(/^[\w*][\w\s*]*?\b(_?[fx][xs]\w+)\(/gm)].map(([, name]) => name!)));
}

/** Flags for the folders of headers, and for the engine's. @param build takes a header that Moddable's xsid would make from the sources */
function headers(build: string, sources: readonly string[]): string[] {
	const names = new Set(sources.flatMap((path) => readFileSync(join(ROOT, path), "utf8").match(/\bxsID_\w+/g) ?? []));
	writeFileSync(join(build, "mc.xs.h"), [...names].map((name, i) => `#define ${name} ${i + 1}\n`).join(""));
	const ours = new Set(sources.map((path) => join(ROOT, dirname(path))));
	const engine = ["includes", "sources", "platforms"].map((folder) => join(ENGINE, folder));
	return [
		...["-DINCLUDE_XSPLATFORM", '-DXSPLATFORM="xs_platform.h"'],
		...includes([build, join(here, "idf"), join(here, "moddable"), ...ours], "-I"),
		...includes([...engine, LIBRARY_HEADERS], "-isystem"),
	];
}

const includes = (folders: readonly string[], option: string) => folders.flatMap((folder) => [option, folder]);

describe("hal/esp32: all C of a board", function () {
	this.timeout(300_000);

	it("is named in a board's manifests", () => {
		const named = new Set(CHIPS.flatMap(({ board }) => sourcesOf(board)));
		const all = ["modules", "hal/esp32"].flatMap((folder) =>
			readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
				.filter((path) => path.endsWith(".c"))
				.map((path) => join(folder, path)),
		);
		assert.deepEqual(all.filter((path) => !named.has(path)).sort(), FOR_TESTS);
	});

	for (const chip of CHIPS)
		describe(`for the ${chip.name}`, () => {
			const build = join(BUILD, chip.board);
			const sources = sourcesOf(chip.board);
			const objects = sources.map((path) => join(build, `${basename(path, ".c")}.o`));
			let command: string;

			before(function () {
				command = findCompiler(chip);
				const missing = existsSync(LIBRARY_HEADERS) ? "" : "no headers of a C library (Debian: picolibc-riscv64-unknown-elf)";
				if (missing !== "") console.log(`      skipped: ${missing}`);
				if (command === "" || missing !== "") this.skip();
			});

			it("compiles, with every function declared", () => {
				rmSync(build, { recursive: true, force: true });
				const flags = [...boardFlags(chip, build), ...WARNINGS, ...headers(build, sources)];
				for (const [i, source] of sources.entries())
					assert.equal(run(command, ...flags, "-c", source, "-o", objects[i]!).stderr, "", source);
			});

			it("links", function () {
				if (!objects.every((path) => existsSync(path))) this.skip();
				const engine = engineProvides();
				assert.ok(engine.has("fxToInteger"));
				assert.deepEqual(missingSymbols(command, chip, objects, build, engine), []);
			});
		});
});

/** Links against a stand-in that defines what is provided. @returns what the linker misses, and where */
function missingSymbols(command: string, chip: Chip, objects: readonly string[], build: string, engine: Set<string>): string[] {
	const provided = [...Object.values(IDF_PROVIDES).flat(), ...LIBRARY_PROVIDES, ...chip.romProvides, ...engine];
	const standIn = join(build, "provided.s");
	writeFileSync(
		standIn,
		`${provided.map((name) => `.balign 4\n.weak ${name}\n${name}: .word 0\n`).join("")}.globl _start\n_start:\n`,
	);
	const said = run(command, ...chip.machine, "-nostdlib", ...objects, standIn, "-lgcc", "-o", join(build, "linked"));
	const missing = new Set<string>();
	for (const line of said.stderr.split("\n")) {
		const [, object, symbol] = /([\w-]+)\.[co]:\S+ undefined reference to `(\w+)'/.exec(line) ?? [];
		if (object && symbol && !IN_LINE_OR_ADDRESS.test(symbol)) missing.add(`${symbol} in ${object}.c`);
	}
	assert.ok(said.status === 0 || said.stderr.includes("undefined reference"), said.stderr);
	return [...missing].sort();
}
