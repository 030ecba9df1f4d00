// What a log line and a logged CAN frame cost, and the dearest step of the CAN log, which a control tick may have to wait for: bytecodes.
// Usage: node tools/bench/log.mjs. Exit code 1 above the budget.
import { runOnReplay } from "./on-replay.mjs";

const BUDGET_BYTECODES = 150_000; // 60 control ticks: less than 1 ms on a computer
const SECONDS = 8;

const [line] = await runOnReplay("log", 5, SECONDS, `measure(${SECONDS * 1000 - 500})`);
console.log(line);
if (JSON.parse(line).mostPerStep > BUDGET_BYTECODES) process.exit(1);
