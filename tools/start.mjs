// `npm start`: sets up what is missing, then runs the controller with the simulated vehicle
// (tools/vehicle/start.ts). The vehicle's TypeScript is bundled first: faster than loading it file by file,
// and independent of the Node version.
import { execFileSync } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { SetupError, setupApart } from "./setup.mjs";
import { HELP } from "./vehicle/help.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const bundle = `${root}build/tools/start.mjs`;

async function main() {
	if (process.argv.includes("--help")) {
		process.stdout.write(HELP);
		return 0;
	}
	setupApart();
	const { build, stop } = await import("esbuild");
	await build({
		entryPoints: [`${root}tools/vehicle/start.ts`],
		outfile: bundle,
		bundle: true,
		platform: "node",
		format: "esm",
		target: "node20",
		logLevel: "warning",
	});
	await stop();
	const program = `${root}build/host/opencoupling`;
	const said = execFileSync(program, ["--help"], { encoding: "utf8" });
	console.log(said.match(/The JavaScript engine is .*$/m)?.[0]);
	const { start } = await import(pathToFileURL(bundle).href);
	return start(process.argv.slice(2), program);
}

try {
	process.exit(await main());
} catch (error) {
	if (!(error instanceof SetupError)) throw error;
	if (error.message !== "") console.error(`npm start: ${error.message}`);
	process.exit(1);
}
