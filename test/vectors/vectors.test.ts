import { strict as assert } from "node:assert";
import { mkdirSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import { hostOptions } from "../../tools/bundle.mjs";
import { run } from "../hal/host/host-program.js";
import { PlanInterpreter } from "../support/plan-interpreter.js";
import { loadVectors } from "../support/vectors.js";
import { Report } from "./report.js";
import { suite } from "./suite.js";

const NAMES = Object.keys(suite(() => new PlanInterpreter()));

describe("golden vectors in Node, plans by the interpreter", () => {
	for (const [name, checks] of Object.entries(suite(() => new PlanInterpreter()))) {
		it(`every unflagged row of ${name}`, () => {
			const report = new Report();
			for (const check of checks) check(loadVectors(name), report);
			console.log(`      ${report.summary(name)}`);
			report.verdict();
		});
	}
});

describe("golden vectors on the host XS, plans by the C core", () => {
	const results = new Map<string, { checked: number; failed: number; summary: string }>();

	before(async function () {
		this.timeout(120_000);
		const folder = "build/test/vectors";
		mkdirSync(folder, { recursive: true });
		for (const name of NAMES) writeFileSync(`${folder}/${name}.json`, JSON.stringify(loadVectors(name)));
		await build({
			...hostOptions,
			entryPoints: ["test/vectors/on-xs.ts"],
			outfile: "build/test/vectors-on-xs.js",
			define: { VECTOR_FOLDER: JSON.stringify(folder) },
		});
		const { code, lines, stderr } = await run("--run", "build/test/vectors-on-xs.js");
		assert.equal(code, 0, stderr);
		for (const line of lines) {
			const result = JSON.parse(line);
			results.set(result.name, result);
		}
	});

	for (const name of NAMES)
		it(`every unflagged row of ${name}`, () => {
			const result = results.get(name);
			assert.ok(result !== undefined && result.checked > 0, "no row was checked");
			assert.equal(result.failed, 0, result.summary);
		});
});
