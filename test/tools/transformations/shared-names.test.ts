/** Tests of the names that a bundle gets for a board. */
import assert from "node:assert/strict";
import { withNumberedPrivates, withSharedNames } from "../../../tools/transformations/shared-names.mjs";

describe("tools/transformations/shared-names.mjs", () => {
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

	it("numbers what is private, the same in each file, and keeps the names of one that extends a class", async () => {
		const code = `// src/base.ts
class Base { constructor() { this.$hidden = 1; } get all() { return [this.$hidden, this.$count()]; } $count() { return 2; } }
class BaseError extends Error { constructor() { super(); this.$said = 6; } get said() { return this.$said; } }
// src/derived.ts
var Derived = class extends Base { constructor() { super(); this.$own = 5; } get more() { return [...this.all, this.$own]; } };
export const result = [new Base().all, new Derived().more, new BaseError().said];`;
		const numbered = withNumberedPrivates(code);
		assert.deepEqual([...new Set(numbered.match(/(?<=this\.)\$\w+/g))], ["$0", "$1", "$2", "$own"]);
		const load = async (text: string) => (await import(`data:text/javascript,${encodeURIComponent(text)}`)).result;
		assert.deepEqual(await load(numbered), await load(code));
	});

	it("has names for more than there are properties", async () => {
		const many = Array.from({ length: 50 }, (_, i) => `const local${i} = [${i}];`).join("\n");
		const uses = Array.from({ length: 50 }, (_, i) => `local${i}`);
		const renamed = await withSharedNames(`${many}\nexport const all = () => [${uses}];`);
		assert.equal(new Set(renamed.match(/(?<=const )[\w$]+/g)).size, 51);
	});
});
