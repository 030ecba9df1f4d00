/**
 * Builds the page: bundles `src/page` into `build/page` and writes `src/web/generated/assets.ts` (not committed)
 * with the compressed bytes.
 */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, extname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { minify } from "terser";
import { asset, head, madeOnce, writeModule } from "./generated.mjs";
import { namelessTexts } from "./nameless-texts.mjs";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const terser = createRequire(import.meta.url)("terser/package.json");
const PAGE = `${ROOT}src/page`;
const FOLDER = `${ROOT}build/page`;
const TARGET = `${ROOT}src/web/generated/assets.ts`;
/** Files that go in as they are. */
const PLAIN = ["index.html", "manifest.webmanifest", "icon.svg", "icon-180.png"];
/** @type {Record<string, string>} */
const CONTENT_TYPES = {
	".html": "text/html; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml",
	".png": "image/png",
	".webmanifest": "application/manifest+json",
};

/**
 * Minified by terser after esbuild: 3 % of all bytes.
 * @param {string} path
 * @param {Uint8Array} contents
 */
async function smaller(path, contents) {
	if (extname(path) !== ".js") return contents;
	// unsafe for functions that are called with `new` (the page has none without `this`, and those stay what
	// they are), and for properties that do something when they are read (the page's only tell)
	const compress = { passes: 3, unsafe_arrows: true, pure_getters: true };
	const options = { module: true, ecma: /** @type {const} */ (2020), compress };
	return madeOnce(`terser ${terser.version} ${JSON.stringify(options)}`, contents, async () => {
		const { code } = await minify(new TextDecoder().decode(contents), options);
		return Buffer.from(/** @type {string} */ (code));
	});
}

async function bundledFiles() {
	const { outputFiles, metafile } = await build({
		entryPoints: [`${PAGE}/main.tsx`, `${PAGE}/app.css`].map((path) => ({ in: path, out: "app" })),
		outdir: FOLDER,
		bundle: true,
		splitting: true,
		// what the page does not use of the lock core's tables is left out
		pure: ["Object.freeze"],
		minify: true,
		format: "esm",
		target: "es2022",
		// a page that was loaded before an update of the firmware must not get a part of another version
		chunkNames: "[name]-[hash]",
		jsx: "automatic",
		jsxImportSource: "preact",
		legalComments: "none",
		plugins: [namelessTexts],
		logLevel: "warning",
		metafile: true,
		write: false,
	});
	const files = [];
	for (const { path, contents } of outputFiles) files.push({ name: basename(path), contents: await smaller(path, contents) });
	return { files, metafile };
}

/**
 * Builds the page, and writes the firmware's copy unless it is up to date.
 * @returns {Promise<{ files: { path: string, bytes: number, firstView: boolean }[] }>} bytes: as transferred
 * @throws when esbuild finds errors; it has printed them
 */
export async function buildPage() {
	const { files, metafile } = await bundledFiles();
	for (const name of PLAIN) files.push({ name, contents: readFileSync(`${PAGE}/${name}`) });
	// what the entry imports statically is loaded with it
	const first = new Set(["index.html", "manifest.webmanifest", "icon.svg", "app.css", "app.js"]);
	const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]));
	for (const name of first) {
		const imports = outputs.get(name)?.imports ?? [];
		for (const { path, kind } of imports) if (kind === "import-statement") first.add(basename(path));
	}

	// the browser need not read app.js to learn what else it takes
	const preload = [...first]
		.filter((name) => /^chunk.*\.js$/.test(name))
		.map((name) => `<link rel="modulepreload" href="/${name}">\n`);
	const page = /** @type {(typeof files)[number]} */ (files.find(({ name }) => name === "index.html"));
	page.contents = Buffer.from(String(page.contents).replace("<script", `${preload.join("")}<script`));

	rmSync(FOLDER, { recursive: true, force: true });
	mkdirSync(FOLDER, { recursive: true });
	let source = `${head("build-page.mjs")}import type { Asset } from "../../http/asset.js";\nimport { bytesOfBase64 } from "../../http/base64.js";\n\n`;
	source += "export const ASSETS: readonly Asset[] = Object.freeze([\n";
	const table = [];
	for (const { name, contents } of files) {
		writeFileSync(`${FOLDER}/${name}`, contents);
		const path = name === "index.html" ? "/" : `/${name}`;
		const served = await asset({ path, contentType: CONTENT_TYPES[extname(name)], contents });
		source += `\t${served.source},\n`;
		table.push({ path, bytes: served.bytes, firstView: first.has(name) });
	}
	writeModule(TARGET, `${source}]);\n`);
	return { files: table };
}
