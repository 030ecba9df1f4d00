// Cuts the power after every single storage operation of each scenario (tools/power-cut/). Exit code 1 if a
// file is neither old nor new afterwards. Usage: node tools/power-cut.mjs [--every N] [--grep TEXT]
//   (N: only each N-th operation, for a quick look)
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { importTypeScript } from "./typescript.mjs";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

const { values } = parseArgs({ options: { every: { type: "string", default: "1" }, grep: { type: "string", default: "" } } });
const { powerCuts } = await importTypeScript("power-cut/power-cut.ts");

const program = process.env.OPENCOUPLING_HOST ?? `${ROOT}build/host/opencoupling`;
const results = await powerCuts(program, { every: Number(values.every), grep: values.grep });
let [allCuts, allWrong] = [0, 0];
for (const { name, operations, cuts, wrong } of results) {
	console.log(`${name}: ${operations} storage operations, ${cuts} cuts, ${wrong.length} wrong`);
	for (const text of wrong) console.log(`  ${text}`);
	allCuts += cuts;
	allWrong += wrong.length;
}
console.log(`${results.length} scenarios, ${allCuts} cuts, ${allWrong} wrong`);
process.exitCode = allWrong === 0 && allCuts > 0 ? 0 : 1;
