/**
 * Builds what follows from the interface's description, `src/api/openapi.json`: `node tools/build-openapi.mjs`. Neither is committed.
 * For the firmware `src/api/generated/openapi-asset.ts`: the same without blanks, compressed.
 * For the page `src/page/net/generated/wire.ts`: the types of what is sent, by openapi-typescript.
 */

import { readFileSync, statSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { asset, head, replaceFile, writeModule } from "./generated.mjs";

const ROOT = new URL("../", import.meta.url);
const SOURCE = fileURLToPath(new URL("src/api/openapi.json", ROOT));
const TARGET = fileURLToPath(new URL("src/api/generated/openapi-asset.ts", ROOT));
const TYPES = fileURLToPath(new URL("src/page/net/generated/wire.ts", ROOT));

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

/** Writes the types unless they are newer than the description and this file. @throws {Error} the description is none */
export async function buildWireTypes() {
	const inputs = [SOURCE, fileURLToPath(import.meta.url)];
	const changedMs = Math.max(...inputs.map((path) => statSync(path).mtimeMs));
	if ((statSync(TYPES, { throwIfNoEntry: false })?.mtimeMs ?? 0) > changedMs) return;
	// it takes seconds to load
	const { default: openapi, astToString } = await import("openapi-typescript");
	const options = { immutable: true, rootTypes: true, rootTypesNoSchemaPrefix: true };
	replaceFile(TYPES, head("build-openapi.mjs") + astToString(await openapi(pathToFileURL(SOURCE), options)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	await buildWireTypes();
	const { path, bytes, built } = await buildOpenapi();
	console.log(`${path}: ${bytes} bytes${built ? "" : ", up to date"}`);
}
