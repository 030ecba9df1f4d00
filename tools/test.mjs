// `npm test`: sets up what is missing, then runs everything that must hold. Ends with a line "N passed, N
// failed" from the real results. Usage: node tools/test.mjs [unit|fast|system|page] [MOCHA ARGUMENT]... (a
// file, a folder, --grep TEXT)
import { mkdirSync, openSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { mocha, RESULTS } from "./mocha-run.mjs";
import { SetupError, setup } from "./setup.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));

/** Folders whose tests start processes: compilers, the host program, a browser. All others are unit tests. */
const WITH_PROCESSES = ["architecture", "contract", "hal", "modules", "real-time", "system", "tools", "vectors", "virtual-time"];
const PAGE = ["page"];
/** Beside the unit tests after each change; not what runs the unit tests again. */
const BESIDE_UNIT = ["modules/can-gateway"].concat(
	readdirSync(`${root}test/architecture`)
		.filter((name) => name !== "coverage.test.ts")
		.map((name) => `architecture/${name}`),
);

const all = readdirSync(`${root}test`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const unit = all.map(({ name }) => name).filter((name) => ![...WITH_PROCESSES, ...PAGE, "support"].includes(name));

/** The kinds of tests and the folders of each. @type {Record<string, readonly string[]>} */
const FOLDERS = { unit, fast: [...unit, ...BESIDE_UNIT], system: WITH_PROCESSES, page: PAGE };

/** @param {string} name */
const folder = (name) => `test/${name}`;

/**
 * Runs folders beside others. The first lane's report is printed as it comes, the others' when all have ended.
 * @param {readonly (readonly string[])[]} lanes
 */
async function sideBySide(lanes) {
	mkdirSync(RESULTS, { recursive: true });
	/** @param {number} lane */
	const report = (lane) => `${RESULTS}/lane-${lane}.txt`;
	const runs = await Promise.all(
		lanes.map((folders, i) => mocha(`lane-${i}`, folders.map(folder), i === 0 ? "inherit" : openSync(report(i), "w"))),
	);
	for (const i of lanes.slice(1).keys()) process.stdout.write(readFileSync(report(i + 1)));
	return runs;
}

/**
 * All tests, on two processors: two lanes that compute, and two browsers that wait most of their time, with
 * folders behind them that let the lanes take about as long as each other.
 */
function everything() {
	const compute = ["system", "contract", "virtual-time", "hal", "modules"];
	const behindPage = [["real-time", "vectors", "api"], ["architecture"]];
	const others = [...unit, ...WITH_PROCESSES].filter((name) => ![...compute, ...behindPage.flat()].includes(name));
	const page = readdirSync(`${root}test/page`).filter((name) => name.endsWith(".test.ts"));
	const half = (/** @type {number} */ rest) => page.filter((_, i) => i % 2 === rest).map((name) => `page/${name}`);
	return sideBySide([compute, ...behindPage.map((folders, i) => [...half(i), ...folders]), others]);
}

/**
 * Prints what each folder took, what was skipped and why, what failed, and the last line.
 * @param {readonly import("./mocha-run.mjs").Run[]} runs
 * @returns {number} the exit code
 */
function conclude(runs) {
	/** @param {"passed" | "failed" | "skipped"} key */
	const sum = (key) => runs.reduce((total, counts) => total + counts[key], 0);
	printCosts(runs);
	for (const [why, count] of runs.flatMap(({ skips }) => Object.entries(skips))) console.log(`${count} skipped: ${why}`);
	for (const { name, said } of runs.flatMap(({ failures }) => failures)) console.log(`failed: ${name}: ${said}`);
	const skipped = sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : "";
	console.log(`${sum("passed")} passed, ${sum("failed")} failed${skipped}`);
	return sum("failed") === 0 && sum("passed") > 0 ? 0 : 1;
}

/** @param {readonly import("./mocha-run.mjs").Run[]} runs */
function printCosts(runs) {
	/** @type {Record<string, import("./mocha-run.mjs").Cost>} */
	const costs = {};
	for (const [name, { wallMs, processorMs }] of runs.flatMap((run) => Object.entries(run.costs))) {
		const before = costs[name] ?? { wallMs: 0, processorMs: 0 };
		costs[name] = { wallMs: before.wallMs + wallMs, processorMs: before.processorMs + processorMs };
	}
	const rows = Object.entries(costs).sort(([, a], [, b]) => b.processorMs - a.processorMs);
	const total = rows.reduce((sum, [, { processorMs }]) => sum + processorMs, 0);
	/** @param {number} ms */
	const seconds = (ms) => `${(ms / 1000).toFixed(1).padStart(7)} s`;
	console.log("\nprocessor       wall  folder");
	for (const [name, { wallMs, processorMs }] of rows)
		if (processorMs >= 500) console.log(`${seconds(processorMs)} ${seconds(wallMs)}  ${name}`);
	console.log(`${seconds(total)} of processor time`);
}

try {
	await setup();
	const [kind, ...rest] = process.argv.slice(2);
	if (kind === undefined) process.exitCode = conclude(await everything());
	else if (kind === "fast" && rest.length === 0) process.exitCode = conclude(await sideBySide([unit, BESIDE_UNIT]));
	else {
		const folders = Object.hasOwn(FOLDERS, kind) && FOLDERS[kind].map(folder);
		process.exitCode = conclude([await mocha("chosen", folders ? [...rest, ...folders] : process.argv.slice(2), "inherit")]);
	}
} catch (error) {
	if (!(error instanceof SetupError)) throw error;
	console.error(`npm test: ${error.message}`);
	process.exitCode = 1;
}
