// The soak: the whole controller under full load, for long (tools/soak/soak.ts). Exit code 1 if it complains.
// Usage: npm run soak -- [--minutes N] [--seed S[,S]...] [--frames F] [--instructions] [--json]
//   (minutes: of the controller's time, 2 unless given; several seeds run side by side; frames: a second on each bus, 4504 unless given, which is all
//   that fits;
//   instructions: counts by callgrind what each tick waits for, a hundred times slower, with --frames 200 unless told otherwise)
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { missingForCounting, PROGRAM } from "./bench/counted-controller.mjs";
import { setup } from "./setup.mjs";
import { importTypeScript } from "./typescript.mjs";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

const { values } = parseArgs({
	options: {
		minutes: { type: "string", default: "2" },
		seed: { type: "string", default: "1" },
		frames: { type: "string" },
		instructions: { type: "boolean", default: false },
		json: { type: "boolean", default: false },
	},
});
const counts = values.instructions;
const [minutes, framesPerSecond] = [values.minutes, values.frames ?? (counts ? "200" : "4504")].map(Number);
const seeds = values.seed.split(",").map(Number);
if (!(minutes > 0 && seeds.every(Number.isInteger) && framesPerSecond >= 0 && framesPerSecond <= 4504)) {
	console.error("--minutes N above 0, --seed S a whole number, --frames F of 0..4504");
	process.exit(2);
}

const missing = counts ? missingForCounting() : undefined;
if (missing !== undefined) {
	console.error(`counting instructions needs ${missing}`);
	process.exit(2);
}
await setup();
process.chdir(ROOT);
const { soak } = await importTypeScript("soak/soak.ts");

let program = counts ? PROGRAM : process.env.OPENCOUPLING_HOST;
if (program === undefined) {
	program = "build/host-m32/opencoupling";
	try {
		execFileSync("make", ["-s", "-j2", "-C", "hal/host", "m32"], { stdio: "ignore" });
	} catch {
		program = "build/host/opencoupling";
		console.error(
			"the compiler makes no 32-bit programs (Debian: apt-get install gcc-multilib): slots and names are those of 64 bits",
		);
	}
}
const args = ["--core", "build/host/core.js", "--app", "build/host/main.js"];
const results = await Promise.all(
	seeds.map((seed) => {
		/** @param {string} text */
		const log = (text) => values.json || console.log(`seed ${seed}: ${text}`);
		const counted = counts ? { countInto: `build/tools/turns-${seed}.log` } : {};
		return soak({ minutes, seed, framesPerSecond, program, args, log, ...counted });
	}),
);
for (const [i, { held: _, complaints, ...figures }] of results.entries()) {
	if (values.json) console.log(JSON.stringify(results[i]));
	else console.log(`seed ${seeds[i]}: ${JSON.stringify(figures, undefined, 1)}\n${complaints.length} complaints`);
}
process.exitCode = results.every(({ complaints, frames }) => complaints.length === 0 && frames > 0) ? 0 : 1;
