// `npm run bench`: every measured figure. Counts, so that a noisy machine does not matter.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { SetupError, setup } from "./setup.mjs";
import { importTypeScript } from "./typescript.mjs";

const ALL = ["interrupt", "instructions"];
const HELP = `usage: npm run bench -- [--short] [MEASUREMENT]...
Measures what the controller costs; exit code 1 if a figure is missed.

  MEASUREMENT         ${ALL.join(", ")}; default: all
  --short             of the instructions: requests that read, those of a driver at the wheel, control ticks of
                      generation 5 in MAP
  --help              this text
`;
const EXIT_USAGE = 2;
process.chdir(fileURLToPath(new URL("../", import.meta.url)));

/** Before anything is set up or run. */
function parse() {
	try {
		const { values, positionals } = parseArgs({
			options: { short: { type: "boolean", default: false }, help: { type: "boolean", default: false } },
			allowPositionals: true,
		});
		for (const name of positionals) if (!ALL.includes(name)) throw new Error(`${name}: ${ALL.join(", ")} are allowed`);
		return { ...values, chosen: positionals.length > 0 ? positionals : ALL };
	} catch (error) {
		process.stderr.write(`${error.message}\n${HELP}`);
		process.exit(EXIT_USAGE);
	}
}

const { short: isShort, help, chosen } = parse();
if (help) {
	process.stdout.write(HELP);
	process.exit(0);
}

try {
	await setup();
	for (const name of chosen) {
		const { [name]: measure } = await importTypeScript(`bench/${name}.ts`);
		if (await measure(isShort)) continue;
		console.error(`npm run bench: ${name} missed its figure`);
		process.exitCode = 1;
	}
} catch (error) {
	if (!(error instanceof SetupError)) throw error;
	console.error(`npm run bench: ${error.message}`);
	process.exitCode = 1;
}
