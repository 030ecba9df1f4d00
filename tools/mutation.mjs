// `npm run mutation -- [--grep TEXT]`, of files with TEXT in their path.
// Tests the tests of the folders below: changes one comparison, sign, connective or number at a time and sees
// whether the tests of the folder notice. Prints survivors as they are found; exit code 1 if one of them
// is not explained in tools/mutation/equivalent.mjs, or if one that is explained there is killed (looked at
// where all mutants of its file were made).
import { execFile, fork } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs, promisify } from "node:util";
import { link, objectsOf } from "./c-objects.mjs";
import { EQUIVALENT, explains } from "./mutation/equivalent.mjs";
import { mutantsOf } from "./mutation/mutants.mjs";

/** @typedef {import("./mutation/mutants.mjs").Mutant} Mutant */

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** Folders of `src/`, and one of `modules/` that is C. */
const FOLDERS = ["lock", "controller", "vehicle", "coupling", "storage", "http", "update", "can-gateway"];
const C_FOLDER = "can-gateway";
/**
 * Part of a folder, if not all: of HTTP the readers of foreign bytes; of the vehicle all but the dashboard, which
 * only shows frames. @type {Record<string, RegExp>}
 */
const PARTS = { http: /\/(multipart|request.*)\.ts$/, vehicle: /\/(?!dashboard)[^/]*\.ts$/ };
/** Folders of tests that are asked, too: what a value of the vehicle is for. @type {Record<string, string[]>} */
const OTHER_TESTS = { vehicle: ["coupling", "controller"] };
/** Bundles the sources as they lie on the disk, so that it sees no mutant. */
const READS_SOURCES = /adding\.test\.ts$/;
/** A test that takes longer runs in a circle: unchanged, none takes 1 s on an idle machine. */
const CIRCLE_MS = 20_000;
const SIDE_BY_SIDE = 2;
/** No module of a mutant is ever freed: each takes about 2 MB. */
const RUNS_OF_PROCESS = 100;
/** All cases of C take some ms. */
const CIRCLE_SECONDS_OF_C = 3;

const BUILD = `${ROOT}build/mutation`;
const COMPILER = process.env.CC ?? "cc";
const FOLDER_OF_HEADERS = ["-I", `${ROOT}modules/${C_FOLDER}`];
/** Optimized and without lines, so that a mutant that means the same becomes the same object. */
const PLAIN = ["-O1", "-std=c11", ...FOLDER_OF_HEADERS];
/** As in test/modules/can-gateway/build.ts, so that the objects are those of the tests. */
const SANITIZERS = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
const SANITIZED = ["-std=c11", "-g", "-Wall", "-Wextra", "-Wconversion", "-Werror", ...SANITIZERS, ...FOLDER_OF_HEADERS];

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
const isExplained = (mutant) => (EQUIVALENT[mutant.file] ?? []).some((row) => explains(row, mutant));

/** The C that needs no engine. */
const coreFiles = () => filesIn(`modules/${C_FOLDER}`, ".c").filter((path) => !basename(path).startsWith(`${C_FOLDER}-`));
/** Its tests; what lies below their folder is another program. */
const casesOfC = () => filesIn(`test/modules/${C_FOLDER}`, ".c").filter((path) => !path.includes("/differential/"));

/**
 * The test of the file's name goes first: it kills most mutants, in a fraction of the time.
 * @param {string} file of TypeScript, from the root
 */
function testsOf(file) {
	const folder = file.split("/")[1];
	const named = file.replace(/^src(.*)\.ts$/, "test$1.test.ts");
	return [folder, ...(OTHER_TESTS[folder] ?? [])]
		.flatMap((name) => filesIn(`test/${name}`, ".test.ts"))
		.filter((path) => !READS_SOURCES.test(path))
		.sort((a, b) => Number(b === named) - Number(a === named));
}

/** A process of `mutation/tests.mjs`, started with the first mutant and after each that it did not survive. */
class Tester {
	/** @type {import("node:child_process").ChildProcess | undefined} */
	#process;
	#runs = 0;

	/** @param {string} folder for its files */
	constructor(folder) {
		this.folder = folder;
		mkdirSync(folder, { recursive: true });
	}

	/**
	 * @param {import("./mutation/tests.mjs").Request} request
	 * @returns {Promise<boolean>} whether the tests pass
	 */
	passes(request) {
		if (++this.#runs % RUNS_OF_PROCESS === 0) this.end();
		this.#process ??= fork(`${ROOT}tools/mutation/tests.mjs`, [this.folder], {
			cwd: ROOT,
			execArgv: ["--import=./test/support/register.mjs"],
			stdio: ["ignore", "ignore", "ignore", "ipc"],
		});
		const tester = this.#process;
		return new Promise((resolve) => {
			const timer = setTimeout(() => tester.kill("SIGKILL"), CIRCLE_MS);
			const end = (/** @type {boolean} */ passed) => {
				clearTimeout(timer);
				tester.removeAllListeners();
				resolve(passed);
			};
			tester.on("message", (passed) => (typeof passed === "boolean" ? end(passed) : timer.refresh()));
			tester.once("exit", () => {
				this.#process = undefined;
				end(false);
			});
			tester.send(request);
		});
	}

	end() {
		this.#process?.kill();
		this.#process = undefined;
	}
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
 * @param {Tester} tester
 * @throws {Error} they fail
 */
async function checkUnchanged(file, tester) {
	let passed = false;
	if (file.endsWith(".c")) {
		const sources = [...coreFiles(), ...casesOfC()].map((path) => ROOT + path);
		passed = await casesPass(objectsOf(COMPILER, SANITIZED, sources), `${tester.folder}/unit`);
	} else passed = await tester.passes({ tests: testsOf(file), file });
	if (!passed) throw new Error(`the tests of ${file.split("/")[1]} fail on the unchanged source`);
}

/**
 * Makes mutants and tests them.
 * @param {{ folders?: string[], every?: number, first?: number, grep?: string, found?: (unexplained: Mutant) => void }} options
 *   every: above 1 a sample, of mutants that are not explained, from the one of number `first` modulo `every` on
 * @returns {Promise<{ made: number, mutants: number, same: number, explained: number, unexplained: Mutant[], stale: string[] }>}
 *   made: all, of which the sample is taken; mutants: tested; same: of C, not tested, as they are no other program; stale:
 *   explained, but killed
 */
export async function mutation({ folders = FOLDERS, every = 1, first = 0, grep = "", found = () => {} } = {}) {
	const files = folders
		.flatMap((folder) => (folder === C_FOLDER ? coreFiles() : filesIn(`src/${folder}`, ".ts")))
		.filter((path) => PARTS[path.split("/")[1]]?.test(path) ?? true)
		.filter((path) => !path.includes("/generated/")) // a test compares it with what the sources next to it make
		.filter((path) => path.includes(grep));
	const isWhole = every === 1;
	const all = files
		.flatMap((file) => [...mutantsOf(file, readFileSync(`${ROOT}${file}`, "utf8"))])
		// that these survive only the whole run asks
		.filter((mutant) => isWhole || !isExplained(mutant));
	const mutants = all.filter((_, i) => i % every === first % every);
	const testers = Array.from({ length: SIDE_BY_SIDE }, (_, number) => new Tester(`${BUILD}/${number}`));
	// else whatever breaks a tester would look like tests that notice
	const oneOfEach = new Map(mutants.map(({ file }) => [file.split("/")[1], file])).values();
	for (const file of oneOfEach) await checkUnchanged(file, testers[0]);
	/** @type {Mutant[]} */
	const survivors = [];
	let next = 0;
	let same = 0;
	/** @param {Tester} tester */
	const work = async (tester) => {
		for (let mutant = mutants[next++]; mutant !== undefined; mutant = mutants[next++]) {
			const { file, text } = mutant;
			const passed = await (file.endsWith(".c")
				? passesInC(mutant, tester.folder)
				: tester.passes({ tests: testsOf(file), file, text }));
			if (passed === undefined) same++;
			if (!passed) continue;
			survivors.push(mutant);
			if (!isExplained(mutant)) found(mutant);
		}
	};
	await Promise.all(testers.map(work));
	for (const tester of testers) tester.end();

	const unexplained = survivors.filter((mutant) => !isExplained(mutant));
	const stale = Object.entries(EQUIVALENT)
		.filter(([file]) => isWhole && file.includes(grep))
		.flatMap(([file, rows]) =>
			rows.flatMap(([piece, changes, why]) => changes.split(", ").map((change) => ({ file, piece, change, why }))),
		)
		.filter(
			({ file, piece, change, why }) =>
				!survivors.some((mutant) => mutant.file === file && explains([piece, change, why], mutant)),
		)
		.map(({ file, piece, change }) => `${file}, ${piece}: ${change}`);
	return {
		made: all.length,
		mutants: mutants.length - same,
		same,
		explained: survivors.length - unexplained.length,
		unexplained,
		stale,
	};
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
