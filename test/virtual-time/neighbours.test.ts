/**
 * What a driver and a display get beside rude neighbours, by the controller's own clock: a machine that pauses
 * changes nothing.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HTTP_LIMITS } from "../../src/http/limits.js";
import { TURN_BYTECODES } from "../../tools/bench/limits.mjs";
import { Drive } from "../../tools/campaign/drive.js";
import { Lockstep, PORT } from "../../tools/campaign/lockstep.js";
import { PROGRAM } from "../hal/host/host-program.js";

const POLLS = 16;
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
const GIVEN_UP_MS = 60_000;

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

/** Keeps one connection busy; reads as little as it must. */
class Rude {
	#socket: Socket | undefined;
	#backMs = 0;
	#dribbleMs = 0;
	readonly #dial: () => Socket;
	readonly #text: string;

	constructor(dial: () => Socket, text: string) {
		this.#dial = dial;
		this.#text = text;
	}

	step(nowMs: number): void {
		if (this.#socket === undefined && nowMs >= this.#backMs) {
			const socket = this.#dial();
			socket.write(this.#text);
			socket.on("close", () => {
				if (this.#socket !== socket) return;
				this.#socket = undefined;
				this.#backMs = nowMs + BACK_MS;
			});
			this.#socket = socket;
			this.#dribbleMs = nowMs + DRIBBLE_MS;
		}
		if (nowMs < this.#dribbleMs) return;
		this.#socket?.write("x");
		this.#dribbleMs = nowMs + DRIBBLE_MS;
	}

	leave(): void {
		const socket = this.#socket;
		this.#socket = undefined;
		socket?.destroy();
	}
}

/**
 * @returns of each poll: ms of the controller's clock until its answer, and bytecodes of all that the script
 * did meanwhile
 */
async function poll(rude: readonly (readonly [address: string, text: string])[], isKept: boolean): Promise<[number, number][]> {
	const folder = mkdtempSync(join(tmpdir(), "oc-wait-"));
	const lockstep = await Lockstep.start(PROGRAM, PORT, ["--flash", join(folder, "flash")]);
	let display: Socket | undefined;
	let received = "";
	const clients = rude.map(([address, text]) => new Rude(() => lockstep.dial(address), text));
	const step = async (): Promise<void> => {
		for (const client of clients) client.step(lockstep.ms);
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
				assert.ok(lockstep.ms - sinceMs < GIVEN_UP_MS, `poll ${i + 1} is not answered: ${received}`);
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
		for (const client of clients) client.leave();
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

const EIGHT = [1, 2, 3, 4, 5, 6, 7, 8] as const;
const RPM = "chassis|0x107|mo drehzahl 01|unit_minutinvers";
const SIGNALS = [
	...["chassis|0x366|hazard switch|", "chassis|0x3be|mo fahrer bremst|", RPM, "chassis|0x86|lwi lenkradwinkel|unit_degreofarc"],
	"haldex|0x118|haldex state|",
];
const EARLIER_MAPS = 10;
/** Until what was changed is on flash. */
const STORED_MS = 2500;
const STREAMS = 5;
const POLLERS = 2;
const STATUS_MS = 20;

const SETTINGS: readonly object[] = [
	{ dashMappings: Object.fromEntries(EIGHT.map((i) => [`dash_${i}`, SIGNALS[i % 5]])) },
	{
		conditions: EIGHT.map((i) => ({
			enabled: true,
			effect: "limit",
			operator: ">=",
			value: 1,
			holdMs: 1000,
			limitPercent: 100,
			signal: SIGNALS[i % 4],
		})),
	},
	{
		steeringGain: { enabled: true, leastPercent: 100, lostPercent: 100 },
		inputMappings: {
			speed: "chassis|0xfd|esp v signal|unit_kilometerperhour",
			throttle: "chassis|0x121|mo fahrpedalrohwert 01|unit_percentage",
			rpm: RPM,
		},
	},
	{ controls: { favourites: "STOCK MAP 8020 5050 FWD 7030", buttonSignal: "chassis|0x5bf|mfl tastencode 1|" } },
];

describe("virtual time: a full house", function () {
	this.timeout(300_000);

	it("a driver's mode is set though the heap is too full for other requests", async () => {
		const wishes = { mode: "5050", disableSpeedKmh: 0, releaseRate: 120 };
		const drive = await Drive.start(PROGRAM, {
			generation: 5,
			profile: "reference",
			settings: { mode: "5050" },
			wishes,
			onPort: true,
			// less than a board has, so that it is too full
			args: ["--heap", "4400:65536"],
		});
		const post = async (path: string, body: object): Promise<number | undefined> =>
			(await drive.ask("POST", path, JSON.stringify(body)))?.code;
		const set = async (path: string, body: object): Promise<void> =>
			assert.equal(await post(path, body), 200, JSON.stringify(body));
		try {
			await drive.run(2500);
			for (const settings of SETTINGS) await set("/api/settings", settings);
			for (const [curve, step] of Object.entries({ speed: 10, throttle: 8, rpm: 500 }))
				await set(`/api/curve/${curve}`, { points: Array.from({ length: 12 }, (_, i) => ({ x: i * step, lock: 50 + i })) });
			await set("/api/analyzer", { enabled: true });
			await set("/api/wifi", { ssid: "home", password: "password1" });
			const learned = { generation: 5, frameProfile: "reference", date: "2026-11-26" };
			await set("/api/learn/table", { ...learned, table: Array.from({ length: 101 }, (_, i) => i) });
			for (let i = 0; i < EARLIER_MAPS; i++) {
				const [speedBins, throttleBins] = [
					[0, 5, 10, 20, 40, 60, 80, 100, 140 + i],
					[0, 5, 10, 20, 40, 60, 100],
				];
				await set("/api/map", { speedBins, throttleBins, lockTable: Array(7).fill([0, 10, 20, 30, 40, 50, 60, 70, 80]) });
				await drive.run(STORED_MS);
				await set("/api/maps/save", { name: `Winter tyres, snow in the Alps, number ${i}` });
				await drive.run(STORED_MS);
			}
			// others sit down, each at an address of his own, and two poll
			const others = Array.from({ length: STREAMS + POLLERS }, (_, i) => drive.lockstep.dial(`127.0.0.${2 + i}`));
			const pollers = others.slice(STREAMS);
			let refused = 0;
			for (const poller of pollers) poller.on("data", (data) => (refused += String(data).startsWith("HTTP/1.1 503") ? 1 : 0));
			for (const stream of others.slice(0, STREAMS)) {
				stream.resume().write("GET /api/events?hz=20 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
				await drive.lockstep.delivered();
				await drive.run(100);
			}
			for (const mode of ["STOCK", "7030", "STOCK", "8020", "STOCK"])
				for (let ms = 0; ms < 400; ms += STATUS_MS) {
					if (ms === 200) assert.equal(await post("/api/mode", { mode }), 200, mode);
					for (const poller of pollers) poller.write("GET /api/status HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
					await drive.lockstep.delivered();
					await drive.run(STATUS_MS);
				}
			await drive.run(HTTP_LIMITS.heapTimeoutMs);
			assert.ok(refused > 0, "the heap had enough for everybody: the test shows nothing");
			for (const socket of others) socket.destroy();
		} finally {
			await drive.end();
		}
	});
});
