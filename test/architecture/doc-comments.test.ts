/**
 * What a file exports says what it is, in a doc comment directly above it; so do the methods of a class that
 * is exported, and each file says so of itself, above its imports.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { syntaxOf } from "../support/syntax.js";

const isExported = (node: ts.Node): boolean =>
	ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false);

/** A doc comment ends in the line above. Behind an empty line it belongs to the file. */
function isDocumented(text: string, node: ts.Node): boolean {
	const comment = ts.getLeadingCommentRanges(text, node.pos)?.at(-1);
	return comment !== undefined && text.startsWith("/**", comment.pos) && /^\n\t*$/.test(text.slice(comment.end, node.getStart()));
}

/** `export const { a, b } = C`: its parts. */
function partsOf(node: ts.Statement): readonly ts.Node[] {
	if (!ts.isVariableStatement(node)) return [node];
	const { name } = node.declarationList.declarations[0]!;
	return ts.isObjectBindingPattern(name) ? name.elements : [node];
}

/**
 * The public methods of a class. What a class `implements` is said by its port, so that only one without such
 * a clause has to say it itself. A constructor may do without, and so may accessors, as far as their names
 * and types say everything.
 */
function methodsOf(node: ts.Statement): readonly ts.Node[] {
	if (!ts.isClassDeclaration(node)) return [];
	if (node.heritageClauses?.some(({ token }) => token === ts.SyntaxKind.ImplementsKeyword)) return [];
	return node.members.filter(
		(member) =>
			ts.isMethodDeclaration(member) &&
			!ts.isPrivateIdentifier(member.name) &&
			!member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword),
	);
}

/**
 * What a source exports without a doc comment. Constants without an empty line between them share that of the
 * first.
 */
function undocumented(path: string, text: string): string[] {
	const missing: string[] = [];
	let isShared = false;
	for (const statement of syntaxOf(path, text).statements) {
		const isConstant = ts.isVariableStatement(statement);
		const follows: boolean = isConstant && isShared && !text.slice(statement.pos, statement.getStart()).includes("\n\n");
		const bare: readonly ts.Node[] = follows ? [] : partsOf(statement).filter((part) => !isDocumented(text, part));
		isShared = isConstant && bare.length === 0;
		if (!isExported(statement)) continue;
		const methods = methodsOf(statement).filter((method) => !isDocumented(text, method));
		missing.push(...[...bare, ...methods].map((part) => `${path}: ${part.getText().split("\n")[0]}`));
	}
	return missing;
}

/**
 * The first comment is the file's own if imports or an empty line follow. If the file exports one thing, that
 * thing's comment serves for both.
 */
function hasHead(path: string, text: string): boolean {
	const { statements } = syntaxOf(path, text);
	const [first] = statements;
	const head = ts.getLeadingCommentRanges(text, 0)?.[0];
	if (first === undefined || head === undefined || !text.startsWith("/**")) return false;
	const isImport = ts.isImportDeclaration(first) || ts.isExportDeclaration(first);
	const exported = statements.filter((statement) => isExported(statement) || ts.isExportAssignment(statement));
	const isOnlyExport = exported.length === 1 && exported[0] === first;
	return isImport || isOnlyExport || text.startsWith("\n\n", head.end);
}

/** All that we have written for the firmware, what it needs a platform to be, and the judge of the safety case. */
const FILES = ["hal", "modules", "src", "tools/campaign"]
	.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`))
	.filter((path) => /\.tsx?$/.test(path) && !path.endsWith(".d.ts") && !path.includes("generated/"));

/** Schemas and endpoints of the interface: each says what it is in the description that clients read. */
const SAYS_ITSELF = /^src\/api\/description\/(?!schema|route|document)/;

describe("doc comments", () => {
	it("stand above each export of a file, and above each public method of an exported class", () => {
		const documented = FILES.filter((path) => !SAYS_ITSELF.test(path));
		assert.ok(documented.length > 200);
		assert.deepEqual(
			documented.flatMap((path) => undocumented(path, readFileSync(path, "utf8"))),
			[],
		);
	});

	it("stand at the head of each file", () => {
		assert.deepEqual(
			FILES.filter((path) => !hasHead(path, readFileSync(path, "utf8"))),
			[],
		);
	});
});
