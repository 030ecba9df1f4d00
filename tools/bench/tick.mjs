// Bytecodes per control tick and heap taken by 10,000 of them, on the host XS with device-like limits, while a drive is replayed in virtual
// time. Counts, so they do not depend on the machine. Usage: node tools/bench/tick.mjs. Exit code 1 above the budget.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { bundle } from "../bundle.mjs";

const BUDGET_BYTECODES = 2500; // for the dearest tick in MAP mode
const SECONDS = 125;

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = `${root}build/bench`;
mkdirSync(folder, { recursive: true });

await build({
	entryPoints: [`${root}tools/bench/drive-log.ts`],
	outfile: `${folder}/drive-log.mjs`,
	bundle: true,
	platform: "node",
	format: "esm",
	logLevel: "warning",
});
const { writeDriveLog } = await import(pathToFileURL(`${folder}/drive-log.mjs`).href);
await bundle({ entry: `${root}tools/bench/tick.ts`, outfile: `${folder}/tick-core.js`, core: true });

let failed = false;
for (const generation of [5, 4]) {
	const log = `${folder}/drive-${generation}.log`;
	writeDriveLog(log, generation, SECONDS, "launch");
	const app = `${folder}/tick-main-${generation}.js`;
	const { writeFileSync } = await import("node:fs");
	writeFileSync(app, `"use strict"; opencoupling.measure(${generation});\n`);
	const run = spawnSync(
		`${root}build/host/opencoupling`,
		["--core", `${folder}/tick-core.js`, "--app", app, "--flash", `${folder}/flash`, "--replay", log, "--pace", "max"],
		{ encoding: "utf8" },
	);
	const line = run.stdout.split("\n").find((text) => text.startsWith("{"));
	if (run.status !== 0 || line === undefined) throw new Error(`${run.stdout}${run.stderr} exit code ${run.status}`);
	console.log(line);
	const result = JSON.parse(line);
	const heapTaken = result.slots !== 0 || result.chunkBytes !== 0 || result.collections !== 0;
	if (result.mostBytecodes > BUDGET_BYTECODES || heapTaken || result.activeTicks !== result.ticks) failed = true;
}
if (failed) process.exit(1);
