// `npm test`: sets up what is missing, then runs everything that must hold. Ends with a line "N passed, N failed" from the real results.
// Usage: node tools/test.mjs [unit|fast|system|page] [MOCHA ARGUMENT]... (a file, a folder, --grep TEXT)
import { mkdirSync, openSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { mocha, onceMore, RESULTS } from "./mocha-run.mjs";
import { SetupError, setup } from "./setup.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));

/** Folders of `test/` whose tests start processes: compilers, the host program, a browser. All others are unit tests. */
const WITH_PROCESSES = ["architecture", "contract", "hal", "modules", "system", "tools", "vectors", "virtual-time"];
const PAGE = ["page"];
/** What is run after each change beside the unit tests: types, lint, the rules of the tree, and the gateway's C. */
const BESIDE_UNIT = ["architecture", "modules/can-gateway"];

const all = readdirSync(`${root}test`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const unit = all.map(({ name }) => name).filter((name) => ![...WITH_PROCESSES, ...PAGE, "support"].includes(name));

/** The kinds of tests and the folders of each. @type {Record<string, readonly string[]>} */
const FOLDERS = { unit, fast: [...unit, ...BESIDE_UNIT], system: WITH_PROCESSES, page: PAGE };

/** @param {string} name */
const folder = (name) => `test/${name}`;

/**
 * Folders whose tests run beside others, and how far they give way to those (`mocha`).
 * @typedef {{ folders: readonly string[], niceness?: number }} Lane
 */

/** Runs all lanes. Reports but the first one's are printed when all have ended; then what failed runs once more. @param {readonly Lane[]} lanes */
async function sideBySide(lanes) {
	mkdirSync(RESULTS, { recursive: true });
	/** @param {number} lane */
	const report = (lane) => `${RESULTS}/lane-${lane}.txt`;
	const runs = await Promise.all(
		lanes.map(({ folders, niceness }, i) =>
			mocha(`lane-${i}`, folders.map(folder), i === 0 ? "inherit" : openSync(report(i), "w"), niceness),
		),
	);
	for (const i of lanes.slice(1).keys()) process.stdout.write(readFileSync(report(i + 1)));
	return onceMore(runs, "inherit");
}

/**
 * All tests, on two processors: what plays a car in real time goes first, it mostly waits; then browsers and drivers, which wait as well; what
 * computes, in real time or not, takes what they leave.
 */
function everything() {
	const [cars, clients, tools] = [["system", "contract"], [...PAGE, "hal"], ["tools"]];
	const rest = [...unit, ...WITH_PROCESSES].filter((name) => ![...cars, ...clients, ...tools].includes(name));
	return sideBySide([
		{ folders: cars },
		{ folders: clients, niceness: 5 },
		{ folders: tools, niceness: 19 },
		{ folders: rest, niceness: 19 },
	]);
}

/** Prints the last line. @returns {number} the exit code @param {readonly import("./mocha-run.mjs").Run[]} runs */
function conclude(runs) {
	/** @param {"passed" | "failed" | "skipped" | "retried"} key */
	const sum = (key) => runs.reduce((total, counts) => total + counts[key], 0);
	// a file that throws while it is loaded ends its run before any test has failed
	const failed = sum("failed") + runs.filter(({ ended }) => !ended).length;
	const skipped = sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : "";
	const again = sum("retried") > 0 ? `, ${sum("retried")} run a second time` : "";
	for (const { name, said } of runs.flatMap(({ failures }) => failures)) console.log(`failed: ${name}: ${said}`);
	console.log(`${sum("passed")} passed, ${failed} failed${skipped}${again}`);
	return failed === 0 && sum("passed") > 0 ? 0 : 1;
}

try {
	await setup();
	const [kind, ...rest] = process.argv.slice(2);
	if (kind === undefined) process.exitCode = conclude(await everything());
	else if (kind === "fast" && rest.length === 0)
		process.exitCode = conclude(await sideBySide([{ folders: unit }, { folders: BESIDE_UNIT }]));
	else {
		const folders = Object.hasOwn(FOLDERS, kind) && FOLDERS[kind].map(folder);
		process.exitCode = conclude([await mocha("chosen", folders ? [...rest, ...folders] : process.argv.slice(2), "inherit")]);
	}
} catch (error) {
	if (!(error instanceof SetupError)) throw error;
	console.error(`npm test: ${error.message}`);
	process.exitCode = 1;
}
