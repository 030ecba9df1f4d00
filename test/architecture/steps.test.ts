/**
 * What writes to flash is a generator: a call whose steps nobody takes would write nothing, without a word.
 */
import assert from "node:assert/strict";
import { relative } from "node:path";
import ts from "typescript";

/** Of a list of jobs: their steps have been taken, or are not to be. */
const TAKEN_OUT = /^jobs\.(pop|shift)\(\);$/;
const QUEUE = "src/storage/write-queue.ts";

function program(): ts.Program {
	const projects = ["src", "test"].map((folder) => {
		const { config } = ts.readConfigFile(`${folder}/tsconfig.json`, ts.sys.readFile);
		return ts.parseJsonConfigFileContent(config, ts.sys, folder);
	});
	const files = projects.flatMap(({ fileNames }) => fileNames.map((path) => relative(".", path)));
	const ours = files.filter((path) => /^(src(?!\/page)|hal)\//.test(path));
	return ts.createProgram(ours, { ...projects[1]?.options, types: [], composite: false });
}

/** Where a call's steps are left lying: it is a statement of its own. */
function forgotten(sources: readonly ts.SourceFile[], checker: ts.TypeChecker): string[] {
	const found: string[] = [];
	const look = (node: ts.Node): void => {
		if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) {
			const type = checker.typeToString(checker.getTypeAtLocation(node.expression));
			if (/^(Steps\b|Generator<)/.test(type) && !TAKEN_OUT.test(node.getText())) found.push(node.getText());
		}
		ts.forEachChild(node, look);
	};
	for (const source of sources) look(source);
	return found;
}

describe("steps of writing to flash", () => {
	it("are taken wherever they are made", function () {
		this.timeout(60_000);
		const { getSourceFiles, getTypeChecker } = program();
		const sources = getSourceFiles().filter(({ isDeclarationFile, fileName }) => !isDeclarationFile && fileName.includes("src/"));
		assert.ok(sources.length > 150 && sources.some(({ fileName }) => fileName.endsWith(QUEUE)), `${sources.length}`);
		assert.deepEqual(forgotten(sources, getTypeChecker()), []);
	});
});
