/** Runs of mocha, and what came of them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { giveWay } from "./priority.mjs";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** Of all runs. */
export const RESULTS = `${ROOT}build/test`;
/** More than these no busy machine can be blamed for. */
export const FAILURES_MAX = 8;
/** @type {readonly NodeJS.Signals[]} */
const INTERRUPTS = ["SIGINT", "SIGTERM"];

/**
 * `ended`: it came to its end. `failures`: file, whole name of the test, or of the suite whose hook it was, and first line of what it said.
 * @typedef {{ file: string, name: string, said: string }} Failure
 * @typedef {{ passed: number, failed: number, skipped: number, retried: number, failures: Failure[], ended: boolean }} Run
 */

/**
 * Runs mocha once.
 * @param {string} name of its results in `build/test/`
 * @param {string[]} mochaArguments @param {"inherit" | number} output where its report goes: to ours, or into a file
 * @param {number} [niceness] 0 = it stays in our session; more = it gives way, with all that it starts, in a session of its own (`giveWay`)
 * @returns {Promise<Run>}
 */
export async function mocha(name, mochaArguments, output, niceness = 0) {
	const file = `${RESULTS}/${name}.json`;
	rmSync(file, { force: true });
	const child = spawn(process.execPath, ["node_modules/mocha/bin/mocha.js", ...mochaArguments], {
		cwd: ROOT,
		env: { ...process.env, OPENCOUPLING_TEST_RESULTS: file },
		stdio: ["inherit", output, output],
		detached: niceness > 0,
	});
	const pid = /** @type {number} */ (child.pid);
	if (niceness > 0) void giveWay(pid, niceness);
	// an interrupt from the terminal does not reach another session
	/** @param {NodeJS.Signals} signal */
	const passOn = (signal) => process.kill(niceness > 0 ? -pid : pid, signal);
	for (const signal of INTERRUPTS) process.on(signal, passOn);
	const [status, signal] = await once(child, "close");
	for (const signal of INTERRUPTS) process.off(signal, passOn);
	try {
		const counts = JSON.parse(readFileSync(file, "utf8"));
		return { ...counts, ended: status === 0 || counts.failed > 0 };
	} catch {
		console.error(`npm test: mocha ended without results (${signal ?? `exit code ${status}`})`);
		return { passed: 0, failed: 0, skipped: 0, retried: 0, failures: [], ended: false };
	}
}

/**
 * Runs what has failed once more, now that nothing else runs: a test that plays a car in real time can't tell a slow controller from a busy
 * machine. What fails again has failed.
 * @param {Run[]} runs @param {"inherit" | number} output @returns {Promise<Run[]>} with what came of it
 */
export async function onceMore(runs, output) {
	const failures = runs.flatMap((run) => run.failures);
	if (failures.length === 0 || failures.length > FAILURES_MAX) return runs;
	console.log(`\nOnce more, alone, what has failed:\n${failures.map(({ name, said }) => `  ${name}: ${said}`).join("\n")}`);
	const escaped = failures.map(({ name }) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
	const again = await mocha("again", [...new Set(failures.map(({ file }) => file)), "--grep", `^(${escaped.join("|")})`], output);
	const before = runs.map((run) => ({ ...run, failed: run.failed - run.failures.length, failures: [] }));
	return [...before, { ...again, retried: again.retried + failures.length }];
}
