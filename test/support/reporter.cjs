// Mocha's spec reporter, which also leaves counts, failures and costs for tools/mocha-run.mjs in the file
// that it names.
const { mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const { dirname, relative } = require("node:path");
const { reporters, Runner } = require("mocha");

const { EVENT_HOOK_BEGIN, EVENT_RUN_END, EVENT_SUITE_BEGIN, EVENT_TEST_BEGIN, EVENT_TEST_FAIL, EVENT_TEST_PENDING } =
	Runner.constants;
/** Of `/proc`, on every Linux. */
const TICK_MS = 10;

const fileOf = ({ file }) => (file === undefined ? "" : relative(process.cwd(), file));
/** What to look for to run it again: of a hook, all that it is for. */
const nameOf = (failed) => (failed.type === "hook" ? failed.parent : failed).fullTitle();

/** What `skip` of skip.ts has said of a test, or of a suite around it. */
function reasonOf(skipped) {
	for (let at = skipped; at !== undefined; at = at.parent) if (at.skipReason !== undefined) return at.skipReason;
	return "no reason is given";
}

/**
 * Of this process, and of those that it has started and that have ended: where the system does not tell, of
 * this process only.
 */
function processorMs() {
	try {
		// `man 5 proc`: utime, stime, cutime, cstime
		const values = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1).split(" ").slice(11, 15);
		return values.reduce((sum, value) => sum + Number(value), 0) * TICK_MS;
	} catch {
		const { user, system } = process.cpuUsage();
		return (user + system) / 1000;
	}
}

/** How much wall and processor time each folder of tests takes. */
class Costs {
	folders = {};
	#folder = "(loading)";
	#wallMs = 0; // since the process started
	#processorMs = 0;

	/** What comes now is of another folder. */
	turnTo(folder) {
		const [wallMs, processor] = [performance.now(), processorMs()];
		const before = this.folders[this.#folder] ?? { wallMs: 0, processorMs: 0 };
		this.folders[this.#folder] = {
			wallMs: before.wallMs + wallMs - this.#wallMs,
			processorMs: before.processorMs + processor - this.#processorMs,
		};
		[this.#folder, this.#wallMs, this.#processorMs] = [folder, wallMs, processor];
	}
}

module.exports = class extends reporters.Spec {
	constructor(runner, options) {
		super(runner, options);
		const results = process.env.OPENCOUPLING_TEST_RESULTS;
		if (results === undefined) return; // `npx mocha`
		mkdirSync(dirname(results), { recursive: true });
		const costs = new Costs();
		const failures = [];
		const skips = {};
		const write = (rest) => {
			const { passes = 0, failures: failed = 0, pending = 0 } = runner.stats ?? {};
			writeFileSync(
				results,
				JSON.stringify({ passed: passes, failed, skipped: pending, failures, skips, costs: costs.folders, ...rest }),
			);
		};
		const begins = (runnable) => write({ running: { file: fileOf(runnable), name: runnable.fullTitle() }, ended: false });
		runner.on(EVENT_SUITE_BEGIN, (suite) => suite.file && costs.turnTo(fileOf(suite).split("/").slice(0, 2).join("/")));
		runner.on(EVENT_TEST_BEGIN, begins);
		runner.on(EVENT_HOOK_BEGIN, begins);
		runner.on(EVENT_TEST_FAIL, (failed, error) => {
			failures.push({ file: fileOf(failed), name: nameOf(failed), said: String(error?.message ?? error).split("\n")[0] });
		});
		runner.on(EVENT_TEST_PENDING, (test) => {
			const why = `${fileOf(test)}: ${reasonOf(test)}`;
			skips[why] = (skips[why] ?? 0) + 1;
		});
		runner.once(EVENT_RUN_END, () => {
			costs.turnTo("");
			write({ ended: true });
		});
	}
};
