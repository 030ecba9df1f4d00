// `npm run mutation -- [--grep TEXT]`, of files with TEXT in their path.
// Tests the tests of the folders below: changes one comparison, sign, connective or number at a time and sees
// whether the tests of the same folder notice. Prints survivors as they are found; exit code 1 if one of them
// is not explained in tools/mutation/equivalent.mjs, or if one that is explained there is killed (looked at
// where all mutants of its file were made).
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs, promisify } from "node:util";
import { link, objectsOf } from "./c-objects.mjs";
import { EQUIVALENT } from "./mutation/equivalent.mjs";
import { mutantsOf } from "./mutation/mutants.mjs";

/** @typedef {import("./mutation/mutants.mjs").Mutant} Mutant */

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** Folders of `src/`, and one of `modules/` that is C. */
const FOLDERS = ["lock", "controller", "coupling", "storage", "http", "update", "can-gateway"];
const C_FOLDER = "can-gateway";
/** Part of a folder, if not all: of HTTP the readers of foreign bytes. @type {Record<string, RegExp>} */
const PARTS = { http: /\/(multipart|request.*)\.ts$/ };
/** Tests that take longer than this and many times as long as unchanged run in a circle. */
const CIRCLE_MS = 5_000;
const CIRCLE_TIMES = 5;
const UNCHANGED_LIMIT_MS = 300_000;
const SIDE_BY_SIDE = 2;
/** All cases of C take some ms. */
const CIRCLE_SECONDS_OF_C = 3;

const BUILD = `${ROOT}build/mutation`;
const COMPILER = process.env.CC ?? "cc";
const INCLUDING = ["-std=c11", `-I${ROOT}modules/${C_FOLDER}`];
/** Optimized and without lines, so that a mutant that means the same becomes the same object. */
const PLAIN = ["-O1", ...INCLUDING];
/** As in test/modules/can-gateway/build.ts, so that the objects are those of the tests. */
const SANITIZERS = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
const SANITIZED = ["-std=c11", "-g", "-Wall", "-Wextra", "-Wconversion", "-Werror", ...SANITIZERS, INCLUDING[1]];

/**
 * Files below a folder, paths from the root.
 * @param {string} folder
 * @param {string} suffix
 */
function filesIn(folder, suffix) {
	return readdirSync(`${ROOT}${folder}`, { recursive: true })
		.map((name) => `${folder}/${name}`)
		.filter((path) => path.endsWith(suffix))
		.sort();
}

/** @param {Mutant} mutant */
const isExplained = ({ file, place, change }) =>
	(EQUIVALENT[file] ?? []).some(([where, changes]) => where === place && changes.split(", ").includes(change));

/** The C that needs no engine. */
const coreFiles = () => filesIn(`modules/${C_FOLDER}`, ".c").filter((path) => !basename(path).startsWith(`${C_FOLDER}-`));
/** Its tests; what lies below their folder is another program. */
const casesOfC = () => filesIn(`test/modules/${C_FOLDER}`, ".c").filter((path) => !path.includes("/differential/"));

/**
 * Asks the test of the file's name first: it kills most mutants, in a fraction of the time.
 * @param {Mutant | undefined} mutant of TypeScript; undefined: the unchanged source
 * @param {string} file from the root
 * @param {string} folder for files
 * @param {number} limitMs
 * @returns {Promise<boolean>} whether the tests pass
 */
async function passes(mutant, file, folder, limitMs) {
	const ofFolder = filesIn(`test/${file.split("/")[1]}`, ".test.ts");
	const named = ofFolder.filter((path) => path === file.replace(/^src(.*)\.ts$/, "test$1.test.ts"));
	const others = ofFolder.filter((path) => !named.includes(path));
	const source = `${folder}/mutant.ts`;
	if (mutant !== undefined) writeFileSync(source, mutant.text);
	const env = mutant && {
		...process.env,
		OPENCOUPLING_MUTATED: pathToFileURL(`${ROOT}${file}`).href,
		OPENCOUPLING_MUTANT: source,
	};
	for (const tests of [named, others]) {
		if (tests.length === 0) continue;
		const mocha = [
			"--import=./test/support/register.mjs",
			`${ROOT}node_modules/mocha/lib/cli/cli.js`,
			"--bail",
			"--reporter=dot",
		];
		try {
			await execute(process.execPath, [...mocha, ...tests], { cwd: ROOT, env, timeout: limitMs, killSignal: "SIGKILL" });
		} catch (error) {
			// a string: the tests were not even started
			if (typeof (/** @type {{ code?: unknown }} */ (error).code) === "string") throw error;
			return false;
		}
	}
	return true;
}

/**
 * Links and runs all cases.
 * @param {readonly string[]} objects
 * @param {string} program
 * @returns {Promise<boolean>} whether they pass
 */
async function casesPass(objects, program) {
	link(COMPILER, [...SANITIZERS, "-pthread"], objects, program);
	return execute("sh", ["-c", `ulimit -t ${CIRCLE_SECONDS_OF_C}; exec "$0"`, program]).then(
		() => true,
		() => false,
	);
}

/**
 * @param {Mutant} mutant of C
 * @param {string} folder for files
 * @returns {Promise<boolean | undefined>} whether the tests pass; undefined: it is no other program
 */
async function passesInC(mutant, folder) {
	const [source, object] = [`${folder}/${basename(mutant.file)}`, `${folder}/mutant.o`];
	writeFileSync(source, mutant.text);
	const others = [...coreFiles(), ...casesOfC()].filter((path) => path !== mutant.file);
	const unchanged = objectsOf(
		COMPILER,
		SANITIZED,
		others.map((path) => ROOT + path),
	);
	for (const options of [PLAIN, SANITIZED]) {
		try {
			await execute(COMPILER, [...options, "-w", "-c", "-o", object, source]);
		} catch {
			return undefined;
		}
		if (options === PLAIN) {
			const [same] = objectsOf(COMPILER, options, [ROOT + mutant.file]);
			if (readFileSync(object).equals(readFileSync(same))) return undefined;
		}
		if (!(await casesPass([...unchanged, object], `${folder}/unit`))) return false;
	}
	return true;
}

/**
 * Runs the tests of a file before anything is changed.
 * @param {string} file
 * @param {string} folder for files
 * @returns {Promise<number>} after how many ms a mutant runs in a circle
 * @throws {Error} they fail
 */
async function measure(file, folder) {
	const from = performance.now();
	let passed = false;
	if (file.endsWith(".c")) {
		const sources = [...coreFiles(), ...casesOfC()].map((path) => ROOT + path);
		passed = await casesPass(objectsOf(COMPILER, SANITIZED, sources), `${folder}/unit`);
	} else passed = await passes(undefined, file, folder, UNCHANGED_LIMIT_MS);
	if (!passed) throw new Error(`the tests of ${file.split("/")[1]} fail on the unchanged source`);
	return Math.ceil(CIRCLE_MS + CIRCLE_TIMES * (performance.now() - from));
}

/**
 * Makes mutants and tests them.
 * @param {{ folders?: string[], every?: number, grep?: string, found?: (unexplained: Mutant) => void }} options
 * @returns {Promise<{ mutants: number, explained: number, unexplained: Mutant[], stale: string[] }>}
 *   stale: explained, but killed
 */
export async function mutation({ folders = FOLDERS, every = 1, grep = "", found = () => {} } = {}) {
	const files = folders
		.flatMap((folder) => (folder === C_FOLDER ? coreFiles() : filesIn(`src/${folder}`, ".ts")))
		.filter((path) => PARTS[path.split("/")[1]]?.test(path) ?? true)
		.filter((path) => !path.includes("/generated/")) // a test compares it with what the sources next to it make
		.filter((path) => path.includes(grep));
	const isWhole = every === 1;
	const mutants = files
		.flatMap((file) => [...mutantsOf(file, readFileSync(`${ROOT}${file}`, "utf8"))])
		.filter((_, i) => i % every === 0)
		// that these survive only the whole run asks
		.filter((mutant) => isWhole || !isExplained(mutant));
	/** By folder of tests. @type {Record<string, number>} */
	const limits = {};
	mkdirSync(`${BUILD}/0`, { recursive: true });
	for (const { file } of mutants) limits[file.split("/")[1]] ??= await measure(file, `${BUILD}/0`);
	/** @type {Mutant[]} */
	const survivors = [];
	let next = 0;
	let nothing = 0;
	/**
	 * @param {unknown} _
	 * @param {number} number of the worker
	 */
	const work = async (_, number) => {
		const folder = `${BUILD}/${number}`;
		mkdirSync(folder, { recursive: true });
		for (let mutant = mutants[next++]; mutant !== undefined; mutant = mutants[next++]) {
			const { file } = mutant;
			const passed = await (file.endsWith(".c")
				? passesInC(mutant, folder)
				: passes(mutant, file, folder, limits[file.split("/")[1]]));
			if (passed === undefined) nothing++;
			if (!passed) continue;
			survivors.push(mutant);
			if (!isExplained(mutant)) found(mutant);
		}
	};
	await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));

	const unexplained = survivors.filter((mutant) => !isExplained(mutant));
	const stale = Object.entries(EQUIVALENT)
		.filter(([file]) => isWhole && file.includes(grep))
		.flatMap(([file, rows]) => rows.flatMap(([place, changes]) => changes.split(", ").map((change) => ({ file, place, change }))))
		.filter(
			(row) => !survivors.some(({ file, place, change }) => file === row.file && place === row.place && change === row.change),
		)
		.map(({ file, place, change }) => `${file}, ${place}: ${change}`);
	return { mutants: mutants.length - nothing, explained: survivors.length - unexplained.length, unexplained, stale };
}

async function main() {
	const { values } = parseArgs({ options: { grep: { type: "string" } } });
	const result = await mutation({
		grep: values.grep,
		found: ({ file, line, place, change, was, is }) => console.log(`${file}:${line}, ${place}: ${change}\n\t${was}\n\t${is}`),
	});
	for (const line of result.stale) console.log(`no survivor any more, take it off the list: ${line}`);
	const { mutants, explained, unexplained, stale } = result;
	console.log(`${mutants} mutants, ${mutants - explained - unexplained.length} killed, ${explained} equivalent (explained), `);
	console.log(`${unexplained.length} survived unexplained, ${stale.length} explained in vain`);
	return unexplained.length === 0 && stale.length === 0 && mutants > 0 ? 0 : 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) process.exit(await main());
