/** Tests of the names that a bundle gets for a board. */
import assert from "node:assert/strict";
import { withSharedNames } from "../../tools/shared-names.mjs";

describe("tools/shared-names.mjs", () => {
	it("gives what is local names that properties have, and changes nothing else", async () => {
		const code = `
			import { external } from "data:text/javascript,export const external = 40";
			const table = { wide: 1, high: 1, arguments: 0, undefined: 0 };
			const unusual = (first, wide) => { const inner = first + wide; return [inner, table.wide, table?.high, undefined]; };
			export const result = [unusual(external, 2), table];`;
		const renamed = await withSharedNames(code);
		for (const name of ["unusual", "inner", "first", "const table"]) assert.ok(!renamed.includes(name), name);
		const load = async (text: string) => (await import(`data:text/javascript,${encodeURIComponent(text)}`)).result;
		assert.deepEqual(await load(renamed), await load(code));
	});

	it("has names for more than there are properties", async () => {
		const many = Array.from({ length: 50 }, (_, i) => `const local${i} = ${i};`).join("\n");
		const renamed = await withSharedNames(`${many}\nexport const all = [${Array.from({ length: 50 }, (_, i) => `local${i}`)}];`);
		assert.equal(new Set(renamed.match(/(?<=const )[\w$]+/g)).size, 51);
	});
});
