/** Builds `core.js`, loaded as if into flash, and `main.js`, unless they are newer than every source. */
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
/** Of the bundles. The lock file says which esbuild and which terser write them. */
const SOURCES = ["src", "hal", "modules", "tools/bundle.mjs", "tools/build.mjs", "tools/transformations", "package-lock.json"];

/**
 * Newest modification time, ms, of the sources below `path`.
 * @param {string} path
 * @returns {number}
 */
function newest(path) {
	const status = statSync(path);
	if (!status.isDirectory()) return status.mtimeMs;
	return Math.max(0, ...readdirSync(path).map((name) => newest(`${path}/${name}`)));
}

/** @param {string} path */
function builtMs(path) {
	return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * @param {string} [tree] with a slash at its end
 * @returns {boolean} true if `build/host` is newer than every source
 */
export function isBuilt(tree = root) {
	const sourcesMs = Math.max(...SOURCES.map((path) => newest(tree + path)));
	return Math.min(builtMs(`${tree}build/host/core.js`), builtMs(`${tree}build/host/main.js`)) > sourcesMs;
}

/** Bundles the application into `build/host`. @throws when esbuild finds errors; it has printed them. */
export async function buildAll() {
	if (isBuilt()) return;
	const folder = `${root}build/host`;
	mkdirSync(folder, { recursive: true });
	const { bundle } = await import("./bundle.mjs"); // takes longer to load than all of the above
	await bundle({ entry: `${root}src/app.ts`, outfile: `${folder}/core.js`, core: true });
	await bundle({ entry: `${root}src/main.ts`, outfile: `${folder}/main.js` });
}
