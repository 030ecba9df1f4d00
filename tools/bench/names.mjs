/**
 * What answers to questions for names take, which on a computer never come: the name service alone, under
 * callgrind.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { bundle } from "../bundle.mjs";
import { countedBy, slowestOf, TurnLog } from "./turn-log.mjs";

const HOST = "build/host/opencoupling";
const FOLDER = "build/bench/names";
/**
 * Of the script's questions: DNS answers two, multicast DNS one, to all and to the client that asked. Of a
 * burst DNS answers nine.
 */
const ANSWERS = 4 + 9;

/** @returns {Promise<import("./turn-log.mjs").Slowest[]>} @throws {Error} other answers than these were sent */
export async function names() {
	mkdirSync(FOLDER, { recursive: true });
	await bundle({ entry: "tools/bench/names-core.ts", outfile: `${FOLDER}/core.js`, core: true });
	writeFileSync(`${FOLDER}/main.js`, '"use strict"; opencoupling.ask();\n');
	const log = new TurnLog(`${FOLDER}/turns.log`);
	const [command, ...before] = countedBy(`${FOLDER}/turns.log`);
	const parts = ["--core", `${FOLDER}/core.js`, "--app", `${FOLDER}/main.js`, "--flash", `${FOLDER}/flash`];
	const args = [...before, HOST, ...parts, "--count-turns", "--pace", "steps"];
	const run = spawnSync(command, args, { input: "run 4000\n", encoding: "utf8" });
	const turns = log.take().filter(({ kind }) => kind === "timer0");
	log.close();
	if (!run.stdout.includes(`{"sent":${ANSWERS}}`)) throw new Error(`${run.stdout}${run.stderr} exit code ${run.status}`);
	return slowestOf("a question for a name", turns);
}
