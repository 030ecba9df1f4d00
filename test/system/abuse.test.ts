/**
 * Clients that misbehave, against the real program at work: control at 100 Hz with an active plan and 2 x
 * 2,000 frames a second. Each gets the right status; meanwhile a witness is served on, and in the end no
 * frame was lost. Limits: docs/decisions.md 16.
 */
import assert from "node:assert/strict";
import { HTTP_LIMITS } from "../../src/http/limits.js";
import type { CanFrame } from "../../tools/vehicle/frame.js";
import { connect, type RawClient } from "../support/http-server.js";
import { Bench } from "./bench-car.js";
import { BUSY_ID, BUSY_ROWS, makeBusy } from "./car-rows.js";
import { every, now, sleep } from "./wait.js";

/** A witness that waited longer would have noticed. */
const WITNESS_MS = 2000;
/** Until connections whose clients have gone are gone as well. */
const SETTLED_MS = 2000;
const TEN_MB = 10 * 1024 * 1024;
const GET = "GET /api/status HTTP/1.1\r\nHost: localhost\r\n\r\n";
const GET_AND_CLOSE = GET.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
const POST = 'POST /api/mode HTTP/1.1\r\nHost: localhost\r\nContent-Length: 14\r\n\r\n{"mode":"MAP"}';

const statuses = (received: string) => [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));

describe("system: abuse", () => {
	let bench: Bench;
	let longestWaitMs = 0;
	let served = 0;
	let watching = true;
	let witness: Promise<void>;

	/** Polls as a display does, on one kept-alive connection. */
	async function watch(): Promise<void> {
		while (watching) {
			const from = now();
			assert.equal((await bench.ask("GET", "/api/status")).code, 200);
			longestWaitMs = Math.max(longestWaitMs, now() - from);
			served++;
			await sleep(100);
		}
	}

	const client = (text?: string | Uint8Array): RawClient => {
		const opened = connect(bench.port);
		if (text !== undefined) opened.send(text);
		return opened;
	};

	before(async () => {
		bench = await Bench.start();
		makeBusy(bench.chassisRows, bench.couplingRows);
		await bench.untilStatus((status) => status.controlActive, 10_000, "control to be active");
		witness = watch();
		witness.catch(() => undefined);
	});
	after(() => bench.end());

	it("32 connections at once are all served", async () => {
		const clients = Array.from({ length: 32 }, () => client(GET_AND_CLOSE));
		for (const { closed } of clients) await closed;
		for (const { received } of clients) assert.deepEqual(statuses(received), [200]);
	});

	it("8 clients that send a byte now and then do not keep others out, and get 408", async () => {
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

	it("bodies of 10 MB get 413 and are read away", async () => {
		const chunk = Buffer.alloc(65536, "x");
		for (const framing of [`Content-Length: ${TEN_MB}`, "Transfer-Encoding: chunked"]) {
			const clients = Array.from({ length: 3 }, () =>
				client(`POST /api/settings HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n\r\n`),
			);
			for (let sent = 0; sent < TEN_MB; sent += chunk.length)
				for (const { send } of clients)
					send(framing[0] === "C" ? chunk : Buffer.concat([Buffer.from("10000\r\n"), chunk, Buffer.from("\r\n")]));
			for (const one of clients) {
				await one.until((received) => received.endsWith("}"));
				assert.match(one.received, /^HTTP\/1\.1 413 [\s\S]*\r\n\r\n\{"error":"body too large"\}$/);
				one.socket.destroy();
			}
		}
	});

	it("floods of headers get 431, endless request lines 414", async () => {
		for (const [flood, status] of [
			[`GET / HTTP/1.1\r\nHost: localhost\r\n${"X-A: b\r\n".repeat(20_000)}`, 431],
			[`GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ${"b".repeat(1_000_000)}`, 431],
			[`GET / HTTP/1.1\r\nHost: localhost\r\n${"X".repeat(1_000_000)}`, 431],
			[`GET /${"a".repeat(1_000_000)}`, 414],
		] as const) {
			const one = client(flood);
			await one.until((received) => received.endsWith("}"));
			assert.deepEqual(statuses(one.received), [status]);
			one.socket.destroy();
		}
	});

	it("200 requests in one go are answered in order", async () => {
		// while others wait for a place, a connection is closed after its answer: on a busy machine the
		// floods before are not gone yet
		await sleep(SETTLED_MS);
		const one = client((GET + POST).repeat(99) + GET + GET_AND_CLOSE);
		await one.closed;
		assert.deepEqual(statuses(one.received), Array(200).fill(200));
		assert.equal(one.received.match(/"mode":"MAP"\}/g)?.length, 99);
	});

	it("garbage gets 400, 414, 431 or nothing, and the connection ends", async () => {
		let seed = 20261121;
		const random = () => {
			seed = (seed * 1103515245 + 12345) & 0x7fffffff;
			return seed / 0x7fffffff;
		};
		const pieces = [
			"\x16\x03\x01\x02\0\x01\0\x01",
			"hello\r\n\r\n",
			"GET / HTTP/1.1\nHost: a\n\n",
			"{}\r\n\r\n",
			"\r\n\r\n\r\n",
			...Array.from({ length: 20 }, () => Buffer.from(Array.from({ length: 3000 }, () => random() * 256))),
		];
		const refuse = async (piece: string | Uint8Array) => {
			const one = client(piece);
			await one.closed;
			assert.ok(
				statuses(one.received).every((status) => [400, 414, 431, 501, 505].includes(status)),
				one.received,
			);
		};
		const side = HTTP_LIMITS.connections / 2;
		for (let i = 0; i < pieces.length; i += side) await Promise.all(pieces.slice(i, i + side).map(refuse));
	});

	it("clients that go away in any state leave their places free", async () => {
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

	it("leaves the heap where it was, and nothing to complain about", async () => {
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

	it("has not been noticed by another client, nor by the car", async () => {
		watching = false;
		await witness;
		assert.ok(longestWaitMs < WITNESS_MS, `a witness waited ${longestWaitMs.toFixed(0)} ms`);
		assert.ok(served > 20, `${served} requests of the witness`);
		const { gateway } = await bench.status();
		assert.deepEqual([gateway["droppedQueueFull"], gateway["droppedTooOld"], gateway["leaseExpiries"]], [0, 0, 0]);
		for (let i = 0; i < 2 * BUSY_ROWS; i++) {
			const [from, to] = i < BUSY_ROWS ? [bench.chassis, bench.coupling] : [bench.coupling, bench.chassis];
			const numbersOf = (frames: readonly CanFrame[]) =>
				frames.filter(({ id }) => id === BUSY_ID + i).map(({ data }) => new DataView(data.buffer).getUint32(0, true));
			const sent = numbersOf(from.sent);
			assert.ok(sent.length > 1000);
			assert.deepEqual(numbersOf(to.arrived), sent);
		}
	});
});
