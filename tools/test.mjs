// `npm test`: sets up what is missing, then runs everything that must hold. Ends with a line "N passed, N failed" from the real results.
// Usage: node tools/test.mjs [MOCHA ARGUMENT]... (for example a file, or --grep TEXT)
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SetupError, setup } from "./setup.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const results = `${root}build/test/results.json`;

function run(mochaArguments) {
	rmSync(results, { force: true });
	const { status, signal } = spawnSync(process.execPath, ["node_modules/mocha/bin/mocha.js", ...mochaArguments], {
		cwd: root,
		stdio: "inherit",
	});
	let counts;
	try {
		counts = JSON.parse(readFileSync(results, "utf8"));
	} catch {
		console.error(`npm test: mocha ended without results (${signal ?? `exit code ${status}`})`);
		return 1;
	}
	const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
	console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
	return status === 0 && counts.passed > 0 ? 0 : 1;
}

try {
	await setup();
	const given = process.argv.slice(2);
	process.exitCode = run(given.length > 0 ? given : ["test/**/*.test.ts"]);
} catch (error) {
	if (!(error instanceof SetupError)) throw error;
	console.error(`npm test: ${error.message}`);
	process.exitCode = 1;
}
