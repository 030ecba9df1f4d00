/** What the work cost when baseline.json was last written: a count must not grow unnoticed. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const PATH = new URL("baseline.json", import.meta.url);

/** Counts are the same on each machine with these tools; a change of the sources that nobody would call one moves them by less. */
const GROWTH_MAX = 0.03;
/** What one turn may take. */
export const TURN_INSTRUCTIONS = Number(
	/TURN_INSTRUCTIONS = ([\d_]+)/
		.exec(readFileSync(new URL("../../src/http/limits.ts", import.meta.url), "utf8"))?.[1]
		?.replaceAll("_", ""),
);
/** For the start, which takes more than that: where a collection of garbage falls is chance. */
const TURN_GROWTH_MAX = 0.1;

/** @typedef {import("./counting.mjs").Row} Row @typedef {{ madeWith: Record<string, string>, counts: Record<string, [number, number]> }} Baseline */

/** What the counts depend on beside the sources. @param {Uint8Array} program the host program */
export function toolsOf(program) {
	const text = Buffer.from(program).toString("latin1");
	// a program of clang's also names the GCC that made the C library's start files
	const compiler = /clang version [\w.+~-]+/.exec(text) ?? /GCC: \([^)]*\) [\d.]+/.exec(text);
	const valgrind = spawnSync("valgrind", ["--version"], { encoding: "utf8" }).stdout?.trim();
	const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
	return {
		compiler: compiler?.[0] ?? "unknown",
		libc: `glibc ${header.glibcVersionRuntime}`,
		valgrind,
		architecture: process.arch,
	};
}

/** @returns {Baseline} */
export const readBaseline = () => JSON.parse(readFileSync(PATH, "utf8"));

/**
 * Instructions of each row, and those of its dearest turn. @param {Row[]} rows
 * @param {Record<string, string>} madeWith with which tools
 */
export function writeBaseline(rows, madeWith) {
	const counts = Object.fromEntries(
		rows.map(({ name, instructions, turnInstructions }) => [name, [instructions, turnInstructions]]),
	);
	const text = JSON.stringify({ madeWith, counts }, null, "\t");
	writeFileSync(PATH, `${text.replace(/\[\s+(\d+),\s+(\d+)\s+\]/g, "[$1, $2]")}\n`); // a row a line
}

/** @param {number} now @param {number} before */
const percent = (now, before) => `${now > before ? "+" : ""}${((now / before - 1) * 100).toFixed(1)} %`;

/**
 * @param {Row[]} rows @param {Baseline} baseline @param {{ isWhole: boolean }} options isWhole: all rows were counted
 * @returns {{ grown: string[], fallen: string[] }} what is too much, a line each; and what has become cheaper by as much, which the baseline should
 * know
 */
export function compare(rows, { counts }, { isWhole }) {
	const grown = [];
	const fallen = [];
	for (const { name, instructions, turnInstructions } of rows) {
		if (counts[name] === undefined) {
			grown.push(`${name}: not in the baseline`);
			continue;
		}
		const [before, turnBefore] = counts[name];
		const change = `${name}: ${instructions} instructions, ${percent(instructions, before)}`;
		if (instructions > before * (1 + GROWTH_MAX)) grown.push(change);
		else if (instructions < before * (1 - GROWTH_MAX)) fallen.push(change);
		if (turnInstructions > Math.max(TURN_INSTRUCTIONS, turnBefore * (1 + TURN_GROWTH_MAX)))
			grown.push(`${name}: a turn of ${turnInstructions} instructions, ${percent(turnInstructions, turnBefore)}`);
	}
	const counted = new Set(rows.map(({ name }) => name));
	if (isWhole)
		grown.push(
			...Object.keys(counts)
				.filter((name) => !counted.has(name))
				.map((name) => `${name}: in the baseline, but not counted`),
		);
	return { grown, fallen };
}
