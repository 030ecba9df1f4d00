/** Tests of the names that a bundle gets for a board. */
import assert from "node:assert/strict";
import { withSharedNames } from "../../../tools/transformations/shared-names.mjs";

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

	it("numbers what is private to a class, the same in each, and goes on where a base class ends", async () => {
		const code = `
			class Base { constructor() { this.$hidden = 1; } get all() { return [this.$hidden, this.$count()]; } $count() { return 2; } }
			class Other { constructor() { this.$place = 3; this.open = 4; } same(other) { return this.$place === other.$place; } }
			var Derived = class extends Base { constructor() { super(); this.$own = 5; } get more() { return [...this.all, this.$own]; } };
			export const result = [new Base().all, new Other().same(new Other()), new Other().open, new Derived().more];`;
		const renamed = await withSharedNames(code);
		assert.deepEqual([...new Set(renamed.match(/(?<=this\.)\$\w+/g))], ["$0", "$1", "$2"]);
		const load = async (text: string) => (await import(`data:text/javascript,${encodeURIComponent(text)}`)).result;
		assert.deepEqual(await load(renamed), [[1, 2], true, 4, [1, 2, 5]]);
		await assert.rejects(() => withSharedNames("export const f = (object) => object.$hidden;"), /outside of any class/);
	});

	it("puts constants where they are used, and makes no function or table in another one", async () => {
		const renamed = await withSharedNames(`
			const LIMIT = 7; const SQUARE = LIMIT * LIMIT; const TABLE = [1, 2]; const FROZEN = Object.freeze({ x: [1] });
			const once = (list) => { const sum = list.map((x) => x + SQUARE); sum.push(LIMIT); return sum; };
			export const result = (n) => { let s = 0; for (const x of once(TABLE)) s += x; return s + n + FROZEN.x[0]; };`);
		assert.match(renamed, /^const \w+ = \[ 1, 2 \]/m);
		assert.match(renamed, /^const \w+ = Object\.freeze/m);
		assert.match(renamed, /\+ 49\b/);
		assert.match(renamed, /\.push\(7\)/);
		assert.equal(renamed.match(/=>/g)?.length, 3);
	});

	it("has names for more than there are properties", async () => {
		const many = Array.from({ length: 50 }, (_, i) => `const local${i} = [${i}];`).join("\n");
		const uses = Array.from({ length: 50 }, (_, i) => `local${i}`);
		const renamed = await withSharedNames(`${many}\nexport const all = () => [${uses}];`);
		assert.equal(new Set(renamed.match(/(?<=const )[\w$]+/g)).size, 51);
	});
});
