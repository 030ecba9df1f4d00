import { strict as assert } from "node:assert";
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { VERSION } from "../../src/version.js";

/** Longest file that is one thing. Tables, declarations and tests are exempt. */
const LINES_MAX = 400;
const EXEMPT = /^test\/|\.d\.ts$|\.(json|md|dbc|lock)$|package-lock\.json$/;

/** @returns what a check complains about, "" = nothing */
function complaints(command: string, ...args: string[]): Promise<string> {
	return new Promise((resolve) => {
		execFile(`node_modules/.bin/${command}`, args, { encoding: "utf8" }, (error, stdout, stderr) => {
			resolve(error === null ? "" : `${error.message}${stdout}${stderr}`);
		});
	});
}

describe("the tree", () => {
	/** They take the longest and have nothing to do with one another: two at a time, each `it` waits for its own. */
	let whole: Promise<string>;
	let page: Promise<string>;
	let pure: Promise<string>;

	before(() => {
		whole = complaints("tsc", "--noEmit", "-p", "tsconfig.json");
		page = complaints("tsc", "--noEmit", "-p", "src/page/tsconfig.json").then(
			async (wrong) => wrong + (await complaints("tsc", "--noEmit", "-p", "test/page/tsconfig.json")),
		);
		pure = page.then(() => complaints("tsc", "--noEmit", "-p", "test/tsconfig.pure.json"));
	});

	it("type-checks as a whole", async () => assert.equal(await whole, ""));

	it("type-checks the page for browsers, and its tests", async () => assert.equal(await page, ""));

	it("compiles the pure folders without any platform's types", async () => assert.equal(await pure, ""));

	it("has a fence that a platform name does not pass", () => {
		const folder = "build/test/fence";
		mkdirSync(folder, { recursive: true });
		writeFileSync(
			`${folder}/forbidden.ts`,
			'import Timer from "timer";\ntrace("x");\nprocess.exit(0);\nTimer.clear(undefined);\n',
		);
		const config = { extends: "../../../test/tsconfig.pure.json", include: ["./forbidden.ts"] };
		writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(config));
		const { status, stdout } = spawnSync("node_modules/.bin/tsc", ["--noEmit", "-p", folder], { encoding: "utf8" });
		rmSync(folder, { recursive: true });
		assert.notEqual(status, 0);
		for (const name of ["timer", "trace", "process"]) assert.match(stdout, new RegExp(`'${name}'`));
	});

	it("is formatted and lint-free", async () => assert.equal(await complaints("biome", "ci", "."), ""));

	it(`has no file over ${LINES_MAX} lines`, () => {
		const files = execFileSync("git", ["ls-files", "src", "hal", "modules", "tools"], { encoding: "utf8" }).split("\n");
		const sources = files.filter((path) => path !== "" && !EXEMPT.test(path));
		assert.ok(sources.length > 50);
		const long = sources.filter((path) => readFileSync(path, "utf8").split("\n").length > LINES_MAX + 1);
		assert.deepEqual(long, []);
	});

	it("says the same version in firmware and package", () => {
		assert.equal(VERSION, `v${JSON.parse(readFileSync("package.json", "utf8")).version}`);
	});
});
