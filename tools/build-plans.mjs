/**
 * Builds the frame plans of all generations, profiles and modes. Runs the
 * encoder on the tables of `src/coupling/couplings` and writes `src/coupling/generated/frame-plans.ts` (not
 * committed): encoding one takes a board 40 ms.
 */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { head, writeModule } from "./generated.mjs";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const TARGET = `${ROOT}src/coupling/generated/frame-plans.ts`;
const ENTRY = `
	export { FRAME_PROFILES, GENERATIONS } from "./src/coupling/couplings/couplings.ts";
	export { encodePlan } from "./src/coupling/plan-encoder.ts";
	export { PLANS } from "./src/coupling/plan-table.ts";
	export { MODES } from "./src/lock/modes.ts";
`;

/**
 * The rows of a frame plan.
 * @typedef {(mode: number) => unknown} TableOf
 */

/**
 * The tables, and what encodes them.
 * @param {import("esbuild").Plugin[]} [plugins] for a test that has other tables
 * @returns {Promise<{ FRAME_PROFILES: string[], GENERATIONS: number[], MODES: string[], encodePlan(table: unknown, marked: unknown): Uint8Array,
 *   PLANS: Record<number, { marked: unknown, inline: Record<string, TableOf>, standalone: Record<string, TableOf> }> }>}
 */
export async function loadTables(plugins = []) {
	const { outputFiles } = await build({
		plugins,
		stdin: { contents: ENTRY, resolveDir: ROOT, loader: "ts" },
		bundle: true,
		format: "esm",
		target: "es2022",
		write: false,
	});
	return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/**
 * The module with the plans.
 * @param {Awaited<ReturnType<typeof loadTables>>} loaded
 * @throws {RangeError} a row of a profile makes no sense
 */
export function plansModule({ FRAME_PROFILES, GENERATIONS, encodePlan, PLANS, MODES }) {
	const names = new Map();
	/** @param {Uint8Array} plan */
	const nameOf = (plan) => {
		const bytes = plan.join(", ");
		if (!names.has(bytes)) names.set(bytes, `PLAN_${names.size}`);
		return names.get(bytes);
	};
	/**
	 * @param {"inline" | "standalone"} kind
	 * @param {number} generation
	 * @param {string} profile
	 */
	const plansOf = (kind, generation, profile) => {
		const { marked, [kind]: tables } = PLANS[generation];
		const plans = MODES.map((_, mode) => nameOf(encodePlan(tables[profile](mode), marked)));
		return new Set(plans).size === 1 ? plans.slice(0, 1) : plans;
	};
	/** @param {"inline" | "standalone"} kind */
	const tables = (kind) =>
		FRAME_PROFILES.map((profile) => {
			const lists = GENERATIONS.map(
				(generation) => `\t\t${generation}: Object.freeze([${plansOf(kind, generation, profile).join(", ")}]),\n`,
			);
			return `\t${profile}: Object.freeze({\n${lists.join("")}\t}),\n`;
		}).join("");
	const rewriting = tables("inline");
	const standalone = tables("standalone");
	const plans = [...names].map(([bytes, name]) => `const ${name} = Uint8Array.of(${bytes});\n`);
	const type = "Readonly<Record<FrameProfile, Readonly<Record<number, readonly Uint8Array[]>>>>";
	return `${head("build-plans.mjs")}import type { FrameProfile } from "../couplings/couplings.js";\n\n${plans.join("")}\n/** By profile and generation: a plan for all modes, or one for each. */\nexport const FRAME_PLANS: ${type} = Object.freeze({\n${rewriting}});\n\n/** The same for standalone operation. */\nexport const STANDALONE_PLANS: ${type} = Object.freeze({\n${standalone}});\n`;
}

/** Writes the plans unless they are up to date. @throws {RangeError} as plansModule */
export async function buildPlans() {
	writeModule(TARGET, plansModule(await loadTables()));
}
