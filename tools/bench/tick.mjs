// Bytecodes per control tick and heap taken by 10,000 of them, while a drive is replayed.
// Usage: node tools/bench/tick.mjs. Exit code 1 above the budget.
import { runOnReplay } from "./on-replay.mjs";

const BUDGET_BYTECODES = 2800; // for the dearest tick in MAP mode
const SECONDS = 125;

let failed = false;
for (const generation of [5, 4]) {
	const [line] = await runOnReplay("tick", generation, SECONDS, `measure(${generation})`);
	console.log(line);
	const result = JSON.parse(line);
	const heapTaken = result.slots !== 0 || result.chunkBytes !== 0 || result.collections !== 0;
	if (result.mostBytecodes > BUDGET_BYTECODES || heapTaken || result.activeTicks !== result.ticks) failed = true;
}
if (failed) process.exit(1);
