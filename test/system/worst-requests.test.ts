/**
 * The worst that a client can send, to every route there is, on a board's heap with four pages open: nothing
 * of it stays in the heap or in the engine's table of names, none of it takes a turn longer than a lease
 * allows, and the program goes on. docs/decisions.md 26 and 27.
 */
import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { createConnection } from "node:net";
import { ROUTES } from "../../src/api/routes.js";
import { HTTP_LIMITS } from "../../src/http/limits.js";
import { WRITE_INTERVAL_MS } from "../../src/storage/stored-document.js";
import { TURN_BYTECODES } from "../../tools/bench/limits.js";
import { everySetting } from "../../tools/bench/worst.js";
import { OPENAPI, type Operation } from "../../tools/openapi.js";
import { connect } from "../support/http-server.js";
import { type Bench, withBench } from "./bench-car.js";
import { EventClient } from "./event-client.js";
import { every, sleep, until } from "./wait.js";

/** Longer targets are rejected before anybody looks at them. */
const TARGET_BYTES = 1000;
const BODY_BYTES = 8192;
/** Requests at once: as many as the server has places for beside the pages. */
const AT_ONCE = 4;
/** What is alive may differ by what happens to be under way: a telemetry event, a log line. */
const SLOTS_MORE = 120;
const BYTES_MORE = 4096;

const fill = (text: string, bytes: number) => text.repeat(Math.floor(bytes / Buffer.byteLength(text)));
const list = (value: string) => `{"x":[${fill(`${value},`, BODY_BYTES - 20)}${value}]}`;

/** Values of a query, a path or a member that are as large, as many or as odd as they can be. */
const TEXTS: readonly string[] = [
	fill("a", TARGET_BYTES),
	fill(",", TARGET_BYTES),
	fill("%09", TARGET_BYTES),
	fill("%F0%9F%98%80", TARGET_BYTES),
	fill("0,", TARGET_BYTES),
	fill("+", TARGET_BYTES),
	fill("./", TARGET_BYTES),
	"__proto__",
	"-1",
	"1e999",
];

const BODIES: readonly string[] = [
	...["{}", "[]", "0", '""', "null", "[[]]", '{"x":{}}', "-1.5e300"].map(list),
	`{${fill('"x":1,', BODY_BYTES - 20)}"x":1}`,
	`{${Array.from({ length: 700 }, (_, i) => `"n${i}":1`)}}`,
	`{${Array.from({ length: 120 }, (_, i) => `"m${i}":[]`)}}`,
	`{"mode":"${fill("m", BODY_BYTES - 20)}"}`,
	`{"mode":"${fill('\\"', BODY_BYTES - 20)}"}`,
	fill("[", BODY_BYTES),
	fill(" ", BODY_BYTES),
	fill("\t", BODY_BYTES),
	fill("\n", BODY_BYTES),
	fill("a\tb\n", BODY_BYTES),
	fill("--x\r\n", BODY_BYTES),
	"",
];

/** The longest that is allowed: all that the heap must hold at once. */
const long = (value: string) => JSON.stringify(fill(value, 1000));
const LONG: readonly string[] = ["x", "ß", "|", " ", "😀", "."].map(long);

/** What is read of a description. */
interface Schema {
	readonly $ref?: string;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly items?: Schema;
}

/** As many members of these names with that value as fit. */
function objectOf(names: readonly string[], value: string, room: number): string {
	let text = "";
	for (const name of names) {
		const member = `${text === "" ? "" : ","}${JSON.stringify(name)}:${value}`;
		if (Buffer.byteLength(text + member) < room) text += member;
	}
	return `{${text}}`;
}

/** The same for each object in a body, where the interface takes it: `{"dashMappings":{"dash_1":...}}`. */
function nested(operation: Operation): string[] {
	const resolved = (schema: Schema): Schema =>
		schema.$ref === undefined ? schema : (OPENAPI.components.schemas[schema.$ref.split("/").at(-1) ?? ""] as Schema);
	const { properties = {} } = resolved((operation.requestBody?.content["application/json"]?.schema ?? {}) as Schema);
	return Object.entries(properties).flatMap(([name, property]) => {
		const { items, properties: own } = resolved(property);
		const members = Object.keys(own ?? resolved(items ?? {}).properties ?? {});
		const [begin, end] = items === undefined ? ["", ""] : ["[", "]"];
		const room = BODY_BYTES - name.length - 10;
		return members.length === 0 ? [] : LONG.map((value) => `{"${name}":${begin}${objectOf(members, value, room)}${end}}`);
	});
}

/** A body that is right in form and as large as it can be, with the members that the description names. */
function largest(names: readonly string[]): string[] {
	const members = (value: string) => objectOf(names, value, BODY_BYTES - 2);
	const deep = `${'{"x":'.repeat(8)}1${"}".repeat(8)}`;
	const many = `[${Array(Math.max(1, Math.floor(240 / (names.length + 1)) - 2)).fill("{}")}]`;
	return [...LONG, deep, many, "1e999", "{}", "[]", "null"].map(members);
}

/** Names of parameters and members that an operation's description has. */
function namesOf(value: unknown, found: Set<string>): Set<string> {
	if (typeof value !== "object" || value === null) return found;
	const { $ref, properties, parameters } = value as Record<string, unknown>;
	if (typeof $ref === "string") namesOf(OPENAPI.components.schemas[$ref.split("/").at(-1) ?? ""], found);
	for (const name of Object.keys((properties as object) ?? {})) found.add(name);
	for (const parameter of (parameters as { name: string }[]) ?? []) found.add(parameter.name);
	for (const [key, member] of Object.entries(value)) if (key !== "responses") namesOf(member, found);
	return found;
}

/** Four pages, which must still be open afterwards. */
async function besidePages(bench: Bench, test: (streams: EventClient[]) => Promise<void>): Promise<void> {
	const streams = Array.from({ length: 4 }, () => new EventClient(bench.port, "?hz=20"));
	for (const stream of streams) assert.equal(await stream.opened(), 200);
	await test(streams);
	for (const stream of streams) {
		assert.equal(stream.ended, false);
		stream.close();
	}
}

interface Sent {
	readonly method: string;
	readonly path: string;
	readonly body?: string;
	readonly headers?: Readonly<Record<string, string>>;
}

/** Everything that one route is sent. */
function requestsOf({ method, path }: { method: string; path: string }): Sent[] {
	const operation = OPENAPI.paths[path]?.[method.toLowerCase()];
	assert.ok(operation !== undefined, `${method} ${path} is not described`);
	const names = [...namesOf(operation, new Set())];
	const room = TARGET_BYTES - path.length - 20;
	const query = (name: string, text: string) => `${path}?${name}=${text}`.slice(0, TARGET_BYTES).replace(/%.?$/, "");
	const sent: Sent[] = [
		...names.flatMap((name) => TEXTS.map((text) => ({ method, path: query(name, text) }))),
		...TEXTS.map((text) => ({ method, path: `${path}/${text}`.slice(0, TARGET_BYTES).replace(/%.?$/, "") })),
		{ method, path: `${path}?${fill("&", room)}` },
		{ method, path: `${path}?${fill("a=&", room)}` },
		{ method, path: `${path}?${Array.from({ length: 60 }, (_, i) => `name${i}=${i}`).join("&")}` },
		{ method, path, headers: { Origin: `http://${fill("a", 400)}` } },
		{ method, path, headers: { "If-None-Match": fill('"a",', 490) } },
		{ method, path, headers: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`X-Name-${i}`, fill("v", 60)])) },
		{ method, path, headers: { "Content-Type": `multipart/form-data; boundary=${fill("b", 60)}` }, body: fill("--b\r\n", 2000) },
		{ method, path: `${path}?name=x`, headers: { "Last-Event-ID": fill("9", 300) } },
	];
	if (method !== "GET") for (const body of [...BODIES, ...largest(names)]) sent.push({ method, path: `${path}?name=x`, body });
	return sent;
}

/** @returns the status code; 0 if the connection ended without one, as it may when the heap is full */
function send(bench: Bench, agent: Agent, { method, path, body = "", headers = {} }: Sent): Promise<number> {
	return new Promise((resolve, reject) => {
		const length = { "Content-Length": Buffer.byteLength(body) };
		const message = request({ host: "127.0.0.1", port: bench.port, method, path, agent, headers: { ...length, ...headers } });
		message.on("response", (response) => {
			if (response.headers["content-type"] === "text/event-stream") message.destroy();
			response.resume();
			response.on("close", () => resolve(response.statusCode ?? 0));
			response.on("error", () => {});
		});
		message.on("error", (error) => (/ECONNREFUSED/.test(String(error)) ? reject(error) : resolve(0)));
		message.end(body);
	});
}

/** Sends all of it, some at once. */
async function sendAll(bench: Bench, requests: readonly Sent[]): Promise<Map<number, number>> {
	const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
	const codes = new Map<number, number>();
	const queue = requests[Symbol.iterator]();
	const worker = async () => {
		for (const one of queue) {
			const code = await send(bench, agent, one);
			codes.set(code, (codes.get(code) ?? 0) + 1);
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, worker));
	agent.destroy();
	return codes;
}

const SLOTS = [1, 2, 3, 4, 5, 6, 7, 8];

/** Until what it names is looked for. */
async function change(bench: Bench, settings: object): Promise<void> {
	assert.equal((await bench.post("/api/settings", settings)).code, 200, Object.keys(settings).join());
	await sleep(1100);
}

/** Controllers that share the routes. Each gets few of those of diagnosis, which wait for a control unit. */
const PARTS = 8;
/** Routes that end what the test looks at, by what they do when they are asked rightly. */
const ENDING = ["/api/update/install"];

describe("system: worst requests", () => {
	const routes = ROUTES.filter(({ path }) => !ENDING.includes(path));
	for (let part = 0; part < PARTS; part++)
		it(`to each route leave heap and names as before (${part + 1} of ${PARTS})`, () =>
			withBench({ connected: part % 2 === 0 }, (bench) =>
				besidePages(bench, async () => {
					const { keys } = (await bench.report()).heap;
					const mine = routes.filter((_, i) => i % PARTS === part);
					for (const { method, path } of mine) await sendAll(bench, [{ method, path, body: method === "GET" ? "" : "{}" }]);
					// all connections that there are, and what they take when they are used first
					await sendAll(bench, Array(4 * AT_ONCE).fill({ method: "GET", path: "/api/status" }));
					await sleep(300);
					const { heap: before } = await bench.report();
					for (const route of mine) {
						await sendAll(bench, requestsOf(route));
						const { heap, youngestNames, longestTurnBytecodes } = await bench.report();
						const where = `${route.method} ${route.path}`;
						const made = youngestNames.slice(-(heap.keys - keys)).join();
						assert.equal(heap.keys, keys, `${where} made names of the engine: ${made}`);
						assert.ok(
							longestTurnBytecodes <= TURN_BYTECODES,
							`${where}: a control tick may wait for ${longestTurnBytecodes} bytecodes`,
						);
					}
					await sleep(300);
					const { heap: after } = await bench.report();
					assert.ok(after.slotsLive <= before.slotsLive + SLOTS_MORE, `${before.slotsLive} slots, then ${after.slotsLive}`);
					assert.ok(after.chunksLive <= before.chunksLive + BYTES_MORE, `${before.chunksLive} bytes, then ${after.chunksLive}`);
				}),
			));

	it("in the objects of a body take short turns", () =>
		withBench({}, async (bench) => {
			let bodies = 0;
			for (const { method, path } of routes)
				for (const body of nested(OPENAPI.paths[path]?.[method.toLowerCase()] as Operation)) {
					await bench.report();
					await sendAll(bench, [{ method, path, body }]);
					const { longestTurnBytecodes } = await bench.report();
					assert.ok(longestTurnBytecodes <= TURN_BYTECODES, `${path}, ${body.slice(0, 40)}: ${longestTurnBytecodes} bytecodes`);
					bodies++;
				}
			assert.ok(bodies > 0);
		}));

	/** Numbers of a map's rows take twice a board's bytes here, where a slot has 32. */
	it("all settings with signals, and eight maps, leave heap for the next request", () =>
		withBench({ generation: 1, args: ["--heap", "5632:81920"] }, async (bench) => {
			bench.show(50, 40, 3000);
			await bench.untilCommand();
			const signal = "0x390|gk1 charisma mode|";
			const key = `all|${signal}`;
			const condition = (i: number) => ({
				enabled: true,
				signal: key,
				operator: ">",
				value: i + 100,
				holdMs: 300 + i,
				effect: "map",
				map: `/maps/M${i}.json`,
			});
			for (const i of SLOTS) assert.equal((await bench.post("/api/maps/save", { name: `M${i}` })).code, 200);
			await change(bench, { inputMappings: { speed: key, throttle: key, rpm: key } });
			await change(bench, {
				dashMappings: Object.fromEntries(SLOTS.map((i) => [`dash_${i}`, `chassis|${signal}`])),
			});
			await change(bench, { conditions: SLOTS.map(condition) });
			await change(bench, { controls: { buttonSignal: key, buttonValue: 1 } });
			const steering = { enabled: true, signal: key, startDeg: 90, fullDeg: 300, leastPercent: 20, lostPercent: 50 };
			await change(bench, { steeringGain: steering });
			await change(bench, { steeringGain: { ...steering, leastPercent: 21 } });
			await besidePages(bench, async () => {
				for (let i = 0; i < 3; i++) assert.equal((await bench.ask("GET", "/api/status")).code, 200);
			});
		}));

	/**
	 * Fewer bytes than two bodies need. Beside three open streams some 12,400 bytes are alive, 4,096 of them the
	 * one piece that all answers are copied through, and 24,576 must be free for the fourth. Of the requests some
	 * are sent, since each waits for the heap for seconds. `abuse.test.ts` takes the slots.
	 */
	it("takes all settings at once for another generation, or rejects them beside pages, and control goes on", () =>
		withBench({ generation: 1 }, async (bench) => {
			bench.show(50, 40, 3000);
			await bench.untilCommand();
			const change = async (generation: number, isFirst: boolean): Promise<number> => {
				const { code } = await bench.post("/api/settings", everySetting(generation, isFirst));
				await sleep(WRITE_INTERVAL_MS);
				return code;
			};
			assert.equal(await change(4, true), 200);
			assert.equal((await bench.ask("GET", "/api/status")).code, 200);
			assert.equal(await change(2, false), 200);
			await besidePages(bench, async () => assert.equal(await change(4, true), 503));
			assert.equal((await bench.get("/api/status")).haldexGeneration, 2);
		}));

	it("a heap of 41,500 bytes rejects requests, and control goes on", () =>
		withBench({ args: ["--heap", "5632:41500"] }, (bench) =>
			besidePages(bench, async ([stream]) => {
				await bench.untilCommand();
				const slow = routes.filter(({ path }) => /canview|dump|map|settings|status/.test(path));
				const codes = await sendAll(
					bench,
					slow.flatMap(requestsOf).filter((_, i) => i % 24 === 0),
				);
				assert.ok((codes.get(503) ?? 0) > 0, `${[...codes]}`);
				const seen = stream.events.length;
				await stream.next((event) => stream.events.indexOf(event as never) > seen, "telemetry goes on");
				await bench.untilCommand();
			}),
		));

	it("a driver's mode is set though the heap is too full for other requests", () =>
		withBench({ args: ["--heap", "4200:65536"], settings: { mode: "5050" } }, async (bench) => {
			await bench.untilCommand();
			const key = "chassis|0x366|hazard switch|";
			await change(bench, { dashMappings: Object.fromEntries(SLOTS.map((i) => [`dash_${i}`, key])) });
			await change(bench, { conditions: SLOTS.map(() => ({ enabled: true, effect: "limit", limitPercent: 100, signal: key })) });
			// others, each at an address of its own: five pages, and two that poll
			const others = Array.from({ length: 7 }, (_, i) =>
				createConnection({ host: "127.0.0.1", port: bench.port, localAddress: `127.0.0.${2 + i}` }),
			);
			let rejected = 0;
			for (const [i, other] of others.entries()) {
				other.on("error", () => {}).on("data", (data) => (rejected += String(data).startsWith("HTTP/1.1 503") ? 1 : 0));
				if (i < 5) other.write("GET /api/events?hz=20 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
				await sleep(100);
			}
			const stop = every(20, () => {
				for (const poller of others.slice(5)) poller.write("GET /api/status HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
			});
			for (const mode of ["STOCK", "7030", "STOCK", "8020", "STOCK"]) {
				await sleep(400);
				assert.equal((await bench.mode(mode)).code, 200, mode);
			}
			stop();
			await sleep(HTTP_LIMITS.heapTimeoutMs);
			assert.ok(rejected > 0, "the heap had enough for all: the test shows nothing");
			for (const other of others) other.destroy();
		}));
});

/** How many of the heap's bytes an event stream may hold: half of an input buffer. */
const STREAM_BYTES = 1024;
const HOSTILE_ROUNDS = 4;
const FAVOURITES = "throttle 5050 6040 7030 8020 9010";

const BOMB_FILES: Readonly<Record<string, string>> = {
	"settings.json": `{"format":1,"x":[${Array(2000).fill("{}")}]}`,
	"wifi.json": `{"format":1,"x":[${Array(450).fill("0")}]}`,
	"maps/current.json": `{"x":[${Array(2000).fill("0")}]}`,
	"history.json": JSON.stringify({ format: 1, states: Array(7).fill(["map", "", " ".repeat(1000)]) }),
};

describe("system: heap", () => {
	it("files of thousands of values or names are set aside and reported", () =>
		withBench({ connected: false, settings: null, files: BOMB_FILES }, async (bench) => {
			const { storageProblems } = await bench.status();
			assert.deepEqual(storageProblems.map(({ path }) => path).sort(), Object.keys(BOMB_FILES).sort());
			for (const { problem } of storageProblems)
				assert.match(problem, /can't be used \(it is kept as [a-z/]+\.json\.bad\): (not JSON|a state is ")/);
			await bench.assertShortTurns();
		}));

	it("bytes behind the request of an event stream are not kept", () =>
		withBench({ connected: false }, async (bench) => {
			const { heap: before } = await bench.report();
			const clients = Array.from({ length: 5 }, () => connect(bench.port));
			for (const { send, until } of clients) {
				send(`GET /api/events?hz=20 HTTP/1.1\r\nHost: localhost\r\n\r\n${"x".repeat(1000)}`);
				await until((received) => received.includes("event: telemetry"));
				send("x".repeat(1000));
			}
			await sleep(300);
			const { heap } = await bench.report();
			const bytes = (heap.chunksLive - before.chunksLive) / clients.length;
			assert.ok(bytes < STREAM_BYTES, `${bytes} bytes each`);
			for (const { received, socket, until } of clients) {
				await until((now) => now.indexOf("event: telemetry", received.length) > 0);
				socket.destroy();
			}
		}));

	it("the longest settings are stored beside streams and bodies that fill the heap", () =>
		withBench({}, async (bench) => {
			await bench.untilCommand();
			const key = (i: number) => `chassis|0x${100 + i}|${"\\".repeat(146)}`;
			const condition = { enabled: true, effect: "limit", value: -999999.123456789, holdMs: 60000, limitPercent: 100 };
			for (const settings of [
				{ dashMappings: Object.fromEntries(SLOTS.map((i) => [`dash_${i}`, key(i)])) },
				{ conditions: SLOTS.map((i) => ({ ...condition, signal: key(10 + i) })) },
				{ steeringGain: { signal: key(30), enabled: true }, controls: { buttonSignal: key(31), favourites: FAVOURITES } },
				{ inputMappings: { rpm: key(32), throttle: key(33) } },
			])
				assert.equal((await bench.post("/api/settings", settings)).code, 200);
			for (const [curve, least] of [
				["speed", 289],
				["throttle", 89],
				["rpm", 9989],
			] as const) {
				const points = Array.from({ length: 12 }, (_, i) => ({ x: least + i, lock: 100 }));
				assert.equal((await bench.post(`/api/curve/${curve}`, { points })).code, 200);
			}
			const learned = {
				generation: 5,
				frameProfile: "reference",
				date: "2026-11-23",
				table: Array.from({ length: 101 }, (_, i) => i),
			};
			assert.equal((await bench.post("/api/learn/table", learned)).code, 200);
			for (let round = 1; round <= HOSTILE_ROUNDS; round++) {
				await sleep(WRITE_INTERVAL_MS);
				for (const disableSpeed of [round, 100 + round]) {
					assert.equal((await bench.post("/api/settings", { disableSpeed })).code, 200);
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
