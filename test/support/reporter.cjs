// Mocha's spec reporter, which also leaves the counts for tools/test.mjs in the file that it names.
const { mkdirSync, writeFileSync } = require("node:fs");
const { dirname } = require("node:path");
const { reporters, Runner } = require("mocha");

module.exports = class extends reporters.Spec {
	constructor(runner, options) {
		super(runner, options);
		let retried = 0;
		runner.on(Runner.constants.EVENT_TEST_RETRY, () => retried++);
		runner.once(Runner.constants.EVENT_RUN_END, () => {
			const { passes, failures, pending } = runner.stats;
			const file = process.env.OPENCOUPLING_TEST_RESULTS;
			if (file === undefined) return; // `npx mocha`
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, skipped: pending, retried }));
		});
	}
};
