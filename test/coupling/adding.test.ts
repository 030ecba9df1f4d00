/**
 * Adding a coupling is a matter of data: one that does not exist, a folder of tables in `fictitious/` with
 * made-up bytes, is added to both lists (docs/add-a-coupling.md) and goes through everything, without any
 * other change.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import ts from "typescript";
import { loadDescription } from "../../tools/build-openapi.mjs";
import { loadTables, plansModule } from "../../tools/build-plans.mjs";
import { nodesOf, syntaxOf } from "../support/syntax.js";

const FOLDER = new URL("fictitious/", import.meta.url).pathname;
const BUNDLE = new URL("../../build/test-fictitious-firmware.mjs", import.meta.url).pathname;

/** The lists that a person adds to outside of the folder: by the end of a file's name, and the entry. */
const LISTS: readonly { file: string; list: string; entry: string }[] = [
	{ file: "couplings/couplings.ts", list: "COUPLINGS", entry: "FICTITIOUS" },
	{ file: "coupling/plan-table.ts", list: "PLANS", entry: "42: FICTITIOUS_PLANS" },
];

/** A source with one more entry in a list or an object that it declares, and the import of it. */
function withEntry(path: string, { list, entry }: (typeof LISTS)[number]): string {
	const source = syntaxOf(path);
	const declaration = [...nodesOf(source)].find((node) => ts.isVariableDeclaration(node) && node.name.getText() === list);
	assert.ok(declaration !== undefined, `${path} declares ${list}`);
	const literal = [...nodesOf(declaration)].find(
		(node) => ts.isArrayLiteralExpression(node) || ts.isObjectLiteralExpression(node),
	);
	assert.ok(literal !== undefined, `${list} of ${path} is a list or an object`);
	const entries = ts.isArrayLiteralExpression(literal) ? literal.elements : (literal as ts.ObjectLiteralExpression).properties;
	const name = entry.split(" ").at(-1)!;
	const end = entries.at(-1)!.getEnd();
	return `import { ${name} } from "${FOLDER}coupling.ts";\n${source.text.slice(0, end)}, ${entry}${source.text.slice(end)}`;
}

/** Adds those entries, and takes `plans` for the module that the build has written. */
const added = (plans?: string): Plugin => ({
	name: "added",
	setup({ onLoad }) {
		onLoad({ filter: /coupling\/(couplings\/couplings|plan-table)\.ts$/ }, ({ path }) => {
			const added = LISTS.find(({ file }) => path.endsWith(file));
			return added && { contents: withEntry(path, added), loader: "ts" };
		});
		if (plans !== undefined) onLoad({ filter: /generated\/frame-plans\.ts$/ }, () => ({ contents: plans, loader: "ts" }));
	},
});

type Firmware = typeof import("./fictitious/firmware.js");

async function firmware(): Promise<Firmware> {
	const plans = plansModule(await loadTables([added()]));
	const { outputFiles } = await build({
		bundle: true,
		format: "esm",
		target: "es2022",
		platform: "node",
		logLevel: "error",
		write: false,
		plugins: [added(plans)],
		entryPoints: [`${FOLDER}firmware.ts`],
	});
	for (const { contents } of outputFiles) writeFileSync(BUNDLE, contents);
	return import(pathToFileURL(BUNDLE).href);
}

describe("a coupling that is added as a folder of tables", () => {
	const FULL = 2;
	const MAP = 9;
	let own: Firmware;
	before(async () => {
		own = await firmware();
	});
	/** By the types of the firmware it is not known. */
	const settings = (others = {}) => ({ generation: 42 as 5, mode: FULL, ...others });

	it("is in the interface's list, is stored and read back, and brings its own defaults", async () => {
		assert.deepEqual([...own.GENERATIONS], [1, 2, 4, 5, 51, 53, 42]);
		const next = own.patchSettings(own.DEFAULT_SETTINGS, { couplingGeneration: 42 }, false);
		assert.ok(!own.isRejection(next));
		assert.deepEqual([next.generation, next.lowPower.sleepEnabled], [42, true]);
		assert.equal(own.SETTINGS_DOCUMENT.read(JSON.parse(JSON.stringify(own.SETTINGS_DOCUMENT.write(next)))).generation, 42);
		const table = Array.from({ length: 101 }, (_, percent) => percent);
		assert.equal(own.learnedTableFrom({ generation: 42, frameProfile: "reference", date: "", table }).generation, 42);
		const { OPENAPI } = await loadDescription([added()]);
		assert.match(JSON.stringify(OPENAPI), /"Generation":\{[^{]*"enum":\[0,1,2,4,5,51,53,42\]/);
	});

	it("is controlled by its car's signals, and its frames are rewritten, in both profiles", () => {
		for (const frameProfile of ["reference", "corrected"] as const) {
			const car = new own.MadeUpCar(settings({ frameProfile, mode: MAP }));
			const controller = car.run(1500);
			assert.equal(controller.controlActive, true, controller.reason);
			const { speedKmh, pedalPercent, rpm, engagementPercent } = controller.vehicle;
			assert.deepEqual([speedKmh, pedalPercent, rpm, engagementPercent], [50, 50, 2000, 50]);
			controller.applySettings({ ...controller.settings, mode: FULL });
			car.run(1500);
			assert.equal(controller.factor, 25600);
			assert.equal(car.rewritten(0x3f4).slice(0, 14), "e1c8e3e4e5e6e7");
			assert.equal(car.rewritten(0x3f5).slice(4, 6), "64");
			assert.equal(own.isOwnId(42 as 5, false, 0x3f5), true);
			car.braking = true;
			car.run(100);
			assert.equal(car.rewritten(0x3f5).slice(4, 6), frameProfile === "corrected" ? "e3" : "00", "ABS intervenes");
			car.braking = false;
			car.rawEngagement = 170;
			car.run(100);
			assert.equal(controller.vehicle.engagementPercent, 75, "engagement lies far from the state, which has not changed");
			car.rawState = 0x80;
			car.run(100);
			assert.deepEqual(
				[controller.vehicle.temperatureProtection, controller.vehicle.couplingFault, controller.factor],
				[true, false, 0],
			);
		}
	});

	it("is stock without its report", () => {
		const car = new own.MadeUpCar(settings());
		assert.equal(car.run(1500).controlActive, true);
		car.sendsCoupling = false;
		assert.equal(car.run(1500).controlActive, false);
	});

	it("says its state in its own words", () => {
		assert.equal(own.couplingStateText(0x81, 42), "129 (Made-up heat)");
		assert.equal(own.couplingFlags(0x81, 42), 0x81);
	});

	it("is controlled standalone, with its own frames", () => {
		const car = new own.MadeUpCar(settings({ standalone: true }));
		assert.equal(car.run(1500).controlActive, true);
		const interpreter = new own.PlanInterpreter();
		interpreter.load(car.controller.takePlan() ?? new Uint8Array());
		interpreter.commit(12800, 0xff);
		const sent = [0, 20].flatMap((ms) => [...interpreter.generated(ms)]).map((frame) => Buffer.from(frame).toString("hex"));
		assert.deepEqual(sent, ["03f4116422a0000000f7", "03f4116422a1000000f6"]);
	});
});
