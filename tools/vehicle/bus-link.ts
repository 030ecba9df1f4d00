/**
 * The vehicle's end of one bus: connects to the controller's UNIX socket and exchanges records. Never blocks
 * and never queues without bound: what the peer does not take in time is dropped and counted. A lost
 * connection is tried again for as long as `close` has not been called.
 */
import { connect, type Socket } from "node:net";
import { type CanFrame, RECORD_BYTES, readRecord, writeRecord } from "./frame.js";

const RETRY_MS = 100;
/** In this process, beside the kernel's buffer: half a second of traffic. */
const MAX_WAITING_BYTES = 1024 * RECORD_BYTES;
const BATCH_RECORDS = 256;

export class BusLink {
	sent = 0;
	received = 0;
	/** Frames lost because no peer was connected or the peer did not read. */
	dropped = 0;
	connected = false;
	readonly #path: string;
	readonly #receive: (frame: CanFrame) => void;
	readonly #batch = Buffer.alloc(BATCH_RECORDS * RECORD_BYTES);
	#batched = 0;
	#socket: Socket | undefined;
	#retry: NodeJS.Timeout | undefined;
	#closed = false;
	/** Of a record that has not arrived whole. */
	#rest: Buffer = Buffer.alloc(0);

	/** Starts connecting at once. @param receive called for each frame that arrives */
	constructor(path: string, receive: (frame: CanFrame) => void) {
		this.#path = path;
		this.#receive = receive;
		this.#connect();
	}

	/** Puts a frame in the batch; `flush` sends it. */
	send(id: number, extended: boolean, data: Uint8Array): void {
		if (this.#batched === BATCH_RECORDS) this.flush();
		writeRecord(this.#batch, this.#batched * RECORD_BYTES, id, extended, data);
		this.#batched += 1;
	}

	/** Hands the batch to the socket, or drops it whole: a part of it would be out of order with the next. */
	flush(): void {
		const records = this.#batched;
		this.#batched = 0;
		if (records === 0) return;
		if (!this.connected || !this.#socket || this.#socket.writableLength > MAX_WAITING_BYTES) {
			this.dropped += records;
			return;
		}
		this.#socket.write(Buffer.from(this.#batch.subarray(0, records * RECORD_BYTES)));
		this.sent += records;
	}

	/** Ends the connection and its retries. Idempotent. */
	close(): void {
		this.#closed = true;
		clearTimeout(this.#retry);
		this.#socket?.destroy();
	}

	#connect(): void {
		const socket = connect(this.#path);
		this.#socket = socket;
		socket.on("connect", () => {
			this.connected = true;
		});
		socket.on("data", (chunk) => {
			const bytes = Buffer.concat([this.#rest, chunk]);
			const end = bytes.length - (bytes.length % RECORD_BYTES);
			for (let offset = 0; offset < end; offset += RECORD_BYTES) {
				this.received += 1;
				this.#receive(readRecord(bytes, offset));
			}
			this.#rest = bytes.subarray(end);
		});
		// errors are ordinary (the controller does not listen yet, or restarts); "close" follows each
		socket.on("error", () => {});
		socket.on("close", () => {
			this.connected = false;
			this.#rest = Buffer.alloc(0);
			if (!this.#closed) this.#retry = setTimeout(() => this.#connect(), RETRY_MS);
		});
	}
}
