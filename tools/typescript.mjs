/** Lets commands, which Node runs as they are, use the TypeScript of this folder. */
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, stop } from "esbuild";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** Packages of CommonJS ask for it. */
const REQUIRE = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

/**
 * Bundles a module and imports it: faster than loading it file by file, and independent of the Node version.
 * @param {string} path below tools/
 * @param {string} [name] of the bundle; two commands that run at once need two names
 * @returns {Promise<any>}
 */
export async function importTypeScript(path, name = path.replace(/\W/g, "-")) {
	// as deep as tools/device, parts of which find the tree from where they lie
	const outfile = `${ROOT}build/tools/${name}.mjs`;
	await build({
		entryPoints: [`${ROOT}tools/${path}`],
		outfile,
		bundle: true,
		platform: "node",
		format: "esm",
		target: "node20",
		external: ["esbuild"],
		banner: { js: REQUIRE },
		logLevel: "warning",
	});
	await stop(); // its process keeps 60 MB
	return import(pathToFileURL(outfile).href);
}
