/**
 * The analyser port: SavvyCAN connects to it and sees the frames of both buses. A client that does not take
 * its frames loses them, which is counted: neither control nor forwarding waits.
 */

import type { ListenerConstructor, ListenerSocket, TcpConstructor, TcpSocket } from "../../hal/network-ports.js";
import type { FrameLinesPort, FrameTextPort } from "../../hal/ports.js";
import { ALL_BUSES, FRAME_BYTES, GVRET_FORMAT } from "../can/frame-dump.js";
import { elapsedMs } from "../clock/elapsed.js";
import { copyBytes } from "../text/bytes.js";
import { type ClientFrame, GvretSession } from "./gvret.js";
import type { SendPermission } from "./permission.js";

/** SavvyCAN and one more. */
const ANALYZER_CLIENTS = 2;
/** Between two steps of a client. Source: docs/api.md, "SavvyCAN". */
const STEP_MS = 20;
/** Written at once; a step writes some of them, up to 14,000 frames of 20 bytes a second. */
const BATCH_BYTES = 1400;
const BATCHES_AT_ONCE = 4;
/** Frames of a client that are sent in one step, 250 a second: they take 1 million instructions at most. */
const FRAMES_IN_STEP = 5;
/** Read at once, for each of them: a frame with eight bytes. */
const PIECE_BYTES = 17;
/**
 * A client that was silent for this long is evicted for another one. SavvyCAN asks four times a second. Source:
 * docs/api.md, "SavvyCAN".
 */
const SILENT_MS = 10_000;
/** Heap for a client and its first bytes. */
const CLIENT_SLOTS = 200;
const CLIENT_CHUNK_BYTES = 4096;
/** Until it tries again to listen. Assumed: as in http-service.ts. */
const LISTEN_AGAIN_MS = 5000;

interface AnalyzerOptions {
	readonly Listener: ListenerConstructor;
	readonly TCP: TcpConstructor;
	/** 0 = any free one. */
	readonly port: number;
	readonly clock: { readonly ticks: number; readonly microseconds: number };
	readonly later: (callback: () => void, delayMs: number) => void;
	readonly newFrameLines: FrameTextPort["lines"];
	/** It ends with the port. */
	readonly permission: SendPermission;
	/** True if the heap has this much free, if need be after a collection. */
	readonly hasHeap: (slots: number, chunkBytes: number) => boolean;
	readonly log: (message: string) => void;
}

interface Client {
	readonly socket: TcpSocket;
	readonly session: GvretSession;
	readableBytes: number;
	writableBytes: number;
	/** The frames for the client, once it has chosen the binary form. */
	lines: FrameLinesPort | undefined;
	heardMs: number;
}

/** Listens while the settings switch it on, and on one port. */
export class AnalyzerService {
	/** Frames of clients since the start. */
	sentFrames = 0;
	rejectedFrames = 0;
	/** Why the last frame was rejected, "" = none. */
	lastRejection = "";
	readonly #options: AnalyzerOptions;
	#listener: ListenerSocket | undefined;
	#waiting = 0;
	#clients: Client[] = [];
	#batch = new Uint8Array(0);
	/** Bytes of answers in it, while a client's input is taken. */
	#answered = 0;
	#isEnabled = false;
	#triedMs: number | undefined;
	#steps = false;
	#lastStep = 0;

	constructor(options: AnalyzerOptions) {
		this.#options = options;
	}

	/** Port it listens on, 0 while it does not. */
	get port(): number {
		return this.#listener === undefined ? 0 : (this.#listener.port ?? this.#options.port);
	}

	/** `lostFrames`: a client was too slow for them. */
	get clients(): readonly { readonly lostFrames: number }[] {
		return this.#clients.map(({ lines }) => ({ lostFrames: lines?.overwritten ?? 0 }));
	}

	get permission(): SendPermission {
		return this.#options.permission;
	}

	/** Begins or ends to listen. Call a few times per second. */
	observe(isEnabled: boolean): void {
		if (isEnabled) this.permission.observe();
		else this.permission.withdraw();
		if (isEnabled && this.#listener === undefined) this.#listen();
		else if (!isEnabled && this.#isEnabled) this.#close();
		this.#isEnabled = isEnabled;
	}

	#listen(): void {
		const { Listener, clock, log, port } = this.#options;
		if (this.#triedMs !== undefined && elapsedMs(this.#triedMs, clock.ticks) < LISTEN_AGAIN_MS) return;
		const isFirst = this.#triedMs === undefined;
		this.#triedMs = clock.ticks;
		try {
			this.#listener = new Listener({ port, onReadable: (count) => this.#onWaiting(count) });
			log(`listens on port ${this.port}`);
		} catch (error) {
			if (isFirst) log(`can't listen on port ${port}: ${error}`);
		}
	}

	#close(): void {
		for (const client of this.#clients.splice(0)) client.socket.close();
		this.#batch = new Uint8Array(0);
		this.#listener?.close();
		this.#listener = undefined;
		this.#waiting = 0;
		this.#triedMs = undefined;
		this.#options.log("does not listen any more");
	}

	#onWaiting(count: number): void {
		const isIdle = this.#waiting === 0;
		this.#waiting += count;
		if (isIdle) this.#options.later(this.#admit, 0);
	}

	/** Admits one client in a turn, however many come at once. */
	readonly #admit = (): void => {
		const from = this.#listener?.read();
		this.#waiting = from === undefined ? 0 : this.#waiting - 1;
		if (from === undefined) return;
		if (this.#waiting > 0) this.#options.later(this.#admit, 0);
		const { ticks } = this.#options.clock;
		if (this.#clients.length >= ANALYZER_CLIENTS) {
			const silent = this.#clients.find(({ heardMs }) => elapsedMs(heardMs, ticks) >= SILENT_MS);
			if (silent !== undefined) this.#remove(silent);
		}
		const isFree = this.#clients.length < ANALYZER_CLIENTS;
		if (isFree && this.#options.hasHeap(CLIENT_SLOTS, CLIENT_CHUNK_BYTES)) this.#accept(from, ticks);
		else from.close();
	};

	#accept(from: TcpSocket, nowMs: number): void {
		const { TCP, clock, log } = this.#options;
		const session = new GvretSession({
			answer: (bytes) => {
				const end = this.#answered + bytes.length;
				if (end > Math.min(client.writableBytes, this.#batch.length)) return;
				copyBytes(bytes, 0, bytes.length, this.#batch, this.#answered);
				this.#answered = end;
			},
			get microseconds() {
				return clock.microseconds;
			},
			wanted: (frame) => this.#take(frame),
		});
		const socket = new TCP({
			from,
			nodelay: true,
			onReadable: (bytes) => {
				client.readableBytes = bytes;
			},
			onWritable: (bytes) => {
				client.writableBytes = bytes;
			},
			onError: () => this.#remove(client),
		});
		const client: Client = { socket, session, readableBytes: 0, writableBytes: 0, lines: undefined, heardMs: nowMs };
		this.#clients.push(client);
		log("a client has connected");
		if (!this.#steps) {
			this.#steps = true;
			this.#batch = new Uint8Array(BATCH_BYTES);
			this.#options.later(() => this.#step(), STEP_MS);
		}
	}

	#take(frame: ClientFrame): void {
		const rejection = this.permission.send(frame);
		if (rejection === "") {
			this.sentFrames++;
			return;
		}
		this.rejectedFrames++;
		if (rejection !== this.lastRejection)
			this.#options.log(`rejected a client's frame 0x${frame.id.toString(16)} for bus ${frame.bus}: ${rejection}`);
		this.lastRejection = rejection;
	}

	#remove(client: Client): void {
		const at = this.#clients.indexOf(client);
		if (at < 0) return;
		this.#clients.splice(at, 1);
		client.socket.close();
		const lost = client.lines?.overwritten ?? 0;
		this.#options.log(`a client has gone${lost > 0 ? `; it was too slow for ${lost} frames` : ""}`);
	}

	/** Serves one client: two would be too much for a turn of the event loop. */
	#step(): void {
		this.#lastStep = (this.#lastStep + 1) % Math.max(this.#clients.length, 1);
		const client = this.#clients[this.#lastStep] as Client | undefined;
		try {
			if (client !== undefined) {
				this.#read(client);
				this.#send(client);
			}
		} catch {
			if (client !== undefined) this.#remove(client); // a socket that fails in our hands
		}
		const count = this.#clients.length;
		this.#steps = count > 0;
		if (this.#steps) this.#options.later(() => this.#step(), STEP_MS / count);
		else this.#batch = new Uint8Array(0);
	}

	#read(client: Client): void {
		this.#answered = 0;
		const enough = this.sentFrames + this.rejectedFrames + FRAMES_IN_STEP;
		for (let pieces = 0; pieces < FRAMES_IN_STEP && this.sentFrames + this.rejectedFrames < enough; pieces++) {
			const count = Math.min(client.readableBytes, PIECE_BYTES);
			const bytes = count > 0 ? client.socket.read(count) : undefined;
			if (bytes === undefined) break;
			client.readableBytes -= bytes.byteLength;
			client.heardMs = this.#options.clock.ticks;
			client.session.take(new Uint8Array(bytes));
		}
		// one write for all of them: it takes as much as ten answers
		if (this.#answered > 0) this.#write(client, this.#batch.subarray(0, this.#answered));
		if (client.session.isBinary) client.lines ??= this.#options.newFrameLines(GVRET_FORMAT, ALL_BUSES.rows);
	}

	#send(client: Client): void {
		for (let batches = 0; batches < BATCHES_AT_ONCE && client.lines !== undefined; batches++) {
			const space = Math.min(client.writableBytes, this.#batch.length);
			if (space < FRAME_BYTES) return;
			const length = client.lines.write(this.#batch, 0, space);
			if (length === 0) return;
			this.#write(client, this.#batch.subarray(0, length));
		}
	}

	#write(client: Client, bytes: Uint8Array): void {
		client.writableBytes -= bytes.length;
		client.socket.write(bytes);
	}
}
