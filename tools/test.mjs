// `npm test`: sets up what is missing, then runs everything that must hold. Ends with a line "N passed, N failed" from the real results.
// Usage: node tools/test.mjs [unit|system|page] [MOCHA ARGUMENT]... (a file, a folder, --grep TEXT)
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SetupError, setup } from "./setup.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const results = `${root}build/test/results.json`;

/** Folders of `test/` whose tests start processes: compilers, the host program, a browser. All others are unit tests. */
const WITH_PROCESSES = ["architecture", "contract", "hal", "modules", "system", "tools", "vectors"];
const PAGE = ["page"];

/** @param {string} kind unit, system or page. @returns {string[] | undefined} its folders; undefined: no such kind */
function foldersOf(kind) {
	const all = readdirSync(`${root}test`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
	const unit = all.map(({ name }) => name).filter((name) => ![...WITH_PROCESSES, ...PAGE, "support"].includes(name));
	return { unit, system: WITH_PROCESSES, page: PAGE }[kind]?.map((name) => `test/${name}`);
}

function run(mochaArguments) {
	rmSync(results, { force: true });
	const { status, signal } = spawnSync(process.execPath, ["node_modules/mocha/bin/mocha.js", ...mochaArguments], {
		cwd: root,
		stdio: "inherit",
	});
	let counts;
	try {
		counts = JSON.parse(readFileSync(results, "utf8"));
	} catch {
		console.error(`npm test: mocha ended without results (${signal ?? `exit code ${status}`})`);
		return 1;
	}
	const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
	const again = counts.retried > 0 ? `, ${counts.retried} run a second time` : "";
	console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}${again}`);
	return status === 0 && counts.passed > 0 ? 0 : 1;
}

try {
	await setup();
	const [kind, ...rest] = process.argv.slice(2);
	const folders = foldersOf(kind);
	process.exitCode = run(folders ? [...rest, ...folders] : process.argv.slice(2));
} catch (error) {
	if (!(error instanceof SetupError)) throw error;
	console.error(`npm test: ${error.message}`);
	process.exitCode = 1;
}
