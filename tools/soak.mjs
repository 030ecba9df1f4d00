// The soak: the whole controller under full load, for long (tools/soak/soak.ts). Exit code 1 if it complains.
// Usage: npm run soak -- [--minutes N] [--seed S] [--frames F]
//   (minutes of the controller's time, 2 unless given; frames a second on each bus: 4504 unless given, which is all that fits)
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { setup } from "./setup.mjs";
import { importTypeScript } from "./typescript.mjs";

const { values } = parseArgs({
	options: {
		minutes: { type: "string", default: "2" },
		seed: { type: "string", default: "1" },
		frames: { type: "string", default: "4504" },
	},
});
const [minutes, seed, framesPerSecond] = [values.minutes, values.seed, values.frames].map(Number);
if (!(minutes > 0 && Number.isInteger(seed) && framesPerSecond >= 0 && framesPerSecond <= 4504)) {
	console.error("--minutes N above 0, --seed S a whole number, --frames F of 0..4504");
	process.exit(2);
}
await setup();
process.chdir(fileURLToPath(new URL("../", import.meta.url)));
const { soak } = await importTypeScript("soak/soak.ts");

let program = process.env.OPENCOUPLING_HOST;
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
const { complaints, ...figures } = await soak({ minutes, seed, framesPerSecond, program, args, log: console.log });
console.log(`${JSON.stringify(figures, undefined, 1)}\n${complaints.length} complaints`);
process.exitCode = complaints.length === 0 && figures.frames > 0 ? 0 : 1;
