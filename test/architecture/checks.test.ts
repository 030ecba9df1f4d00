import { strict as assert } from "node:assert";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { VERSION } from "../../src/version.js";

/** Longest file that is one thing. Tables, declarations and tests are exempt. */
const LINES_MAX = 400;
const EXEMPT = /^test\/|\.d\.ts$|\.(json|md|dbc|lock)$|package-lock\.json$/;

function check(command: string, ...args: string[]): void {
	const { status, stdout, stderr } = spawnSync(`node_modules/.bin/${command}`, args, { encoding: "utf8" });
	assert.equal(status, 0, `${stdout}${stderr}`);
}

describe("the tree", () => {
	it("type-checks as a whole", () => check("tsc", "--noEmit", "-p", "tsconfig.json"));

	it("type-checks the page for browsers, and its tests", () => {
		check("tsc", "--noEmit", "-p", "src/page/tsconfig.json");
		check("tsc", "--noEmit", "-p", "test/page/tsconfig.json");
	});

	it("compiles the pure folders without any platform's types", () => check("tsc", "--noEmit", "-p", "test/tsconfig.pure.json"));

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

	it("is formatted and lint-free", () => check("biome", "ci", "."));

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
