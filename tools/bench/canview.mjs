// Bytecodes of the CAN view's answers and dumps: their beginning, and their dearest piece, which a control tick may have to wait for.
// Usage: node tools/bench/canview.mjs. Exit code 1 above the budget.
import { runOnReplay } from "./on-replay.mjs";

const BUDGET_BYTECODES = 100_000; // 40 control ticks: 0.5 ms on a computer
const SECONDS = 8;

let failed = false;
for (const generation of [5, 4])
	for (const line of await runOnReplay("canview", generation, SECONDS, `measure(${generation}, ${SECONDS * 1000 - 500})`)) {
		console.log(line);
		const { start, mostPerPiece } = JSON.parse(line);
		if (start > BUDGET_BYTECODES || mostPerPiece > BUDGET_BYTECODES) failed = true;
	}
if (failed) process.exit(1);
