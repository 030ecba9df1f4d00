/**
 * Builds what the firmware carries of the interface's description: `node tools/build-openapi.mjs`.
 * Writes `src/api/generated/openapi-asset.ts` (not committed) from `src/api/openapi.json`: the same without blanks, compressed.
 */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { asset, head, writeModule } from "./generated.mjs";

const ROOT = new URL("../", import.meta.url);
const SOURCE = fileURLToPath(new URL("src/api/openapi.json", ROOT));
const TARGET = fileURLToPath(new URL("src/api/generated/openapi-asset.ts", ROOT));

/**
 * Writes the description unless it is up to date.
 * @returns {Promise<{ path: string, bytes: number, built: boolean }>} bytes: what it takes of flash
 * @throws {Error} the description is missing or no JSON
 */
export async function buildOpenapi() {
	const contents = JSON.stringify(JSON.parse(readFileSync(SOURCE, "utf8")));
	const { source, bytes } = await asset({ path: "/api/openapi.json", contentType: "application/json", contents });
	const imports = 'import { type Asset, bytesOfBase64 } from "../../http/asset.js";\n\n';
	const built = writeModule(TARGET, `${head("build-openapi.mjs")}${imports}export const OPENAPI: Asset = ${source};\n`);
	return { path: TARGET, bytes, built };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const { path, bytes, built } = await buildOpenapi();
	console.log(`${path}: ${bytes} bytes${built ? "" : ", up to date"}`);
}
