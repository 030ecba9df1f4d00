/**
 * Loads golden vectors in Node: from the folder in OPENCOUPLING_VECTORS, else those of the tree,
 * `test/vectors/data`.
 */

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The folder that vectors come from. */
export function vectorFolder(): string {
	return process.env["OPENCOUPLING_VECTORS"] || `${ROOT}test/vectors/data`;
}

/**
 * One set of vectors.
 * @param name without ending
 * @throws {Error} the folder has neither `name.json` nor `name.json.gz`
 */
export function loadVectors<Set>(name: string): Set {
	const path = `${vectorFolder()}/${name}.json`;
	if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8")) as Set;
	return JSON.parse(gunzipSync(readFileSync(`${path}.gz`)).toString("utf8")) as Set;
}
