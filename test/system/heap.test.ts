/**
 * What clients send fills neither the heap nor the engine's table of names, which never gives one back.
 * docs/decisions.md 26 and 27.
 */
import assert from "node:assert/strict";
import { ROUTES } from "../../src/api/routes.js";
import { WRITE_INTERVAL_MS } from "../../src/storage/stored-document.js";
import { connect } from "../support/http-server.js";
import { type Bench, withBench } from "./bench-car.js";
import { EventClient } from "./event-client.js";
import { sleep, until } from "./wait.js";

/** What an event stream may hold of the heap's bytes: half of an input buffer. */
const STREAM_BYTES = 1024;
const HOSTILE_ROUNDS = 4;
const FAVOURITES = "throttle 5050 6040 7030 8020 9010";

const array = (value: string, count: number) => `{"x":[${Array(count).fill(value)}]}`;
/** JSON that was more than the heap or the lease could take. */
const BOMBS: readonly string[] = [
	array("{}", 2000),
	array("[]", 2700),
	array("0", 4000),
	array('""', 2700),
	`{"mode":${array("[]", 940).slice(5)}`,
	`{${Array(1350).fill('"x":1')}}`,
	`{${Array.from({ length: 780 }, (_, i) => `"n${i}":1`)}}`,
	`{"mode":"${"m".repeat(8000)}"}`,
	`{"mode":"${'\\"'.repeat(4000)}"}`,
	`{"x":1${",".repeat(8000)}`,
	`{${'"x":1,'.repeat(1300)}`,
	`${"[".repeat(8000)}`,
	`{"mode"${" ".repeat(8000)}:`,
];
const BOMB_FILES: Readonly<Record<string, string>> = {
	"settings.json": `{"format":1,"x":[${Array(2000).fill("{}")}]}`,
	"wifi.json": `{"format":1,"x":[${Array(450).fill("0")}]}`,
	"maps/current.json": array("0", 2000),
};

/** As many pages as people have open, and what they hold of the heap. */
async function eventStreams(bench: Bench): Promise<EventClient[]> {
	const streams = Array.from({ length: 4 }, () => new EventClient(bench.port, "?hz=20"));
	for (const stream of streams) assert.equal(await stream.opened(), 200);
	return streams;
}

describe("system: heap", () => {
	it("thousands of values or names in one body are rejected, on each route that takes one, in a short turn", () =>
		withBench({ connected: false }, async (bench) => {
			const streams = await eventStreams(bench);
			const collecting = ROUTES.filter((route) => route.body === "collect");
			assert.ok(collecting.length > 10);
			const { keys } = (await bench.report()).heap;
			for (const { method, path } of collecting)
				for (const bomb of BOMBS) {
					const { code } = await bench.ask(method, path, bomb);
					assert.equal(code, 400, `${path} ${bomb.slice(0, 20)}`);
				}
			await bench.assertShortTurns();
			assert.equal((await bench.report()).heap.keys, keys);
			for (const stream of streams) stream.close();
		}));

	it("a body in chunks of a byte each is rejected, and no turn takes all that comes in at once", () =>
		withBench({ connected: false }, async (bench) => {
			const chunks = (size: number, count: number) => `${size.toString(16)}\r\n${"x".repeat(size)}\r\n`.repeat(count);
			const send = async (text: string) => {
				const client = connect(bench.port);
				client.send(
					`POST /api/mode HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${text}0\r\n\r\n`,
				);
				await client.closed;
				return client.received;
			};
			await bench.report();
			assert.match(await send(chunks(1, 8000)), /^HTTP\/1\.1 400 [\s\S]*bad request/);
			assert.match(await send(chunks(64, 120)), /^HTTP\/1\.1 400 [\s\S]*invalid json/);
			assert.match(await send(chunks(64, 4000)), /^HTTP\/1\.1 413 /);
			await bench.assertShortTurns();
		}));

	it("files of thousands of values or names are set aside and reported", () =>
		withBench({ connected: false, settings: null, files: BOMB_FILES }, async (bench) => {
			const { storageProblems } = await bench.status();
			assert.deepEqual(storageProblems.map(({ path }) => path).sort(), Object.keys(BOMB_FILES).sort());
			for (const { problem } of storageProblems)
				assert.match(problem, /can't be used \(it is kept as [a-z/]+\.json\.bad\): not JSON/);
			await bench.assertShortTurns();
		}));

	for (const [what, separator] of [
		["blanks", " "],
		["commas", ","],
	])
		it(`a history of ${what} without end is set aside and reported, and the controller starts`, () => {
			const states = Array(7).fill(["map", "", separator.repeat(1000)]);
			const files = { "history.json": JSON.stringify({ format: 1, states }) };
			return withBench({ connected: false, files }, async (bench) => {
				const { storageProblems } = await bench.status();
				assert.match(storageProblems[0].problem, /^history\.json can't be used .*: a state is "/);
				await bench.assertShortTurns();
			});
		});

	it("what clients send behind the requests of their event streams is held by nobody", () =>
		withBench({ connected: false }, async (bench) => {
			const before = (await bench.report()).heap;
			const clients = Array.from({ length: 5 }, () => connect(bench.port));
			for (const client of clients) {
				client.send(`GET /api/events?hz=20 HTTP/1.1\r\nHost: localhost\r\n\r\n${"x".repeat(1000)}`);
				await client.until((received) => received.includes("event: telemetry"));
				client.send("x".repeat(1000));
			}
			await sleep(300);
			const { chunksLive } = (await bench.report()).heap;
			const each = (chunksLive - before.chunksLive) / clients.length;
			assert.ok(each < STREAM_BYTES, `${each} bytes each`);
			for (const client of clients) {
				const { length } = client.received;
				await client.until((received) => received.indexOf("event: telemetry", length) > 0);
				client.socket.destroy();
			}
		}));

	it("the longest settings are written beside streams and bodies that take all they can", () =>
		withBench({}, async (bench) => {
			await bench.untilCommand();
			const key = (i: number) => `chassis|0x${100 + i}|${"\\".repeat(146)}`;
			const slots = [1, 2, 3, 4, 5, 6, 7, 8];
			const condition = { enabled: true, effect: "limit", value: -999999.123456789, holdMs: 60000, limitPercent: 100 };
			for (const settings of [
				{ dashMappings: Object.fromEntries(slots.map((i) => [`dash_${i}`, key(i)])) },
				{ conditions: slots.map((i) => ({ ...condition, signal: key(10 + i) })) },
				{ steeringGain: { signal: key(30), enabled: true }, controls: { buttonSignal: key(31), favourites: FAVOURITES } },
				{ inputMappings: { rpm: key(32), throttle: key(33) } },
			])
				assert.equal((await bench.ask("POST", "/api/settings", JSON.stringify(settings))).code, 200);
			for (const [curve, least] of [
				["speed", 289],
				["throttle", 89],
				["rpm", 9989],
			] as const) {
				const points = Array.from({ length: 12 }, (_, i) => ({ x: least + i, lock: 100 }));
				assert.equal((await bench.ask("POST", `/api/curve/${curve}`, JSON.stringify({ points }))).code, 200);
			}
			const learned = {
				generation: 5,
				frameProfile: "reference",
				date: "2026-11-23",
				table: Array.from({ length: 101 }, (_, i) => i),
			};
			assert.equal((await bench.ask("POST", "/api/learn/table", JSON.stringify(learned))).code, 200);
			for (let round = 1; round <= HOSTILE_ROUNDS; round++) {
				await sleep(WRITE_INTERVAL_MS);
				for (const disableSpeed of [round, 100 + round]) {
					assert.equal((await bench.ask("POST", "/api/settings", JSON.stringify({ disableSpeed }))).code, 200);
					await sleep(100);
				}
				const clients = Array.from({ length: 8 }, () => connect(bench.port));
				for (const client of clients.slice(0, 5)) client.send("GET /api/events?hz=20 HTTP/1.1\r\nHost: localhost\r\n\r\n");
				await sleep(60);
				for (const client of clients.slice(0, 5)) client.send("x".repeat(2000));
				for (const client of clients.slice(5, 7))
					client.send(`POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8190\r\n\r\n${" ".repeat(2300)}`);
				await sleep(100);
				for (const client of clients.slice(5, 7)) client.send(" ".repeat(3000));
				clients[7].send(`POST /api/map HTTP/1.1\r\nHost: localhost\r\nX: ${"y".repeat(1900)}`);
				await until(() => bench.settingsFile()["disableSpeed"] === 100 + round, 2 * WRITE_INTERVAL_MS, "the settings on flash");
				for (const client of clients) client.socket.destroy();
			}
		}));
});
