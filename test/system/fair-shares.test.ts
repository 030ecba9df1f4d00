/**
 * A display that polls beside seven rude neighbours, each at an address of its own, and one that holds all
 * places by itself.
 */
import assert from "node:assert/strict";
import { setMaxListeners } from "node:events";
import { Agent, request } from "node:http";
import net from "node:net";
import { withBench } from "./bench-car.js";
import { every, sleep } from "./wait.js";

const POLLS = 12;
const POLL_MS = 250;
const DISPLAY = "127.0.0.9";
const HEAD = "Host: 127.0.0.1\r\n";
const EVENTS = `GET /api/events?hz=1 HTTP/1.1\r\n${HEAD}\r\n`;
/** The longest answer that any client may have; sockets of a computer take much of it at once. */
const LOG = `GET /api/logs/read?path=/logs/all.txt&max=262144 HTTP/1.1\r\n${HEAD}\r\n`;
/** More of a body than an input buffer takes: the rest never comes. */
const LARGE_BODY = `POST /api/session HTTP/1.1\r\n${HEAD}Content-Length: 8000\r\n\r\n${" ".repeat(2300)}`;

/** Keeps `count` connections busy from one address until `over`; reads as little as it must. */
function keepBusy(port: number, address: string, text: string, count: number, over: AbortSignal): void {
	const open = (): void => {
		if (over.aborted) return;
		const socket = net.connect({ host: "127.0.0.1", port, localAddress: address }, () => socket.write(text));
		const stopDribbling = every(400, () => socket.write("x"));
		socket.on("error", () => {});
		socket.on("close", () => {
			stopDribbling();
			void sleep(20).then(open);
		});
		over.addEventListener("abort", () => socket.destroy());
	};
	for (let i = 0; i < count; i++) open();
}

/** Asks for a log from an address of its own until `over`, and takes `bytes` of it in each `everyMs`. */
function takeSlowly(port: number, address: string, everyMs: number, bytes: number, over: AbortSignal): void {
	const open = (): void => {
		if (over.aborted) return;
		const socket = net.connect({ host: "127.0.0.1", port, localAddress: address });
		socket.pause();
		socket.write(LOG.repeat(8));
		const taking = setInterval(() => bytes > 0 && socket.read(bytes) === null && socket.read(), everyMs);
		socket.on("error", () => {});
		socket.on("close", () => {
			clearInterval(taking);
			setTimeout(open, 20);
		});
		over.addEventListener("abort", () => socket.destroy());
	};
	open();
}

/** One request on a connection of its own. @returns the status code */
function once(port: number, method: string, path: string, body: string): Promise<number> {
	return new Promise((resolve, reject) => {
		const headers = { "Content-Length": body.length };
		const options = { host: "127.0.0.1", port, method, path, headers, agent: false, localAddress: DISPLAY, timeout: 5000 };
		const message = request(options, (response) => {
			response.resume();
			response.on("end", () => resolve(response.statusCode ?? 0)).on("error", reject);
		});
		message.on("timeout", () => message.destroy(new Error(`${path} was not answered`)));
		message.on("error", reject);
		message.end(body);
	});
}

describe("system: fair shares", () => {
	for (const [what, heap] of [
		// some 2,550 slots live in a car, a request takes up to 1,100, connections and streams of the others the
		// rest
		["the engine's slots", "4128:65536"],
		["its bytes", "4096:45000"],
	] as const)
		it(`every request of a driver is answered beside one that takes ${what}`, () =>
			withBench({ args: ["--heap", heap] }, async (bench) => {
				await bench.untilCommand();
				const over = new AbortController();
				setMaxListeners(0, over.signal);
				keepBusy(bench.port, "127.0.0.2", `${EVENTS}${"x".repeat(2000)}`, 5, over.signal);
				keepBusy(bench.port, "127.0.0.2", LARGE_BODY, 2, over.signal);
				try {
					await sleep(1000);
					for (let i = 0; i < POLLS; i++) {
						for (const [method, path, body] of [
							["GET", "/api/status", ""],
							["POST", "/api/mode", '{"mode":"STOCK"}'],
							["GET", "/api/dashboard", ""],
						] as const)
							assert.equal(await once(bench.port, method, path, body), 200, `${method} ${path}`);
						await sleep(POLL_MS);
					}
				} finally {
					over.abort();
				}
			}));

	it("two phones that load the page and all that it shows never see 503, with 1,200 slots fewer than a board has", () =>
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

	for (const [how, everyMs, bytes] of [
		["nothing at all", 1000, 0],
		["as little as they can", 500, 4096],
		["a little at a time", 500, 16_384],
	] as const)
		it(`STOCK gets through beside eight clients of eight addresses that take ${how} of a long answer`, () =>
			withBench({ files: { "logs/all.txt": "1\tINFO\ttest\tline\n".repeat(13_000) } }, async (bench) => {
				await bench.untilCommand();
				const over = new AbortController();
				setMaxListeners(0, over.signal);
				for (let i = 0; i < 8; i++) takeSlowly(bench.port, `127.0.0.${20 + i}`, everyMs, bytes, over.signal);
				try {
					await sleep(1000);
					for (let i = 0; i < 3; i++) {
						assert.equal(await once(bench.port, "POST", "/api/mode", '{"mode":"STOCK"}'), 200);
						await sleep(POLL_MS);
					}
				} finally {
					over.abort();
				}
			}));

	it("a second dump waits for nobody: it is told to come again, until the first has been taken", () =>
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
