// `npm run check`: types and lint, in seconds: what can be known without running anything. Says what is
// wrong, and ends with 1 then.
import { execFile } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** Each check with its command, a file below node_modules first. @type {ReadonlyMap<string, string[]>} */
export const CHECKS = new Map([
	// tsconfig.json names the projects; what has not changed is not looked at again. One thread is as fast as
	// four, which check the same sources
	["types", ["typescript-7/bin/tsc", "--build", "--singleThreaded"]],
	["format and lint", [".bin/biome", "ci", "."]],
]);

/**
 * @param {string} name of `CHECKS`.
 * @returns {Promise<string>} what it complains about, "" = nothing
 */
export async function complaints(name) {
	const [program, ...args] = CHECKS.get(name) ?? [];
	try {
		await promisify(execFile)(`node_modules/${program}`, args, { cwd: ROOT, encoding: "utf8" });
		return "";
	} catch (error) {
		return `${error.message}${error.stdout ?? ""}${error.stderr ?? ""}`;
	}
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
	const { setUpSources } = await import("./setup.mjs");
	await setUpSources();
	const found = await Promise.all([...CHECKS.keys()].map(complaints));
	for (const complaint of found.filter((text) => text !== "")) console.error(complaint);
	process.exitCode = found.every((text) => text === "") ? 0 : 1;
}
