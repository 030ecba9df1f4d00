import assert from "node:assert/strict";
import { Connection, type ConnectionContext, Phase } from "../../src/http/connection.js";
import {
	HTTP_LIMITS,
	REQUEST_CHUNK_BYTES,
	REQUEST_SLOTS,
	SMALL_BODY_BYTES,
	SMALL_CHUNK_BYTES,
	SMALL_SLOTS,
} from "../../src/http/limits.js";
import { PENDING } from "../../src/http/producer.js";
import { type HttpRequest, type InputBuffer, InputBuffers } from "../../src/http/request.js";
import type { HttpResponse } from "../../src/http/response.js";
import type { BodySink, Route, Router } from "../../src/http/router.js";

const START_MS = 0x7ffff000; // the clock wraps during the tests

class CountedBuffers extends InputBuffers {
	held = 0;

	override take(): InputBuffer {
		this.held++;
		return super.take();
	}

	override give(buffer: InputBuffer): void {
		this.held--;
		buffer.bytes.fill(0x2a);
		buffer.figures.fill(0x2a);
		super.give(buffer);
	}
}

/** How each path that is not ignored wants its body. */
const BODIES: Readonly<Record<string, Route["body"]>> = {
	"/collect": "collect",
	"/later": "collect",
	"/stream": "stream",
	"/closed-stream": "stream",
};
const breaks = (): never => {
	throw new Error("producer broke");
};

/** A router in which the path says what happens, and a connection with it. */
function fixture() {
	const buffers = new CountedBuffers();
	const faults: unknown[] = [];
	const events: string[] = [];
	let kept: HttpResponse | undefined;
	let piece: number | undefined;
	const answers: Record<string, (request: HttpRequest, response: HttpResponse) => void> = {
		"/later": () => {},
		"/empty": (_request, response) => response.empty(204),
		"/head-too-large": (_request, response) => response.header("X-Large", "x".repeat(1000)).text(200, "x"),
		"/short": (_request, response) => response.stream(200, "text/plain", { produce: () => 0 }, 5),
		"/breaks": (_request, response) => response.stream(200, "text/plain", { produce: breaks }),
		"/slow": (_request, response) => {
			response.stream(200, "text/plain", { produce: () => piece ?? PENDING });
			response.onEnd(() => events.push("closed"));
		},
	};
	const sink = (response: HttpResponse): BodySink => ({
		write(bytes, start, end) {
			events.push(Buffer.from(bytes.subarray(start, end)).toString());
			if (bytes[start] === 0x21) response.text(409, "enough");
			if (bytes[start] === 0x3f) throw new Error("sink broke");
		},
		end: () => response.text(200, "uploaded"),
		abort() {
			events.push("abort");
			throw new Error("abort broke");
		},
	});
	const router: Router = {
		match({ path }, response) {
			if (path === "/match-throws") throw new Error("match broke");
			if (path === "/none") response.text(404, "none");
			return path === "/none" ? undefined : { body: BODIES[path] ?? "ignore", isSmall: path === "/small" };
		},
		handle(_route: Route, request: HttpRequest, response: HttpResponse) {
			kept = response;
			const { method, path, body } = request;
			const answer = answers[path];
			if (answer !== undefined) answer(request, response);
			else response.text(200, `${method} ${path} ${Buffer.from(body).toString()}`);
		},
		open(_route, request, response) {
			if (request.path === "/stream") return sink(response);
			response.text(409, "busy");
			return undefined;
		},
		problem: (status, response) => response.text(status, `problem ${status}`),
	};
	const context: ConnectionContext = {
		limits: HTTP_LIMITS,
		router,
		buffers,
		hasHeap: () => true,
		evictFor: () => false,
		isWanted: () => false,
		onFault: (error) => faults.push((error as Error).message),
	};
	let nowMs = START_MS;
	const connection = new Connection(context, nowMs);
	const into = new Uint8Array(2000);
	/** A turn of the event loop, and those that it asks for. */
	const turns = () => {
		while (connection.isPaused) connection.resume(nowMs);
	};
	return {
		connection,
		context,
		faults,
		events,
		buffers,
		/** @returns how much of it was taken */
		send(text: string): number {
			let at = 0;
			for (let length = 1; length > 0 && at < text.length; at += length) {
				turns();
				length = Math.min(connection.space(), text.length - at);
				if (length > 0) connection.receive(new Uint8Array(Buffer.from(text.slice(at, at + length), "latin1")), nowMs);
			}
			turns();
			return at;
		},
		/** Everything it wants to send, taken in pieces of `space` bytes. */
		output(space = 1400): string {
			let text = "";
			for (;;) {
				turns();
				const length = connection.pull(into, 5, 5 + space, nowMs) - 5;
				if (length <= 0) return text;
				text += Buffer.from(into.subarray(5, 5 + length)).toString();
			}
		},
		after(ms: number) {
			nowMs = (nowMs + ms) & 0x7fffffff;
			connection.tick(nowMs);
			turns();
		},
		now: () => nowMs,
		kept: () => kept as HttpResponse,
		produce(count: number) {
			piece = count;
		},
	};
}

const get = (path: string, ...lines: string[]) => [`GET ${path} HTTP/1.1`, "Host: h", ...lines, "", ""].join("\r\n");
const post = (path: string, body: string, ...lines: string[]) =>
	[`POST ${path} HTTP/1.1`, "Host: h", `Content-Length: ${body.length}`, ...lines, "", body].join("\r\n");
/** Only announced. */
const announced = (path: string, bytes: number) => post(path, "").replace("Length: 0", `Length: ${bytes}`);
/** Does not fit the input buffer. */
const LARGE = "x".repeat(3000);
const status = (answer: string) => Number(answer.slice(9, 12));
const { rateSpanMs, leastBytesPerS, slowMs } = HTTP_LIMITS;
const LEAST_BYTES = (leastBytesPerS * rateSpanMs) / 1000;

describe("http/connection", () => {
	it("answers with length, no-store and without a type to guess; 204 and HEAD without a body; and goes on", () => {
		const { send, output, connection } = fixture();
		const text = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n";
		const end = "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\r\n";
		for (const [request, answer] of [
			[get("/a%20b"), `${text}${end}GET /a b `],
			[get("/a%20b").replace("GET", "HEAD"), text.replace("9", "10") + end],
			[get("/empty"), `HTTP/1.1 204 No Content\r\n${end}`],
			[
				get("/slow").replace("GET", "HEAD"),
				`HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n${end}`,
			],
		] as const) {
			send(request);
			assert.equal(output(), answer);
			assert.equal(connection.phase, Phase.READING);
		}
		send(post("/collect", "body"));
		assert.match(output(1), /POST \/collect body$/);
	});

	it("handles one request at a time, each of those behind it in a turn of its own", () => {
		const { send, connection, now } = fixture();
		const into = new Uint8Array(1400);
		const turn = (): number => {
			if (connection.isPaused) connection.resume(now());
			return connection.pull(into, 0, into.length, now());
		};
		send(get("/1") + get("/2") + get("/3").slice(0, 9));
		for (const path of ["/1", "/2"]) {
			const answer = Buffer.from(into.subarray(0, turn())).toString();
			assert.match(answer, new RegExp(`^HTTP(?!.*HTTP).*GET ${path} $`, "s"));
			assert.equal(connection.isPaused, true);
		}
		assert.deepEqual([turn(), connection.isPaused], [0, false]);
		send(get("/3").slice(9));
		assert.ok(turn() > 0);
		assert.equal(connection.isPaused, false);
	});

	it("closes after the answer for the client, the version, or another client of its address that waits", () => {
		for (const [request, closes, isWanted] of [
			[get("/", "Connection: close"), true, false],
			["GET / HTTP/1.0\r\n\r\n", true, false],
			["GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", false, false],
			[get("/"), true, true],
		] as const) {
			const { send, output, connection, context } = fixture();
			Object.assign(context, { isWanted: (one: object) => isWanted && one === connection });
			send(request);
			assert.equal(output().includes("Connection: close"), closes);
			assert.equal(connection.phase, closes ? Phase.CLOSED : Phase.READING);
		}
	});

	it("bounds a body, announced or not, and rejects by the head alone without waiting for it", () => {
		for (const [request, code, phase] of [
			[post("/ignored", "x".repeat(8192)), 200, Phase.READING],
			[announced("/ignored", 8193), 413, Phase.LINGERING],
			[post("/collect", "x".repeat(8192)), 200, Phase.READING],
			[announced("/collect", 8193), 413, Phase.LINGERING],
			[post("/collect", "", "Transfer-Encoding: chunked").replace("Content-Length: 0\r\n", ""), 411, Phase.LINGERING],
			[announced("/none", 1), 404, Phase.LINGERING],
			[announced("/none", 1_000_000), 404, Phase.LINGERING],
			[post("/none", "x".repeat(1000)), 404, Phase.READING],
			[announced("/closed-stream", 1_000_000), 409, Phase.LINGERING],
		] as const) {
			const { send, output, connection } = fixture();
			send(request);
			assert.deepEqual([status(output()), connection.phase], [code, phase], request.slice(0, 100));
		}
	});

	it("asks for a body only when it wants it", () => {
		const expect = "Expect: 100-continue";
		const { send, output, events } = fixture();
		const request = post("/collect", "body", expect);
		send(request.slice(0, -4));
		assert.equal(output(20), "");
		assert.equal(output(), "HTTP/1.1 100 Continue\r\n\r\n");
		send("body");
		assert.match(output(), /^HTTP\/1\.1 200/);
		send(request + post("/collect", "", expect) + post("/stream", "", expect));
		assert.doesNotMatch(output(), /100 Continue/);
		for (const path of ["/none", "/closed-stream"]) {
			const refused = fixture();
			refused.send(post(path, "body", expect).slice(0, -4));
			assert.match(refused.output(), /^HTTP\/1\.1 4/);
			assert.equal(refused.connection.phase, Phase.LINGERING);
		}
		assert.deepEqual(events, []);
	});

	/** A fixture with this much heap. Each eviction frees as much again. */
	function withHeap(slots: number, chunkBytes: number, evictions: { idle: number; busy: number } = { idle: 0, busy: 0 }) {
		const one = fixture();
		const asked: number[] = [];
		const heap = { slots, chunkBytes };
		Object.assign(one.context, {
			hasHeap: (wanted: number, bytes: number) => {
				asked.push(bytes);
				return wanted <= heap.slots && bytes <= heap.chunkBytes;
			},
			evictFor: (connection: object, onlyIdle: boolean) => {
				assert.equal(connection, one.connection);
				if (evictions.idle-- <= 0 && (onlyIdle || evictions.busy-- <= 0)) return false;
				heap.slots += slots;
				heap.chunkBytes += chunkBytes;
				return true;
			},
		});
		return { ...one, asked, heap };
	}

	it("gives a body memory as it arrives: a client that only announces one takes little from others", () => {
		const one = withHeap(REQUEST_SLOTS, 2 * REQUEST_CHUNK_BYTES);
		one.send(`${announced("/collect", 1200)}b`);
		assert.deepEqual(one.asked, [SMALL_CHUNK_BYTES, REQUEST_CHUNK_BYTES + 512]);
		one.send("b".repeat(511));
		assert.equal(one.asked.length, 2);
		one.send("b");
		assert.equal(one.asked.at(-1), REQUEST_CHUNK_BYTES + 2 * 513);
		one.send("b".repeat(687));
		assert.deepEqual(one.asked.slice(3), [REQUEST_CHUNK_BYTES + 1200, REQUEST_CHUNK_BYTES]);
		assert.match(one.output(), /^HTTP\/1\.1 200.*b{1200}/s);
	});

	it("waits where the heap is too full, goes on once it is not, and answers 503 if that takes too long", () => {
		for (const [request, bytes, answer] of [
			[get("/"), SMALL_CHUNK_BYTES - 1, "GET / "],
			[get("/"), REQUEST_CHUNK_BYTES - 1, "GET / "],
			[post("/collect", "short"), REQUEST_CHUNK_BYTES - 1, "POST /collect short"],
			[post("/collect", LARGE), REQUEST_CHUNK_BYTES + LARGE.length - 1, `POST /collect ${LARGE}`],
			[post("/stream", LARGE), REQUEST_CHUNK_BYTES - 1, "uploaded"],
		] as const)
			for (const getsEnough of [true, false]) {
				const { send, output, after, connection, heap } = withHeap(REQUEST_SLOTS, bytes);
				const taken = send(request);
				after(HTTP_LIMITS.heapTimeoutMs - 1);
				assert.deepEqual([connection.phase, connection.space(), output()], [Phase.WAITING, 0, ""]);
				assert.equal(connection.idleMs(slowMs), -1);
				if (getsEnough) heap.chunkBytes = 2 * REQUEST_CHUNK_BYTES;
				after(getsEnough ? 0 : 1);
				send(request.slice(taken) + (getsEnough ? get("/next") : ""));
				const text = output();
				if (getsEnough) assert.ok(text.includes(`${answer}HTTP`) && text.endsWith("GET /next "), text);
				else assert.equal(status(text), 503);
			}
	});

	it("evicts idle connections at once, used ones after a while, until the heap has enough", () => {
		for (const [evictions, atOnce, later] of [
			[{ idle: 2, busy: 0 }, 200, 200],
			[{ idle: 1, busy: 1 }, 0, 200],
			[{ idle: 0, busy: 9 }, 0, 200],
			[{ idle: 1, busy: 0 }, 0, 0],
		] as const) {
			const one = withHeap(Math.ceil(REQUEST_SLOTS / 3), Math.ceil(REQUEST_CHUNK_BYTES / 3), { ...evictions });
			one.send(get("/"));
			const text = one.output();
			one.after(HTTP_LIMITS.openMs);
			assert.deepEqual([status(text), status(text + one.output())], [atOnce, later], JSON.stringify(evictions));
		}
	});

	it("handles a small request where the heap has enough for that alone", () => {
		for (const [request, code] of [
			[post("/small", "x".repeat(SMALL_BODY_BYTES)), 200],
			[post("/small", "x".repeat(SMALL_BODY_BYTES + 1)), 503],
			[post("/collect", "x"), 503],
			[post("/%zz", "x"), 400],
		] as const) {
			const { send, output, after } = withHeap(SMALL_SLOTS, SMALL_CHUNK_BYTES);
			send(request);
			if (code === 503) after(HTTP_LIMITS.heapTimeoutMs);
			assert.equal(status(output()), code, request);
		}
	});

	it("hands a streamed body over as it comes and stops when it was answered", () => {
		const { send, output, events, connection, faults } = fixture();
		send(post("/stream", "abc").slice(0, -1));
		send("c");
		assert.match(output(), /uploaded$/);
		assert.deepEqual(events, ["ab", "c"]);
		send(post("/stream", "!23").slice(0, -2));
		assert.match(output(), /^HTTP\/1\.1 409[\s\S]*enough$/);
		assert.equal(connection.phase, Phase.LINGERING);
		assert.deepEqual(faults, []);

		const left = fixture();
		left.send(post("/stream", "ab").slice(0, -1));
		left.connection.close();
		left.connection.close();
		assert.deepEqual(left.events, ["a", "abort"]);
	});

	it("answers 500 if the application throws, or ends the connection if an answer has begun, and reports the error", () => {
		for (const [request, code, ...expected] of [
			[get("/match-throws"), 500, "match broke"],
			[post("/stream", "?23"), 500, "sink broke", "abort broke"],
			[get("/breaks"), 200, "producer broke"],
			[get("/short"), 200, "body shorter than announced"],
			[get("/head-too-large"), 0, "answer head too large"],
			[get("/slow"), 200, "producer wrote too much"],
		] as const) {
			const { send, output, faults, connection, produce } = fixture();
			produce(5000);
			send(request);
			const answer = output();
			assert.doesNotMatch(answer, /0\r\n\r\n$/);
			// what breaks in the first piece takes the head with it
			assert.equal(status(answer), code === 200 ? 0 : code, request);
			assert.equal(connection.phase === Phase.CLOSED, code !== 500, request);
			assert.deepEqual(faults, expected);
		}
	});

	it("sends a late answer, unless it has answered 504", () => {
		const { send, output, after, kept, connection } = fixture();
		send(post("/later", "x"));
		assert.equal(output(), "");
		assert.equal(connection.phase, Phase.ANSWERING);
		kept().text(200, "done");
		after(10);
		assert.match(output(), /done$/);
		send(post("/later", "x"));
		after(29999);
		assert.equal(output(), "");
		after(1);
		const stale = kept();
		assert.ok(stale.abandoned);
		assert.equal(status(output()), 504);
		send(get("/fresh"));
		let ended = 0;
		stale.stream(200, "text/plain", { produce: () => 0 });
		stale.onEnd(() => ended++);
		assert.match(output(), /GET \/fresh $/);
		assert.equal(ended, 1);
	});

	it("times out at the limit and not before, nor because the clock steps back by a second", () => {
		for (const [name, input, limitMs, expected] of [
			["silence after accept", "", 5000, "closed"],
			["part of a head", "GET", 5000, 408],
			["part of a body", post("/collect", "ab").slice(0, -1), 10000, 408],
			["part of a stream", post("/stream", "ab").slice(0, -1), 10000, 408],
		] as const) {
			const { send, output, after, connection } = fixture();
			send(input);
			for (const ms of [-1000, 1000 + limitMs - 1]) {
				after(ms);
				assert.equal(output(), "", name);
				assert.notEqual(connection.phase, Phase.CLOSED, name);
			}
			after(1);
			if (expected === "closed") assert.equal(connection.phase, Phase.CLOSED, name);
			else assert.equal(status(output()), expected, name);
		}
	});

	it("counts the head time from its first byte on a kept connection, whatever trickles in", () => {
		const { send, output, after, connection } = fixture();
		send(get("/"));
		output();
		after(29999);
		assert.equal(connection.phase, Phase.READING);
		send("G");
		after(4999);
		send("E");
		assert.equal(output(), "");
		after(1);
		assert.equal(status(output()), 408);
		const idle = fixture();
		idle.send(get("/"));
		idle.output();
		idle.after(30000);
		assert.equal(idle.connection.phase, Phase.CLOSED);
	});

	it("rejects a body that comes more slowly than the least rate, collected, streamed or unwanted", () => {
		for (const [path, bytes, refused] of [
			["/collect", 1, true],
			["/ignored", 1, true],
			["/stream", LEAST_BYTES / 10 - 1, true],
			["/stream", LEAST_BYTES / 10, false],
		] as const) {
			const { send, output, after } = fixture();
			send(announced(path, path === "/stream" ? 100_000 : 8192));
			for (let i = 0; i < (refused ? 10 : 30); i++) {
				send("x".repeat(bytes));
				assert.equal(output(), "");
				after(rateSpanMs / 10);
			}
			const answer = output();
			assert.equal(answer === "" ? 0 : status(answer), refused ? 408 : 0, `${path} ${bytes}`);
		}
	});

	it("closes a client that takes nothing or too little of an answer, but not one whose producer has nothing", () => {
		for (const [bytes, isClosed] of [
			[0, true],
			[LEAST_BYTES / 10 - 1, true],
			[LEAST_BYTES / 10, false],
		] as const) {
			const { send, output, connection, produce, after, now } = fixture();
			send(get("/slow"));
			output();
			after(0);
			for (let i = 0; i < 10; i++) {
				assert.equal(connection.phase, Phase.SENDING);
				// more input is no progress
				send("x".repeat(100));
				produce(bytes - 8);
				connection.pull(new Uint8Array(4096), 0, bytes, now());
				after(rateSpanMs / 10);
			}
			assert.equal(connection.phase, isClosed ? Phase.CLOSED : Phase.SENDING, `${bytes}`);
		}

		const narrow = fixture();
		narrow.send(get("/slow"));
		narrow.output();
		for (let i = 0; i <= 10; i++) {
			narrow.connection.pull(new Uint8Array(40), 0, 40, narrow.now());
			narrow.after(rateSpanMs / 10);
		}
		assert.equal(narrow.connection.phase, Phase.CLOSED, "its window is too small for what the producer has");

		const waiting = fixture();
		waiting.send(get("/slow"));
		assert.match(waiting.output(), /chunked/);
		assert.equal(waiting.output(), "");
		waiting.after(100000);
		assert.equal(waiting.connection.phase, Phase.SENDING);
		waiting.produce(3);
		assert.equal(waiting.connection.pull(new Uint8Array(20), 0, 11, waiting.now()), 11);
		waiting.produce(0);
		assert.equal(waiting.output(), "0\r\n\r\n");
		assert.deepEqual(waiting.events, ["closed"]);
		assert.equal(waiting.connection.phase, Phase.READING);
	});

	it("sends a body of unknown length to 1.0 clients until it closes", () => {
		const { send, output, produce, connection } = fixture();
		send("GET /slow HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
		assert.match(output(), /Connection: close\r\n\r\n$/);
		assert.equal(output(0), "");
		produce(0);
		output();
		assert.equal(connection.phase, Phase.CLOSED);
	});

	it("holds an input buffer as long as a request is read or unanswered or input waits, no longer", () => {
		const { send, output, produce, kept, buffers, connection } = fixture();
		const held: number[] = [];
		const step = (...texts: string[]) => {
			for (const text of texts) send(text);
			output();
			held.push(buffers.held);
		};
		step();
		step("G");
		step(get("/").slice(1));
		step(post("/later", "body"));
		kept().text(200, "later");
		step();
		assert.deepEqual(held.splice(0), [0, 1, 0, 1, 0]);

		// an endless answer, and requests behind it
		step(get("/slow"));
		step(get("/next"), "GET /part");
		assert.equal(connection.phase, Phase.SENDING);
		produce(0);
		assert.match(output(), /GET \/next $/);
		step();
		step(" HTTP/1.1\r\nHost: h\r\n\r\n");
		assert.deepEqual(held.splice(0), [0, 1, 1, 0]);

		produce(PENDING);
		step(get("/slow"), get("/next"));
		connection.close();
		step();
		assert.deepEqual(held.splice(0), [1, 0]);

		// rejected within its body; what comes then is thrown away
		const refused = fixture();
		for (const text of [post("/stream", "!").replace("Length: 1", "Length: 5000"), "more", "more"]) {
			refused.send(text);
			refused.output();
			assert.equal(refused.buffers.held, 0);
		}
	});

	it("discards bytes behind the last request of a connection, while it is answered and before", () => {
		const request = get("/slow", "Connection: close");
		for (const [first, then] of [
			[request, get("/next")],
			[request + get("/next"), ""],
			[request + get("/next"), "x".repeat(9000)],
		]) {
			const { send, output, after, produce, buffers, connection } = fixture();
			produce(PENDING);
			assert.equal(send(first) + send(then), first.length + then.length);
			output();
			assert.deepEqual([connection.phase, buffers.held], [Phase.SENDING, 0]);
			produce(0);
			assert.match(output(), /0\r\n\r\n$/);
			// what it has sent may not all have come yet: a close would take the answer away from it
			assert.equal(connection.phase, Phase.LINGERING);
			after(HTTP_LIMITS.lingerMs);
			assert.equal(connection.phase, Phase.CLOSED);
		}
	});

	it("throws input away after a rejection until it is quiet or the time is over", () => {
		for (const noisy of [false, true]) {
			const { send, output, after, connection } = fixture();
			send("garbage garbage\r\n\r\n");
			assert.equal(status(output()), 400);
			for (let ms = 0; ms < (noisy ? HTTP_LIMITS.lingerMs - 100 : 200); ms += 100) {
				after(100);
				if (noisy) send("x".repeat(5000));
				assert.equal(connection.phase, Phase.LINGERING);
			}
			after(100);
			assert.equal(connection.phase, Phase.CLOSED);
			assert.equal(connection.space(), 0);
		}
	});

	it("knows how long it has been idle", () => {
		const { send, output, connection, now } = fixture();
		assert.equal(connection.idleMs((now() + 5) & 0x7fffffff), 5);
		send("G");
		assert.equal(connection.idleMs(now() + slowMs - 1), -1);
		assert.equal(connection.idleMs(now() + slowMs), slowMs, "a head that takes too long");
		send(get("/").slice(1));
		assert.equal(connection.idleMs(now()), -1);
		output();
		assert.equal(connection.idleMs(now() + 7), 7);
		for (const path of ["/collect", "/ignored", "/stream"]) {
			const body = fixture();
			body.send(post(path, "body").slice(0, -1));
			assert.equal(body.connection.idleMs(body.now() + slowMs - 1), -1);
			assert.equal(body.connection.idleMs(body.now() + slowMs), slowMs, "a body that takes too long");
			if (path !== "/stream") continue;
			body.after(slowMs);
			body.send(" ");
			assert.equal(body.connection.idleMs(body.now() + slowMs - 1), -1, "an upload that goes on");
		}
	});
});
