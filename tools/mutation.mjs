// Tests the tests of the folders below: changes one comparison, sign, connective or number at a time and sees whether the tests of the same
// folder notice.
// Usage: node tools/mutation.mjs [--every N] [--part N/M] [--grep TEXT]
//   (every: only each N-th mutant; part: only each M-th from the N-th on; grep: only files with TEXT in their path)
// Prints survivors as they are found; exit code 1 if one of them is not explained in tools/mutation/equivalent.mjs, or if one that is
// explained there is killed (looked at where all mutants of its file were made).
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { context } from "esbuild";
import { CModule, cMutantsOf, coreFiles } from "./mutation/c-mutants.mjs";
import { EQUIVALENT } from "./mutation/equivalent.mjs";
import { mutantsOf } from "./mutation/mutants.mjs";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** Folders of `src/`, and of `modules/` those that are C. */
const FOLDERS = ["lock", "controller", "coupling", "storage", "http", "update", "can-gateway"];
const C_MODULES = ["can-gateway"];
/** What of a folder is looked at, if not all: of HTTP what reads foreign bytes. */
const PARTS = { http: /\/(body-collector|input-buffers|multipart|request.*|target)\.ts$/ };
/** A mutant that takes longer than this and many times as long as the original runs in a circle. */
const CIRCLE_MS = 15_000;
const CIRCLE_TIMES = 10;
const UNCHANGED_LIMIT_MS = 300_000;
/** As mocha runs them: what is native on XS has a stand-in. */
const WITH_NATIVES = { execArgv: ["--import", new URL("../test/support/register.mjs", import.meta.url).href] };

/** Files below a folder, paths from the root. */
function filesIn(folder, suffix) {
	return readdirSync(`${ROOT}${folder}`, { recursive: true })
		.map((name) => `${folder}/${name}`)
		.filter((path) => path.endsWith(suffix))
		.sort();
}

/** The tests of a folder as one script, in which a source can be another one. */
class Bundle {
	#mutant;
	#context;

	/** @param {string} folder @returns {Promise<Bundle>} */
	static async of(folder) {
		const bundle = new Bundle();
		const tests = filesIn(`test/${folder}`, ".test.ts");
		// the mutant's own first: most are killed by them
		const isOther = (path) => (path === bundle.#mutant?.file.replace(/^src(.*)\.ts$/, "test$1.test.ts") ? 0 : 1);
		const ordered = () => tests.toSorted((a, b) => isOther(a) - isOther(b)).map((path) => `import "./${path}";`);
		const ofTests = () => ({ contents: ordered().join("\n"), resolveDir: ROOT });
		const ofSource = ({ path }) =>
			path === `${ROOT}${bundle.#mutant?.file}` ? { contents: bundle.#mutant.text, loader: "ts" } : undefined;
		// a script made of many files knows no place of its own
		const places = new Map();
		const withItsPlace = ({ path }) => {
			const contents =
				places.get(path) ?? readFileSync(path, "utf8").replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href));
			places.set(path, contents);
			return { contents, loader: path.endsWith(".ts") ? "ts" : "js" };
		};
		const setup = (build) => {
			build.onResolve({ filter: /^tests$/ }, ({ path }) => ({ path, namespace: "tests" }));
			build.onLoad({ filter: /^tests$/, namespace: "tests" }, ofTests);
			build.onLoad({ filter: /\/src\/.*\.ts$/ }, ofSource);
			build.onLoad({ filter: /\/(test|tools)\/.*\.(ts|mjs)$/ }, withItsPlace);
		};
		bundle.#context = await context({
			entryPoints: ["tests"],
			bundle: true,
			write: false,
			platform: "node",
			format: "cjs",
			target: "es2022",
			logLevel: "silent",
			plugins: [{ name: "mutant", setup }],
		});
		return bundle;
	}

	/** @param {import("./mutation/mutants.mjs").Mutant} [mutant] @returns {Promise<string>} */
	async code(mutant) {
		this.#mutant = mutant;
		return (await this.#context.rebuild()).outputFiles[0].text;
	}

	end() {
		return this.#context.dispose();
	}
}

/** A thread that tests run in; another one takes its place when they run in a circle. */
class Tester {
	#worker;

	/** @param {string} code @param {number} limitMs @returns {Promise<boolean>} whether the tests pass */
	passes(code, limitMs) {
		this.#worker ??= new Worker(new URL("./mutation/tester.mjs", import.meta.url), WITH_NATIVES);
		const worker = this.#worker;
		return new Promise((resolve) => {
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

/** @param {string} file from the root @returns {Generator<import("./mutation/mutants.mjs").Mutant>} all mutants of a source, C or TypeScript */
export function mutantsOfFile(file) {
	return (file.endsWith(".c") ? cMutantsOf : mutantsOf)(file, readFileSync(`${ROOT}${file}`, "utf8"));
}

const isExplained = ({ file, is }) => (EQUIVALENT[file] ?? []).some(([line]) => line === is);

/** Runs the tests of a folder on the unchanged source. @returns {Promise<number>} after how many ms a mutant runs in a circle */
async function measure(folder) {
	const tester = new Tester();
	const bundle = await Bundle.of(folder);
	const from = performance.now();
	if (!(await tester.passes(await bundle.code(), UNCHANGED_LIMIT_MS)))
		throw new Error(`the tests of ${folder} fail on the unchanged source`);
	const tookMs = performance.now() - from;
	tester.end();
	await bundle.end();
	return CIRCLE_MS + CIRCLE_TIMES * tookMs;
}

/**
 * Makes mutants and tests them.
 * @param {{ folders?: string[], every?: number, part?: [n: number, m: number], grep?: string, sideBySide?: number,
 *   found?: (unexplained: import("./mutation/mutants.mjs").Mutant) => void }} options
 * @returns {Promise<{ mutants: number, explained: number, unexplained: import("./mutation/mutants.mjs").Mutant[], stale: string[] }>}
 *   stale: explained, but killed
 */
export async function mutation({
	folders = FOLDERS,
	every = 1,
	part: [n, m] = [1, 1],
	grep = "",
	sideBySide = 2,
	found = () => {},
} = {}) {
	const files = folders
		.flatMap((folder) => (C_MODULES.includes(folder) ? coreFiles(folder) : filesIn(`src/${folder}`, ".ts")))
		.filter((path) => PARTS[path.split("/")[1]]?.test(path) ?? true)
		.filter((path) => !path.includes("/generated/")) // a test compares it with what the sources next to it make
		.filter((path) => path.includes(grep));
	const isWhole = every === 1 && m === 1;
	const mutants = files
		.flatMap((file) => [...mutantsOfFile(file)])
		.filter((_, i) => i % every === 0)
		.filter((_, i) => i % m === n - 1)
		// that these survive only the whole run asks
		.filter((mutant) => isWhole || !isExplained(mutant));
	/** By folder; whoever comes to it first measures. @type {Record<string, Promise<number>>} */
	const limits = {};
	const modules = Object.fromEntries(C_MODULES.map((module) => [module, new CModule(module)]));
	const survivors = [];
	let next = 0;
	let nothing = 0;
	const work = async (_, number) => {
		const tester = new Tester();
		const bundles = new Map();
		/** @returns {Promise<boolean | undefined>} undefined: it is no other program */
		const passes = async (mutant) => {
			const folder = mutant.file.split("/")[1];
			if (mutant.file.endsWith(".c")) return modules[folder].passes(mutant, number);
			if (!bundles.has(folder)) bundles.set(folder, await Bundle.of(folder));
			limits[folder] ??= measure(folder);
			const code = await bundles.get(folder).code(mutant);
			return tester.passes(code, await limits[folder]);
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
		.flatMap(([file, lines]) => lines.map(([line]) => ({ file, line })))
		.filter(({ file, line }) => !survivors.some((survivor) => survivor.file === file && survivor.is === line))
		.map(({ file, line }) => `${file}: ${line}`);
	return { mutants: mutants.length - nothing, explained: survivors.length - unexplained.length, unexplained, stale };
}

async function main() {
	const { values } = parseArgs({
		options: {
			every: { type: "string", default: "1" },
			part: { type: "string", default: "1/1" },
			grep: { type: "string", default: "" },
		},
	});
	const [n = 1, m = 1] = values.part.split("/").map(Number);
	const result = await mutation({
		every: Number(values.every),
		part: [n, m],
		grep: values.grep,
		found: ({ file, line, was, is }) => console.log(`${file}:${line}\n\t${was}\n\t${is}`),
	});
	for (const line of result.stale) console.log(`no survivor any more, take it off the list: ${line}`);
	const { mutants, explained, unexplained, stale } = result;
	console.log(`${mutants} mutants, ${mutants - explained - unexplained.length} killed, ${explained} equivalent (explained), `);
	console.log(`${unexplained.length} survived unexplained, ${stale.length} explained in vain`);
	return unexplained.length === 0 && stale.length === 0 && mutants > 0 ? 0 : 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) process.exit(await main());
