/** Clients that misbehave: each gets the right status, others are served, STOCK gets through, and the car notices nothing. */
import assert from "node:assert/strict";
import { setMaxListeners } from "node:events";
import { Agent, request } from "node:http";
import net from "node:net";
import { HTTP_LIMITS } from "../../src/http/limits.js";
import { connect, type RawClient } from "../support/http-server.js";
import { Bench, numbersOf, withBench } from "./bench-car.js";
import { BUSY_ID, BUSY_ROWS, makeBusy } from "./car-rows.js";
import { every, now, sleep } from "./wait.js";

/** A witness that waited longer would have noticed. */
const WITNESS_MS = 2000;
/** Until connections whose clients have gone are gone as well. */
const SETTLED_MS = 2000;
const GET = "GET /api/status HTTP/1.1\r\nHost: localhost\r\n\r\n";
const GET_AND_CLOSE = GET.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
const POST = 'POST /api/mode HTTP/1.1\r\nHost: localhost\r\nContent-Length: 14\r\n\r\n{"mode":"MAP"}';

const statuses = (received: string) => [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));

describe("system: abuse", () => {
	let bench: Bench;
	/** Of one that polls as a display does, on one kept-alive connection. */
	const waitsMs: number[] = [];
	let watching = true;
	let witness: Promise<void>;

	const client = (text: string): RawClient => {
		const opened = connect(bench.port);
		opened.send(text);
		return opened;
	};

	before(async () => {
		bench = await Bench.start();
		makeBusy(bench.chassisRows, bench.couplingRows);
		await bench.untilStatus((status) => status.controlActive, 10_000, "control to be active");
		witness = (async () => {
			for (; watching; await sleep(100)) {
				const from = now();
				assert.equal((await bench.ask("GET", "/api/status")).code, 200);
				waitsMs.push(now() - from);
			}
		})();
		witness.catch(() => undefined);
	});
	after(() => bench.end());

	it("32 connections at once are all served", async () => {
		const clients = Array.from({ length: 32 }, () => client(GET_AND_CLOSE));
		for (const { closed } of clients) await closed;
		for (const { received } of clients) assert.deepEqual(statuses(received), [200]);
	});

	it("8 clients that send a byte now and then get 408, and block no other client", async () => {
		const slow = Array.from({ length: HTTP_LIMITS.connections }, () => client("GET /api/status HTTP/1.1\r\n"));
		const stopDripping = every(200, () => {
			for (const { socket, send } of slow) if (socket.writable) send("X");
		});
		try {
			await sleep(300);
			const from = now();
			for (let i = 0; i < 4; i++) {
				const other = client(GET_AND_CLOSE);
				await other.closed;
				assert.deepEqual(statuses(other.received), [200]);
			}
			assert.ok(now() - from < HTTP_LIMITS.headerTimeoutMs, "before their time is up");
			for (const { closed } of slow) await closed;
			// those that were evicted were closed without an answer
			const answers = slow.map(({ received }) => statuses(received).join());
			assert.ok(
				answers.every((answer) => answer === "408" || answer === ""),
				answers.join(" "),
			);
			assert.ok(answers.includes("408"));
		} finally {
			stopDripping();
		}
	});

	const OPEN = "POST /api/settings HTTP/1.1\r\nHost: localhost\r\n";
	for (const [what, status, head, piece, pieces] of [
		["a body of 10 MB", 413, `${OPEN}Content-Length: ${160 * 65_536}\r\n\r\n`, "x".repeat(65_536), 160],
		["a chunked body of 10 MB", 411, `${OPEN}Transfer-Encoding: chunked\r\n\r\n`, `10000\r\n${"x".repeat(65_536)}\r\n`, 160],
		["a flood of headers", 431, OPEN, "X-A: b\r\n".repeat(200), 100],
		["an endless header", 431, `${OPEN}X-A: `, "b".repeat(1_000_000), 1],
		["an endless request line", 414, "GET /", "a".repeat(1_000_000), 1],
	] as const)
		it(`${what} gets ${status} and is read to its end`, async () => {
			const clients = Array.from({ length: 3 }, () => client(head));
			for (let sent = 0; sent < pieces; sent++) for (const { send } of clients) send(piece);
			for (const one of clients) {
				await one.until((received) => received.endsWith("}"));
				assert.deepEqual(statuses(one.received), [status]);
				one.socket.destroy();
			}
		});

	it("clients that leave in any state free their connections", async () => {
		for (let length = 0; length <= POST.length; length += 5) {
			const one = client(POST.slice(0, length));
			if (length % 2 === 0) await sleep(3);
			if (length % 3 === 0) one.socket.resetAndDestroy();
			else one.socket.destroy();
		}
		for (const path of ["/api/openapi.json", "/api/status", "/api/events?hz=20", "/api/events?hz=20"])
			for (const bytes of [1, 100, 2000]) {
				const one = client(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
				await one.until((received) => received.length >= Math.min(bytes, 600));
				one.socket.resetAndDestroy();
			}
		// all places at once
		const clients = Array.from({ length: HTTP_LIMITS.connections - 1 }, () => client(GET));
		for (const one of clients) await one.until((received) => received.endsWith("0\r\n\r\n"));
		for (const { socket } of clients) socket.destroy();
	});

	it("leaves the heap as it was, and no complaint", async () => {
		const { heap: before } = await bench.report();
		for (let i = 0; i < 20; i++) {
			const one = client(`GET / HTTP/1.1\r\nHost: localhost\r\n${"X-A: b\r\n".repeat(1000)}`);
			await one.until((received) => received.endsWith("}"));
			one.socket.destroy();
			client(POST.slice(0, 70)).socket.destroy();
			await client(GET_AND_CLOSE).closed;
		}
		await sleep(SETTLED_MS);
		const { heap: after } = await bench.report();
		assert.ok(after.slotsLive <= before.slotsLive + 48, `${before.slotsLive} slots, then ${after.slotsLive}`);
		assert.ok(after.chunksLive <= before.chunksLive + 1024, `${before.chunksLive} bytes, then ${after.chunksLive}`);
		assert.doesNotMatch(bench.stdout + bench.stderr, /^http:/m);
	});

	it("is noticed neither by another client nor by the car", async () => {
		watching = false;
		await witness;
		assert.ok(Math.max(...waitsMs) < WITNESS_MS, `a witness waited ${Math.max(...waitsMs)} ms`);
		assert.ok(waitsMs.length > 20, `${waitsMs.length} requests of the witness`);
		const { gateway } = await bench.status();
		assert.deepEqual([gateway["droppedQueueFull"], gateway["droppedTooOld"], gateway["leaseExpiries"]], [0, 0, 0]);
		for (let i = 0; i < 2 * BUSY_ROWS; i++) {
			const [from, to] = i < BUSY_ROWS ? [bench.chassis, bench.coupling] : [bench.coupling, bench.chassis];
			const sent = numbersOf(from.sent, BUSY_ID + i);
			assert.ok(sent.length > 1000);
			assert.deepEqual(numbersOf(to.arrived, BUSY_ID + i), sent);
		}
	});
});

const DRIVER = "127.0.0.9";
const CLIENTS = 8;
const WITHIN_MS = 3000;
const POLLS = 12;
const POLL_MS = 250;
const HEAD = "Host: 127.0.0.1\r\n";
const STATUS = `GET /api/status HTTP/1.1\r\n${HEAD}\r\n`;
const EVENTS = `GET /api/events?hz=1 HTTP/1.1\r\n${HEAD}\r\n`;
/** The longest answer that any client may have; sockets of a computer take much of it at once. */
const LOG = `GET /api/logs/read?path=/logs/all.txt&max=262144 HTTP/1.1\r\n${HEAD}\r\n`;
/** More of a body than an input buffer takes: the rest never comes. */
const LARGE_BODY = `POST /api/session HTTP/1.1\r\n${HEAD}Content-Length: 8000\r\n\r\n${" ".repeat(2300)}`;

/** What one of them does with its connection until that ends; then it comes again. */
type Attack = (socket: net.Socket) => void;

/** Sends something again and again, for as long as the connection lasts. */
const repeat =
	(text: string, everyMs: number): Attack =>
	(socket) => {
		const stop = every(everyMs, () => socket.writable && socket.write(text));
		socket.resume().on("close", stop);
	};

/** Asks for a log again and again, and takes so many bytes of it at a time. */
const take =
	(everyMs: number, bytes: number): Attack =>
	(socket) => {
		socket.pause().write(LOG.repeat(8));
		socket.on(
			"close",
			every(everyMs, () => bytes > 0 && socket.read(bytes) === null && socket.read()),
		);
	};

/** Sends something, then a byte now and then; reads nothing. */
const hold =
	(text: string): Attack =>
	(socket) => {
		socket.write(text);
		socket.on(
			"close",
			every(400, () => socket.write("x")),
		);
	};

const ATTACKS: readonly (readonly [what: string, attack: Attack])[] = [
	["poll so often that no connection is ever idle", repeat(STATUS, 100)],
	["open and say nothing", (socket) => socket.resume()],
	["end their half in the middle of a request", (socket) => socket.resume().end(STATUS.slice(0, 40))],
	["send requests without waiting for answers", (socket) => socket.pause().write(STATUS.repeat(60))],
	["send header lines without end", repeat(`GET / HTTP/1.1\r\n${"X-A: b\r\n".repeat(400)}`, 50)],
	[
		"upgrade to WebSocket and send on",
		repeat(`GET /api/events HTTP/1.1\r\n${HEAD}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`, 200),
	],
	[
		"send a body a little faster than the least rate",
		(socket) => {
			socket.write(`POST /api/settings HTTP/1.1\r\n${HEAD}Content-Length: 8000\r\n\r\n`);
			repeat(" ".repeat(130), 100)(socket);
		},
	],
	["take nothing at all of a long answer", take(1000, 0)],
	["take a little at a time of a long answer", take(500, 16_384)],
	[
		"send a large body of their own each",
		(socket) => repeat(`POST /api/settings HTTP/1.1\r\n${HEAD}Content-Length: 8000\r\n\r\n{${" ".repeat(7998)}}`, 150)(socket),
	],
];

/** Lets clients of several addresses do so while `test` lasts. */
async function beside(
	{ port }: Pick<Bench, "port">,
	clients: readonly (readonly [address: string, attack: Attack])[],
	test: () => Promise<void>,
): Promise<void> {
	const over = new AbortController();
	setMaxListeners(0, over.signal);
	for (const [localAddress, attack] of clients) {
		const open = (): void => {
			if (over.signal.aborted) return;
			const socket = net.connect({ host: "127.0.0.1", port, localAddress }, () => attack(socket));
			socket.on("error", () => {});
			socket.on("close", () => void sleep(20).then(open));
			over.signal.addEventListener("abort", () => socket.destroy());
		};
		open();
	}
	try {
		await sleep(1500);
		await test();
	} finally {
		over.abort();
	}
}

/** One request of the driver on a connection of its own. @returns the status code */
function once(port: number, method: string, path: string, body: string): Promise<number> {
	return new Promise((resolve, reject) => {
		const headers = { "Content-Length": body.length };
		const options = { host: "127.0.0.1", port, method, path, headers, agent: false, localAddress: DRIVER };
		const message = request(options, (response) => {
			response.resume();
			response.on("end", () => resolve(response.statusCode ?? 0)).on("error", reject);
		});
		message.on("error", reject);
		message.end(body);
	});
}

/** STOCK, another mode and STOCK again, each in time. */
async function getsThrough(bench: Bench): Promise<void> {
	for (const mode of ["STOCK", "5050", "STOCK"]) {
		const from = now();
		assert.equal(await once(bench.port, "POST", "/api/mode", JSON.stringify({ mode })), 200);
		const tookMs = now() - from;
		assert.ok(tookMs <= WITHIN_MS, `${mode} took ${tookMs.toFixed(0)} ms`);
		await sleep(200);
	}
	// beside so many a status may be rejected for want of heap
	const { gateway } = await bench.untilStatus((status) => "gateway" in status, 10_000, "a status");
	assert.equal(gateway["leaseExpiries"], 0);
}

describe("system: fair shares", () => {
	for (const [what, attack] of ATTACKS)
		it(`STOCK gets through beside eight clients of eight addresses that ${what}`, () =>
			withBench({ files: { "logs/all.txt": "1\tINFO\ttest\tline\n".repeat(13_000) } }, async (bench) => {
				await bench.untilCommand();
				const clients = Array.from({ length: CLIENTS }, (_, i) => [`127.0.0.${20 + i}`, attack] as const);
				await beside(bench, clients, () => getsThrough(bench));
			}));

	it("STOCK gets through beside eight clients that ask SavvyCAN's port for a WebSocket", () =>
		withBench({ args: ["--analyzer", "0"] }, async (bench) => {
			await bench.untilCommand();
			const { port } = (await bench.post("/api/analyzer", { enabled: true })).answer;
			const attack = repeat(`GET / HTTP/1.1\r\n${HEAD}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`.repeat(20), 50);
			const clients = Array.from({ length: CLIENTS }, (_, i) => [`127.0.0.${20 + i}`, attack] as const);
			await beside({ port }, clients, () => getsThrough(bench));
		}));

	for (const [what, heap] of [
		// some 2,550 slots live in a car, a request takes up to 1,100, connections and streams of the others the
		// rest
		["the engine's slots", "4128:65536"],
		["its bytes", "4096:45000"],
	] as const)
		it(`every request of a driver is answered beside one that takes ${what}`, () =>
			withBench({ args: ["--heap", heap] }, async (bench) => {
				await bench.untilCommand();
				const held = [...Array(5).fill(`${EVENTS}${"x".repeat(2000)}`), LARGE_BODY, LARGE_BODY];
				const clients = held.map((text) => ["127.0.0.2", hold(text)] as const);
				await beside(bench, clients, async () => {
					for (let i = 0; i < POLLS; i++) {
						for (const [method, path, body] of [
							["GET", "/api/status", ""],
							["POST", "/api/mode", '{"mode":"STOCK"}'],
							["GET", "/api/dashboard", ""],
						] as const)
							assert.equal(await once(bench.port, method, path, body), 200, `${method} ${path}`);
						await sleep(POLL_MS);
					}
				});
			}));

	it("two phones that load the whole page never get 503, with 1,200 slots fewer than a board has", () =>
		withBench({ args: ["--heap", "4432:65536"] }, async (bench) => {
			await bench.untilCommand();
			const codes: number[] = [];
			const phone = async (localAddress: string): Promise<void> => {
				const agent = new Agent({ keepAlive: true, maxSockets: 4 });
				const get = (path: string): Promise<void> =>
					new Promise((resolve, reject) => {
						const options = { host: "127.0.0.1", port: bench.port, path, agent, localAddress };
						const message = request(options, (response) => {
							codes.push(response.statusCode ?? 0);
							if (path.startsWith("/api/events")) resolve();
							response.resume().on("error", () => {});
							response.on("end", resolve);
						});
						message.on("error", (error) => (message.reusedSocket ? get(path).then(resolve, reject) : reject(error)));
						message.end();
					});
				await get("/");
				await get("/api/events?hz=10");
				for (let i = 0; i < 3; i++) {
					await Promise.all(["/api/status", "/api/map", "/api/maps", "/api/conditions", "/api/network", "/api/update"].map(get));
					await sleep(POLL_MS);
				}
				agent.destroy();
			};
			await Promise.all([phone("127.0.0.2"), phone("127.0.0.3")]);
			assert.deepEqual(codes, Array(40).fill(200));
		}));

	it("a second dump gets 503 until the first has been taken", () =>
		withBench({}, async (bench) => {
			await bench.untilCommand();
			await sleep(2000);
			const first = net.connect(bench.port, "127.0.0.1");
			first.write(`GET /api/canview/dump?seconds=120 HTTP/1.1\r\n${HEAD}\r\n`);
			await new Promise((resolve) => first.once("readable", resolve));
			const second = () => bench.ask("GET", "/api/canview/dump?seconds=1");
			assert.deepEqual(await second(), { code: 503, text: '{"error":"busy"}' });
			first.destroy();
			for (let i = 0; (await second()).code !== 200; i++) assert.ok(i < 50, "the place is free again");
		}));
});
