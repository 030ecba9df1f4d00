import { strict as assert } from "node:assert";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { build } from "esbuild";
import { hostOptions } from "../../tools/bundle.mjs";
import { run } from "../hal/host/host-program.js";
import { listSignals } from "../support/signals.js";
import { CORRECTED_FRAMES, type DecodeSet } from "./decode.js";

const OURS = "test/vectors/data";
/** Those of the tree, unless the environment names a folder. */
const FOLDER = process.env["OPENCOUPLING_VECTORS"] || OURS;

function loadVectors<Set>(name: string): Set {
	const path = `${FOLDER}/${name}.json`;
	return JSON.parse(existsSync(path) ? readFileSync(path, "utf8") : gunzipSync(readFileSync(`${path}.gz`)).toString()) as Set;
}

const NAMES = readdirSync(FOLDER).map((file) => file.replace(/\.json(\.gz)?$/, ""));

describe("golden vectors on XS, plans by the C core", () => {
	const folder = "build/test/vectors";
	const script = `${folder}/on-xs.js`;
	const file = `${folder}/set.json`;

	before(() =>
		build({
			...hostOptions,
			entryPoints: ["test/vectors/on-xs.ts"],
			outfile: script,
			define: { VECTOR_FILE: JSON.stringify(file) },
		}),
	);

	it("has all sets of the tree", () => assert.ok(FOLDER !== OURS || NAMES.length === 17, NAMES.join()));

	for (const name of NAMES)
		it(`every unflagged row of ${name}`, async function () {
			this.timeout(120_000);
			writeFileSync(file, JSON.stringify({ name, set: loadVectors(name) }));
			const { code, lines, stderr } = await run("--run", script);
			assert.equal(code, 0, stderr);
			const result = JSON.parse(lines[0]) as { checked: number; failed: number; summary: string };
			console.log(`      ${result.summary}`);
			assert.ok(result.checked > 0, "no row was checked");
			assert.equal(result.failed, 0, result.summary);
		});

	it("each frame's signals in the reference's order, and none besides: so the CAN view's rows come", () => {
		const { cases } = loadVectors("decode") as unknown as DecodeSet;
		for (const table of ["pq", "mqb"] as const)
			for (const frameId of new Set(cases.filter((one) => one.table === table).map((one) => one.frameId))) {
				if (table === "pq" && CORRECTED_FRAMES.includes(frameId)) continue;
				const expected = cases.filter((one) => one.table === table && one.frameId === frameId);
				assert.deepEqual(
					listSignals(table, frameId).map(({ name }) => name),
					expected.map(({ name }) => name),
					`${table} ${frameId.toString(16)}`,
				);
			}
	});
});
