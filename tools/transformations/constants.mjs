/** Makes constants of variables that never change. */
import ts from "typescript";
import { assignedNames, parse } from "./syntax.mjs";

/**
 * esbuild makes every constant of a module a `var`. For Moddable's linker a variable is something that may change: it keeps a place in RAM
 * for it, and warns. This makes those constants again that nothing is assigned to.
 * @param {string} code JavaScript module @returns {string}
 */
export function withConstants(code) {
	const file = parse(code);
	const assigned = assignedNames(file);
	let text = "";
	let from = 0;
	for (const statement of file.statements) {
		if (!ts.isVariableStatement(statement)) continue;
		text += code.slice(from, statement.getStart(file));
		from = statement.end;
		for (const declaration of statement.declarationList.declarations) {
			const kind = declaration.initializer === undefined || assigned.has(declaration.name.getText(file)) ? "let" : "const";
			text += `${kind} ${declaration.getText(file)};\n`;
		}
	}
	return text + code.slice(from);
}
