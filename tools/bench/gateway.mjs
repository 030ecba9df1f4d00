// Instructions per forwarded frame in the gateway core (receive, queue, take out, sent), and per control tick
// (sample, commit with another factor), counted by callgrind: the application's frame plans and watch list,
// the simulated car's traffic. Counts, so that the machine's load does not matter. Usage: node
// tools/bench/gateway.mjs. Prints a table; exit code 1 above the budget.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { importTypeScript } from "../typescript.mjs";

const BUDGET = 200; // instructions per forwarded frame
const SECONDS = 20; // of driving
/** @type {readonly [mix: string, generation: number, profile: string][]} */
const MIXES = [
	["pq", 4, "reference"],
	["mqb", 5, "reference"],
	["pqCorrected", 4, "corrected"],
	["mqbCorrected", 5, "corrected"],
];
const FRAME_PATH = ["gateway_receive", "gateway_next_to_send", "gateway_sent"];
const TICK_PATH = ["gateway_sample", "gateway_commit"];

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const core = join(root, "modules/can-gateway");
const folder = join(root, "build/bench");
mkdirSync(folder, { recursive: true });

if (spawnSync("valgrind", ["--version"]).error) {
	console.log("skipped: gateway instruction count needs valgrind (apt-get install valgrind)");
	process.exit(0);
}
const program = join(folder, "gateway_mix");
const sources = readdirSync(core).filter((name) => /^gateway_.*\.c$/.test(name));
execFileSync(process.env.CC ?? "cc", [
	...["-std=c11", "-O2", "-g", "-Wall", "-Wextra", "-I", core, "-o", program],
	...[join(root, "tools/bench/gateway_mix.c"), ...sources.map((name) => join(core, name))],
]);
const { writeGatewayTraffic } = await importTypeScript("bench/gateway-traffic.ts");

/**
 * Instructions inside of these functions in a run on a traffic file, and what the run printed.
 * @param {readonly string[]} functions
 * @param {string} traffic
 */
function count(functions, traffic) {
	const out = `${traffic}.callgrind`;
	const toggles = functions.map((name) => `--toggle-collect=${name}`);
	const run = spawnSync("valgrind", ["--tool=callgrind", ...toggles, `--callgrind-out-file=${out}`, program, traffic], {
		encoding: "utf8",
	});
	if (run.status !== 0) throw new Error(run.stderr);
	const instructions = Number(/^(?:totals|summary): (\d+)/m.exec(readFileSync(out, "utf8"))?.[1]);
	return { instructions, numbers: run.stdout.split(" ").map(Number) };
}

let isWithin = true;
for (const [mix, generation, profile] of MIXES) {
	const traffic = join(folder, `gateway-${mix}`);
	writeGatewayTraffic(traffic, generation, profile, SECONDS);
	const perTick = count(TICK_PATH, traffic);
	const perFrame = count(FRAME_PATH, traffic);
	const [forwarded, rewritten, ticks] = perFrame.numbers;
	const instructions = perFrame.instructions / forwarded;
	isWithin &&= instructions <= BUDGET;
	console.log(
		`${mix.padEnd(12)} ${instructions.toFixed(1)} instructions per forwarded frame, ` +
			`${((100 * rewritten) / forwarded).toFixed(1)} % rewritten; ${(perTick.instructions / ticks).toFixed(0)} per tick`,
	);
}
if (!isWithin) process.exit(1);
