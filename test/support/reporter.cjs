// Mocha's spec reporter, which also leaves the counts in build/test/results.json for tools/test.mjs.
const { mkdirSync, writeFileSync } = require("node:fs");
const { reporters, Runner } = require("mocha");

module.exports = class extends reporters.Spec {
	constructor(runner, options) {
		super(runner, options);
		let retried = 0;
		runner.on(Runner.constants.EVENT_TEST_RETRY, () => retried++);
		runner.once(Runner.constants.EVENT_RUN_END, () => {
			const { passes, failures, pending } = runner.stats;
			mkdirSync("build/test", { recursive: true });
			writeFileSync("build/test/results.json", JSON.stringify({ passed: passes, failed: failures, skipped: pending, retried }));
		});
	}
};
