// `npm run bench`: every measured figure. Counts where possible, so that a noisy machine does not matter.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { argumentsOf } from "./command-line.mjs";
import { SetupError, setup } from "./setup.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const HELP = `usage: npm run bench -- [--short] [--json]
Measures what the controller costs; exit code 1 if a figure is missed.

  --short             requests that read, those of a driver at the wheel, control ticks of generation 5 in MAP
  --json              nothing but a line of JSON for each measurement, without tables
  --help              this text
`;
const flag = Object.freeze({ type: "boolean", default: false });
const { json: isJson } = argumentsOf(HELP, () => parseArgs({ options: { short: flag, json: flag } }).values);
const options = process.argv.slice(2);
const ALL = [["gateway.mjs"], ["interrupt.mjs"], ["instructions.mjs", ...options], ["every-turn.mjs", ...options]];

/** Prints what a measurement prints, or its JSON alone. @param {string[]} command @returns {boolean} whether it held */
function run([name, ...args]) {
	const stdout = isJson ? "pipe" : "inherit";
	const run = spawnSync(process.execPath, [`${root}tools/bench/${name}`, ...args], {
		stdio: ["inherit", stdout, "inherit"],
		encoding: "utf8",
	});
	for (const line of (run.stdout ?? "").split("\n")) if (line.startsWith("{")) console.log(line);
	return run.status === 0;
}

try {
	await setup();
	for (const bench of ALL)
		if (!run(bench)) {
			console.error(`npm run bench: ${bench[0]} missed its figure or failed`);
			process.exitCode = 1;
		}
} catch (error) {
	if (!(error instanceof SetupError)) throw error;
	console.error(`npm run bench: ${error.message}`);
	process.exitCode = 1;
}
