import assert from "node:assert/strict";
import http from "node:http";
import net from "node:net";
import type { ListenerOptions, TcpConstructor, TcpOptions, TcpSocket } from "../../hal/network-ports.js";
import { ApiRouter } from "../../src/api/api-router.js";
import { type ApiRoute, ROUTES } from "../../src/api/routes.js";
import { HTTP_LIMITS } from "../../src/http/limits.js";
import { PENDING, type Producer } from "../../src/http/producer.js";
import { HttpService, LISTEN_AGAIN_MS } from "../../src/runtime/http-service.js";
import { anApiContext } from "../support/api-client.js";
import { connect, exchange, startServer, type TestServer } from "../support/http-server.js";

const GET = "GET /api/status HTTP/1.1\r\nHost: localhost\r\n\r\n";
const LARGE_BYTES = 300000;

/** Bodies of all kinds beside the real routes. */
function testRoutes(events: string[]): ApiRoute[] {
	return [
		...ROUTES,
		{
			method: "GET",
			path: "/large",
			body: "ignore",
			handle(_context, _request, response) {
				let left = LARGE_BYTES;
				response.stream(
					200,
					"text/plain",
					{
						produce(into, start, end) {
							const length = Math.min(left, end - start);
							into.fill(0x61, start, start + length);
							left -= length;
							return length;
						},
						close: () => events.push("closed"),
					},
					-1,
				);
			},
		},
		{
			method: "POST",
			path: "/upload",
			body: "stream",
			open(_context, _request, response) {
				let length = 0;
				return {
					write: (_bytes, start, end) => {
						length += end - start;
					},
					end: () => response.json(200, { length }),
					abort: () => events.push("aborted"),
				};
			},
		},
		{
			method: "POST",
			path: "/later",
			body: "collect",
			handle(_context, _request, response) {
				response.later();
				setTimeout(() => response.text(200, "at last"), 30);
			},
		},
	];
}

describe("runtime/http-service", () => {
	let server: TestServer;
	let events: string[];
	const context = anApiContext();
	const start = async (limits = {}, sockets = {}) => {
		events = [];
		server = await startServer(new ApiRouter(context, testRoutes(events)), limits, sockets);
	};
	beforeEach(() => start());
	afterEach(() => server.close());

	const restart = async (limits: object, sockets: object = {}) => {
		server.close();
		await start(limits, sockets);
	};

	it("answers Node's own client, keeping the connection", async () => {
		const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
		const ports = new Set<number | undefined>();
		for (let i = 0; i < 5; i++) {
			const status = await new Promise<{ apiVersion: number }>((resolve, reject) => {
				const request = http.get({ port: server.port, path: "/api/status", agent }, (response) => {
					let text = "";
					ports.add(response.socket.localPort);
					response.on("data", (data) => {
						text += data;
					});
					response.on("end", () => resolve(JSON.parse(text)));
				});
				request.on("error", reject);
			});
			assert.equal(status.apiVersion, 1);
		}
		assert.equal(ports.size, 1);
		agent.destroy();
	});
	it("serves 32 clients that keep their connections open", async () => {
		const isAnswered = (received: string) => received.endsWith("0\r\n\r\n");
		const served = async () => {
			for (;;) {
				const client = connect(server.port);
				client.send(GET);
				await Promise.race([client.until(isAnswered), client.closed]);
				if (isAnswered(client.received)) return client;
				// whose request comes late, on a machine that pauses, may be closed, and comes again
				assert.equal(client.received, "");
			}
		};
		const clients = await Promise.all(Array.from({ length: 32 }, served));
		for (const client of clients) client.socket.destroy();
	});

	it("closes an idle connection for a new one, except one that has just come", async () => {
		await restart({ connections: 2, idleGraceMs: 100 });
		const idle = connect(server.port);
		const other = connect(server.port);
		await new Promise((resolve) => setTimeout(resolve, 30));
		const third = connect(server.port);
		third.send(GET);
		await idle.closed;
		await third.until((received) => received.includes("200 OK"));
		assert.equal(server.service.connections, 2);
		other.socket.destroy();
		third.socket.destroy();
	});
	it("answers 413 to a body of 10 MB and reads it away so that the client sees the answer", async () => {
		for (const framing of ["Content-Length: 10485760", "Transfer-Encoding: chunked"]) {
			const client = connect(server.port);
			client.send(`POST /api/mode HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n\r\n`);
			const chunk = Buffer.alloc(65536, "x");
			for (let i = 0; i < 160; i++)
				client.send(framing[0] === "C" ? chunk : Buffer.concat([Buffer.from("10000\r\n"), chunk, Buffer.from("\r\n")]));
			await client.until((received) => received.endsWith("}"));
			assert.match(client.received, /^HTTP\/1\.1 413 [\s\S]*\r\n\r\n\{"error":"body too large"\}$/);
			client.socket.destroy();
		}
	});
	it("survives a client that goes away in any state", async () => {
		const whole = "POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n01234567890123456789";
		for (let length = 0; length <= whole.length; length += 7) {
			const client = connect(server.port);
			client.send(whole.slice(0, length) || " ".slice(0, 0));
			await new Promise((resolve) => setTimeout(resolve, 5));
			client.socket.destroy();
			await client.closed;
		}
		const client = connect(server.port);
		client.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
		await client.until((received) => received.length > 1000);
		client.socket.resetAndDestroy();
		await client.closed;
		assert.match(await exchange(server.port, GET.replace("1.1", "1.0")), /apiVersion/);
		while (server.openSockets() > 0) await new Promise((resolve) => setTimeout(resolve, 5));
		assert.ok(events.includes("aborted") && events.includes("closed"));
	});

	it("streams an upload of 2 MB and an answer of 300 kB, however small the windows are", async () => {
		for (const windows of [{}, { windowBytes: 17, readableBytes: 5 }, { windowBytes: 1400, readableBytes: 3000 }]) {
			await restart({}, windows);
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

	it("sends an answer that comes later", async () => {
		const answer = await exchange(server.port, "POST /later HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
		assert.match(answer, /^HTTP\/1\.1 200 OK\r\n[\s\S]*at last$/);
	});
	it("stops listening and closes everything on close, twice without harm", async () => {
		const client = connect(server.port);
		client.send(GET);
		await client.until((received) => received.endsWith("0\r\n\r\n"));
		server.service.close();
		server.service.close();
		await client.closed;
		assert.equal(server.openSockets(), 0);
	});
});

describe("runtime/http-service on scripted sockets", () => {
	/** A service on scripted sockets. `overrides` replaces methods of every socket. */
	function fixture(overrides: Partial<TcpSocket> = {}, listenerQueue = 1, request = GET, routes: readonly ApiRoute[] = ROUTES) {
		const faults: string[] = [];
		const all: { onReadable(byteLength: number): void; onWritable(byteLength: number): void; onError(): void }[] = [];
		const turns: (() => void)[] = [];
		let left = listenerQueue;
		let closed = 0;
		const input = new Uint8Array(Buffer.from(request));
		const socket: TcpSocket = {
			read: (length) => input.slice(0, length).buffer,
			write() {},
			close: () => closed++,
			...overrides,
		};
		const waiting: { announce?: (count: number) => void } = {};
		const context = anApiContext();
		// a first status takes turns of its own
		context.revisions.observe(context.controller.settings);
		const clock = { ticks: 0 };
		const service = new HttpService({
			hasHeap: () => true,
			Listener: class {
				constructor(options: ListenerOptions) {
					waiting.announce = options.onReadable;
				}
				read() {
					return left-- > 0 ? socket : undefined;
				}
				close() {}
			},
			TCP: class {
				constructor(options: TcpOptions) {
					const own = { ...socket };
					all.push({
						onReadable: (byteLength) => options.onReadable.call(own, byteLength),
						onWritable: (byteLength) => options.onWritable.call(own, byteLength),
						onError: () => options.onError.call(own),
					});
					if (overrides.read === REFUSES) throw new Error("gone already");
					// biome-ignore lint/correctness/noConstructorReturn: the scripted socket stands in
					return own;
				}
			} as unknown as TcpConstructor,
			port: 8080,
			clock,
			later: (callback) => turns.push(callback),
			router: new ApiRouter(context, routes),
			onFault: (error) => faults.push((error as Error).message),
		});
		const api = {
			service,
			faults,
			clock,
			announce: (count: number) => waiting.announce?.(count),
			callbacks: (socket = all.length - 1) => all[socket],
			closed: () => closed,
			/** What it asked to be called back for; at most one at a time. */
			turns,
			/** Takes turns until it asks for none. @returns how many */
			takeTurns() {
				let taken = 0;
				for (; turns.length > 0; taken++) (turns.pop() as () => void)();
				return taken;
			},
		};
		return api;
	}
	const REFUSES = () => undefined;
	it("closes a connection whose socket throws, and reports it", () => {
		for (const name of ["read", "write"] as const) {
			const { service, faults, announce, callbacks, closed, takeTurns } = fixture({
				[name]() {
					throw new Error(`${name} failed`);
				},
			});
			announce(1);
			takeTurns();
			callbacks().onWritable(5000);
			callbacks().onReadable(GET.length);
			takeTurns();
			assert.deepEqual([faults, service.connections, closed()], [[`${name} failed`], 0, 1]);
		}
	});

	it("survives a socket that cannot even be taken over or closed", () => {
		const refused = fixture({ read: REFUSES });
		refused.announce(1);
		refused.takeTurns();
		assert.deepEqual([refused.faults, refused.service.connections], [["gone already"], 0]);
		const stuck = fixture({
			close() {
				throw new Error("close failed");
			},
		});
		stuck.announce(1);
		stuck.takeTurns();
		stuck.callbacks().onError();
		assert.deepEqual([stuck.faults, stuck.service.connections], [["close failed"], 0]);
	});

	it("does one piece of work in a turn: eight clients come, ask and are too slow at the same time", () => {
		let answers = 0;
		const { service, announce, callbacks, turns, clock } = fixture({ write: () => answers++ }, 8, "GET /api");
		const takeTurns = (figure: () => number): number[] => {
			const seen = [figure()];
			while (turns.length > 0) {
				assert.equal(turns.length, 1);
				(turns.pop() as () => void)();
				seen.push(figure());
			}
			return seen;
		};
		const oneByOne = [0, 1, 2, 3, 4, 5, 6, 7, 8];
		announce(8);
		assert.deepEqual(takeTurns(() => service.connections).slice(0, 9), oneByOne);
		let reads = 0;
		for (let socket = 0; socket < 8; socket++) {
			callbacks(socket).onWritable(1000);
			callbacks(socket).onReadable(8);
			reads += turns.length;
		}
		assert.equal(reads, 8, "a callback asks for a turn, at most one is due");
		takeTurns(() => answers);
		clock.ticks = HTTP_LIMITS.headerTimeoutMs;
		service.tick(clock.ticks);
		assert.deepEqual(takeTurns(() => answers).slice(0, 9), oneByOne);
	});
	it("reads one input buffer in a turn, however much its socket has, whatever it says meanwhile", () => {
		for (const [head, body] of [
			["Content-Length: 8000", "x".repeat(8000)],
			["Transfer-Encoding: chunked", `${"1\r\nx\r\n".repeat(100)}0\r\n\r\n`],
		]) {
			let rest = Buffer.from(`POST /count HTTP/1.1\r\nHost: localhost\r\n${head}\r\n\r\n${body}`);
			let [answer, seen, most] = ["", 0, 0];
			const count: ApiRoute = {
				method: "POST",
				path: "/count",
				body: "stream",
				open: (_context, _request, response) => ({
					write: (_bytes, start, end) => (seen += end - start),
					end: () => response.text(200, "all"),
					abort() {},
				}),
			};
			const read = (length: number) => {
				most = Math.max(most, length);
				const bytes = new Uint8Array(rest.subarray(0, length)).buffer;
				rest = rest.subarray(length);
				return bytes;
			};
			const write = (bytes: Uint8Array) => (answer += Buffer.from(bytes).toString());
			const { announce, callbacks, turns, takeTurns } = fixture({ read, write }, 1, GET, [count]);
			announce(1);
			takeTurns();
			for (let left = -1; left !== rest.length; ) {
				left = rest.length;
				callbacks().onWritable(5000);
				if (rest.length > 0) callbacks().onReadable(rest.length);
				(turns.pop() as () => void)();
			}
			takeTurns();
			assert.deepEqual([seen, most <= 2048], [head.startsWith("C") ? 8000 : 100, true]);
			assert.match(answer, /^HTTP\/1.1 200 .*all$/s);
		}
	});

	it("sends long answers one piece per turn, however many clients wait for one", () => {
		const request = "GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
		const pieces: number[] = [];
		const write = (data: ArrayBuffer | Uint8Array) => pieces.push(data.byteLength);
		const { announce, callbacks, turns, faults, takeTurns } = fixture({ write }, 2, request);
		announce(2);
		takeTurns();
		for (const socket of [0, 1]) {
			callbacks(socket).onWritable(1_000_000);
			callbacks(socket).onReadable(request.length);
		}
		for (let turn = 0; turns.length > 0; turn++) {
			const before = pieces.length;
			(turns.pop() as () => void)();
			assert.ok(pieces.length <= before + 1 && turns.length <= 1, `turn ${turn}`);
		}
		const sent = pieces.reduce((sum, bytes) => sum + bytes, 0);
		assert.ok(sent > 18_000 && pieces.every((bytes) => bytes <= 4096), `${sent} bytes`);
		assert.deepEqual(faults, []);
	});

	it("waits until its socket takes a whole piece, instead of filling what is left with small ones", () => {
		const request = "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n";
		const pieces: number[] = [];
		const write = (data: ArrayBuffer | Uint8Array) => pieces.push(data.byteLength);
		const { announce, callbacks, faults, takeTurns } = fixture({ write }, 1, request, testRoutes([]));
		announce(1);
		takeTurns();
		callbacks().onWritable(5744);
		callbacks().onReadable(request.length);
		takeTurns();
		assert.deepEqual(pieces, [4096]);
		callbacks().onWritable(1500);
		takeTurns();
		assert.deepEqual(pieces, [4096, 1500], "what its socket announces it takes");
		assert.deepEqual(faults, []);
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
		const route: ApiRoute = {
			method: "GET",
			path: "/stream",
			body: "ignore",
			handle: (_context, _request, response) => response.stream(200, "text/plain", quiet),
		};
		const request = "GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n";
		let pieces = 0;
		const { service, announce, callbacks, faults, takeTurns } = fixture({ write: () => pieces++ }, 3, request, [
			...ROUTES,
			route,
		]);
		announce(3);
		takeTurns();
		for (const socket of [0, 1, 2]) {
			callbacks(socket).onWritable(1_000_000);
			callbacks(socket).onReadable(request.length);
		}
		takeTurns();
		const begun = pieces;
		service.tick(50);
		takeTurns();
		assert.equal(pieces, begun, "nothing to say");
		quiet.says = true;
		service.tick(100);
		assert.equal(pieces, begun, "nothing at once");
		callbacks(1).onError();
		takeTurns();
		assert.deepEqual([pieces, faults], [begun + 1, []]);
	});

	it("keeps a connection whose announced bytes are missing", () => {
		const { service, announce, callbacks, takeTurns } = fixture({ read: () => new ArrayBuffer(0) });
		announce(3);
		takeTurns();
		assert.equal(service.connections, 1);
		callbacks().onReadable(10);
		takeTurns();
		assert.equal(service.connections, 1);
	});

	it("ignores callbacks of a socket it has closed", () => {
		const { service, announce, callbacks, faults, takeTurns } = fixture();
		announce(1);
		takeTurns();
		const late = callbacks();
		service.close();
		late.onReadable(5);
		late.onWritable(5);
		late.onError();
		service.tick(0);
		assert.deepEqual([faults, service.connections, takeTurns()], [[], 0, 0]);
	});

	/** A server whose listeners are made as told; `onMade` may throw. */
	function serverOn(onMade: () => void, more: { onFault?: (error: unknown) => void; onListening?: (port: number) => void }) {
		const clock = { ticks: 0 };
		const service = new HttpService({
			hasHeap: () => true,
			Listener: class {
				constructor() {
					onMade();
				}
				read() {
					return undefined;
				}
				close() {}
			},
			TCP: class {} as unknown as TcpConstructor,
			port: 80,
			clock,
			later: () => {},
			router: new ApiRouter(anApiContext(), ROUTES),
			...more,
		});
		const pass = (ms: number): void => {
			clock.ticks += ms;
			service.tick(clock.ticks);
		};
		return { service, pass };
	}

	it("does without a listener until one can be had, and says once that it can't", () => {
		const faults: string[] = [];
		const ports: number[] = [];
		let failures = 3;
		const fail = (): void => {
			if (failures-- > 0) throw new Error("no memory");
		};
		const { service, pass } = serverOn(fail, {
			onFault: (error) => faults.push((error as Error).message),
			onListening: (port) => ports.push(port),
		});
		assert.deepEqual([service.port, faults], [80, ["no memory"]]);
		pass(LISTEN_AGAIN_MS - 1);
		assert.equal(failures, 2);
		pass(1);
		assert.equal(failures, 1);
		pass(LISTEN_AGAIN_MS);
		assert.deepEqual([faults, ports], [["no memory"], []]);
		pass(LISTEN_AGAIN_MS);
		pass(LISTEN_AGAIN_MS);
		assert.deepEqual([failures, faults, ports], [-1, ["no memory"], [80]]);
		service.close();
	});

	it("does not listen again after it was closed", () => {
		let made = 0;
		const { service, pass } = serverOn(() => {
			made++;
			throw new Error("no memory");
		}, {});
		service.close();
		pass(LISTEN_AGAIN_MS);
		assert.equal(made, 1);
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
				if (received.endsWith("}")) resolve(received);
			});
			socket.on("error", () => {}).on("close", () => resolve(received));
		});

	const NETWORK = "GET /api/network HTTP/1.1\r\nHost: localhost\r\n\r\n";
	const STUBBORN = "POST /api/mode HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n";
	const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
	/** Nothing but the eviction rule makes anything free. */
	const PATIENT = { slowMs: 60_000, openMs: 60_000 };

	/** Clients of these addresses that never come to an end. @returns what those received that were closed */
	async function beside(addresses: readonly string[], limits: object, test: (port: number) => Promise<void>): Promise<string[]> {
		const ends: string[] = [];
		const server = await startServer(new ApiRouter(anApiContext(), ROUTES), { ...PATIENT, ...limits });
		try {
			for (const address of addresses) void at(address, server.port, STUBBORN).then((received) => ends.push(received));
			while (server.service.connections < Math.min(addresses.length, HTTP_LIMITS.connections)) await pause(5);
			await test(server.port);
			return [...ends];
		} finally {
			server.close();
		}
	}
	const isServed = async (port: number): Promise<void> => assert.match(await at("127.0.0.99", port, NETWORK), /^HTTP\/1\.1 200 /);

	it("gives a client a connection at once, though another has all of them and as many waiting", async () => {
		const ends = await beside(Array(14).fill("127.0.0.2"), { waitMs: 60_000 }, isServed);
		assert.deepEqual(ends, [""], "one was evicted");
	});

	it("looks at clients that stand behind more than may wait, and closes for that who has waited and has another", async () => {
		const ends = await beside(Array(30).fill("127.0.0.2"), {}, isServed);
		assert.ok(ends.length > 1 && ends.every((received) => received === ""), "closed without a word");
		const addresses = Array.from({ length: 21 }, (_, i) => `127.0.0.${2 + (i % 7)}`);
		await beside(addresses, {}, isServed);
	});

	it("closes no waiting client while the queue is not too long, nor one with a single connection", async () => {
		assert.deepEqual(await beside(Array(16).fill("127.0.0.2"), {}, () => pause(300)), []);
		const addresses = Array.from({ length: 20 }, (_, i) => `127.0.0.${2 + i}`);
		assert.deepEqual(await beside(addresses, {}, () => pause(300)), []);
	});

	it("gives a client without a connection one that was open for long, whatever its owner does with it", async () => {
		const addresses = Array.from({ length: 8 }, (_, i) => `127.0.0.${2 + i}`);
		assert.deepEqual(await beside(addresses, { openMs: 50 }, isServed), [""]);
	});
});
