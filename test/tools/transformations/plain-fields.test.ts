import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { withPlainFields } from "../../../tools/transformations/plain-fields.mjs";

const FOLDERS = ["src", "hal", "modules"];
const sources = FOLDERS.flatMap((folder) =>
	(readdirSync(folder, { recursive: true }) as string[])
		.filter((name) => /(?<!\.d)\.ts$/.test(name))
		.map((name) => join(folder, name)),
);

describe("tools/transformations/plain-fields.mjs", () => {
	it("numbers private names and changes nothing else", () => {
		const source = `class A { #x = "#x"; static #y = /#x/; #f() { return this.#x + A.#y + \`#{\${this?.#f()}}\`; } } // #x`;
		const plain = `class A { $0 = "#x"; static $1 = /#x/; $2() { return this.$0 + A.$1 + \`#{\${this?.$2()}}\`; } } // #x`;
		assert.equal(withPlainFields(source, "a.ts"), plain);
		const named = plain.replaceAll("$0", "$x").replaceAll("$1", "$y").replaceAll("$2", "$f");
		assert.equal(withPlainFields(source, "a.ts", { readable: true }), named);
		assert.throws(() => withPlainFields("class A { #x; static is(o) { return #x in o; } }", "a.ts"), /not supported/);
	});

	it("keeps the names of a class that extends another one, which has the numbers", () => {
		assert.equal(withPlainFields("class A extends B { #x; y = this.#x; }", "a.ts"), "class A extends B { $x; y = this.$x; }");
		assert.equal(withPlainFields("interface A extends B {} class C { #x; }", "a.ts"), "interface A extends B {} class C { $0; }");
	});

	it("meets no member in src that begins with $, and no private name that a base class has, too", () => {
		const classes = new Map<string, { base: string; privates: Set<string>; path: string }>();
		for (const path of sources) {
			const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ES2022, true);
			const visit = (node: ts.Node): void => {
				if (ts.isClassLike(node) && node.name !== undefined) {
					const base = node.heritageClauses
						?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)
						?.types[0]?.expression.getText(file);
					const privates = new Set(node.members.flatMap(({ name }) => (name && ts.isPrivateIdentifier(name) ? [name.text] : [])));
					const dollars = node.members.filter(({ name }) => name?.getText(file).startsWith("$"));
					assert.deepEqual(dollars, [], `${path}: members with $`);
					classes.set(node.name.text, { base: base ?? "", privates, path });
				}
				ts.forEachChild(node, visit);
			};
			visit(file);
		}
		assert.ok(classes.size > 50);
		for (const [name, { base, privates, path }] of classes) {
			for (let up = classes.get(base); up !== undefined; up = classes.get(up.base))
				for (const shared of privates)
					assert.ok(!up.privates.has(shared), `${path}: ${name} and a base class both have ${shared}`);
		}
	});
});
