// `npm test`: sets up what is missing, then runs everything that must hold. Ends with a line "N passed, N failed" from the real results.
// Usage: node tools/test.mjs [unit|system|page] [MOCHA ARGUMENT]... (a file, a folder, --grep TEXT)
import { mkdirSync, openSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { mocha, onceMore, RESULTS } from "./mocha-run.mjs";
import { SetupError, setup } from "./setup.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));

/** Folders of `test/` whose tests start processes: compilers, the host program, a browser. All others are unit tests. */
const WITH_PROCESSES = ["architecture", "contract", "hal", "modules", "system", "tools", "vectors"];
/** Those of them that mostly wait for the host program's car, and with them about half of the time. */
const WAITING = ["system", "contract", "hal", "modules"];
const PAGE = ["page"];

const all = readdirSync(`${root}test`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const unit = all.map(({ name }) => name).filter((name) => ![...WITH_PROCESSES, ...PAGE, "support"].includes(name));

/** The kinds of tests and the folders of each. @type {Record<string, readonly string[]>} */
const FOLDERS = { unit, system: WITH_PROCESSES, page: PAGE };

/** @param {string} name */
const folder = (name) => `test/${name}`;

/**
 * Everything, on two processors: tests that play a car in real time mostly wait, so what computes runs beside them. More at a time would hold
 * up their cars. The report of the second run is printed when both have ended; then what failed runs once more.
 */
async function everything() {
	mkdirSync(RESULTS, { recursive: true });
	const report = `${RESULTS}/computing.txt`;
	const computing = Object.values(FOLDERS)
		.flat()
		.filter((name) => !WAITING.includes(name));
	const runs = await Promise.all([
		mocha("waiting", WAITING.map(folder), "inherit"),
		mocha("computing", computing.map(folder), openSync(report, "w")),
	]);
	process.stdout.write(readFileSync(report));
	return onceMore(runs, "inherit");
}

/** Prints the last line. @returns {number} the exit code @param {readonly import("./mocha-run.mjs").Run[]} runs */
function conclude(runs) {
	/** @param {"passed" | "failed" | "skipped" | "retried"} key */
	const sum = (key) => runs.reduce((total, counts) => total + counts[key], 0);
	const skipped = sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : "";
	const again = sum("retried") > 0 ? `, ${sum("retried")} run a second time` : "";
	for (const { name, said } of runs.flatMap(({ failures }) => failures)) console.log(`failed: ${name}: ${said}`);
	console.log(`${sum("passed")} passed, ${sum("failed")} failed${skipped}${again}`);
	return runs.every(({ ended }) => ended) && sum("failed") === 0 && sum("passed") > 0 ? 0 : 1;
}

try {
	await setup();
	const [kind, ...rest] = process.argv.slice(2);
	if (kind === undefined) process.exitCode = conclude(await everything());
	else {
		const folders = Object.hasOwn(FOLDERS, kind) && FOLDERS[kind].map(folder);
		process.exitCode = conclude([await mocha("chosen", folders ? [...rest, ...folders] : process.argv.slice(2), "inherit")]);
	}
} catch (error) {
	if (!(error instanceof SetupError)) throw error;
	console.error(`npm test: ${error.message}`);
	process.exitCode = 1;
}
