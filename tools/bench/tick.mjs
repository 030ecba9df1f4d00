// Bytecodes per control tick and heap taken by 10,000 of them (--short: 1,000), while a drive is replayed.
// Usage: node tools/bench/tick.mjs [--short]. Exit code 1 if they take anything.
import { runOnReplay } from "./on-replay.mjs";

const isShort = process.argv.includes("--short");
const TICKS = isShort ? 1000 : 10_000;
/** Of the drive: ticks before those that are counted, and some after them. */
const SECONDS = TICKS / 100 + 25;

let failed = false;
for (const generation of isShort ? [5] : [5, 4]) {
	const [line] = await runOnReplay("tick", generation, SECONDS, `measure(${generation}, ${TICKS})`);
	console.log(line);
	const result = JSON.parse(line);
	const heapTaken = result.slots !== 0 || result.chunkBytes !== 0 || result.collections !== 0;
	if (heapTaken || result.activeTicks !== result.ticks) failed = true;
}
if (failed) process.exit(1);
