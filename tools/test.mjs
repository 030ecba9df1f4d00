// `npm test`: sets up what is missing, then runs everything that must hold. Ends with a line "N passed, N failed" from the real results.
// Usage: node tools/test.mjs [unit|system|page] [MOCHA ARGUMENT]... (a file, a folder, --grep TEXT)
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SetupError, setup } from "./setup.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const results = `${root}build/test`;

/** Folders of `test/` whose tests start processes: compilers, the host program, a browser. All others are unit tests. */
const WITH_PROCESSES = ["architecture", "contract", "hal", "modules", "system", "tools", "vectors"];
/** Those of them that mostly wait for the host program's car. */
const WAITING = ["system", "contract", "hal", "modules"];
const PAGE = ["page"];

const all = readdirSync(`${root}test`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const unit = all.map(({ name }) => name).filter((name) => ![...WITH_PROCESSES, ...PAGE, "support"].includes(name));

/** The kinds of tests and the folders of each. */
const FOLDERS = { unit, system: WITH_PROCESSES, page: PAGE };

/**
 * Runs mocha once.
 * @param {string} name of its results in `build/test/`
 * @param {string[]} mochaArguments @param {"inherit" | number} output where its report goes: to ours, or into a file
 * @returns {Promise<{ passed: number, failed: number, skipped: number, retried: number, ended: boolean }>} `ended`: it came to its end
 */
async function mocha(name, mochaArguments, output) {
	const file = `${results}/${name}.json`;
	rmSync(file, { force: true });
	const child = spawn(process.execPath, ["node_modules/mocha/bin/mocha.js", ...mochaArguments], {
		cwd: root,
		env: { ...process.env, OPENCOUPLING_TEST_RESULTS: file },
		stdio: ["inherit", output, output],
	});
	const [status, signal] = await once(child, "close");
	try {
		const counts = JSON.parse(readFileSync(file, "utf8"));
		return { ...counts, ended: status === 0 || counts.failed > 0 };
	} catch {
		console.error(`npm test: mocha ended without results (${signal ?? `exit code ${status}`})`);
		return { passed: 0, failed: 0, skipped: 0, retried: 0, ended: false };
	}
}

/**
 * Everything, on two processors: tests that play a car in real time mostly wait, so what computes runs beside them.
 * The report of the second run is printed when both have ended.
 */
async function everything() {
	mkdirSync(results, { recursive: true });
	const report = `${results}/computing.txt`;
	const waiting = WAITING.map((name) => `test/${name}`);
	const computing = Object.values(FOLDERS)
		.flat()
		.map((name) => `test/${name}`)
		.filter((folder) => !waiting.includes(folder));
	const runs = await Promise.all([mocha("waiting", waiting, "inherit"), mocha("computing", computing, openSync(report, "w"))]);
	process.stdout.write(readFileSync(report));
	return runs;
}

/** Prints the last line. @returns {number} the exit code */
function conclude(runs) {
	const sum = (key) => runs.reduce((total, counts) => total + counts[key], 0);
	const skipped = sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : "";
	const again = sum("retried") > 0 ? `, ${sum("retried")} run a second time` : "";
	console.log(`${sum("passed")} passed, ${sum("failed")} failed${skipped}${again}`);
	return runs.every(({ ended }) => ended) && sum("failed") === 0 && sum("passed") > 0 ? 0 : 1;
}

try {
	await setup();
	const [kind, ...rest] = process.argv.slice(2);
	if (kind === undefined) process.exitCode = conclude(await everything());
	else {
		const folders = Object.hasOwn(FOLDERS, kind) && FOLDERS[kind].map((name) => `test/${name}`);
		process.exitCode = conclude([await mocha("chosen", folders ? [...rest, ...folders] : process.argv.slice(2), "inherit")]);
	}
} catch (error) {
	if (!(error instanceof SetupError)) throw error;
	console.error(`npm test: ${error.message}`);
	process.exitCode = 1;
}
