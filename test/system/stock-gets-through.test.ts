/**
 * Whatever eight clients of eight addresses do with all connections there are, a driver's STOCK is set within
 * a few seconds. docs/decisions.md 16.
 */
import assert from "node:assert/strict";
import { setMaxListeners } from "node:events";
import { request } from "node:http";
import net from "node:net";
import { type Bench, withBench } from "./bench-car.js";
import { every, now, sleep } from "./wait.js";

const DRIVER = "127.0.0.9";
const CLIENTS = 8;
const WITHIN_MS = 3000;
const HEAD = "Host: 127.0.0.1\r\n";
const STATUS = `GET /api/status HTTP/1.1\r\n${HEAD}\r\n`;

/** What one of them does with its connection until that ends; then it comes again. */
type Attack = (socket: net.Socket) => void;

/** Sends something again and again, for as long as the connection lasts. */
const repeat =
	(text: string, everyMs: number): Attack =>
	(socket) => {
		const stop = every(everyMs, () => socket.writable && socket.write(text));
		socket.resume().on("close", stop);
	};

const ATTACKS: readonly (readonly [what: string, attack: Attack])[] = [
	["poll so often that no connection is ever idle", repeat(STATUS, 100)],
	["open and say nothing", (socket) => socket.resume()],
	["end their half after a request", (socket) => socket.resume().end(STATUS)],
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
	[
		"send a large body of their own each",
		(socket) => repeat(`POST /api/settings HTTP/1.1\r\n${HEAD}Content-Length: 8000\r\n\r\n{${" ".repeat(7998)}}`, 150)(socket),
	],
];

function keepBusy(port: number, address: string, attack: Attack, over: AbortSignal): void {
	const open = (): void => {
		if (over.aborted) return;
		const socket = net.connect({ host: "127.0.0.1", port, localAddress: address }, () => attack(socket));
		socket.on("error", () => {});
		socket.on("close", () => void sleep(20).then(open));
		over.addEventListener("abort", () => socket.destroy());
	};
	open();
}

/** Selects a mode on a connection of its own, as a driver's page does. */
function select(bench: Bench, mode: string): Promise<number> {
	return new Promise((resolve, reject) => {
		const body = JSON.stringify({ mode });
		const headers = { "Content-Length": body.length };
		const options = {
			host: "127.0.0.1",
			port: bench.port,
			method: "POST",
			path: "/api/mode",
			headers,
			agent: false,
			localAddress: DRIVER,
		};
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
		assert.equal(await select(bench, mode), 200);
		const tookMs = now() - from;
		assert.ok(tookMs <= WITHIN_MS, `${mode} took ${tookMs.toFixed(0)} ms`);
		await sleep(200);
	}
	assert.equal((await bench.status()).gateway["leaseExpiries"], 0);
}

describe("system: STOCK gets through", () => {
	const beside = (port: (bench: Bench) => Promise<number>, attack: Attack, args: readonly string[]): Promise<void> =>
		withBench({ args }, async (bench) => {
			await bench.untilCommand();
			const target = await port(bench);
			const over = new AbortController();
			setMaxListeners(0, over.signal);
			for (let i = 0; i < CLIENTS; i++) keepBusy(target, `127.0.0.${20 + i}`, attack, over.signal);
			try {
				await sleep(1500);
				await getsThrough(bench);
			} finally {
				over.abort();
			}
		});

	for (const [what, attack] of ATTACKS)
		it(`beside eight clients of eight addresses that ${what}`, () => beside(async ({ port }) => port, attack, []));

	it("beside eight clients that ask SavvyCAN's port for a WebSocket", () =>
		beside(
			async (bench) => JSON.parse((await bench.ask("POST", "/api/analyzer", '{"enabled":true}')).text).port,
			repeat(`GET / HTTP/1.1\r\n${HEAD}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`.repeat(20), 50),
			["--analyzer", "0"],
		));
});
