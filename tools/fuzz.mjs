/**
 * Fuzzes the C that reads foreign bytes, with AddressSanitizer and UndefinedBehaviorSanitizer: `npm run fuzz --
 * [TARGET ...] [--runs N] [--seed S]`. Targets are the files of tools/fuzz. Exit code 1 when something was found;
 * the input that shows it is named.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { link, objectsOf } from "./c-objects.mjs";
import { idfHeaders } from "./device/c-half.mjs";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const SOURCES = join(ROOT, "tools/fuzz");
const BUILD = join(ROOT, "build/fuzz");
const SANITIZERS = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

const GATEWAY = ["channel", "checksum", "control", "core", "generator", "ids", "memory", "plan", "rewrite"]
	.map((name) => `modules/can-gateway/gateway_${name}.c`)
	.concat("modules/can-gateway/bus_recovery.c");
/** Sources of each target. @type {Record<string, string[]>} */
const PARTS = {
	digest: ["modules/sha256/sha256_core.c"],
	gateway: GATEWAY,
	frame_text: ["can_view.c", "signal_catalogue.c", "frame_lines.c", "generated/catalogue_data.c"].map(
		(name) => `modules/frame-text/${name}`,
	),
	http: ["modules/text/request_head.c"],
	json: ["modules/text/json_text.c"],
	mcp2515: ["hal/esp32/mcp2515.c", "test/hal/esp32/mcp2515_model.c"],
	twai: [...GATEWAY, "hal/esp32/twai.c", "test/hal/esp32/twai_model.c"],
};
const INCLUDED = ["can-gateway", "frame-text", "sha256", "text"]
	.map((name) => `modules/${name}`)
	.concat("hal/esp32", "test/modules/can-gateway");
export const TARGETS = Object.keys(PARTS);

/**
 * @param {string} source file of the target
 * @param {string[]} parts from the root
 * @param {string} program its path
 */
export function build(source, parts, program) {
	mkdirSync(BUILD, { recursive: true });
	const folders = [...INCLUDED.map((folder) => join(ROOT, folder)), ...idfHeaders()].map((folder) => `-I${folder}`);
	const files = [source, ...parts.map((part) => join(ROOT, part)), join(SOURCES, "driver.c")];
	// unoptimized, what a test runs for a moment is compiled in a fifth of the time
	const flags = ["-O0", ...SANITIZERS];
	const compiler = process.env.CC ?? "cc";
	const options = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", ...flags, `-I${SOURCES}`, ...folders];
	link(compiler, flags, objectsOf(compiler, options, files), program);
}

/**
 * Runs the seeded driver.
 * @returns {{ status: number | null, output: string }} status 0: nothing was found
 * @param {string} program
 * @param {number} runs
 * @param {number} seed
 */
export function runSeeded(program, runs, seed) {
	const { status, stdout, stderr } = spawnSync(program, [String(runs), String(seed)], { cwd: BUILD, encoding: "utf8" });
	return { status, output: stdout + stderr };
}

/**
 * @param {string} name of a target
 * @returns {string} its program
 */
export function buildSeeded(name) {
	const program = join(BUILD, name);
	build(join(SOURCES, `${name}.c`), PARTS[name], program);
	return program;
}

function main() {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: { runs: { type: "string", default: "100000" }, seed: { type: "string", default: "1" } },
	});
	const wrong = positionals.find((name) => !TARGETS.includes(name));
	const [runs, seed] = [values.runs, values.seed].map(Number);
	if (wrong !== undefined || ![runs, seed].every((number) => number >= 0)) {
		const what = wrong === undefined ? "numbers must not be negative" : `no target: ${wrong}`;
		console.error(`${what}; allowed: ${TARGETS.join(", ")}, --runs N, --seed S`);
		return 2;
	}
	let found = 0;
	for (const name of positionals.length > 0 ? positionals : TARGETS) {
		const { status, output } = runSeeded(buildSeeded(name), runs, seed);
		console.log(`${name}: ${status === 0 ? output.trim() : `found something\n${output}`}`);
		found |= status === 0 ? 0 : 1;
	}
	return found;
}

if (process.argv[1] !== undefined && basename(process.argv[1]) === "fuzz.mjs") process.exitCode = main();
