/**
 * What valgrind's log says of the turns of the host program (`hal/host/turns.h`), as far as it has been
 * written.
 */
import { closeSync, fstatSync, openSync, readSync, writeFileSync } from "node:fs";

const TURN = /\*\* turn (\D+)(\d+) bytecodes (\d+) slots (-?\d+) chunks (-?\d+) collections (\d+)/;
const SLOT_BYTES = 16; // of a board
/** The same functions of the C library on each computer: it has others for newer processors. */
const PLAIN_LIBC = "glibc.cpu.hwcaps=-AVX,-AVX2,-AVX_Fast_Unaligned_Load,-ERMS,-FSRM,-FMA,-FMA4";

/**
 * What one turn took. kind: "timer10" (fired each 10 ms), "timer0" (once), "socket", "collection", "start". heapBytes: of a board's heap; unknown
 * if garbage was collected meanwhile.
 * @typedef {{ kind: string, instructions: number, bytecodes: number, heapBytes: number | undefined, collections: number }} Turn
 */

/**
 * The slowest turn of what was done under one name.
 * @typedef {{ name: string, kind: string, instructions: number, turns: number }} Slowest
 */

/** The slowest of each kind, collections of garbage left out. @param {string} name @param {Turn[]} turns @returns {Slowest[]} */
export function slowestOf(name, turns) {
	const kinds = new Set(turns.map(({ kind }) => kind).filter((kind) => kind !== "collection"));
	return [...kinds].map((kind) => {
		const these = turns.filter((turn) => turn.kind === kind);
		return { name, kind, instructions: Math.max(...these.map(({ instructions }) => instructions)), turns: these.length };
	});
}

/** Command and arguments before those of the program, which needs `--count-turns`. @param {string} log as for `TurnLog` */
export const countedBy = (log) => [
	...["env", "-i", `PATH=${process.env.PATH}`, `GLIBC_TUNABLES=${PLAIN_LIBC}`],
	...["valgrind", "--tool=callgrind", "--instr-atstart=no", `--log-file=${log}`, "--callgrind-out-file=/dev/null"],
];

export class TurnLog {
	#file;
	#at = 0;
	#instructions = 0;

	/** Makes it empty. @param {string} path */
	constructor(path) {
		writeFileSync(path, "");
		this.#file = openSync(path, "r");
	}

	/** @returns {Turn[]} the turns since the last call */
	take() {
		const said = Buffer.alloc(fstatSync(this.#file).size - this.#at);
		this.#at += readSync(this.#file, said, 0, said.length, this.#at);
		const turns = [];
		let before = 0;
		for (const line of said.toString("latin1").split("\n")) {
			if (line.startsWith("events-1: ")) {
				before = this.#instructions;
				this.#instructions = Number(line.slice(10));
			}
			const match = TURN.exec(line);
			if (!match) continue;
			const [kind, intervalMs, ...numbers] = match.slice(1);
			const [bytecodes, slots, chunkBytes, collections] = numbers.map(Number);
			const heapBytes = collections === 0 ? slots * SLOT_BYTES + chunkBytes : undefined;
			const instructions = this.#instructions - before;
			turns.push({ kind: kind + (kind === "timer" ? intervalMs : ""), instructions, bytecodes, heapBytes, collections });
		}
		return turns;
	}

	close() {
		closeSync(this.#file);
	}
}
