import { strict as assert } from "node:assert";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { VERSION } from "../../src/version.js";
import { CHECKS, complaints } from "../../tools/check.mjs";

/** A file that is one thing is shorter than this. Tables, declarations and tests are exempt. */
const LINES_LIMIT = 400;
const EXEMPT = /^test\/|^src\/page\/texts|^tools\/mutation\/equivalent|\.d\.ts$|\.(json|md|dbc|lock)$|package-lock\.json$/;

describe("the tree", () => {
	for (const name of CHECKS.keys())
		it(`has nothing to complain about: ${name}`, async function () {
			this.timeout(240_000); // a machine that has other things to do
			assert.equal(await complaints(name), "");
		});

	it("has a fence that a platform name does not pass", () => {
		const folder = "build/test/fence";
		mkdirSync(folder, { recursive: true });
		writeFileSync(
			`${folder}/forbidden.ts`,
			'import Timer from "timer";\ntrace("x");\nprocess.exit(0);\nTimer.clear(undefined);\n',
		);
		const config = { extends: "../../../src/tsconfig.json", include: ["./forbidden.ts"] };
		writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(config));
		const { status, stdout } = spawnSync("node_modules/.bin/tsc", ["--noEmit", "-p", folder], { encoding: "utf8" });
		rmSync(folder, { recursive: true });
		assert.notEqual(status, 0);
		for (const name of ["timer", "trace", "process"]) assert.match(stdout, new RegExp(`'${name}'`));
	});

	it(`has only files under ${LINES_LIMIT} lines`, () => {
		const files = execFileSync("git", ["ls-files", "src", "hal", "modules", "tools"], { encoding: "utf8" }).split("\n");
		const sources = files.filter((path) => path !== "" && !EXEMPT.test(path));
		assert.ok(sources.length > 50);
		const long = sources.filter((path) => readFileSync(path, "utf8").trimEnd().split("\n").length >= LINES_LIMIT);
		assert.deepEqual(long, []);
	});

	it("says the same version in firmware and package", () => {
		assert.equal(VERSION, `v${JSON.parse(readFileSync("package.json", "utf8")).version}`);
	});
});
