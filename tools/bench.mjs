// `npm run bench`: every measured figure. Counts, so that a noisy machine does not matter.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { argumentsOf } from "./command-line.mjs";
import { SetupError, setup } from "./setup.mjs";
import { importTypeScript } from "./typescript.mjs";

const ALL = ["gateway", "interrupt", "instructions"];
const HELP = `usage: npm run bench -- [--short] [MEASUREMENT]...
Measures what the controller costs; exit code 1 if a figure is missed.

  MEASUREMENT         ${ALL.join(", ")}; default: all
  --short             of the instructions: requests that read, those of a driver at the wheel, control ticks of
                      generation 5 in MAP
  --help              this text
`;
process.chdir(fileURLToPath(new URL("../", import.meta.url)));
const { isShort, chosen } = argumentsOf(HELP, () => {
	const { values, positionals } = parseArgs({ options: { short: { type: "boolean", default: false } }, allowPositionals: true });
	for (const name of positionals) if (!ALL.includes(name)) throw new Error(`${name}: ${ALL.join(", ")} are allowed`);
	return { isShort: values.short, chosen: positionals.length > 0 ? positionals : ALL };
});

/**
 * @param {string} name
 * @returns {Promise<boolean>} whether it held
 */
async function run(name) {
	if (name === "instructions") return (await importTypeScript("bench/instructions.ts")).instructions(isShort);
	return spawnSync(process.execPath, [`tools/bench/${name}.mjs`], { stdio: "inherit" }).status === 0;
}

try {
	await setup();
	for (const name of chosen)
		if (!(await run(name))) {
			console.error(`npm run bench: ${name} missed its figure or failed`);
			process.exitCode = 1;
		}
} catch (error) {
	if (!(error instanceof SetupError)) throw error;
	console.error(`npm run bench: ${error.message}`);
	process.exitCode = 1;
}
