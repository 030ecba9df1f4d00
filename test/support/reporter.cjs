// Mocha's spec reporter, which also leaves counts and failures for tools/mocha-run.mjs in the file that it names.
const { mkdirSync, writeFileSync } = require("node:fs");
const { dirname, relative } = require("node:path");
const { reporters, Runner } = require("mocha");

/** What to look for to run it again: of a hook, all that it is for. */
const nameOf = (failed) => (failed.type === "hook" ? failed.parent : failed).fullTitle();

module.exports = class extends reporters.Spec {
	constructor(runner, options) {
		super(runner, options);
		let retried = 0;
		runner.on(Runner.constants.EVENT_TEST_RETRY, () => retried++);
		const failures = [];
		runner.on(Runner.constants.EVENT_TEST_FAIL, (failed, error) => {
			const said = String(error?.message ?? error).split("\n")[0];
			failures.push({ file: relative(process.cwd(), failed.file), name: nameOf(failed), said });
		});
		runner.once(Runner.constants.EVENT_RUN_END, () => {
			const { passes, failures: failed, pending } = runner.stats;
			const file = process.env.OPENCOUPLING_TEST_RESULTS;
			if (file === undefined) return; // `npx mocha`
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, JSON.stringify({ passed: passes, failed, skipped: pending, retried, failures }));
		});
	}
};
