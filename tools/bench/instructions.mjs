// What the controller's work costs: instructions of the JavaScript thread, counted by callgrind (work.mjs), against baseline.json.
// Usage: node tools/bench/instructions.mjs [--short] [--json] [--update-baseline]
//   --short: requests that read or that a driver makes while driving, control ticks of generation 5 in three modes. --json: one line of JSON instead
//   of a table. --update-baseline: writes what was counted.
// Exit code 1 when a count has grown; another compiler or C library than the baseline's gives other counts, and is only told.
import { readFileSync } from "node:fs";
import { locked } from "../lock.mjs";
import { compare, readBaseline, TURN_INSTRUCTIONS, toolsOf, writeBaseline } from "./baseline.mjs";
import { missingForCounting, PROGRAM } from "./counted-controller.mjs";
import { FOLDER } from "./replayed-drive.mjs";
import { countWork } from "./work.mjs";

const isShort = process.argv.includes("--short");
const updates = process.argv.includes("--update-baseline");
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
/** @type {Record<string, string>} */
const madeWith = toolsOf(readFileSync(new URL(`../../${PROGRAM}`, import.meta.url)));
const { rows, longest, limits } = await locked(
	`${FOLDER}/count.lock`,
	() => countWork({ isShort }),
	(pid) => console.error(`waiting for another count in this folder (process ${pid}) ...`),
);
if (process.argv.includes("--json")) console.log(JSON.stringify({ bench: "instructions", madeWith, rows, longest, limits }));
else {
	printTable(rows);
	printLongest(longest);
}
for (const { name, instructions, most } of limits) {
	const line = `${name}: ${text(instructions)} instructions, ${text(most)} are allowed`;
	console.error(instructions > most ? `too much: ${line}` : line);
	if (instructions > most) process.exitCode = 1;
}
if (updates) {
	if (isShort) throw new Error("a baseline has all rows: not with --short");
	writeBaseline(rows, madeWith);
} else {
	const baseline = readBaseline();
	const { grown, fallen } = compare(rows, baseline, { isWhole: !isShort });
	const others = Object.keys(madeWith).filter((tool) => madeWith[tool] !== baseline.madeWith[tool]);
	for (const line of fallen) console.error(`cheaper: ${line}`);
	for (const line of grown) console.error(`${others.length ? "differs" : "grown"}: ${line}`);
	const because = "npm run bench -- --update-baseline takes the new counts; the commit says why";
	if (others.length > 0)
		console.error(
			`not judged: the baseline was made with ${others.map((tool) => `${baseline.madeWith[tool]}, this is ${madeWith[tool]}`).join("; ")}`,
		);
	else if (grown.length + fallen.length > 0) console.error(because);
	if (grown.length > 0 && others.length === 0) process.exitCode = 1;
}
