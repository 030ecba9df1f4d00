/** Clients that misbehave: others are served, and STOCK gets through. */
import assert from "node:assert/strict";
import { setMaxListeners } from "node:events";
import { Agent, request } from "node:http";
import net from "node:net";
import { type Bench, withBench } from "./bench-car.js";
import { every, now, sleep } from "./wait.js";

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

/** Asks for a log again and again, and takes `bytes` of it every `everyMs`. */
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
	// with that many clients a status may be rejected: the heap is too full
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
