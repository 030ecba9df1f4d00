/**
 * Builds what follows from the interface's description, `src/api/description/`. Neither is committed.
 * `src/api/generated/openapi.json` is the OpenAPI document, for the tools; `openapi-asset.ts` beside it the same,
 * compressed, for the firmware.
 */

import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { asset, head, writeModule } from "./generated.mjs";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const GENERATED = `${ROOT}src/api/generated`;

/**
 * The description, as a module.
 * @param {import("esbuild").Plugin[]} [plugins] for a test that has other tables
 * @returns {Promise<{ OPENAPI: Readonly<Record<string, unknown>> }>}
 */
export async function loadDescription(plugins = []) {
	const entryPoints = [`${ROOT}src/api/description/description.ts`];
	const { outputFiles } = await build({
		plugins,
		entryPoints,
		bundle: true,
		format: "esm",
		target: "es2022",
		platform: "node",
		write: false,
	});
	return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** Writes the document unless it is up to date. @returns {Promise<{ bytes: number }>} what it takes of flash */
export async function buildOpenapi() {
	const { OPENAPI } = await loadDescription();
	const contents = JSON.stringify(OPENAPI);
	const { source, bytes } = await asset({ path: "/api/openapi.json", contentType: "application/json", contents });
	const imports = 'import type { Asset } from "../../http/asset.js";\nimport { bytesOfBase64 } from "../../http/base64.js";\n\n';
	writeModule(`${GENERATED}/openapi.json`, contents);
	const module = `${head("build-openapi.mjs")}${imports}export const OPENAPI: Asset = ${source};\n`;
	writeModule(`${GENERATED}/openapi-asset.ts`, module);
	return { bytes };
}
