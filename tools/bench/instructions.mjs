// What the controller's work costs: instructions of the JavaScript thread, counted by callgrind (work.mjs),
// against limits.mjs. Usage: node tools/bench/instructions.mjs [--short] [--json]
//   --short: requests that read, a changed map, control ticks of generation 5 in MAP. --json: one line of JSON
//   instead of a table.
// Exit code 1 when something costs more than it may.
import { locked } from "../lock.mjs";
import { missingForCounting } from "./counted-controller.mjs";
import { TURN_INSTRUCTIONS, tooMuch } from "./limits.mjs";
import { FOLDER } from "./replayed-drive.mjs";
import { countWork } from "./work.mjs";

const isShort = process.argv.includes("--short");
/** @type {readonly [title: string, value: (row: import("./counting.mjs").Row) => number | string][]} */
const COLUMNS = [
	["instructions", ({ instructions }) => instructions],
	["per", ({ per }) => per],
	["longest turn", ({ turnInstructions }) => turnInstructions],
	["bytecodes", ({ bytecodes }) => bytecodes],
	["heap of a turn", ({ turnHeapBytes }) => turnHeapBytes],
	["collections", ({ collections }) => collections],
];

/** @param {string | number} value */
const text = (value) => (typeof value === "number" ? value.toLocaleString("en") : value);

/** @param {readonly import("./counting.mjs").Row[]} rows */
function printTable(rows) {
	const width = Math.max(...rows.map(({ name }) => name.length));
	/** @param {string} name @param {readonly string[]} cells */
	const line = (name, cells) =>
		console.log(
			`${name.padEnd(width)} ${cells.map((cell, i) => cell.padStart(Math.max(COLUMNS[i][0].length, 8) + 2)).join("")}`.trimEnd(),
		);
	line(
		"",
		COLUMNS.map(([title]) => title),
	);
	for (const row of rows)
		line(
			row.name,
			COLUMNS.map(([, value]) => text(value(row))),
		);
}

/** @param {Record<string, { instructions: number, during: string }>} longest */
function printLongest(longest) {
	console.log(`longest turn of each kind (at most ${text(TURN_INSTRUCTIONS)} are wanted):`);
	for (const [kind, { instructions, during }] of Object.entries(longest))
		console.log(`  ${kind.padEnd(12)} ${text(instructions).padStart(12)}  during ${during}`);
}

const missing = missingForCounting();
if (missing) {
	console.log(`skipped: counting instructions needs ${missing}`);
	process.exit(0);
}
const { rows, longest, limits } = await locked(
	`${FOLDER}/count.lock`,
	() => countWork({ isShort }),
	(pid) => console.error(`waiting for another count in this folder (process ${pid}) ...`),
);
if (process.argv.includes("--json")) console.log(JSON.stringify({ bench: "instructions", rows, longest, limits }));
else {
	printTable(rows);
	printLongest(longest);
}
for (const { name, instructions, most } of limits) {
	const line = `${name}: ${text(instructions)} instructions, ${text(most)} are allowed`;
	console.error(instructions > most ? `too much: ${line}` : line);
	if (instructions > most) process.exitCode = 1;
}
for (const line of tooMuch(rows)) {
	console.error(`too much: ${line}`);
	process.exitCode = 1;
}
