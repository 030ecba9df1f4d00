/**
 * The gateway's own thread, which virtual time has not: it forwards while requests are answered and while the
 * script stands still.
 */
import assert from "node:assert/strict";
import { BenchController, judgeable, runLoad } from "../../tools/bench/bus-load.mjs";

/** Of a full bus: 500 kbit/s with 8-byte frames of 111 bits. */
const FRAMES_PER_SECOND = 4504;
const LOAD_S = 4;

describe("real time: forwarding", () => {
	it("loses no frame of two full buses beside a client that polls and a script that stalls", async () => {
		const controller = new BenchController(["--fault", "script-stalled=2500:700"]);
		try {
			const status = `http://127.0.0.1:${await controller.port()}/api/status`;
			let loaded = true;
			const load = runLoad(controller.sockets, FRAMES_PER_SECOND, LOAD_S).finally(() => (loaded = false));
			let polls = 0;
			for (; loaded; polls++) assert.equal((await fetch(status)).status, 200);
			const result = await load;
			assert.ok(polls > 5, `${polls} polls`);
			assert.equal(result["sent"], 2 * FRAMES_PER_SECOND * LOAD_S);
			assert.ok(result["rewritten"]! > 100, `${result["rewritten"]} frames rewritten`);
			// a machine that pauses may hold up the script or the car, so that no lease is there to expire
			if (judgeable(result).losses)
				assert.deepEqual([result["lost"], result["wrong"], (await controller.report()).gateway.leaseExpiries], [0, 0, 1]);
		} finally {
			await controller.end();
		}
	});
});
