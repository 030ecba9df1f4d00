// Runs tests with one source changed, many times in one process: it bundles tests and sources anew for each
// mutant, so that no module of the last one is left. Started by `tools/mutation.mjs` with a folder for its
// file, which ends it when a mutant runs in a circle.
import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { context } from "esbuild";
import Mocha from "mocha";

/**
 * tests: files from the root, in this order; file: the changed source, from the root; text: what it says, absent = unchanged.
 * @typedef {{ tests: readonly string[], file: string, text?: string | undefined }} Request
 */

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const BUNDLE = `${process.argv[2]}/tests.mjs`;

/** @type {Request} */
let request = { tests: [], file: "" };

/** Sources as they are, except for the mutant. @type {import("esbuild").Plugin} */
const withMutant = {
	name: "mutant",
	setup: (build) =>
		build.onLoad({ filter: /\.(tsx?|mjs)$/ }, ({ path }) => {
			const { file, text } = request;
			const contents = text !== undefined && path === ROOT + file ? text : readFileSync(path, "utf8");
			// the tests read files beside them
			const inPlace = contents.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href));
			return { contents: inPlace, loader: /** @type {"ts"} */ (/\w+$/.exec(path)?.[0].replace("mjs", "js")) };
		}),
};

/** Bundlers by their tests. @type {Map<string, import("esbuild").BuildContext>} */
const bundlers = new Map();

/** @param {readonly string[]} tests */
async function bundlerOf(tests) {
	const contents = tests.map((path) => `import "./${path}";`).join("\n");
	const known = bundlers.get(contents);
	if (known !== undefined) return known;
	const made = await context({
		stdin: { contents, resolveDir: ROOT },
		outfile: BUNDLE,
		bundle: true,
		format: "esm",
		platform: "node",
		packages: "external",
		logLevel: "silent",
		plugins: [withMutant],
	});
	bundlers.set(contents, made);
	return made;
}

/** @returns whether all tests pass, up to the first that does not */
async function testsPass() {
	await (await bundlerOf(request.tests)).rebuild();
	const mocha = new Mocha({ bail: true, timeout: 0, reporter: /** @type {any} */ (class {}) });
	mocha.suite.emit("pre-require", globalThis, "", mocha);
	try {
		await import(`${pathToFileURL(BUNDLE)}?${performance.now()}`);
	} catch {
		return false; // the mutant throws while it is loaded
	}
	/** @type {number} */
	const failures = await new Promise((resolve) => {
		mocha.run(resolve).on("test end", () => process.send?.("goes on"));
	});
	mocha.dispose();
	return failures === 0;
}

process.on("message", async (/** @type {Request} */ next) => {
	request = next;
	process.send?.(await testsPass());
});
