/** The car's end of one bus: a UNIX stream socket with 16-byte records, and a log of all that was sent and that arrived. */
import { createConnection, type Socket } from "node:net";
import { type CanFrame, RECORD_BYTES, RecordSplitter, writeRecord } from "../../tools/vehicle/frame.js";
import { until } from "./wait.js";

/** A frame with the time it was handed over or came in, ms on `performance.now()`. */
export interface TimedFrame extends CanFrame {
	readonly at: number;
}

/** What became of a frame on its way through the controller. `sentAt` is never later than the moment the gateway had it. */
export interface Passage {
	readonly sentAt: number;
	readonly at: number;
	readonly sent: Uint8Array;
	readonly data: Uint8Array;
	readonly rewritten: boolean;
}

const FLAG_RTR = 0x40;

export class BusPeer {
	sent: TimedFrame[] = [];
	arrived: TimedFrame[] = [];
	connected = false;
	readonly #path: string;
	#socket: Socket | undefined;

	constructor(path: string) {
		this.#path = path;
	}

	/** Connects; tries again for a second, for the listener may be busy with the peer before. */
	async connect(): Promise<void> {
		await until(() => this.#tryToConnect(), 2000, `connection to ${this.#path}`);
	}

	#tryToConnect(): Promise<boolean> {
		const splitter = new RecordSplitter();
		const socket = createConnection(this.#path);
		socket.on("data", (chunk) => {
			const at = performance.now();
			splitter.push(chunk, (frame) => this.arrived.push({ ...frame, at }));
		});
		return new Promise((resolve) => {
			socket.on("error", () => resolve(false));
			socket.on("close", () => {
				if (this.#socket === socket) this.connected = false;
			});
			socket.on("connect", () => {
				this.#socket = socket;
				this.connected = true;
				resolve(true);
			});
		});
	}

	/** Sends one write of frames; nothing while not connected. */
	send(frames: readonly CanFrame[]): void {
		if (!this.connected || frames.length === 0) return;
		const bytes = Buffer.alloc(frames.length * RECORD_BYTES);
		const at = performance.now();
		frames.forEach((frame, i) => {
			writeRecord(bytes, i * RECORD_BYTES, frame.id, frame.extended, frame.data);
			if (frame.rtr) bytes[i * RECORD_BYTES + 3] |= FLAG_RTR;
			this.sent.push({ ...frame, data: Uint8Array.from(frame.data), at });
		});
		this.#socket?.write(bytes);
	}

	/** Sends bytes as they are, not logged. */
	sendRaw(bytes: Uint8Array): void {
		this.#socket?.write(bytes);
	}

	/** Hangs up at once. */
	disconnect(): void {
		this.connected = false;
		this.#socket?.destroy();
		this.#socket = undefined;
	}
}

/**
 * Pairs the frames of one identifier that entered on `from` with those that left on `to`, the n-th with the n-th.
 * Holds as long as none is lost, which tests of loss must not assume. Frames still on their way are left out.
 */
export function passages(from: BusPeer, to: BusPeer, id: number, sinceMs = 0, extended = false, rtr = false): Passage[] {
	const fits = (frame: CanFrame) => frame.id === id && frame.extended === extended && frame.rtr === rtr;
	const sent = from.sent.filter(fits);
	const arrived = to.arrived.filter(fits);
	const found: Passage[] = [];
	arrived.forEach((frame, i) => {
		const origin = sent[i];
		if (origin !== undefined && origin.at >= sinceMs)
			found.push({
				sentAt: origin.at,
				at: frame.at,
				sent: origin.data,
				data: frame.data,
				rewritten: !Buffer.from(frame.data).equals(origin.data),
			});
	});
	return found;
}
