/**
 * Runs mocha so that nothing is left when it ends, however it ends: no process, no port, no temporary folder.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** Of all runs. */
export const RESULTS = `${ROOT}build/test`;
/** Only a hang takes longer than this. */
const LIMIT_MS = 30 * 60_000;
/** @type {readonly NodeJS.Signals[]} */
const INTERRUPTS = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * `file`, whole name of the test or of the suite whose hook it was, and first line of what it said.
 * @typedef {{ file: string, name: string, said: string }} Failure
 * `processorMs` includes the processes that the tests started, where the system tells (Linux).
 * @typedef {{ wallMs: number, processorMs: number }} Cost
 * `skips`: number of skipped tests by file and reason. `ended`: the run came to its end. `costs`: of each
 * folder of tests.
 * @typedef {{ passed: number, failed: number, skipped: number, failures: Failure[], skips: Record<string, number>, costs: Record<string, Cost>, ended: boolean }} Run
 */

/**
 * Runs mocha once. Everything that it starts runs in a session of its own and has its temporary files in a folder of its own. When mocha has ended,
 * when the limit is hit and when the user interrupts, those processes are killed and that folder is removed.
 * @param {string} name of its results in `build/test/`
 * @param {string[]} mochaArguments
 * @param {"inherit" | "ignore" | number} output where its report goes: to ours, nowhere, or into a file
 * @param {number} [limitMs] a run that takes longer is killed, and the test that was running has failed
 * @returns {Promise<Run>}
 */
export async function mocha(name, mochaArguments, output, limitMs = LIMIT_MS) {
	const file = `${RESULTS}/${name}.json`;
	rmSync(file, { force: true });
	mkdirSync(RESULTS, { recursive: true });
	const folder = mkdtempSync(join(tmpdir(), "oc-test-"));
	const child = spawn(process.execPath, ["node_modules/mocha/bin/mocha.js", ...mochaArguments], {
		cwd: ROOT,
		env: { ...process.env, OPENCOUPLING_TEST_RESULTS: file, TMPDIR: folder },
		stdio: ["ignore", output, output],
		detached: true,
	});
	const pid = /** @type {number} */ (child.pid);
	let problem = "";
	/** @param {string} why */
	const stop = (why) => {
		problem ||= why;
		kill(-pid);
	};
	const interrupt = () => stop("interrupted");
	for (const signal of INTERRUPTS) process.on(signal, interrupt);
	const limit = setTimeout(() => stop(`not ended after ${limitMs / 1000} s`), limitMs);
	const [status, signal] = await once(child, "exit");
	clearTimeout(limit);
	const left = killAllOf(pid, folder);
	for (const signal of INTERRUPTS) process.off(signal, interrupt);
	rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	const { running, ...run } = resultsIn(file);
	const where = running ? `${running.file}: ${running.name}` : name;
	if (problem === "" && left.length > 0) console.error(`npm test: killed what ${name} has left: ${left.join(", ")}`);
	if (problem !== "") console.error(`npm test: ${problem}: ${where}`);
	else if (!run.ended) console.error(`npm test: mocha ended in the middle (${signal ?? `exit code ${status}`}): ${where}`);
	if (run.ended && problem === "") return run;
	const failure = { ...(running ?? { file: name, name }), said: problem || "mocha ended in the middle" };
	return { ...run, ended: false, failed: run.failed + 1, failures: [...run.failures, failure] };
}

/**
 * @param {string} file
 * @returns {Run & { running?: { file: string, name: string } }} what `test/support/reporter.cjs` has left
 */
function resultsIn(file) {
	try {
		return JSON.parse(readFileSync(file, "utf8"));
	} catch {
		return { passed: 0, failed: 0, skipped: 0, failures: [], skips: {}, costs: {}, ended: false };
	}
}

/** @param {number} pid negative: of a whole group */
function kill(pid) {
	try {
		process.kill(pid, "SIGKILL");
	} catch {
		// it has ended
	}
}

/**
 * Kills the group of a run and, where the system tells who they are (Linux), all processes whose temporary folder is the run's.
 * @param {number} pid of the group's leader
 * @param {string} folder
 * @returns {string[]} names of those outside of the group
 */
function killAllOf(pid, folder) {
	kill(-pid);
	const names = [];
	// a process may start another one while the list is read
	for (let found = processesOf(folder); found.length > 0; found = processesOf(folder)) {
		for (const other of found) {
			names.push(other.name);
			kill(other.pid);
		}
	}
	return names;
}

/**
 * @param {string} folder
 * @returns {{ pid: number, name: string }[]}
 */
function processesOf(folder) {
	try {
		return readdirSync("/proc")
			.filter((name) => /^\d+$/.test(name))
			.flatMap((name) => {
				try {
					if (
						!readFileSync(`/proc/${name}/environ`, "latin1")
							.split("\0")
							.some((line) => line.startsWith(`TMPDIR=${folder}`))
					)
						return [];
					const [command] = readFileSync(`/proc/${name}/cmdline`, "latin1").split("\0");
					return command ? [{ pid: Number(name), name: basename(command) }] : []; // a zombie has no command line
				} catch {
					return []; // not ours, or it has ended
				}
			});
	} catch {
		return []; // no Linux
	}
}
