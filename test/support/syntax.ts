/** Source files as TypeScript reads them, for the rules that hold for the tree. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** Paths of the sources below a folder, without declarations of types. */
export function sourcesIn(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		return entry.isDirectory() ? sourcesIn(path) : /(?<!\.d)\.(tsx?|mjs)$/.test(entry.name) ? [path] : [];
	});
}

/** What a file says, with the parents of all nodes. */
export function syntaxOf(path: string, text = readFileSync(path, "utf8")): ts.SourceFile {
	return ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
}

/** A node, and all below it, in the order of the text. */
export function* nodesOf(node: ts.Node): Generator<ts.Node> {
	yield node;
	const children: ts.Node[] = [];
	ts.forEachChild(node, (child) => void children.push(child));
	for (const child of children) yield* nodesOf(child);
}
