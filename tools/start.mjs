// `npm start`: sets up what is missing, then runs the controller with the simulated vehicle
// (tools/vehicle/start.ts).
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { SetupError, setupApart } from "./setup.mjs";
import { HELP } from "./vehicle/help.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));

async function main() {
	if (process.argv.includes("--help")) {
		process.stdout.write(HELP);
		return 0;
	}
	await setupApart();
	const { importTypeScript } = await import("./typescript.mjs"); // slow to load, and --help needs none
	const program = `${root}build/host/opencoupling`;
	const said = execFileSync(program, ["--help"], { encoding: "utf8" });
	console.log(said.match(/The JavaScript engine is .*$/m)?.[0]);
	const { start } = await importTypeScript("vehicle/start.ts");
	return start(process.argv.slice(2), program);
}

try {
	process.exit(await main());
} catch (error) {
	if (!(error instanceof SetupError)) throw error;
	if (error.message !== "") console.error(`npm start: ${error.message}`);
	process.exit(1);
}
