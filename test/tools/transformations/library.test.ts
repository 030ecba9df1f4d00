/** Tests of what a bundle goes through before it is linked into flash. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asLibrary, keptLibrary } from "../../../tools/transformations/library.mjs";

/** Runs a module of the form that esbuild bundles. @returns its export `result` */
async function run(code: string): Promise<unknown> {
	return (await import(`data:text/javascript,${encodeURIComponent(code)}`)).result;
}

describe("tools/transformations/library.mjs", () => {
	it("makes arrows of functions, known from the start as before", async () => {
		const code = `
			var first = add(1);
			function add(n, step = two()) { return n + step; }
			function two() { return 2; }
			var result = [first, typeof add.prototype, add.name];
			export { result };`;
		assert.deepEqual(await run(code), [3, "object", "add"]);
		assert.deepEqual(await run(await asLibrary(code, { readable: true })), [3, "undefined", "add"]);
		assert.deepEqual(((await run(await asLibrary(code))) as unknown[]).slice(0, 2), [3, "undefined"]);
	});

	it("keeps functions whose meaning would change", async () => {
		for (const declaration of [
			"function f() { return this?.x; }",
			"function f(a = () => this) { return a()?.x; }",
			"function f() { return new.target; }",
			"function f() { return arguments.length; }",
			"function* f() { yield 1; }",
			"async function f() { return 1; }",
		]) {
			const code = `${declaration}\nvar result = typeof f.prototype;\nexport { f, result };`;
			assert.equal(await run(await asLibrary(code)), await run(code), declaration);
			assert.match(await asLibrary(code, { readable: true }), /function\*? f\(/, declaration);
		}
	});

	it("puts numbers and short texts where they are used, and keeps what is exported, long or changes", async () => {
		const code = `
			var SECOND_MS = 1000, LIMIT_MS = 60 * SECOND_MS, NEVER_MS = 1 / 0, count = 1;
			var LONG = "a text that is longer than the name of its variable, and used more than once";
			var SHOWN = LIMIT_MS * 2;
			var TABLE = [1, 2];
			function f(object, { LIMIT_MS: renamed }) {
				count += LIMIT_MS;
				return [LIMIT_MS, NEVER_MS, LONG, LONG, LONG, object.LIMIT_MS, renamed, LIMIT_MS.toFixed(1), once(TABLE), TABLE];
			}
			function once(list) { return list.map((x) => x + SECOND_MS); }
			var result = [f({ LIMIT_MS: 2 }, { LIMIT_MS: 3 }), f({}, {}), count];
			export { result, SHOWN };`;
		assert.deepEqual(await run(await asLibrary(code)), await run(code));
		const readable = await asLibrary(code, { readable: true });
		const left = [...readable.matchAll(/(?:const|var) (\w+) =/g)].map(([, name]) => name);
		assert.deepEqual(left.sort(), ["LONG", "SHOWN", "TABLE", "count", "f", "result"]);
		assert.match(readable, /count \+= 6e4/);
	});

	it("gives what is local names that properties have, and changes nothing else", async () => {
		const code = `
			import { external } from "data:text/javascript,export const external = 40";
			const table = { wide: 1, high: 1, arguments: 0, undefined: 0 };
			const unusual = (first, wide) => { const inner = [first + wide]; return [inner, inner, table.wide, table?.high, undefined]; };
			export const result = [unusual(external, 2), unusual(external, 3), table];`;
		const renamed = await asLibrary(code);
		for (const name of ["unusual", "inner", "first", "const table"]) assert.ok(!renamed.includes(name), name);
		assert.deepEqual(await run(renamed), await run(code));
	});

	it("is made again only when the code or an option changes", async () => {
		const folder = mkdtempSync(join(tmpdir(), "oc-library-"));
		const path = join(folder, "core.js.library");
		const code = "var result = 1;\nfunction longName() {}\nexport { longName, result };";
		assert.equal(await keptLibrary(path, code), await asLibrary(code));
		writeFileSync(path, `${readFileSync(path, "utf8")}// kept`);
		assert.match(await keptLibrary(path, code), /\/\/ kept$/);
		assert.equal(await keptLibrary(path, code, { readable: true }), await asLibrary(code, { readable: true }));
		assert.equal(await keptLibrary(path, `${code}\n`), await asLibrary(`${code}\n`));
		rmSync(folder, { recursive: true });
	});
});
