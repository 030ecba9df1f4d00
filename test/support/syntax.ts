/** Source files as TypeScript reads them, for the rules that hold for the tree. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

/** Paths of the sources below a folder, without declarations of types. */
export function sourcesIn(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		return entry.isDirectory() ? sourcesIn(path) : /(?<!\.d)\.(tsx?|mjs)$/.test(entry.name) ? [path] : [];
	});
}

/** By path: many rules look at the same files. */
const read = new Map<string, ts.SourceFile>();

/** What a file says, with the parents of all nodes. */
export function syntaxOf(path: string, text = readFileSync(path, "utf8")): ts.SourceFile {
	let syntax = read.get(path);
	if (syntax?.text !== text) {
		syntax = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
		read.set(path, syntax);
	}
	return syntax;
}

/** A node, and all below it, in the order of the text. */
export function* nodesOf(node: ts.Node): Generator<ts.Node> {
	yield node;
	const children: ts.Node[] = [];
	ts.forEachChild(node, (child) => void children.push(child));
	for (const child of children) yield* nodesOf(child);
}

/** An edge between two files, paths from the root; `to` is a package's name otherwise. */
export interface Import {
	readonly from: string;
	readonly to: string;
	readonly typeOnly: boolean;
}

/** The file that a path without the extension of sources, or with that of what is made of them, means. */
function sourceAt(path: string): string {
	const stem = path.replace(/\.js$/, "");
	return [`${stem}.ts`, `${stem}.tsx`].find((file) => existsSync(file)) ?? path;
}

/**
 * What a file imports, types included, passes on, or loads while it runs: `import("./a")`. Types of
 * `import("./a").T` count as well, those in doc comments too.
 */
export function importsOf(path: string): Import[] {
	const found: Import[] = [];
	const add = (specifier: ts.Node | undefined, typeOnly: boolean): void => {
		if (specifier === undefined || !ts.isStringLiteral(specifier)) return;
		const to = specifier.text.startsWith(".") ? sourceAt(join(dirname(path), specifier.text)) : specifier.text;
		found.push({ from: path, to, typeOnly });
	};
	const syntax = syntaxOf(path);
	for (const statement of syntax.statements) {
		if (ts.isImportDeclaration(statement)) add(statement.moduleSpecifier, statement.importClause?.isTypeOnly ?? false);
		if (ts.isExportDeclaration(statement)) add(statement.moduleSpecifier, statement.isTypeOnly);
	}
	// all of a file is read only where there may be one
	if (!syntax.text.includes("import(")) return found;
	const visit = (node: ts.Node): void => {
		if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], false);
		if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
		// unlike ts.forEachChild it goes into doc comments
		for (const child of node.getChildren(syntax)) visit(child);
	};
	visit(syntax);
	return found;
}
