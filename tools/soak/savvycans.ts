/**
 * SavvyCAN at the analyser port, two at once and one more: as it speaks, slowly, asleep, and as somebody who
 * means no good. Nobody has let it send, so no frame of its own may reach a bus: the frame judge would
 * complain. Written from docs/api.md, "The GVRET protocol".
 */
import { connect, type Socket } from "node:net";
import type { Random } from "../../test/support/random.js";
import type { Counts } from "./client.js";

const CLIENTS = 3;
const HELLO = Buffer.from("e7e7f10cf106f107f101f109f10d", "hex");
const ALIVE = Buffer.from("f109", "hex");
const ALIVE_EACH_MS = 250;
/** A standard frame for the chassis bus; identifier and data follow. */
const SEND = Buffer.from("f100", "hex");
const MOST_BYTES = 400;

export class SavvyCans {
	/** 0 = it is off: nobody connects. */
	port = 0;
	readonly #random: Random;
	readonly #counts: Counts;
	readonly #complain: (text: string) => void;
	readonly #sockets: (Socket | undefined)[] = Array(CLIENTS).fill(undefined);
	readonly #untilMs: number[] = Array(CLIENTS).fill(0);

	constructor(random: Random, counts: Counts, complain: (text: string) => void) {
		this.#random = random;
		this.#counts = counts;
		this.#complain = complain;
	}

	step(nowMs: number): void {
		for (let i = 0; i < CLIENTS; i++) if (nowMs >= this.#untilMs[i]) this.#untilMs[i] = nowMs + this.#act(i);
	}

	leave(): void {
		for (const [i, socket] of this.#sockets.entries()) {
			this.#sockets[i] = undefined;
			socket?.destroy();
		}
		this.port = 0;
	}

	/** @returns until it acts again, ms */
	#act(i: number): number {
		const random = this.#random;
		const socket = this.#sockets[i];
		if (socket === undefined) {
			if (this.port > 0) this.#open(i);
			return random.below(5000);
		}
		const what = random.below(40);
		if (what === 0) {
			this.#sockets[i] = undefined;
			socket.destroy();
		} else if (what === 1) socket.pause();
		else if (what === 2) socket.write(Buffer.from(Array.from({ length: random.below(MOST_BYTES) }, () => random.below(256))));
		else if (what < 10) for (let n = random.below(20); n > 0; n--) this.#wantSent(socket);
		else {
			socket.resume();
			socket.write(ALIVE);
		}
		return ALIVE_EACH_MS;
	}

	#wantSent(socket: Socket): void {
		const frame = Buffer.alloc(8 + 8);
		frame.writeUInt32LE(this.#random.below(0x800), 0);
		frame[4] = this.#random.below(2);
		frame[5] = 8;
		// what no car of these drives sends
		frame.fill(0xa5, 6, 14);
		socket.write(Buffer.concat([SEND, frame.subarray(0, 14)]));
	}

	#open(i: number): void {
		const socket = connect({ host: "127.0.0.1", port: this.port });
		const reader = new FrameReader();
		socket.on("error", () => {});
		socket.on("data", (bytes) => {
			const problem = reader.take(bytes);
			this.#counts.add("analyzer frames", reader.frames);
			reader.frames = 0;
			if (problem !== "") this.#complain(problem);
		});
		socket.on("close", () => {
			if (this.#sockets[i] === socket) this.#sockets[i] = undefined;
		});
		socket.write(HELLO);
		this.#sockets[i] = socket;
	}
}

/** Bytes after the command of what is no frame, by command. */
const LENGTHS: Readonly<Record<number, number>> = { 1: 4, 2: 2, 3: 15, 6: 10, 7: 6, 9: 2, 12: 1, 13: 15 };
const FRAME_HEAD = 11;

/** Reads the stream as SavvyCAN does. */
class FrameReader {
	/** Since they were last taken. */
	frames = 0;
	#rest: Buffer = Buffer.alloc(0);

	/** @returns what is wrong, "" = nothing */
	take(bytes: Uint8Array): string {
		const all = Buffer.concat([this.#rest, bytes]);
		let at = 0;
		for (;;) {
			// between two commands other bytes are left aside: the check byte of a frame is one
			while (at < all.length && all[at] !== 0xf1) at++;
			if (at + 2 > all.length) break;
			const command = all[at + 1];
			const length = command === 0 ? this.#frameBytes(all, at) : 2 + (LENGTHS[command] ?? Number.NaN);
			if (Number.isNaN(length)) return `SavvyCAN is told ${all.subarray(at, at + 20).toString("hex")}`;
			if (at + length > all.length) break;
			if (command === 0) this.frames++;
			at += length;
		}
		this.#rest = Buffer.from(all.subarray(at));
		return "";
	}

	/** NaN: no frame is so long, or is of such a bus. */
	#frameBytes(all: Buffer, at: number): number {
		if (at + FRAME_HEAD > all.length) return FRAME_HEAD;
		const [length, bus] = [all[at + 10] & 15, all[at + 10] >> 4];
		return length <= 8 && bus < 2 ? FRAME_HEAD + length : Number.NaN;
	}
}
