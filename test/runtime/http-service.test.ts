import assert from "node:assert/strict";
import http from "node:http";
import net from "node:net";
import type { ListenerOptions, TcpConstructor, TcpOptions, TcpSocket } from "../../hal/network-ports.js";
import { HTTP_LIMITS } from "../../src/http/limits.js";
import { PENDING, type Producer } from "../../src/http/producer.js";
import type { HttpResponse } from "../../src/http/response.js";
import type { Router } from "../../src/http/router.js";
import { HttpService, LISTEN_AGAIN_MS } from "../../src/runtime/http-service.js";
import { connect, startServer, type TestServer } from "../support/http-server.js";

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const LARGE_BYTES = 300_000;

/** `/large` is a long answer, `/stream` the given one, `/upload` counts, `/collect` has a body; all else is "done". */
function aRouter(stream?: Producer): Router {
	return {
		match: ({ path }) => ({ body: path === "/upload" ? "stream" : path === "/collect" ? "collect" : "ignore" }),
		handle(_route, { path }, response) {
			let left = LARGE_BYTES;
			const produce = (into: Uint8Array, start: number, end: number) => {
				const length = Math.min(left, end - start);
				into.fill(0x61, start, start + length);
				left -= length;
				return length;
			};
			if (path === "/large") response.stream(200, "text/plain", { produce });
			else if (path === "/stream" && stream !== undefined) response.stream(200, "text/plain", stream);
			else response.text(200, "done");
		},
		open(_route, _request, response) {
			let length = 0;
			return {
				write: (_bytes, start, end) => {
					length += end - start;
				},
				end: () => response.json(200, { length }),
				abort() {},
			};
		},
		problem: (status, response) => response.text(status, `problem ${status}`),
	};
}

describe("runtime/http-service", () => {
	let server: TestServer;
	const start = async (sockets = {}) => {
		server = await startServer(aRouter(), {}, sockets);
	};
	beforeEach(() => start());
	afterEach(() => server.close());

	it("answers Node's own client, keeping the connection", async () => {
		const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
		const ports = new Set<number | undefined>();
		for (let i = 0; i < 5; i++) {
			const text = await new Promise<string>((resolve, reject) => {
				const request = http.get({ port: server.port, path: "/large", agent }, (response) => {
					let received = "";
					ports.add(response.socket.localPort);
					response.on("data", (data) => {
						received += data;
					});
					response.on("end", () => resolve(received));
				});
				request.on("error", reject);
			});
			assert.equal(text.length, LARGE_BYTES);
		}
		assert.equal(ports.size, 1);
		agent.destroy();
	});

	it("streams an upload of 2 MB and an answer of 300 kB, however small the windows are", async () => {
		for (const windows of [{}, { windowBytes: 17, readableBytes: 5 }, { windowBytes: 1400, readableBytes: 3000 }]) {
			server.close();
			await start(windows);
			const bytes = windows.windowBytes === 17 ? 2000 : 2097152;
			const client = connect(server.port);
			client.send(`POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${bytes}\r\n\r\n`);
			client.send(Buffer.alloc(bytes));
			await client.until((received) => received.includes(`{"length":${bytes}}`));
			if (bytes > 2000) {
				client.send("GET /large HTTP/1.0\r\n\r\n");
				await client.closed;
				assert.equal(client.received.split("\r\n\r\n")[2].length, LARGE_BYTES);
			}
			client.socket.destroy();
		}
	});
});

describe("runtime/http-service on scripted sockets", () => {
	interface Script {
		/** Replaces methods of every socket. */
		readonly socket?: Partial<TcpSocket>;
		/** Clients in the listener's queue. */
		readonly clients?: number;
		readonly request?: string;
		readonly router?: Router;
		/** An accepted socket cannot be made. */
		readonly refuses?: boolean;
		/** Called for each listener that is made. */
		readonly onListener?: () => void;
	}

	function fixture({ socket = {}, clients = 1, request = get("/"), router = aRouter(), refuses, onListener }: Script = {}) {
		const faults: string[] = [];
		const ports: number[] = [];
		const all: { onReadable(byteLength: number): void; onWritable(byteLength: number): void; onError(): void }[] = [];
		const turns: (() => void)[] = [];
		let left = clients;
		let closed = 0;
		const input = new Uint8Array(Buffer.from(request));
		const plain: TcpSocket = { read: (length) => input.slice(0, length).buffer, write() {}, close: () => closed++, ...socket };
		let announce: (count: number) => void = () => {};
		const clock = { ticks: 0 };
		const service = new HttpService({
			hasHeap: () => true,
			Listener: class {
				constructor(options: ListenerOptions) {
					onListener?.();
					announce = options.onReadable;
				}
				read() {
					return left-- > 0 ? plain : undefined;
				}
				close() {}
			},
			TCP: class {
				constructor(options: TcpOptions) {
					if (refuses === true) throw new Error("gone already");
					const own = { ...plain };
					all.push({
						onReadable: (byteLength) => options.onReadable.call(own, byteLength),
						onWritable: (byteLength) => options.onWritable.call(own, byteLength),
						onError: () => options.onError.call(own),
					});
					// biome-ignore lint/correctness/noConstructorReturn: the scripted socket stands in
					return own;
				}
			} as unknown as TcpConstructor,
			port: 8080,
			clock,
			later: (callback) => turns.push(callback),
			router,
			onFault: (error) => faults.push((error as Error).message),
			onListening: (port) => ports.push(port),
		});
		/** Takes turns until it asks for none, at most one at a time. @returns how many */
		const takeTurns = (onTurn = () => {}) => {
			let taken = 0;
			for (; turns.length > 0; taken++) {
				assert.equal(turns.length, 1);
				(turns.pop() as () => void)();
				onTurn();
			}
			return taken;
		};
		if (onListener === undefined) {
			announce(clients);
			takeTurns();
		}
		return {
			service,
			faults,
			ports,
			clock,
			turns,
			takeTurns,
			announce: (count: number) => announce(count),
			callbacks: (index = all.length - 1) => all[index],
			closed: () => closed,
			/** Each client's socket takes `writableBytes`, and has its request. */
			ask(writableBytes: number): void {
				for (const callbacks of all) {
					callbacks.onWritable(writableBytes);
					callbacks.onReadable(request.length);
				}
			},
			pass(ms: number): void {
				clock.ticks += ms;
				service.tick(clock.ticks);
			},
		};
	}
	const fails = (what: string) => () => {
		throw new Error(what);
	};

	it("closes a connection whose socket throws or cannot be had, and reports it", () => {
		for (const script of [
			{ socket: { read: fails("failed") } },
			{ socket: { write: fails("failed") } },
			{ socket: { close: fails("failed") } },
			{ refuses: true },
		]) {
			const { service, faults, callbacks, ask, takeTurns } = fixture(script);
			ask(5000);
			takeTurns();
			if (script.socket?.close !== undefined) callbacks().onError();
			assert.deepEqual([faults, service.connections], [[script.refuses === true ? "gone already" : "failed"], 0]);
		}
	});

	it("does one piece of work in a turn: eight clients come, ask and are too slow at the same time", () => {
		let answers = 0;
		const script = { socket: { write: () => answers++ }, clients: 8, request: "GET /api", onListener() {} };
		const { service, announce, ask, takeTurns, pass } = fixture(script);
		const seenBy = (figure: () => number): number[] => {
			const seen = [figure()];
			takeTurns(() => seen.push(figure()));
			return seen.slice(0, 9);
		};
		const oneByOne = [0, 1, 2, 3, 4, 5, 6, 7, 8];
		announce(8);
		assert.deepEqual(
			seenBy(() => service.connections),
			oneByOne,
		);
		ask(1000);
		takeTurns();
		pass(HTTP_LIMITS.headerTimeoutMs);
		assert.deepEqual(
			seenBy(() => answers),
			oneByOne,
		);
	});

	it("reads one input buffer in a turn, however much its socket has, whatever it says meanwhile", () => {
		let rest = Buffer.from(`POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8000\r\n\r\n${"x".repeat(8000)}`);
		let [answer, most] = ["", 0];
		const read = (length: number) => {
			most = Math.max(most, length);
			const piece = new Uint8Array(rest.subarray(0, length)).buffer;
			rest = rest.subarray(length);
			return piece;
		};
		const write = (piece: Uint8Array) => (answer += Buffer.from(piece).toString());
		const { callbacks, turns, takeTurns } = fixture({ socket: { read, write } });
		for (let left = -1; left !== rest.length; ) {
			left = rest.length;
			callbacks().onWritable(5000);
			if (rest.length > 0) callbacks().onReadable(rest.length);
			(turns.pop() as () => void)();
		}
		takeTurns();
		assert.ok(most <= 2048, `${most}`);
		assert.match(answer, /^HTTP\/1\.1 200 .*{"length":8000}$/s);
	});

	it("sends long answers one piece per turn, however many clients wait for one", () => {
		const pieces: number[] = [];
		const write = (data: ArrayBuffer | Uint8Array) => pieces.push(data.byteLength);
		const { ask, faults, takeTurns } = fixture({ socket: { write }, clients: 2, request: get("/large") });
		ask(1_000_000);
		let before = 0;
		takeTurns(() => {
			assert.ok(pieces.length <= before + 1);
			before = pieces.length;
		});
		const sent = pieces.reduce((sum, bytes) => sum + bytes, 0);
		assert.ok(sent > 2 * LARGE_BYTES && pieces.every((bytes) => bytes <= 4096), `${sent} bytes`);
		assert.deepEqual(faults, []);
	});

	it("waits until its socket takes a whole piece, instead of filling what is left with small ones", () => {
		const pieces: number[] = [];
		const write = (data: ArrayBuffer | Uint8Array) => pieces.push(data.byteLength);
		const { ask, callbacks, takeTurns } = fixture({ socket: { write }, request: get("/large") });
		ask(5744);
		takeTurns();
		assert.deepEqual(pieces, [4096]);
		callbacks().onWritable(1500);
		takeTurns();
		assert.deepEqual(pieces, [4096, 1500], "what its socket announces it takes");
	});

	it("asks idle streams again at each tick, one by one, except closed ones", () => {
		const quiet: Producer & { says: boolean } = {
			says: true,
			produce(into, start) {
				if (!quiet.says) return PENDING;
				into[start] = 0x61;
				quiet.says = false;
				return 1;
			},
		};
		let pieces = 0;
		const script = { socket: { write: () => pieces++ }, clients: 3, request: get("/stream"), router: aRouter(quiet) };
		const { ask, callbacks, faults, pass, takeTurns } = fixture(script);
		ask(1_000_000);
		takeTurns();
		const begun = pieces;
		pass(50);
		takeTurns();
		assert.equal(pieces, begun, "nothing to say");
		quiet.says = true;
		pass(50);
		assert.equal(pieces, begun, "nothing at once");
		callbacks(1).onError();
		takeTurns();
		assert.deepEqual([pieces, faults], [begun + 1, []]);
	});

	it("sends an answer that comes later in a turn of its own, without a tick", () => {
		let [kept, answers] = [undefined as HttpResponse | undefined, 0];
		const router: Router = {
			...aRouter(),
			handle(_route, _request, response) {
				kept = response;
			},
		};
		const { ask, takeTurns } = fixture({ socket: { write: () => answers++ }, router });
		ask(1000);
		takeTurns();
		kept?.text(200, "done");
		takeTurns();
		assert.equal(answers, 1);
	});

	it("keeps a connection whose announced bytes are missing, and ignores callbacks of a socket it has closed", () => {
		const { service, ask, callbacks, closed, faults, takeTurns } = fixture({ socket: { read: () => new ArrayBuffer(0) } });
		ask(0);
		takeTurns();
		assert.equal(service.connections, 1);
		callbacks().onError();
		callbacks().onReadable(5);
		callbacks().onWritable(5);
		callbacks().onError();
		takeTurns();
		service.tick(0);
		assert.deepEqual([faults, service.connections, closed(), takeTurns()], [[], 0, 1, 0]);
	});

	it("does without a listener until one can be had, and says once that it can't", () => {
		let failures = 3;
		const { service, faults, ports, pass } = fixture({
			onListener() {
				if (failures-- > 0) throw new Error("no memory");
			},
		});
		assert.deepEqual([service.port, faults], [8080, ["no memory"]]);
		pass(LISTEN_AGAIN_MS - 1);
		assert.equal(failures, 2);
		pass(1);
		pass(LISTEN_AGAIN_MS);
		assert.deepEqual([failures, faults, ports], [0, ["no memory"], []]);
		pass(LISTEN_AGAIN_MS);
		pass(LISTEN_AGAIN_MS);
		assert.deepEqual([failures, faults, ports], [-1, ["no memory"], [8080]]);
	});
});

describe("runtime/http-service: shares", () => {
	/** A client at an address of its own. */
	const at = (address: string, port: number, text: string): Promise<string> =>
		new Promise((resolve) => {
			const socket = net.connect({ host: "127.0.0.1", port, localAddress: address }, () => socket.write(text));
			let received = "";
			socket.on("data", (data) => {
				received += data;
				if (received.endsWith("done")) resolve(received);
			});
			socket.on("error", () => {}).on("close", () => resolve(received));
		});

	const STUBBORN = "POST /collect HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n";
	const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
	/** Nothing but the eviction rule makes anything free. */
	const PATIENT = { slowMs: 60_000, openMs: 60_000 };

	/** Clients of these addresses that never come to an end. @returns what those received that were closed */
	async function beside(addresses: readonly string[], limits: object, test: (port: number) => Promise<void>): Promise<string[]> {
		const ends: string[] = [];
		const server = await startServer(aRouter(), { ...PATIENT, ...limits });
		try {
			for (const address of addresses) void at(address, server.port, STUBBORN).then((received) => ends.push(received));
			while (server.service.connections < Math.min(addresses.length, HTTP_LIMITS.connections)) await pause(5);
			await test(server.port);
			return [...ends];
		} finally {
			server.close();
		}
	}
	const isServed = async (port: number): Promise<void> =>
		assert.match(await at("127.0.0.99", port, get("/")), /^HTTP\/1\.1 200 /);
	const addresses = (count: number, different = count) =>
		Array.from({ length: count }, (_, i) => `127.0.0.${2 + (i % different)}`);

	it("gives a client a connection at once, though another has all of them and as many waiting", async () => {
		assert.deepEqual(await beside(addresses(14, 1), { waitMs: 60_000 }, isServed), [""], "one was evicted");
	});

	it("accepts clients behind a full queue, and closes for them one that has waited and has another", async () => {
		const ends = await beside(addresses(30, 1), {}, isServed);
		assert.ok(ends.length > 1 && ends.every((received) => received === ""), "closed without a word");
		await beside(addresses(21, 7), {}, isServed);
	});

	it("closes no waiting client while the queue is not too long, nor one with a single connection", async () => {
		assert.deepEqual(await beside(addresses(16, 1), {}, () => pause(300)), []);
		assert.deepEqual(await beside(addresses(20), {}, () => pause(300)), []);
	});

	it("gives a client without a connection one that was open for long, whatever its owner does with it", async () => {
		assert.deepEqual(await beside(addresses(8), { openMs: 50 }, isServed), [""]);
	});
});
