/**
 * What a driver and a display get beside rude neighbours, by the controller's own clock: a machine that pauses
 * changes nothing.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TURN_BYTECODES } from "../../tools/bench/limits.js";
import { Lockstep, PORT } from "../../tools/campaign/lockstep.js";
import { PROGRAM } from "../hal/host/host-program.js";

const POLLS = 8;
const POLL_MS = 250;
const STEP_MS = 10;
/** What a C6 does meanwhile: a turn's budget is what it does in 10 ms. */
const POLL_BYTECODES = (POLL_MS / 10) * TURN_BYTECODES;
const DISPLAY = "127.0.0.9";
const POLL = "GET /api/dashboard HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
/** Between two bytes that a rude one sends, and until it returns. */
const DRIBBLE_MS = 400;
const BACK_MS = 20;
/** Longer than any of its limits. */
const ANSWERED_MS = 60_000;

/** What rude neighbours send on every connection, and then keep it. */
const HEAD = "Host: 127.0.0.1\r\n";

const RUDE: readonly string[] = [
	"GET /api/status HTTP/1.1\r\nX: ",
	`POST /api/settings HTTP/1.1\r\n${HEAD}Content-Length: 8000\r\n\r\n{`,
	`GET /api/canview/dump?seconds=120 HTTP/1.1\r\n${HEAD}\r\n`,
	`GET /api/events?hz=20 HTTP/1.1\r\n${HEAD}\r\n`,
	`POST /ota/update HTTP/1.1\r\n${HEAD}Content-Length: 1000000\r\n\r\n`,
	`GET /api/openapi.json HTTP/1.1\r\n${HEAD}\r\n`.repeat(20),
	"",
];

/**
 * @returns of each poll: ms of the controller's clock until its answer, and bytecodes of all that the script
 * did meanwhile
 */
async function poll(rude: readonly (readonly [address: string, text: string])[], isKept: boolean): Promise<[number, number][]> {
	const folder = mkdtempSync(join(tmpdir(), "oc-wait-"));
	const lockstep = await Lockstep.start(PROGRAM, PORT, ["--flash", join(folder, "flash")]);
	let display: Socket | undefined;
	let received = "";
	/** Keeps one connection busy, and reads as little as it must. */
	const keepBusy = ([address, text]: readonly [string, string]): (() => void) => {
		let socket: Socket | undefined;
		let nextMs = 0;
		return () => {
			if (lockstep.ms < nextMs) return;
			nextMs = lockstep.ms + DRIBBLE_MS;
			if (socket !== undefined) {
				socket.write("x");
				return;
			}
			socket = lockstep.dial(address);
			socket.write(text);
			socket.on("close", () => {
				socket = undefined;
				nextMs = lockstep.ms + BACK_MS;
			});
		};
	};
	const clients = rude.map(keepBusy);
	const step = async (): Promise<void> => {
		for (const goOn of clients) goOn();
		await lockstep.delivered();
		await lockstep.run(STEP_MS);
		await lockstep.delivered();
	};
	const waits: [number, number][] = [];
	try {
		for (let ms = 0; ms < 2000; ms += STEP_MS) await step();
		for (let i = 0; i < POLLS; i++) {
			const { meter } = await lockstep.report();
			const sinceMs = lockstep.ms;
			received = "";
			while (!/\r\n\r\n.*\}$/s.test(received)) {
				assert.ok(lockstep.ms - sinceMs < ANSWERED_MS, `poll ${i + 1} is not answered: ${received}`);
				if (display === undefined || display.destroyed) {
					received = "";
					display = lockstep.dial(DISPLAY);
					display.on("data", (data) => (received += data));
					display.write(POLL);
				} else if (lockstep.ms === sinceMs) display.write(POLL);
				await step();
			}
			assert.match(received, /^HTTP\/1\.1 200 /);
			waits.push([lockstep.ms - sinceMs, ((await lockstep.report()).meter - meter) >>> 0]);
			if (!isKept) {
				display?.destroy();
				display = undefined;
			}
			while (lockstep.ms - sinceMs < POLL_MS) await step();
		}
		return waits;
	} finally {
		display?.destroy();
		await lockstep.kill();
		rmSync(folder, { recursive: true, force: true });
	}
}

describe("virtual time: a display's wait", function () {
	this.timeout(600_000);

	for (const [name, rude] of [
		["seven rude neighbours at seven addresses", RUDE.flatMap((text, i) => Array(3).fill([`127.0.0.${2 + i}`, text]))],
		["one that wants twenty-four connections", Array(24).fill(["127.0.0.2", RUDE[1]])],
	] as [string, [string, string][]][])
		for (const isKept of [true, false])
			it(`beside ${name} is at most 250 ms ${isKept ? "on a kept connection" : "with a connection for each poll"}`, async () => {
				const waits = await poll(rude, isKept);
				const longestMs = Math.max(...waits.map(([ms]) => ms));
				const most = Math.max(...waits.map(([, bytecodes]) => bytecodes));
				console.log(`      ${longestMs} ms, ${most} bytecodes: ${waits.map(([ms]) => ms).join(" ")}`);
				assert.ok(longestMs <= POLL_MS, `${longestMs} ms`);
				assert.ok(most <= POLL_BYTECODES, `${most} bytecodes`);
			});
});
