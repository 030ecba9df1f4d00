// A running HttpService on a real port with a raw client, for tests over real sockets.
import net from "node:net";
import type { ListenerConstructor, ListenerOptions, TcpConstructor, TcpOptions, TcpSocket } from "../../hal/network-ports.js";
import { HTTP_LIMITS, type HttpLimits } from "../../src/http/limits.js";
import type { Router } from "../../src/http/router.js";
import { HttpService } from "../../src/runtime/http-service.js";

export interface TestServer {
	readonly port: number;
	readonly service: HttpService;
	/** The service has no more sockets then, and no time passes for it. */
	close(): void;
}

/** Starts a service that ticks every 10 ms. */
export async function startServer(
	router: Router,
	limits: Partial<HttpLimits> = {},
	sockets: NodeSocketOptions = {},
): Promise<TestServer> {
	const ports = nodeSockets(sockets);
	const clock = {
		get ticks() {
			return Math.floor(performance.now());
		},
	};
	const service = new HttpService({
		Listener: ports.Listener,
		TCP: ports.TCP,
		port: 0,
		clock,
		later: (callback, delayMs) => setTimeout(callback, delayMs),
		hasHeap: () => true,
		router,
		limits: { ...HTTP_LIMITS, ...limits },
	});
	const port = await ports.listening();
	const timer = setInterval(() => service.tick(clock.ticks), 10);
	return {
		port,
		service,
		close() {
			clearInterval(timer);
			ports.closeAll();
		},
	};
}

export interface RawClient {
	readonly socket: net.Socket;
	/** Everything received so far. */
	received: string;
	readonly closed: Promise<void>;
	/** Resolves when `condition` holds for what was received. @throws when only a hang takes so long */
	until(condition: (received: string) => boolean): Promise<string>;
	send(text: string | Uint8Array): void;
}

/** A client that sends exactly what it is told. */
export function connect(port: number): RawClient {
	const socket = net.connect(port, "127.0.0.1");
	const client: RawClient = {
		socket,
		received: "",
		closed: new Promise((resolve) => socket.on("close", () => resolve())),
		async until(condition) {
			const end = Date.now() + 120_000;
			while (!condition(client.received)) {
				if (Date.now() > end) throw new Error(`timed out; received ${JSON.stringify(client.received.slice(0, 400))}`);
				await new Promise((resolve) => setTimeout(resolve, 5));
			}
			return client.received;
		},
		send: (text) => socket.write(text),
	};
	socket.setNoDelay(true);
	socket.on("error", () => {});
	socket.on("data", (data) => {
		client.received += data.toString("latin1");
	});
	return client;
}

// Node's net in the shape of ECMA-419's Listener and TCP: real TCP underneath, the contract of
// hal/network-ports.ts checked on the way.

/** Size of the send window that sockets announce; small ones exercise partial writing. */
interface NodeSocketOptions {
	readonly windowBytes?: number;
	/** Bytes announced as readable at once, at most. */
	readonly readableBytes?: number;
}

interface NodeSockets {
	readonly Listener: ListenerConstructor;
	readonly TCP: TcpConstructor;
	/** Resolves with the port once the last listener made listens. */
	listening(): Promise<number>;
	/** Sockets handed out and not closed yet. */
	readonly open: number;
	/** Listeners, too. Idempotent. */
	closeAll(): void;
}

/** A set of constructors with shared counters. */
export function nodeSockets({ windowBytes = 5744, readableBytes = 1536 }: NodeSocketOptions = {}): NodeSockets {
	let server: net.Server;
	let open = 0;
	const made: { close(): void }[] = [];

	class Waiting implements TcpSocket {
		constructor(readonly socket: net.Socket) {
			made.push(this);
		}
		get remoteAddress(): string | undefined {
			return this.socket.remoteAddress;
		}
		read(): undefined {
			return undefined;
		}
		write(): void {
			throw new Error("not taken over yet");
		}
		close(): void {
			this.socket.destroy();
		}
	}

	class Tcp implements TcpSocket {
		readonly #socket: net.Socket;
		readonly #options: TcpOptions;
		#input = Buffer.alloc(0);
		#announced = 0;
		#writable = 0;
		#inFlight = 0;
		#gone = false;
		#closed = false;

		constructor(options: TcpOptions) {
			made.push(this);
			this.#options = options;
			this.#socket = (options.from as Waiting).socket;
			this.#socket.setNoDelay(options.nodelay ?? false);
			open++;
			this.#socket.on("data", (data: Buffer) => {
				this.#input = Buffer.concat([this.#input, data]);
				if (this.#input.length >= readableBytes) this.#socket.pause();
				this.#announce();
			});
			const gone = () => {
				if (this.#gone) return;
				this.#gone = true;
				this.#announceEnd();
			};
			this.#socket.on("end", gone);
			this.#socket.on("error", gone);
			this.#socket.on("close", gone);
			this.#socket.resume();
			setImmediate(() => this.#announceWritable());
		}

		read(byteLength: number): ArrayBuffer | undefined {
			if (this.#closed) throw new SyntaxError("closed");
			if (this.#announced === 0) return undefined;
			if (byteLength <= 0 || byteLength > this.#announced) throw new Error("invalid");
			const result = new Uint8Array(this.#input.subarray(0, byteLength)).buffer as ArrayBuffer;
			this.#input = this.#input.subarray(byteLength);
			this.#announced -= byteLength;
			if (this.#input.length > 0 && this.#announced === 0) setImmediate(() => this.#announce());
			if (this.#input.length < readableBytes) this.#socket.resume();
			if (this.#gone) setImmediate(() => this.#announceEnd());
			return result;
		}

		write(bytes: Uint8Array): void {
			if (this.#closed) throw new SyntaxError("closed");
			if (bytes.length > this.#writable) throw new Error("would block");
			this.#writable -= bytes.length;
			this.#inFlight += bytes.length;
			this.#socket.write(Buffer.from(bytes), () => {
				this.#inFlight -= bytes.length;
				this.#announceWritable();
			});
		}

		close(): void {
			if (this.#closed) return;
			this.#closed = true;
			open--;
			// kernel semantics of close(2): queued output goes out, unread input resets the connection
			this.#socket.end(() => this.#socket.destroy());
			this.#socket.on("error", () => {});
		}

		#announce(): void {
			if (this.#closed || this.#input.length === 0) return;
			this.#announced = Math.min(this.#input.length, readableBytes);
			this.#options.onReadable.call(this, this.#announced);
		}

		#announceWritable(): void {
			if (this.#closed || this.#gone) return;
			this.#writable = windowBytes - this.#inFlight;
			this.#options.onWritable.call(this, this.#writable);
		}

		#announceEnd(): void {
			if (!this.#closed && this.#input.length === 0) this.#options.onError.call(this);
		}
	}

	class Listener {
		readonly #queue: net.Socket[] = [];
		readonly #server: net.Server;

		constructor(options: ListenerOptions) {
			made.push(this);
			server = this.#server = net.createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => {
				socket.on("error", () => {});
				this.#queue.push(socket);
				options.onReadable(1);
			});
			server.listen(options.port, "127.0.0.1");
		}

		read(): TcpSocket | undefined {
			const socket = this.#queue.shift();
			return socket === undefined ? undefined : new Waiting(socket);
		}

		close(): void {
			for (const socket of this.#queue) socket.destroy();
			this.#server.close();
		}
	}

	return {
		Listener,
		TCP: Tcp,
		listening: () =>
			new Promise((resolve) => {
				const done = () => resolve((server.address() as net.AddressInfo).port);
				if (server.listening) done();
				else server.once("listening", done);
			}),
		get open() {
			return open;
		},
		closeAll() {
			for (const one of made) one.close();
		},
	};
}
