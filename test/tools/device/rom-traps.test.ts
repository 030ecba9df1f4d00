import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { bundleForBoards } from "../../../tools/device/bundle.mjs";
import { romTraps } from "../../../tools/device/rom-traps.mjs";
import { makeFlash, makeScript, run } from "../../hal/host/host-program.js";

const FOLDER = "build/test/board-bundle";

describe("tools/device/rom-traps.mjs", () => {
	it("finds nothing in what is flashed", async () => {
		await bundleForBoards(FOLDER);
		const codeOf = (name: string): string => readFileSync(`${FOLDER}/${name}`, "utf8");
		for (const name of ["core.js", "main.js"]) assert.deepEqual(romTraps(codeOf(name)), [], name);
		assert.match(codeOf("core.js"), /\bin\b/);
	});

	for (const [trap, code] of [
		["a brand check", "class A { #x = 1; static is(o) { return #x in o; } }"],
		["a regular expression", "const r = () => /a/.test('a');"],
		["a letter's case in Unicode", "export const f = (s) => s.toLowerCase();"],
		["a big integer", "const n = () => 1n;"],
		["normalize", "export const f = (s) => s.normalize('NFC');"],
		["what the manifest strips", "export const f = () => Array.of(1);"],
		["a timer of browsers", "export const f = () => setTimeout(() => {}, 1);"],
		["a parser", "export const f = (s) => new Function(s);"],
		["a class's name", "export const f = (e) => e.constructor.name;"],
		["import.meta", "export const f = () => import.meta.url;"],
		["a native as default value", "export const f = (a = native('x').call(undefined)) => a;"],
		["a computed native", "const n = 'x'; export const f = () => native(n);"],
		["writing to a Map in ROM", "const m = new Map(); export const f = () => m.set(1, 2);"],
		["writing to a typed array in ROM", "const a = new Uint8Array(4); export const f = () => { a[0] = 1; };"],
		["filling one", "const a = new Uint8Array(4); export const f = () => a.fill(1);"],
		["JSON of a table", "const t = Object.freeze({ a: 1 }); export const f = () => JSON.stringify(t);"],
		["the name of an error", "export class P extends Error { constructor() { super(); this.name = 'P'; } }"],
		["a static field", "export class A { static count = 0; }"],
	] as const)
		it(`finds ${trap}`, () => {
			assert.equal(romTraps(code).length, 1, romTraps(code).join("\n"));
		});

	it("finds nothing in code that only looks alike", () => {
		const harmless = [
			"const m = new Map([[1, 2]]); export const f = () => m.get(1);",
			"export const f = (t) => JSON.stringify({ ...t });",
			"export const f = (map) => map.set(1, 2);",
			"export const f = () => Uint8Array.of(1);",
			"export class A { static create() { return new A(); } fetch() {} }",
			"export const f = (ports) => ports.fetch.open();",
			"export class Row { constructor() { this.name = ''; } }",
			"export const f = () => native('x').call(undefined);",
		];
		for (const code of harmless) assert.deepEqual(romTraps(code), [], code);
	});
});

describe("the host's machine, as ROM", () => {
	it("does not write bytes of the library to a file, as littlefs does on a board", async () => {
		const core = await makeScript("export const table = new Uint8Array([1, 2, 3]);", true);
		const script = await makeScript(`
			import files from "embedded:storage/files";
			declare const opencoupling: any;
			const file = files.openFile({ path: "a", mode: "w" });
			try { file.write(opencoupling.table); print("written"); } catch (error) { print((error as Error).name); }
			file.write(Uint8Array.of(1));
			file.close();
		`);
		const { lines } = await run("--run", script, "--core", core, "--flash", makeFlash());
		assert.deepEqual(lines, ["TypeError"]);
	});

	it("gives functions and classes neither name nor length", async () => {
		const script = await makeScript(`
			class A {}
			function f(a: number, b: number) { return a + b; }
			print([A.name, f.name, f.length, new A().constructor.name, new RangeError("x").name].join());
		`);
		const { lines } = await run("--run", script, "--flash", makeFlash());
		assert.deepEqual(lines, [",,,,RangeError"]);
	});
});
