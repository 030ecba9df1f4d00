// `npm run bench`: every measured figure, one JSON line each. Counts where possible, so that a noisy machine does not matter.
// Usage: node tools/bench.mjs [--short]   (--short: 5 s instead of 60 s of forwarding, 500 instead of 10,000 requests)
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { SetupError, setup } from "./setup.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const isShort = process.argv.includes("--short");
const forwardingSeconds = isShort ? "5" : "60";
const requests = isShort ? ["500"] : [];
const BENCHES = [
	["gateway.mjs"],
	["tick.mjs"],
	["canview.mjs"],
	["log.mjs"],
	["forwarding.mjs", forwardingSeconds],
	["requests.mjs", ...requests],
	["page.mjs", isShort ? "5" : "20"],
];

try {
	await setup();
	for (const [name, ...args] of BENCHES) {
		const { status } = spawnSync(process.execPath, [`${root}tools/bench/${name}`, ...args], { stdio: "inherit" });
		if (status !== 0) {
			console.error(`npm run bench: ${name} missed its figure or failed`);
			process.exitCode = 1;
		}
	}
} catch (error) {
	if (!(error instanceof SetupError)) throw error;
	console.error(`npm run bench: ${error.message}`);
	process.exitCode = 1;
}
