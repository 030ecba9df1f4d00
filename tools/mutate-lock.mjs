// Tests the tests of src/lock: changes one comparison, sign, connective or number at a time in a copy and sees whether test/lock notices.
// Usage: node tools/mutate-lock.mjs [--every N] (only each Nth mutant: the short form for CI). Prints survivors; exit code 1 if one of
// them is not in ALLOWED, or if an entry of ALLOWED does not survive any more (full run only).
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { buildSync, transformSync } from "esbuild";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const FOLDER = `${ROOT}build/mutants`;
/** A mutant that takes longer runs in a circle. The tests take a fraction of a second. */
const TIME_LIMIT_MS = 20_000;

// Why nobody can notice.
const AT_A_POINT = "at a point both neighbouring pieces give the point's value";
const SEARCH_START = "only where the search starts: it goes on to the same place, or starts at the low end";
const SAME_CELL = "not used, or times a difference of 0, where both neighbours are the same bin";
const NO_MODE = "any number that is no mode in force will do, STOCK included";
const EQUAL = "equal numbers give the same result";
/** Mutants that behave like the original: the changed line, and why. */
const ALLOWED = new Map([
	["const MIDDLE_ROW = MAP_ROWS << 1;", SEARCH_START],
	["const MIDDLE_ROW = MAP_ROWS >> 2;", SEARCH_START],
	["const MIDDLE_ROW = MAP_ROWS >> 0;", SEARCH_START],
	["const MIDDLE_COLUMN = MAP_COLUMNS << 1;", SEARCH_START],
	["const MIDDLE_COLUMN = MAP_COLUMNS >> 2;", SEARCH_START],
	["const MIDDLE_COLUMN = MAP_COLUMNS >> 0;", SEARCH_START],
	["let i = 0;", SEARCH_START],
	["nextRow = pedalPercent >= rows[MIDDLE_ROW] ? MIDDLE_ROW + 1 : 1;", AT_A_POINT],
	["nextRow = pedalPercent > rows[MIDDLE_ROW] ? MIDDLE_ROW - 1 : 1;", SEARCH_START],
	["nextRow = pedalPercent > rows[MIDDLE_ROW] ? MIDDLE_ROW + 0 : 1;", SEARCH_START],
	["nextRow = pedalPercent > rows[MIDDLE_ROW] ? MIDDLE_ROW + 1 : 0;", SEARCH_START],
	["nextColumn = speedKmh >= columns[MIDDLE_COLUMN] ? MIDDLE_COLUMN + 1 : 1;", AT_A_POINT],
	["nextColumn = speedKmh > columns[MIDDLE_COLUMN] ? MIDDLE_COLUMN - 1 : 1;", SEARCH_START],
	["nextColumn = speedKmh > columns[MIDDLE_COLUMN] ? MIDDLE_COLUMN + 0 : 1;", SEARCH_START],
	["nextColumn = speedKmh > columns[MIDDLE_COLUMN] ? MIDDLE_COLUMN + 1 : 0;", SEARCH_START],
	["if (x >= xs[last]) return ys[last];", AT_A_POINT],
	["if (pedalPercent < rows[0]) nextRow = row = 0;", AT_A_POINT],
	["else if (pedalPercent <= rows[row]) {", AT_A_POINT],
	["while (pedalPercent >= rows[nextRow]) nextRow++;", AT_A_POINT],
	["if (speedKmh < columns[0]) nextColumn = column = 0;", AT_A_POINT],
	["else if (speedKmh <= columns[column]) {", AT_A_POINT],
	["while (speedKmh >= columns[nextColumn]) nextColumn++;", AT_A_POINT],
	["let rowRatio = 1;", SAME_CELL],
	["let rowRatio = -1;", SAME_CELL],
	["let columnRatio = 1;", SAME_CELL],
	["let columnRatio = -1;", SAME_CELL],
	["const pedalPercent = pedal <= 0 ? 0 : pedal > 100 ? 100 : pedal;", EQUAL],
	["const pedalPercent = pedal < 0 ? 0 : pedal >= 100 ? 100 : pedal;", EQUAL],
	["const rate = target >= last ? engageRate : releaseRate;", "equal numbers returned before"],
	["if (target >= last + step) next = fround(last + step);", EQUAL],
	["else if (target <= last - step) next = fround(last - step);", EQUAL],
	["state.mode = -2;", NO_MODE],
	["state.mode = -0;", NO_MODE],
	["state.gateHeldMs = 1;", "the dwell is a minimum, and the tick at its end adds more than this"],
	["return rampLock(state, 0, elapsedMs, 1, ownRate === 0 || ownRate > rate ? ownRate : rate);", "nothing rises towards 0"],
	["return rampLock(state, 0, elapsedMs, -1, ownRate === 0 || ownRate > rate ? ownRate : rate);", "nothing rises towards 0"],
	["return rampLock(state, 0, elapsedMs, 0, ownRate === 0 || ownRate >= rate ? ownRate : rate);", EQUAL],
]);

const SWAPPED = {
	"<": ["<=", ">"],
	"<=": ["<", ">"],
	">": [">=", "<"],
	">=": [">", "<"],
	"===": ["!=="],
	"!==": ["==="],
	"&&": ["||"],
	"||": ["&&"],
	"+": ["-"],
	"-": ["+"],
	"*": ["/"],
	"/": ["*"],
	">>": ["<<"],
};
// Comments and texts are skipped, binary operators stand between blanks (the formatter sees to it), so types are left alone.
const TOKENS =
	/\/\*[\s\S]*?\*\/|\/\/.*|"[^"]*"|(?<= )(?:===|!==|<=|>=|>>|&&|\|\||[<>+\-*/])(?= |\n)|(?<![\w.])\d[\d_]*(?:\.\d+)?(?!\w)/g;

/** All mutants of a source: where, what it becomes. */
function* mutantsOf(file, source) {
	for (const match of source.matchAll(TOKENS)) {
		const token = match[0];
		const value = Number(token.replaceAll("_", ""));
		const replacements = SWAPPED[token] ?? (/^\d/.test(token) ? [`${value + 1}`, `${value - 1}`] : []);
		for (const replacement of replacements) {
			const text = source.slice(0, match.index) + replacement + source.slice(match.index + token.length);
			const number = source.slice(0, match.index).split("\n").length;
			yield { file, text, number, was: source.split("\n")[number - 1].trim(), is: text.split("\n")[number - 1].trim() };
		}
	}
}

const toJavaScript = (text) => transformSync(text, { loader: "ts", format: "esm", target: "es2022" }).code;

/** Sources and tests as JavaScript in a folder of its own. */
function makeWorker(index) {
	const folder = `${FOLDER}/${index}`;
	for (const part of ["src/lock", "test/lock"]) {
		const entryPoints = readdirSync(`${ROOT}${part}`).map((name) => `${ROOT}${part}/${name}`);
		buildSync({ entryPoints, outdir: `${folder}/${part}`, format: "esm", target: "es2022" });
	}
	writeFileSync(`${folder}/package.json`, '{ "type": "module" }\n');
	return folder;
}

/** Runs the tests of a worker. @returns true if they pass */
function testsPass(folder) {
	const command = [`${ROOT}node_modules/mocha/bin/mocha.js`, "--no-config", "--bail", "--reporter", "dot", "test/lock/*.js"];
	return new Promise((resolve) => {
		execFile(process.execPath, command, { cwd: folder, timeout: TIME_LIMIT_MS, killSignal: "SIGKILL" }, (error) =>
			resolve(!error),
		);
	});
}

const everyAt = process.argv.indexOf("--every");
const every = everyAt < 0 ? 1 : Number(process.argv[everyAt + 1]);
if (!(every >= 1)) throw new Error("--every needs a number from 1 on");
rmSync(FOLDER, { recursive: true, force: true });

const mutants = readdirSync(`${ROOT}src/lock`)
	.flatMap((file) => [...mutantsOf(file, readFileSync(`${ROOT}src/lock/${file}`, "utf8"))])
	.filter((_, i) => i % every === 0);
const survivors = [];
let next = 0;
async function work(index) {
	const folder = makeWorker(index);
	if (!(await testsPass(folder))) throw new Error("the tests fail on the unchanged source");
	for (let mutant = mutants[next++]; mutant !== undefined; mutant = mutants[next++]) {
		const path = `${folder}/src/lock/${mutant.file.replace(/ts$/, "js")}`;
		const original = readFileSync(path);
		writeFileSync(path, toJavaScript(mutant.text));
		if (await testsPass(folder)) survivors.push(mutant);
		writeFileSync(path, original);
	}
}
await Promise.all(cpus().map((_, index) => work(index)));

const unexplained = survivors.filter(({ is }) => !ALLOWED.has(is));
for (const { file, number, was, is } of unexplained) console.log(`src/lock/${file}:${number}\n\t${was}\n\t${is}`);
const stale = every > 1 ? [] : [...ALLOWED.keys()].filter((line) => !survivors.some(({ is }) => is === line));
for (const line of stale) console.log(`no survivor any more, take it off the list: ${line}`);
console.log(`${mutants.length} mutants, ${mutants.length - survivors.length} killed, ${survivors.length} survived, of those`);
console.log(`${survivors.length - unexplained.length} equivalent (explained in ALLOWED), ${unexplained.length} not explained`);
if (unexplained.length > 0 || stale.length > 0) process.exit(1);
