// Node's net in the shape of ECMA-419's Listener and TCP: real TCP underneath, the contract of
// hal/socket-port.ts checked on the way.
import net from "node:net";
import type { ListenerConstructor, ListenerOptions, TcpConstructor, TcpOptions, TcpSocket } from "../../hal/socket-port.js";

/** Size of the send window that sockets announce; small ones exercise partial writing. */
export interface NodeSocketOptions {
	readonly windowBytes?: number;
	/** Bytes announced as readable at once, at most. */
	readonly readableBytes?: number;
}

export interface NodeSockets {
	readonly Listener: ListenerConstructor;
	readonly TCP: TcpConstructor;
	/** Resolves with the port once the last listener made listens. */
	listening(): Promise<number>;
	/** Sockets handed out and not closed yet. */
	readonly open: number;
}

/** A set of constructors with shared counters. */
export function nodeSockets({ windowBytes = 5744, readableBytes = 1536 }: NodeSocketOptions = {}): NodeSockets {
	let server: net.Server;
	let open = 0;

	class Waiting implements TcpSocket {
		constructor(readonly socket: net.Socket) {}
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
	};
}
