/**
 * What a bundle goes through before it is linked into flash, so that it takes less room there without doing
 * anything else: the same for the boards and for this computer, so that what the tests run is what is
 * flashed. README.md beside this says what each saves and costs.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../generated.mjs";
import { withArrows } from "./arrows.mjs";
import { withoutOrigins } from "./origins.mjs";
import { withNumberedPrivates, withSharedNames } from "./shared-names.mjs";
import { withValues } from "./values.mjs";

/**
 * What the firmware says it was built from: the commit, with a `+` where sources differ from it; "" where
 * there is no git.
 */
function commit() {
	/** @param {string[]} words */
	const git = (...words) => execFileSync("git", words, { cwd: import.meta.dirname, encoding: "utf8", stdio: "pipe" }).trim();
	try {
		const isChanged = git("status", "--porcelain", "--", ":/src", ":/hal", ":/modules") !== "";
		return `${git("rev-parse", "--short=8", "HEAD")}${isChanged ? "+" : ""}`;
	} catch {
		return "";
	}
}

/**
 * esbuild's options for a library. Fields are assigned in the constructor, which saves a function with its
 * prototype per class. `minifySyntax` would save 4 KB, and make a control tick take 70 bytecodes more.
 */
export const LIBRARY_OPTIONS = Object.freeze(
	/** @type {const} */ ({
		bundle: true,
		format: "esm",
		platform: "neutral",
		target: "es2022",
		tsconfigRaw: { compilerOptions: { useDefineForClassFields: false, verbatimModuleSyntax: true } },
		legalComments: "none",
		charset: "utf8",
		define: { COMMIT: JSON.stringify(commit()) },
		logLevel: "warning",
	}),
);

/**
 * @param {string} code JavaScript module as esbuild bundles it with LIBRARY_OPTIONS
 * @param {{ readable?: boolean }} [options] readable: names stay as they are in the sources
 * @returns {Promise<string>} the same module, smaller in flash
 */
export async function asLibrary(code, { readable = false } = {}) {
	const numbered = readable ? code : withNumberedPrivates(code);
	// arrows stand in front of the values that they read, which terser would keep then
	const smaller = withArrows(await withValues(withoutOrigins(numbered)));
	return readable ? smaller : await withSharedNames(smaller);
}

/** Changes with the transformations and with the packages that they use. */
function digestOfTransformations() {
	const sources = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".mjs"));
	const paths = [...sources, "../../package-lock.json"].map((name) => join(import.meta.dirname, name));
	return paths.reduce((hash, path) => hash.update(readFileSync(path)), createHash("sha256")).digest("hex");
}

/**
 * `asLibrary`, which takes seconds, unless the code is the same as the last time.
 * @param {string} path file that keeps the last result
 * @param {string} code @param {{ readable?: boolean }} [options] of `asLibrary`
 */
export async function keptLibrary(path, code, options = {}) {
	const how = JSON.stringify([digestOfTransformations(), options]);
	const origin = `${createHash("sha256").update(how).update(code).digest("hex")}\n`;
	const kept = existsSync(path) ? readFileSync(path, "utf8") : "";
	if (kept.startsWith(origin)) return kept.slice(origin.length);
	const library = await asLibrary(code, options);
	replaceFile(path, origin + library);
	return library;
}
