/** Both buses full while the flash is erased and written at the pace of a board: no frame is lost, on either board's path. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { BenchController, judgeable, runLoad } from "../../tools/bench/bus-load.mjs";
import { anImage } from "../support/update-bench.js";

const FULL_BUS = 4504; // frames a second
const OLDEST_US = 5000; // one frame may wait for this computer alone: the oldest one is said, not judged

/** What is asked of a controller on this port; @returns what is left to do when the frames have passed */
type Work = (port: number) => Promise<() => Promise<void>>;

const post = async (port: number, path: string, body: object): Promise<void> => {
	const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body: JSON.stringify(body) });
	assert.equal(answer.status, 200, `${path}: ${await answer.text()}`);
};

/** Settings, logs and maps, one write after the other. */
const write =
	(times: number): Work =>
	async (port) => {
		await post(port, "/api/settings", { verboseLogging: true });
		for (let i = 0; i < times; i++) {
			await post(port, "/api/settings", { disableSpeed: 40 + i });
			await post(port, "/api/maps/save", { name: `map ${i}` });
		}
		return async () => undefined;
	};

/** All but the end of it: the controller starts anew after that. */
const update: Work = async (port) => {
	const image = anImage({ segments: [1_200_000] });
	const headers = { "Content-Type": "application/octet-stream", "Content-Length": image.length };
	const message = request({ host: "127.0.0.1", port, method: "POST", path: "/ota/update", headers });
	const answer = once(message, "response");
	await new Promise((resolve) => message.write(image.subarray(0, -1000), resolve));
	return async () => {
		message.end(image.subarray(-1000));
		const [{ statusCode }] = await answer;
		assert.equal(statusCode, 200);
	};
};

describe("system: the flash at a board's pace", function () {
	this.timeout(200_000);

	for (const [pace, what, seconds, kmh, work] of [
		["c6", "settings, maps and logs", 12, 50, write(3)],
		["c6:600", "settings, a map and logs, each erase at its slowest", 24, 50, write(1)],
		["t2can", "settings, maps and logs", 10, 50, write(3)],
		["c6", "an update of 1.2 MB", 16, 0, update],
		["t2can", "an update of 1.2 MB", 16, 0, update],
	] as const)
		it(`${pace}: ${what}: of 9,008 frames a second none is lost`, async function () {
			const controller = new BenchController(["--flash-pace", pace], kmh > 0 ? "MAP" : "STOCK");
			try {
				const port = await controller.port();
				const loading = runLoad(controller.sockets, FULL_BUS, seconds, kmh);
				await new Promise((resolve) => setTimeout(resolve, 3000)); // in control
				const startedAt = performance.now();
				const end = await work(port);
				const workedMs = performance.now() - startedAt;
				const result = await loading;
				await end();
				const judged = judgeable(result);
				console.log(
					`      ${pace}, ${what}: ${(workedMs / 1000).toFixed(1)} s; of ${result.sent} frames ${result.lost} lost, ${result.wrong} wrong; ` +
						`oldest ${(result.maxUs / 1000).toFixed(1)} ms (of a bare relay ${(result.relayMaxUs / 1000).toFixed(1)} ms)`,
				);
				if (workedMs > seconds * 1000 - 3000) this.skip(); // this computer is too slow for the writes to end while frames pass
				assert.equal(result.rewritten > 0, kmh > 0);
				if (judged.losses) assert.deepEqual([result.lost, result.wrong], [0, 0]);
				if (judged.latency) assert.ok(result.p99Us < OLDEST_US, `99 of 100 frames take ${result.p99Us} us`);
			} finally {
				await controller.end();
			}
		});
});
