// The slowest turn of everything that happens in a short life of the controller (every-turn.ts), which no
// request or tick of work.mjs is. Usage: node tools/bench/every-turn.mjs [--short] [--json]. Exit code 1 if
// one takes more than TURN_INSTRUCTIONS, or a control tick more than its own limit.
import { fileURLToPath } from "node:url";
import { locked } from "../lock.mjs";
import { importTypeScript } from "../typescript.mjs";
import { missingForCounting } from "./counted-controller.mjs";
import { TICK_INSTRUCTIONS, TURN_INSTRUCTIONS } from "./limits.mjs";
import { FOLDER } from "./replayed-drive.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const missing = missingForCounting();
if (missing) {
	console.log(`skipped: counting instructions needs ${missing}`);
	process.exit(0);
}
process.chdir(ROOT);
const { everyTurn } = await importTypeScript("bench/every-turn.ts");
const isShort = process.argv.includes("--short");
/** @type {readonly import("./turn-log.mjs").Slowest[]} */
const all = await locked(
	`${FOLDER}/every-turn.lock`,
	() => everyTurn(isShort),
	(pid) => console.error(`waiting for another count in this folder (process ${pid}) ...`),
);
/** @param {{ kind: string }} turn */
const most = ({ kind }) => (kind === "timer10" ? TICK_INSTRUCTIONS : TURN_INSTRUCTIONS);
/** @param {{ kind: string, instructions: number }} turn */
const isAllowed = (turn) => turn.kind === "start" || turn.instructions <= most(turn);
if (process.argv.includes("--json")) console.log(JSON.stringify({ bench: "every-turn", turns: all }));
else
	for (const { name, kind, instructions, turns } of all)
		console.log(
			`${name.padEnd(50)} ${kind.padEnd(9)} ${instructions.toLocaleString("en").padStart(10)} ${String(turns).padStart(6)}`,
		);
for (const turn of all.filter((one) => !isAllowed(one))) {
	const { name, kind, instructions } = turn;
	console.error(
		`too much: a turn of a ${kind}, ${name}: ${instructions.toLocaleString("en")} instructions, ${most(turn).toLocaleString("en")} are allowed`,
	);
	process.exitCode = 1;
}
