/** What the controller's work costs: instructions of the JavaScript thread, against limits.ts. */
import { locked } from "../lock.mjs";
import { missingForCounting, type Row } from "./counted.js";
import { tooLong, tooMuch } from "./limits.js";
import { countWork } from "./work.js";

const COLUMNS: readonly (readonly [title: string, value: (row: Row) => number | string])[] = [
	["instructions", ({ instructions }) => instructions],
	["per", ({ per }) => per],
	["longest turn", ({ turnInstructions }) => turnInstructions],
	["bytecodes", ({ bytecodes }) => bytecodes],
	["heap of a turn", ({ turnHeapBytes }) => turnHeapBytes],
	["collections", ({ collections }) => collections],
];

function printTable(rows: readonly Row[]): void {
	const width = Math.max(...rows.map(({ name }) => name.length));
	const line = (name: string, cellOf: (column: (typeof COLUMNS)[number]) => string | number) => {
		const cells = COLUMNS.map((column) =>
			cellOf(column)
				.toLocaleString("en")
				.padStart(Math.max(column[0].length, 8) + 2),
		);
		console.log(`${name.padEnd(width)} ${cells.join("")}`.trimEnd());
	};
	line("", ([title]) => title);
	for (const row of rows) line(row.name, ([, value]) => value(row));
}

/** Counts and prints. @returns false if something costs more than it may */
export async function instructions(isShort: boolean): Promise<boolean> {
	const missing = missingForCounting();
	if (missing !== undefined) {
		console.log(`skipped: counting instructions needs ${missing}`);
		return true;
	}
	const { rows, slowest } = await locked(
		"build/bench/count.lock",
		() => countWork(isShort),
		(pid) => console.error(`waiting for another count in this folder (process ${pid}) ...`),
	);
	printTable(rows);
	console.log("longest turn of each kind:");
	for (const kind of new Set(slowest.map((turn) => turn.kind))) {
		const turns = slowest.filter((turn) => turn.kind === kind);
		const longest = turns.reduce((most, turn) => (turn.instructions > most.instructions ? turn : most));
		console.log(`  ${kind.padEnd(12)} ${longest.instructions.toLocaleString("en").padStart(12)}  during ${longest.during}`);
	}
	const complaints = [...tooMuch(rows), ...tooLong(slowest)];
	for (const complaint of complaints) console.error(`too much: ${complaint}`);
	return complaints.length === 0;
}
