/** Makes arrows of functions where that changes nothing. */
import ts from "typescript";
import { assignedNames, parse } from "./syntax.mjs";

/**
 * True if an arrow can't take the place of the function declaration.
 * @param {ts.FunctionDeclaration} declaration @param {ts.Identifier} name of it @param {Set<string>} assigned
 */
function mustStay(declaration, name, assigned) {
	let needed = declaration.asteriskToken !== undefined || declaration.modifiers !== undefined || assigned.has(name.text);
	/** @param {ts.Node} node */
	const visit = (node) => {
		if (
			node.kind === ts.SyntaxKind.ThisKeyword ||
			ts.isMetaProperty(node) ||
			(ts.isIdentifier(node) && node.text === "arguments")
		)
			needed = true;
		else ts.forEachChild(node, visit);
	};
	ts.forEachChild(declaration, visit);
	return needed;
}

/**
 * Function declarations become arrows, in front of all else since they are known from the start: a function has a prototype object
 * (64 bytes) for the case that it is called with `new`, which TypeScript does not let anybody do.
 * @param {string} code JavaScript module @returns {string}
 */
export function withArrows(code) {
	const file = parse(code);
	const assigned = assignedNames(file);
	let arrows = "";
	let others = "";
	let from = 0;
	for (const statement of file.statements) {
		if (
			!ts.isFunctionDeclaration(statement) ||
			!statement.name ||
			!statement.body ||
			mustStay(statement, statement.name, assigned)
		)
			continue;
		others += code.slice(from, statement.getStart(file));
		from = statement.end;
		const parameters = code.slice(statement.parameters.pos, statement.parameters.end);
		arrows += `const ${statement.name.text} = (${parameters}) => ${statement.body.getText(file)};\n`;
	}
	return arrows + others + code.slice(from);
}
