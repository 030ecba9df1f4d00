/** Lets commands, which Node runs as they are, use the TypeScript of this folder. */
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, stop } from "esbuild";
import { replaceFile } from "./generated.mjs";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** Packages of CommonJS ask for it. */
const REQUIRE = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

/**
 * Bundles a module and imports it: faster than loading it file by file, and independent of the Node version. Two
 * commands may do so at the same time.
 * @param {string} path below tools/
 * @returns {Promise<any>}
 */
export async function importTypeScript(path) {
	// as deep as tools/device, parts of which find the tree from where they lie
	const outfile = `${ROOT}build/tools/${path.replace(/\W/g, "-")}.mjs`;
	const { outputFiles } = await build({
		entryPoints: [`${ROOT}tools/${path}`],
		write: false,
		bundle: true,
		platform: "node",
		format: "esm",
		target: "node20",
		external: ["esbuild"],
		banner: { js: REQUIRE },
		logLevel: "warning",
	});
	await stop(); // its process keeps 60 MB
	replaceFile(outfile, Buffer.from(outputFiles[0].contents));
	return import(pathToFileURL(outfile).href);
}
