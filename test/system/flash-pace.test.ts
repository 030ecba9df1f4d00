/** Both buses full while the flash is erased and written at the pace of a board: no frame is lost, on either board's path. That control returns: stall.test.ts. */
import assert from "node:assert/strict";
import { request } from "node:http";
import { BenchController, judgeable, runLoad } from "../../tools/bench/bus-load.mjs";
import { anImage } from "../support/update-bench.js";
import { sleep, until } from "./wait.js";

const FULL_BUS = 4504; // frames a second

interface Status {
	readonly controlActive: boolean;
	readonly gateway: { readonly leaseExpiries: number };
}

const get = async (port: number, path: string): Promise<unknown> => (await fetch(`http://127.0.0.1:${port}${path}`)).json();
const statusOf = async (port: number): Promise<Status> => (await get(port, "/api/status")) as Status;

/** What is asked of a controller on this port. */
type Work = (port: number) => Promise<void>;

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
	};

/** One setting, and the line about it in the log. */
const writeOnce: Work = async (port) => {
	await post(port, "/api/settings", { disableSpeed: 40 });
	await sleep(1500); // the line has been waiting for a second
};

/** All but the end of it, after which the controller would start anew. */
const update: Work = async (port) => {
	const image = anImage({ segments: [1_200_000] });
	const headers = { "Content-Type": "application/octet-stream", "Content-Length": image.length };
	const message = request({ host: "127.0.0.1", port, method: "POST", path: "/ota/update", headers });
	message.on("error", () => undefined); // the controller gives up waiting for the rest
	message.write(image.subarray(0, -1000));
	const isWritten = async (): Promise<boolean> => {
		const { bytesDone } = (await get(port, "/api/update")) as { readonly bytesDone: number };
		return bytesDone >= image.length - 10_000;
	};
	await until(isWritten, 60_000, "the image to be written");
	message.destroy();
};

describe("system: the flash at a board's pace", function () {
	this.timeout(200_000);

	for (const [pace, what, seconds, kmh, work] of [
		["c6", "settings, maps and logs", 7, 50, write(3)],
		["c6:600", "settings and logs, each erase at its slowest", 9, 50, writeOnce],
		["t2can", "settings, maps and logs", 6, 50, write(3)],
		["c6", "an update of 1.2 MB", 15, 0, update],
	] as const)
		it(`${pace}: ${what}: of 9,008 frames a second none is lost`, async function () {
			const isDriven = kmh > 0;
			const controller = new BenchController(["--flash-pace", pace], isDriven ? "MAP" : "STOCK");
			try {
				const port = await controller.port();
				const loading = runLoad(controller.sockets, FULL_BUS, seconds, kmh);
				const loadEndsAt = performance.now() + seconds * 1000;
				if (isDriven) await until(async () => (await statusOf(port)).controlActive, 10_000, "control to be active");
				else await sleep(1000); // it is known that the car stands
				const workFrom = performance.now();
				await work(port);
				const endedAt = performance.now();
				const { gateway } = await statusOf(port);
				const result = await loading;
				console.log(
					`      ${pace}, ${what}: ${((endedAt - workFrom) / 1000).toFixed(1)} s; of ${result.sent} frames ${result.lost} lost, ` +
						`${result.wrong} wrong; ${gateway.leaseExpiries} leases ran out; oldest ${(result.maxUs / 1000).toFixed(1)} ms ` +
						`(of a bare relay ${(result.relayMaxUs / 1000).toFixed(1)} ms)`,
				);
				assert.equal(result.rewritten > 0, isDriven);
				if (endedAt > loadEndsAt) this.skip(); // this computer is too slow for the writes to end while frames pass
				// what the machine held up says nothing; how old a frame became is the machine's as well, so it is told and not judged
				if (judgeable(result).losses) assert.deepEqual([result.lost, result.wrong], [0, 0]);
			} finally {
				await controller.end();
			}
		});
});
