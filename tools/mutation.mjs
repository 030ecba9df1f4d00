// Tests the tests of the folders below: changes one comparison, sign, connective or number at a time and sees
// whether the tests of the same folder notice. Prints survivors as they are found; exit code 1 if one of them
// is not explained in tools/mutation/equivalent.mjs, or if one that is explained there is killed (looked at
// where all mutants of its file were made).
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { context } from "esbuild";
import { argumentsOf } from "./command-line.mjs";
import { CModule, cMutantsOf, coreFiles } from "./mutation/c-mutants.mjs";
import { EQUIVALENT } from "./mutation/equivalent.mjs";
import { mutantsOf } from "./mutation/mutants.mjs";

/** @typedef {import("./mutation/mutants.mjs").Mutant} Mutant */

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const HELP = `usage: node tools/mutation.mjs [OPTION]...
Changes one thing of the sources at a time, and names each mutant that their tests do not notice.

  --every N     only each N-th mutant
  --part N/M    only each M-th from the N-th on
  --grep TEXT   only files with TEXT in their path, as src/lock/
  --own         asks only the test of a file's name, if it has one
  --help        this text
`;

/** Folders of `src/`, and of `modules/` those that are C. */
const FOLDERS = ["lock", "controller", "coupling", "storage", "http", "update", "can-gateway"];
const C_MODULES = ["can-gateway"];
/** What of a folder is looked at, if not all: of HTTP what reads foreign bytes. @type {Record<string, RegExp>} */
const PARTS = { http: /\/(multipart|request.*)\.ts$/ };
/** A mutant that takes longer than this and many times as long as the original runs in a circle. */
const CIRCLE_MS = 3_000;
const CIRCLE_TIMES = 10;
const UNCHANGED_LIMIT_MS = 300_000;
/** What is native on XS has a stand-in. */
const NATIVES = "test/support/natives.ts";

/** Files below a folder, paths from the root. @param {string} folder @param {string} suffix */
function filesIn(folder, suffix) {
	return readdirSync(`${ROOT}${folder}`, { recursive: true })
		.map((name) => `${folder}/${name}`)
		.filter((path) => path.endsWith(suffix))
		.sort();
}

/** Tests as one script, in which a source can be another one. */
class Bundle {
	#chosen;
	#context;

	/**
	 * Use `of`.
	 * @param {{ mutant?: Mutant }} chosen which source is another one
	 * @param {import("esbuild").BuildContext<{ write: false }>} context that builds with it
	 */
	constructor(chosen, context) {
		this.#chosen = chosen;
		this.#context = context;
	}

	/** @param {string[]} tests paths from the root @returns {Promise<Bundle>} */
	static async of(tests) {
		/** @type {{ mutant?: Mutant }} */
		const chosen = {};
		const ofTests = () => ({ contents: tests.map((path) => `import "./${path}";`).join("\n"), resolveDir: ROOT });
		/** @param {{ path: string }} source @returns {import("esbuild").OnLoadResult | undefined} */
		const ofSource = ({ path }) =>
			path === `${ROOT}${chosen.mutant?.file}` ? { contents: chosen.mutant?.text, loader: "ts" } : undefined;
		// a script made of many files knows no place of its own
		const places = new Map();
		/** @param {{ path: string }} source @returns {import("esbuild").OnLoadResult} */
		const withItsPlace = ({ path }) => {
			const contents =
				places.get(path) ?? readFileSync(path, "utf8").replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href));
			places.set(path, contents);
			return { contents, loader: path.endsWith(".ts") ? "ts" : "js" };
		};
		/** @param {import("esbuild").PluginBuild} build */
		const setup = (build) => {
			build.onResolve({ filter: /^tests$/ }, ({ path }) => ({ path, namespace: "tests" }));
			build.onLoad({ filter: /^tests$/, namespace: "tests" }, ofTests);
			build.onLoad({ filter: /\/src\/.*\.ts$/ }, ofSource);
			build.onLoad({ filter: /\/(test|tools)\/.*\.(ts|mjs)$/ }, withItsPlace);
		};
		const builds = await context({
			entryPoints: ["tests"],
			bundle: true,
			// the catalogue is made with it, and it knows its own place on disk
			external: ["esbuild"],
			write: false,
			platform: "node",
			format: "cjs",
			target: "es2022",
			logLevel: "silent",
			plugins: [{ name: "mutant", setup }],
		});
		return new Bundle(chosen, builds);
	}

	/** @param {Mutant} [mutant] @returns {Promise<string>} */
	async code(mutant) {
		this.#chosen.mutant = mutant;
		return (await this.#context.rebuild()).outputFiles[0].text;
	}

	end() {
		return this.#context.dispose();
	}
}

/** @type {Promise<string> | undefined} */
let nativesCode;

/** What each thread runs first, as a script. */
function natives() {
	nativesCode ??= (async () => {
		const bundle = await Bundle.of([NATIVES]);
		const code = await bundle.code();
		await bundle.end();
		return code;
	})();
	return nativesCode;
}

/** A thread that tests run in; another one takes its place when they run in a circle. */
class Tester {
	/** @type {Worker | undefined} */
	#worker;

	/** @param {string} code @param {number} limitMs @returns {Promise<boolean>} whether the tests pass */
	async passes(code, limitMs) {
		if (this.#worker === undefined) {
			this.#worker = new Worker(new URL("./mutation/tester.mjs", import.meta.url), { workerData: await natives() });
			await once(this.#worker, "message"); // its start is no part of what is limited
		}
		const worker = this.#worker;
		return new Promise((resolve) => {
			/** @param {boolean} passed */
			const done = (passed) => {
				clearTimeout(circle);
				worker.off("message", done).off("error", fail);
				resolve(passed);
			};
			const fail = () => {
				this.#worker = undefined;
				done(false);
			};
			const circle = setTimeout(() => {
				this.end();
				done(false);
			}, limitMs);
			worker.on("message", done).on("error", fail);
			worker.postMessage(code);
		});
	}

	end() {
		void this.#worker?.terminate();
		this.#worker = undefined;
	}
}

/** @param {string} file from the root @returns {Generator<Mutant>} all mutants of a source, C or TypeScript */
function mutantsOfFile(file) {
	return (file.endsWith(".c") ? cMutantsOf : mutantsOf)(file, readFileSync(`${ROOT}${file}`, "utf8"));
}

/** @param {Mutant} mutant */
const isExplained = ({ file, place, change }) =>
	(EQUIVALENT[file] ?? []).some(([where, changes]) => where === place && changes.split(", ").includes(change));

/**
 * What of the tests is asked, one after the other: most mutants are killed by the test of the file's name, which takes a fraction of the time.
 * @param {string} file from the root @returns {string[][]} paths of tests
 */
function testsOf(file) {
	// one that bundles sources by itself reads them from the disk, where nothing has changed
	const ofFolder = filesIn(`test/${file.split("/")[1]}`, ".test.ts").filter(
		(path) => !/ from "esbuild"/.test(readFileSync(`${ROOT}${path}`, "utf8")),
	);
	const own = ofFolder.filter((path) => path === file.replace(/^src(.*)\.ts$/, "test$1.test.ts"));
	return [own, ofFolder.filter((path) => !own.includes(path))].filter((tests) => tests.length > 0);
}

/** Runs tests on the unchanged source. @param {string[]} tests @returns {Promise<number>} after how many ms a mutant runs in a circle */
async function measure(tests) {
	const tester = new Tester();
	const bundle = await Bundle.of(tests);
	const code = await bundle.code();
	const from = performance.now();
	if (!(await tester.passes(code, UNCHANGED_LIMIT_MS)))
		throw new Error(`these tests fail on the unchanged source: ${tests.join(" ")}`);
	const tookMs = performance.now() - from;
	tester.end();
	await bundle.end();
	return CIRCLE_MS + CIRCLE_TIMES * tookMs;
}

/**
 * Makes mutants and tests them.
 * @param {{ folders?: string[], every?: number, part?: [n: number, m: number], grep?: string, own?: boolean, sideBySide?: number,
 *   found?: (unexplained: import("./mutation/mutants.mjs").Mutant) => void }} options
 * @returns {Promise<{ mutants: number, explained: number, unexplained: import("./mutation/mutants.mjs").Mutant[], stale: string[] }>}
 *   stale: explained, but killed
 */
export async function mutation({
	folders = FOLDERS,
	every = 1,
	part: [n, m] = [1, 1],
	grep = "",
	own = false,
	sideBySide = 2,
	found = () => {},
} = {}) {
	const files = folders
		.flatMap((folder) => (C_MODULES.includes(folder) ? coreFiles(folder) : filesIn(`src/${folder}`, ".ts")))
		.filter((path) => PARTS[path.split("/")[1]]?.test(path) ?? true)
		.filter((path) => !path.includes("/generated/")) // a test compares it with what the sources next to it make
		.filter((path) => path.includes(grep));
	const isWhole = every === 1 && m === 1 && !own;
	const mutants = files
		.flatMap((file) => [...mutantsOfFile(file)])
		.filter((_, i) => i % every === 0)
		.filter((_, i) => i % m === n - 1)
		// that these survive only the whole run asks
		.filter((mutant) => isWhole || !isExplained(mutant));
	/** By tests; whoever comes to it first measures. @type {Record<string, Promise<number>>} */
	const limits = {};
	const modules = Object.fromEntries(C_MODULES.map((module) => [module, new CModule(module)]));
	/** @type {Mutant[]} */
	const survivors = [];
	let next = 0;
	let nothing = 0;
	/** @param {unknown} _ @param {number} number of the worker */
	const work = async (_, number) => {
		const tester = new Tester();
		const bundles = new Map();
		/** @param {Mutant} mutant @returns {Promise<boolean | undefined>} undefined: it is no other program */
		const passes = async (mutant) => {
			if (mutant.file.endsWith(".c")) return modules[mutant.file.split("/")[1]].passes(mutant, number);
			for (const tests of testsOf(mutant.file).slice(0, own ? 1 : undefined)) {
				const name = tests.join();
				if (!bundles.has(name)) bundles.set(name, await Bundle.of(tests));
				limits[name] ??= measure(tests);
				if (!(await tester.passes(await bundles.get(name).code(mutant), await limits[name]))) return false;
			}
			return true;
		};
		for (let mutant = mutants[next++]; mutant !== undefined; mutant = mutants[next++]) {
			const passed = await passes(mutant);
			if (passed === undefined) nothing++;
			if (!passed) continue;
			survivors.push(mutant);
			if (!isExplained(mutant)) found(mutant);
		}
		tester.end();
		for (const bundle of bundles.values()) await bundle.end();
	};
	await Promise.all(Array.from({ length: sideBySide }, work));

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
	const { values } = argumentsOf(HELP, () =>
		parseArgs({
			options: {
				every: { type: "string", default: "1" },
				part: { type: "string", default: "1/1" },
				grep: { type: "string", default: "" },
				own: { type: "boolean", default: false },
			},
		}),
	);
	const [n = 1, m = 1] = values.part.split("/").map(Number);
	const result = await mutation({
		every: Number(values.every),
		part: [n, m],
		grep: values.grep,
		own: values.own,
		found: ({ file, line, place, change, was, is }) => console.log(`${file}:${line}, ${place}: ${change}\n\t${was}\n\t${is}`),
	});
	for (const line of result.stale) console.log(`no survivor any more, take it off the list: ${line}`);
	const { mutants, explained, unexplained, stale } = result;
	console.log(`${mutants} mutants, ${mutants - explained - unexplained.length} killed, ${explained} equivalent (explained), `);
	console.log(`${unexplained.length} survived unexplained, ${stale.length} explained in vain`);
	return unexplained.length === 0 && stale.length === 0 && mutants > 0 ? 0 : 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) process.exit(await main());
