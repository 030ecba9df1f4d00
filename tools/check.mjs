// `npm run check`: types and lint, in seconds: what can be known without running anything. Says what is wrong, and ends with 1 then.
import { execFile } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const PROJECTS = [
	"tsconfig.json",
	"src/tsconfig.json",
	"src/page/tsconfig.json",
	"tools/tsconfig.json",
	"test/page/tsconfig.json",
];

/** Command that checks the types of `project`, a tsconfig; of what has not changed tsc remembers what it found. */
const types = (project) => {
	const remembered = `build/check/${project.replaceAll("/", "-").replace(".json", ".tsbuildinfo")}`;
	return ["tsc", "--noEmit", "--incremental", "--tsBuildInfoFile", remembered, "-p", project];
};

/** Each check with its command, a program of node_modules/.bin first. @type {ReadonlyMap<string, string[]>} */
export const CHECKS = new Map([
	...PROJECTS.map((project) => /** @type {[string, string[]]} */ ([`types of ${project}`, types(project)])),
	["format and lint", ["biome", "ci", "."]],
]);

/** @param {string} name of `CHECKS`. @returns {Promise<string>} what it complains about, "" = nothing */
export async function complaints(name) {
	const [program, ...args] = CHECKS.get(name) ?? [];
	try {
		await promisify(execFile)(`node_modules/.bin/${program}`, args, { cwd: ROOT, encoding: "utf8" });
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
