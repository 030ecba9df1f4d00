// The fault campaign: everything that can go wrong, in every state of the controller, on each generation and
// in each frame profile, and two at a time drawn from a seed; an independent judge looks at each frame that
// leaves (tools/campaign/). Exit code 1 if it complains. Usage: node tools/campaign.mjs [--seed S] [--part
// N/M] [--grep PATTERN]
//   (N/M: only each M-th drive from the N-th on; --grep: only what matches as "STATE, generation G, PROFILE:
//   FAULT", and no pairs)
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { setup } from "./setup.mjs";
import { importTypeScript } from "./typescript.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));

const { values } = parseArgs({
	options: {
		seed: { type: "string", default: "1" },
		part: { type: "string", default: "1/1" },
		grep: { type: "string" },
	},
});
const [n, m] = values.part.split("/").map(Number);
if (!(n >= 1 && n <= m)) throw new Error(`--part ${values.part}: not N/M with 1 <= N <= M`);

await setup();
const { campaign } = await importTypeScript("campaign/campaign.ts");

const program = process.env.OPENCOUPLING_HOST ?? `${root}build/host/opencoupling`;
const grep = values.grep === undefined ? undefined : new RegExp(values.grep);
const result = await campaign({ seed: Number(values.seed), part: [n, m], grep, program });
for (const complaint of result.complaints) console.log(complaint);
console.log(`${result.trials.length} combinations, ${result.frames} frames judged, ${result.commands} of them commands`);
console.log(`${result.complaints.length} complaints`);
process.exitCode = result.complaints.length === 0 && result.trials.length > 0 ? 0 : 1;
