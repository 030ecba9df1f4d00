/**
 * A client that writes and reads as SavvyCAN does over the network: byte by byte, a frame ended by its last data
 * byte. It does nothing by itself. Written from docs/api.md, "The GVRET protocol"; shares no code with
 * `src/analyzer`.
 */
import { connect, type Socket } from "node:net";
import type { CanFrame } from "../vehicle/frame.js";

interface SeenFrame extends CanFrame {
	readonly timeUs: number;
	readonly bus: number;
}

export class SavvyCanClient {
	readonly frames: SeenFrame[] = [];
	/** The last answer to each command but frames, by command. */
	readonly answers = new Map<number, Uint8Array>();
	isClosed = false;
	/** Answers to "are you alive?". */
	alive = 0;
	readonly #socket: Socket;
	#input: number[] = [];

	constructor(port: number) {
		this.#socket = connect(port, "127.0.0.1");
		this.#socket.on("data", (bytes) => this.#take(bytes));
		this.#socket.on("error", () => undefined);
		this.#socket.on("close", () => {
			this.isClosed = true;
		});
	}

	get isOpen(): boolean {
		return this.#socket.readyState === "open";
	}

	write(hex: string): void {
		this.#socket.write(Buffer.from(hex, "hex"));
	}

	/** As "Send Frames" does it. */
	sendFrame(bus: number, id: number, data: readonly number[], extended = false): void {
		const bytes = Buffer.alloc(9 + data.length);
		bytes.writeUInt16BE(0xf100, 0);
		bytes.writeUInt32LE((extended ? id | 0x80000000 : id) >>> 0, 2);
		bytes[6] = bus;
		bytes[7] = data.length;
		bytes.set(data, 8);
		this.#socket.write(bytes);
	}

	/** Takes nothing any more, as a computer that sleeps. */
	pause(): void {
		this.#socket.pause();
	}

	resume(): void {
		this.#socket.resume();
	}

	close(): void {
		this.#socket.destroy();
	}

	#take(bytes: Uint8Array): void {
		for (const byte of bytes) {
			const input = this.#input;
			// between two commands other bytes are left aside: the check byte of a frame is one
			if (input.length === 0 && byte !== 0xf1) continue;
			input.push(byte);
			if (input.length >= 2 && this.#isWhole(input)) this.#input = [];
		}
	}

	#isWhole(input: readonly number[]): boolean {
		const [, command] = input;
		if (command === 0) {
			const length = input.length > 10 ? input[10] & 15 : undefined;
			if (length === undefined || input.length < 11 + length) return false;
			const word = (at: number) => Buffer.from(input).readUInt32LE(at);
			const id = word(6);
			const data = Uint8Array.from(input.slice(11));
			this.frames.push({
				timeUs: word(2),
				id: id & 0x1fffffff,
				extended: id >>> 31 === 1,
				rtr: false,
				bus: input[10] >> 4,
				data,
			});
			return true;
		}
		const length = LENGTHS.get(command);
		if (length === undefined) throw new Error(`an unknown answer: ${command}`);
		if (input.length < 2 + length) return false;
		this.answers.set(command, Uint8Array.from(input.slice(2)));
		// what it asks as soon as it knows how many buses there are
		if (command === 12) this.write("f10d");
		if (command === 9) this.alive++;
		return true;
	}
}

/** Bytes after the command, by command. */
const LENGTHS = new Map([
	[1, 4],
	[2, 2],
	[3, 15],
	[6, 10],
	[7, 6],
	[9, 2],
	[12, 1],
	[13, 15],
]);
