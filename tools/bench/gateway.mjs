// Instructions per forwarded frame in the gateway core (receive, queue, take out, sent; both caches on), counted by callgrind for a PQ and
// an MQB frame mix. Counts, so it does not depend on the machine's load. Usage: node tools/bench/gateway.mjs
// Prints a table and one JSON line; exit code 1 above the budget.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const BUDGET = 200; // instructions per forwarded frame
const SECONDS = "20"; // of bus traffic

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const core = join(root, "modules/can-gateway");
const build = join(root, "build/bench");
mkdirSync(build, { recursive: true });

if (spawnSync("valgrind", ["--version"]).error) {
	console.log("skipped: gateway instruction count needs valgrind (apt-get install valgrind)");
	process.exit(0);
}
const program = join(build, "gateway_mix");
const sources = ["gateway_core.c", "gateway_control.c", "gateway_memory.c", "gateway_plan.c"].map((name) => join(core, name));
execFileSync(process.env.CC ?? "cc", [
	...["-std=c11", "-O2", "-g", "-Wall", "-Wextra", "-I", core, "-o", program],
	...[join(root, "tools/bench/gateway_mix.c"), ...sources],
]);

const result = {};
for (const mix of ["pq", "mqb"]) {
	const out = join(build, `callgrind.${mix}`);
	const run = spawnSync(
		"valgrind",
		[
			"--tool=callgrind",
			...["gateway_receive", "gateway_next_to_send", "gateway_sent"].map((name) => `--toggle-collect=${name}`),
			`--callgrind-out-file=${out}`,
			program,
			mix,
			SECONDS,
		],
		{ encoding: "utf8" },
	);
	if (run.status !== 0) throw new Error(run.stderr);
	const [forwarded, rewritten] = run.stdout.split(" ").map(Number);
	const instructions = Number(/^(?:totals|summary): (\d+)/m.exec(readFileSync(out, "utf8"))[1]);
	result[mix] = {
		instructionsPerFrame: Math.round((10 * instructions) / forwarded) / 10,
		rewrittenShare: Math.round((1000 * rewritten) / forwarded) / 1000,
	};
	console.log(
		`${mix.padEnd(4)} ${result[mix].instructionsPerFrame} instructions per forwarded frame, ${result[mix].rewrittenShare * 100} % rewritten`,
	);
}
console.log(JSON.stringify({ bench: "gateway", budget: BUDGET, ...result }));
if (Object.values(result).some(({ instructionsPerFrame }) => instructionsPerFrame > BUDGET)) process.exit(1);
