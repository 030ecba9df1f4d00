/**
 * Clients that take their time: they starve nobody, and none of them waits for an answer that is known
 * already. docs/decisions.md 16, 28.
 */
import assert from "node:assert/strict";
import { HTTP_LIMITS } from "../../src/http/limits.js";
import { connect, type RawClient } from "../support/http-server.js";
import { type Bench, withBench } from "./bench-car.js";
import { every, now, sleep } from "./wait.js";

const SLOW_CLIENTS = 12;
const DRIP_MS = 200;
/** Until a slow one has to make room, and as long again for a busy machine. */
const SERVED_MS = 2 * HTTP_LIMITS.slowMs;

const post = (path: string, length: number, ...lines: string[]) =>
	["POST", path, "HTTP/1.1\r\nHost: localhost\r\nContent-Length:", length, ...lines.map((line) => `\r\n${line}`), "\r\n\r\n"]
		.join(" ")
		.replaceAll(" \r\n", "\r\n");

/**
 * Opens clients that send `head`, then a byte now and then, for as long as `test` lasts; whoever is closed
 * comes again.
 */
async function beside(bench: Bench, heads: readonly string[], test: () => Promise<void>): Promise<void> {
	const open = (head: string): RawClient => {
		const client = connect(bench.port);
		client.send(head);
		return client;
	};
	const clients = heads.map(open);
	const stopDripping = every(DRIP_MS, () => {
		clients.forEach((client, i) => {
			if (client.socket.writable) client.send(" ");
			else clients[i] = open(heads[i]);
		});
	});
	try {
		await test();
	} finally {
		stopDripping();
		for (const { socket } of clients) socket.destroy();
	}
}

describe("system: slow clients", () => {
	for (const [what, path, length] of [
		["small", "/api/mode", 200],
		["large", "/api/settings", 8000],
	] as const)
		it(`${SLOW_CLIENTS} slow ${what} bodies starve nobody`, () =>
			withBench({ connected: false }, async (bench) =>
				beside(bench, Array(SLOW_CLIENTS).fill(post(path, length)), async () => {
					await sleep(300);
					for (let i = 0; i < 3; i++)
						for (const body of ["", '{"disableThrottle":5}', `{"disableThrottle":5${" ".repeat(3000)}}`]) {
							const from = now();
							const [method, target] = body === "" ? ["GET", "/api/status"] : ["POST", "/api/settings"];
							assert.equal((await bench.ask(method, target, body)).code, 200);
							const waitedMs = now() - from;
							assert.ok(waitedMs < SERVED_MS, `${method} with ${body.length} bytes waited ${waitedMs.toFixed(0)} ms`);
						}
				}),
			));

	it("a refusal that the head gives reason for does not wait for the body", () =>
		withBench({ settings: { mode: "5050" } }, async (bench) => {
			bench.show(0, 0);
			await bench.untilStatus((status) => status.controlActive, 8000, "control to be active");
			for (const [request, expected] of [
				[post("/api/none", 100), 404],
				[post("/none", 100_000), 404],
				[post("/api/status", 100), 405],
				[post("/api/mode", 100, "Origin: http://somewhere.example"), 403],
				[post("/api/mode", 100, "Content-Type: multipart/form-data"), 415],
				[post("/api/mode", 8193), 413],
				[post("/ota/update", 50_000_000), 413],
				[post("/ota/update", 100_000, "Content-Type: text/html"), 415],
				[post("/ota/update", 100_000), 409],
			] as const) {
				const client = connect(bench.port);
				client.send(request);
				const from = now();
				await client.until((received) => received.includes("\r\n\r\n"));
				assert.equal(Number(client.received.slice(9, 12)), expected, request);
				const waitedMs = now() - from;
				assert.ok(waitedMs < SERVED_MS, `${expected} after ${waitedMs.toFixed(0)} ms`);
				client.socket.destroy();
			}
		}));
});
