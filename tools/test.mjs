// `npm test`: sets up what is missing, then runs everything that must hold. Ends with a line "N passed, N failed" from the real results.
// Usage: node tools/test.mjs [unit|system|page] [MOCHA ARGUMENT]... (a file, a folder, --grep TEXT)
import { mkdirSync, openSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { mocha, onceMore, RESULTS } from "./mocha-run.mjs";
import { SetupError, setup } from "./setup.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));

/** Folders of `test/` whose tests start processes: compilers, the host program, a browser. All others are unit tests. */
const WITH_PROCESSES = ["architecture", "contract", "hal", "modules", "system", "tools", "vectors"];
const PAGE = ["page"];

const all = readdirSync(`${root}test`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const unit = all.map(({ name }) => name).filter((name) => ![...WITH_PROCESSES, ...PAGE, "support"].includes(name));

/** The kinds of tests and the folders of each. @type {Record<string, readonly string[]>} */
const FOLDERS = { unit, system: WITH_PROCESSES, page: PAGE };

/** @param {string} name */
const folder = (name) => `test/${name}`;

/** Files that are tested at the same time: those that play a car in real time, or wait for a browser, leave half of a processor to others. */
const JOBS = ["--parallel", "--jobs", "3"];
/** Whoever begins with the longest files is not left with one of them at the end. */
const LONGEST_FIRST = ["tools", "system", ...WITH_PROCESSES, ...unit];

/**
 * Everything, on two processors. The page's tests share one browser, so they are a run of their own beside the others, whose report is
 * printed when both have ended; then what failed runs once more.
 */
async function everything() {
	mkdirSync(RESULTS, { recursive: true });
	const report = `${RESULTS}/page.txt`;
	const runs = await Promise.all([
		mocha("others", [...JOBS, ...[...new Set(LONGEST_FIRST)].map(folder)], "inherit"),
		mocha("page", PAGE.map(folder), openSync(report, "w")),
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
