// Mutants of C: made as those of TypeScript are, each compiled and linked with the unit tests of its folder.
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { link, objectsOf } from "../c-objects.mjs";
import { SWAPPED } from "./mutants.mjs";

/** @typedef {import("./mutants.mjs").Mutant} Mutant */

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const BUILD = join(ROOT, "build/mutation");
const COMPILER = process.env.CC ?? "cc";
/** Optimized and without lines, so that a mutant that means the same becomes the same object. */
const PLAIN = ["-O1"];
/** As in test/modules/can-gateway/build.ts, so that the objects are those of the tests. */
const SANITIZERS = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
const SANITIZED = ["-g", "-Wall", "-Wextra", "-Wconversion", "-Werror", ...SANITIZERS];
/** Of processor time; all cases take some ms. */
const CIRCLE_SECONDS = 3;

/** Those of bits are counted in C only, where they make bytes of frames. @type {Record<string, string[]>} */
const OF_C = { ...SWAPPED, "&": ["|"], "|": ["&"], "^": ["&"], "<<": [">>"] };
// Comments, texts and included names are skipped; binary operators stand between blanks.
const TOKENS =
	/\/\*[\s\S]*?\*\/|\/\/.*|#include.*|"(?:[^"\\]|\\.)*"|(?<= )(?:==|!=|<=|>=|>>|<<|&&|\|\||[<>+\-*/&|^])(?= |\n)|(?<![\w.])(?:0x[\da-fA-F]+|\d+)[uU]?(?!\w)/g;

/** The function that a place in a source of C belongs to, "" = none. @param {string} before the source up to there */
function functionBefore(before) {
	let name = "";
	for (const line of before.split("\n"))
		if (line.startsWith("}")) name = "";
		else name = /^[a-z][^;=]*?(\w+)\(/i.exec(line)?.[1] ?? name;
	return name;
}

/** @param {string} file @param {string} source @returns {Generator<Mutant>} also those that no compiler takes, or that mean the same */
export function* cMutantsOf(file, source) {
	for (const match of source.matchAll(TOKENS)) {
		const token = match[0];
		const value = Number(token.replace(/u$/i, ""));
		const suffix = /u$/i.test(token) ? "u" : "";
		const replacements = OF_C[token] ?? (/^\d/.test(token) ? [`${value + 1}${suffix}`, `${value - 1}${suffix}`] : []);
		for (const replacement of replacements) {
			const text = source.slice(0, match.index) + replacement + source.slice(match.index + token.length);
			const line = source.slice(0, match.index).split("\n").length;
			const [place, change] = [functionBefore(source.slice(0, match.index)), `${token} becomes ${replacement}`];
			yield { file, text, line, place, change, was: source.split("\n")[line - 1].trim(), is: text.split("\n")[line - 1].trim() };
		}
	}
}

/** @param {string} folder */
const cFilesIn = (folder) =>
	readdirSync(join(ROOT, folder))
		.filter((name) => name.endsWith(".c"))
		.map((name) => `${folder}/${name}`);

/** The C of a module that needs no engine. @param {string} module @returns {string[]} paths from the root */
export function coreFiles(module) {
	return cFilesIn(`modules/${module}`).filter((path) => !basename(path).startsWith(`${module}-`));
}

/** @param {string} module @param {readonly string[]} flags */
const optionsOf = (module, flags) => ["-std=c11", ...flags, "-I", join(ROOT, `modules/${module}`)];

/** Links and runs all cases. @param {readonly string[]} objects @param {string} program @returns {Promise<boolean>} whether they pass */
async function casesPass(objects, program) {
	link(COMPILER, [...SANITIZERS, "-pthread"], objects, program);
	return run("sh", ["-c", `ulimit -t ${CIRCLE_SECONDS}; exec "$0"`, program]).then(
		() => true,
		() => false,
	);
}

/** Module and tests unchanged. @param {string} module @returns {Promise<Record<string, string>>} objects by source @throws {Error} the tests fail */
async function compileUnchanged(module) {
	const sources = [...coreFiles(module), ...cFilesIn(`test/modules/${module}`)];
	const paths = sources.map((path) => join(ROOT, path));
	const objects = objectsOf(COMPILER, optionsOf(module, SANITIZED), paths);
	mkdirSync(join(BUILD, module), { recursive: true });
	if (!(await casesPass(objects, join(BUILD, module, "unit"))))
		throw new Error(`the tests of ${module} fail on the unchanged source`);
	return Object.fromEntries(sources.map((path, i) => [path, objects[i]]));
}

/**
 * The unit tests of a module, with one of its files changed. Compiles what is unchanged when it is needed
 * first.
 */
export class CModule {
	#module;
	/** @type {Promise<Record<string, string>> | undefined} */
	#unchanged;

	/** @param {string} module */
	constructor(module) {
		this.#module = module;
	}

	/**
	 * @param {Mutant} mutant @param {number} number of the folder that nobody else uses meanwhile
	 * @returns {Promise<boolean | undefined>} whether the tests pass; undefined: it is no other program
	 */
	async passes(mutant, number) {
		const folder = join(BUILD, this.#module, `${number}`);
		mkdirSync(folder, { recursive: true });
		const source = join(folder, basename(mutant.file));
		const object = join(folder, "mutant.o");
		writeFileSync(source, mutant.text);
		this.#unchanged ??= compileUnchanged(this.#module);
		const unchanged = await this.#unchanged;
		for (const flags of [PLAIN, SANITIZED]) {
			const options = optionsOf(this.#module, flags);
			try {
				await run(COMPILER, [...options, "-w", "-c", "-o", object, source]);
			} catch {
				return undefined;
			}
			if (flags === PLAIN) {
				const [same] = objectsOf(COMPILER, options, [join(ROOT, mutant.file)]);
				if (readFileSync(object).equals(readFileSync(same))) return undefined;
			}
			const objects = Object.values({ ...unchanged, [mutant.file]: object });
			if (!(await casesPass(objects, join(folder, "unit")))) return false;
		}
		return true;
	}
}
