/**
 * The HTTP server. This page explains it; `src/http/` has its parts, which do no I/O and know no clock.
 *
 * **What it is made of.** A client is a socket that was accepted. It has a `Connection`, or waits for one: at
 * most 8 have, 8 wait unread, and more stay in the listener's queue. A connection (`http/connection.ts`)
 * reads one request after the other (`request-parser.ts`, `request.ts`), asks the router what to do
 * (`router.ts`), and sends the answer piece by piece (`response.ts`) as its producer makes it
 * (`producer.ts`). So neither a request nor an answer lies in memory as a whole, except a body of at most 8
 * KiB.
 *
 * **Turns.** A callback of a socket only notes what the socket can do. The work is done in turns of the event
 * loop: each turn does one piece of work for one client, in a circle; the listener is one of the circle. A
 * piece is: one input buffer is read (2 KiB) and one piece of the answer is sent (4 KiB), or one client is
 * accepted. Between two turns the event loop does whatever is due, the control tick first. What there is to
 * do follows from the state of clients, so no work can be marked and forgotten: turns go on until a circle
 * finds none, and everything that may make some (a callback, an answer that comes later, `tick`) starts them
 * again.
 *
 * **Limits** (`limits.ts`) of heads, bodies, times and rates: a slower client is answered 408, or closed.
 *
 * **One eviction rule** (`eviction.ts`) decides which connection is closed, with its upload or stream, if
 * another client needs it: when a client waits and all connections are in use, and when the heap is too full
 * for a request.
 *
 * **One heap check.** A board's heap has a fixed size, and the engine ends where it is full. Before a request
 * is matched, before a body gets memory of its own, and before a request is handled, the heap must have free
 * what that may take. If not, the request waits until it has: idle connections are evicted at once, used ones
 * after a second, and after `heapTimeoutMs` the answer is 503. A driver's mode needs little
 * (`Route.isSmall`): STOCK always gets through.
 */

import type { ListenerConstructor, ListenerSocket, TcpConstructor, TcpOptions, TcpSocket } from "../../hal/network-ports.js";
import { elapsedMs } from "../clock/elapsed.js";
import { Connection, type ConnectionContext, Phase } from "../http/connection.js";
import { victimFor } from "../http/eviction.js";
import { HTTP_LIMITS, type HttpLimits, PIECE_BYTES } from "../http/limits.js";
import { InputBuffers } from "../http/request.js";
import type { Router } from "../http/router.js";

interface HttpServiceOptions {
	readonly Listener: ListenerConstructor;
	readonly TCP: TcpConstructor;
	/** 1..65535; 0 = any free one. */
	readonly port: number;
	/** ms, monotonic, may wrap at 2^31 or 2^32. */
	readonly clock: { readonly ticks: number };
	/** Calls back after everything that is due before. */
	readonly later: (callback: () => void, delayMs: number) => void;
	readonly router: Router;
	/** True if the heap has this much free, if need be after a collection. */
	readonly hasHeap: (slots: number, chunkBytes: number) => boolean;
	/** HTTP_LIMITS unless given. */
	readonly limits?: HttpLimits;
	/** Told of errors in handlers and of sockets that fail in our hands. */
	readonly onFault?: (error: unknown) => void;
	/** Told the port each time it begins to listen. */
	readonly onListening?: (port: number) => void;
}

/** Until it tries again to listen, which takes memory. Assumed: some of it is free again by then. */
export const LISTEN_AGAIN_MS = 5000;

/** A socket that was accepted. */
interface Client {
	/** The listener's while the client waits. */
	socket: TcpSocket;
	/** "" if unknown. */
	readonly address: string;
	readonly acceptedMs: number;
	/** undefined: the client waits for one. */
	connection: Connection | undefined;
	/* Announced by the socket, less the bytes that were moved since. */
	readableBytes: number;
	writableBytes: number;
}

/** One listener with all its clients, until the chip restarts. */
export class HttpService {
	/** Connections since the start. */
	accepted = 0;
	readonly #options: HttpServiceOptions;
	readonly #limits: HttpLimits;
	readonly #context: ConnectionContext;
	/** undefined = it could not listen so far. */
	#listener: ListenerSocket | undefined;
	#listenMs: number;
	/** A failure to listen was told. */
	#failing = false;
	/** In the listener's queue. */
	#queued = 0;
	/** In the order in which they were accepted. */
	#clients: readonly Client[] = [];
	readonly #piece = new Uint8Array(PIECE_BYTES);
	readonly #callbacks = this.#makeCallbacks();
	readonly #onTurn = (): void => this.#turn();
	#turnIsDue = false;
	/** Index of the client whose turn was the last; the listener's turn comes after the last client. */
	#last = 0;

	/** Starts to listen; if that fails it is told, and tried again from `tick`. */
	constructor(options: HttpServiceOptions) {
		this.#options = options;
		this.#limits = options.limits ?? HTTP_LIMITS;
		this.#context = {
			limits: this.#limits,
			router: options.router,
			buffers: new InputBuffers(),
			hasHeap: options.hasHeap,
			evictFor: (connection, onlyIdle) => this.#evictFor(this.#ownerOf(connection), onlyIdle),
			isWanted: (connection) => {
				const { address } = this.#ownerOf(connection);
				return this.#clients.some((other) => other.connection === undefined && other.address === address);
			},
			onFault: (error) => options.onFault?.(error),
			onLate: () => this.#wake(),
		};
		this.#listenMs = options.clock.ticks;
		this.#listen();
	}

	get port(): number {
		return this.#listener?.port ?? this.#options.port;
	}

	get connections(): number {
		let count = 0;
		for (const { connection } of this.#clients) if (connection !== undefined) count++;
		return count;
	}

	/** Time-outs, and whatever depends on time. Call every 50 to 250 ms. */
	tick(nowMs: number): void {
		if (this.#listener === undefined && elapsedMs(this.#listenMs, nowMs) >= LISTEN_AGAIN_MS) {
			this.#listenMs = nowMs;
			this.#listen();
		}
		for (const client of this.#clients) {
			client.connection?.tick(nowMs);
			if (client.connection?.phase === Phase.CLOSED) this.#free(client);
		}
		this.#wakeForMore();
	}

	#listen(): void {
		const { Listener, onListening, port } = this.#options;
		const onReadable = (count: number): void => {
			this.#queued += count;
			this.#wake();
		};
		try {
			this.#listener = new Listener({ port, onReadable });
		} catch (error) {
			if (!this.#failing) this.#context.onFault(error);
			this.#failing = true;
			return;
		}
		this.#failing = false;
		onListening?.(this.port);
	}

	/**
	 * One set for all sockets: closures of their own would take 300 of the heap's 5632 slots. None comes for
	 * a socket that we have closed.
	 */
	#makeCallbacks(): Omit<TcpOptions, "from"> {
		const service = this;
		return {
			onReadable(byteLength) {
				const client = service.#clientOf(this);
				if (client !== undefined) client.readableBytes = byteLength;
				service.#wake();
			},
			onWritable(byteLength) {
				const client = service.#clientOf(this);
				if (client !== undefined) client.writableBytes = byteLength;
				service.#wake();
			},
			onError() {
				const client = service.#clientOf(this);
				if (client !== undefined) service.#free(client);
				service.#wake();
			},
		};
	}

	#ownerOf(connection: object): Client {
		return this.#clients.find((client) => client.connection === connection) as Client;
	}

	#clientOf(socket: TcpSocket): Client | undefined {
		return this.#clients.find((client) => client.socket === socket);
	}

	#wake(): void {
		if (this.#turnIsDue) return;
		this.#turnIsDue = true;
		this.#options.later(this.#onTurn, 0);
	}

	#turn(): void {
		this.#turnIsDue = false;
		const nowMs = this.#options.clock.ticks;
		const count = this.#clients.length + 1;
		let hasWorked = false;
		for (let tried = 0; tried < count && !hasWorked; tried++) {
			this.#last = (this.#last + 1) % count;
			const client = this.#clients[this.#last] as Client | undefined;
			hasWorked = client === undefined ? this.#admit(nowMs) : this.#serve(client, nowMs);
		}
		if (hasWorked) this.#wakeForMore();
	}

	#wakeForMore(): void {
		const isWork = (client: Client): boolean => client.connection === undefined || this.#isReady(client);
		if (this.#queued > 0 || this.#clients.some(isWork)) this.#wake();
	}

	#isReady({ connection, readableBytes, writableBytes }: Client): boolean {
		if (connection === undefined) return false;
		if (connection.isPaused || (writableBytes > 0 && connection.hasOutput)) return true;
		return readableBytes > 0 && connection.space() > 0;
	}

	/** Connects a client that waits, or accepts one. @returns false if there was nothing to do */
	#admit(nowMs: number): boolean {
		for (const client of this.#clients) if (client.connection === undefined && this.#connect(client, nowMs)) return true;
		if (this.#queued === 0 || !this.#mayAccept(nowMs)) return false;
		const socket = this.#listener?.read();
		this.#queued = socket === undefined ? 0 : this.#queued - 1;
		if (socket === undefined) return false;
		const client: Client = {
			socket,
			address: socket.remoteAddress ?? "",
			acceptedMs: nowMs,
			connection: undefined,
			readableBytes: 0,
			writableBytes: 0,
		};
		this.#clients = [...this.#clients, client];
		this.#connect(client, nowMs);
		return true;
	}

	/** One more may be accepted, if need be for one that has waited in vain and has another. */
	#mayAccept(nowMs: number): boolean {
		const waiting = this.#clients.filter(({ connection }) => connection === undefined);
		if (waiting.length < this.#limits.waitingClients) return true;
		const isOneOfSeveral = (one: Client): boolean =>
			this.#clients.some((other) => other !== one && other.address === one.address);
		const dropped = waiting.find((one) => elapsedMs(one.acceptedMs, nowMs) >= this.#limits.waitMs && isOneOfSeveral(one));
		if (dropped !== undefined) this.#free(dropped);
		return dropped !== undefined;
	}

	/** @returns false: there is no connection for it */
	#connect(client: Client, nowMs: number): boolean {
		if (this.connections >= this.#limits.connections && !this.#evictFor(client)) return false;
		try {
			client.socket = new this.#options.TCP({ from: client.socket, nodelay: true, ...this.#callbacks });
			client.connection = new Connection(this.#context, nowMs);
			this.accepted++;
		} catch (error) {
			// the peer may have gone while it waited
			this.#context.onFault(error);
			this.#free(client);
		}
		return true;
	}

	/** @returns false: no connection may be evicted */
	#evictFor(client: Client, onlyIdle = false): boolean {
		const victim = victimFor(client, this.#clients, this.#limits, this.#options.clock.ticks, onlyIdle);
		if (victim !== undefined) this.#free(victim);
		return victim !== undefined;
	}

	/** Idempotent. */
	#free(client: Client): void {
		if (!this.#clients.includes(client)) return;
		this.#clients = this.#clients.filter((other) => other !== client);
		client.connection?.close();
		try {
			client.socket.close();
		} catch (error) {
			this.#context.onFault(error);
		}
	}

	/** @returns false if there was nothing to do */
	#serve(client: Client, nowMs: number): boolean {
		const { connection } = client;
		if (connection === undefined || !this.#isReady(client)) return false;
		try {
			if (connection.isPaused) connection.resume(nowMs);
			else this.#read(client, connection, nowMs);
			this.#write(client, connection, nowMs);
		} catch (error) {
			// a socket that fails in our hands is as good as gone
			this.#context.onFault(error);
			this.#free(client);
		}
		if (connection.phase === Phase.CLOSED) this.#free(client);
		return true;
	}

	#read(client: Client, connection: Connection, nowMs: number): void {
		const length = Math.min(client.readableBytes, connection.space());
		if (length <= 0) return;
		const bytes = client.socket.read(length);
		if (bytes === undefined || bytes.byteLength === 0) {
			client.readableBytes = 0;
			return;
		}
		client.readableBytes -= bytes.byteLength;
		connection.receive(new Uint8Array(bytes), nowMs);
	}

	#write(client: Client, connection: Connection, nowMs: number): void {
		const most = Math.min(client.writableBytes, PIECE_BYTES);
		if (most === 0) return;
		const length = connection.pull(this.#piece, 0, most, nowMs);
		if (length > 0) client.socket.write(this.#piece.subarray(0, length));
		client.writableBytes -= length;
		// a piece costs much the same however short it is: the socket tells when it takes a whole one, or
		// what the producer has
		if (connection.hasOutput && (length === 0 || client.writableBytes < PIECE_BYTES)) client.writableBytes = 0;
	}
}
