// Forwarding on the real program: a full bus (4,504 frames a second) both ways for 60 s through two UNIX
// sockets, with a generation 5 plan active and the control loop running. None may be lost or reordered, and
// 99 of 100 frames must take less than 1 ms from write() to read(). A machine that holds up even a bare
// relay, or the load itself, in the same run says nothing about the gateway: `judged` tells what counts
// (bus-load.mjs). Usage: node tools/bench/forwarding.mjs [SECONDS]. Prints one JSON line; exit code 1 when a
// limit is missed.
import { BenchController, judgeable, runLoad } from "./bus-load.mjs";

const FRAMES_PER_SECOND = 4504; // 500 kbit/s, 8-byte frames of 111 bits with stuffing left out
const P99_LIMIT_US = 1000;
const seconds = Number(process.argv[2] ?? 60);

const controller = new BenchController();
try {
	const result = await runLoad(controller.sockets, FRAMES_PER_SECOND, seconds);
	const judged = judgeable(result);
	console.log(JSON.stringify({ bench: "forwarding", seconds, p99LimitUs: P99_LIMIT_US, judged, ...result }));
	if (result.rewritten === 0 || (judged.losses && (result.lost || result.wrong))) process.exitCode = 1;
	if (judged.latency && result.p99Us >= P99_LIMIT_US) process.exitCode = 1;
} catch (error) {
	console.error(`forwarding: ${error.stderr || error.message}`.trim());
	process.exitCode = 2;
} finally {
	await controller.end();
}
