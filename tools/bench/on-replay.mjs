// Runs a script of this folder on the host XS, with device-like limits and on the real gateway, while a drive
// is replayed in virtual time: what it counts does not depend on the machine.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundle } from "../bundle.mjs";
import { FOLDER, replayedDrive } from "./replayed-drive.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * @param {string} name of the script, without ".ts" @param {number} generation of the car that drives
 * @param {number} seconds of the drive @param {string} call what to call of the script's exports, with arguments
 * @returns {Promise<string[]>} the lines of JSON that it printed @throws {Error} it printed none
 */
export async function runOnReplay(name, generation, seconds, call) {
	const log = await replayedDrive(name, generation, seconds, "launch");
	const core = `${FOLDER}/${name}-core.js`;
	await bundle({ entry: `${root}tools/bench/${name}.ts`, outfile: core, core: true });
	const app = `${FOLDER}/${name}-main.js`;
	writeFileSync(app, `"use strict"; opencoupling.${call};\n`);
	const options = ["--core", core, "--app", app, "--flash", `${FOLDER}/${name}-flash`, "--replay", log, "--pace", "max"];
	const run = spawnSync(`${root}build/host/opencoupling`, options, { encoding: "utf8" });
	const lines = run.stdout.split("\n").filter((text) => text.startsWith("{"));
	if (run.status !== 0 || lines.length === 0) throw new Error(`${run.stdout}${run.stderr} exit code ${run.status}`);
	return lines;
}
