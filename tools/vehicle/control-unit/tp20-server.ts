/**
 * The control unit's end of TP2.0: gives a channel to whoever asks for its address, one at a time.
 * Deliberately shares no code with src/.
 */
import type { CanFrame, SendFrame } from "../frame.js";
import { Answering, type ControlUnitFaults } from "./answering.js";

const ADDRESS = 0x0a;
/** Where we listen while a channel is open. */
const LISTENS = 0x740;
/** Without a word for this long the channel is closed. */
const IDLE_MS = 5000;

export class Tp20Server {
	readonly #faults: ControlUnitFaults;
	readonly #handle: (request: Uint8Array) => Uint8Array;
	readonly #connected: () => void;
	readonly #answering: Answering;

	#toSay: [id: number, bytes: number[]][] = [];
	/** Where the tester listens, 0 = no channel. */
	#tester = 0;
	#lastMs = 0;
	#incoming: number[] = [];
	#length = 0;
	#theirs = 0;
	#ours = 0;
	/** Packets of an answer; the first one waits for the acknowledgement of the block before. */
	#packets: number[][] = [];
	#waits = false;

	constructor(faults: ControlUnitFaults, handle: (request: Uint8Array) => Uint8Array, connected: () => void) {
		this.#faults = faults;
		this.#handle = handle;
		this.#connected = connected;
		this.#answering = new Answering(faults, (answer) => this.#say(answer));
	}

	receive({ id, extended, rtr, data }: CanFrame, timeMs: number): void {
		if (extended || rtr || this.#faults.silent) return;
		const bytes = [...data];
		if (id === 0x200 && bytes[0] === ADDRESS && bytes[1] === 0xc0) this.#open(bytes, timeMs);
		else if (id === LISTENS && this.#tester !== 0 && bytes.length > 0) {
			this.#lastMs = timeMs;
			this.#packet(bytes, timeMs);
		}
	}

	/** Advances by a millisecond. */
	step(timeMs: number, send: SendFrame): void {
		this.#answering.step(timeMs);
		if (this.#tester !== 0 && timeMs - this.#lastMs > IDLE_MS) this.#close();
		if (this.#toSay.length === 0 && !this.#waits && this.#packets.length > 0) this.#next();
		const said = this.#toSay.shift();
		if (said !== undefined) send(said[0], false, Uint8Array.from(said[1]));
	}

	#open(bytes: number[], timeMs: number): void {
		if (this.#tester !== 0) {
			this.#toSay.push([0x200 + ADDRESS, [0, 0xd8, 0, 0x10, 0, 0x10, 1]]); // all channels taken
			return;
		}
		this.#tester = bytes[4] + (bytes[5] & 15) * 256;
		this.#lastMs = timeMs;
		this.#theirs = 0;
		this.#ours = 0;
		this.#packets = [];
		this.#incoming = [];
		this.#connected();
		this.#toSay.push([0x200 + ADDRESS, [0, 0xd0, bytes[4], bytes[5] & 15, LISTENS & 0xff, LISTENS >> 8, 1]]);
	}

	#close(): void {
		this.#toSay.push([this.#tester, [0xa8]]);
		this.#tester = 0;
		this.#answering.forget();
	}

	#packet(bytes: number[], timeMs: number): void {
		const [head] = bytes;
		if (head === 0xa0 || head === 0xa3) this.#toSay.push([this.#tester, [0xa1, 0x0f, 0x8a, 0xff, 0x4a, 0xff]]);
		else if (head === 0xa8) this.#close();
		else if (head >> 4 === 0xb) {
			if ((head & 15) === this.#ours) this.#waits = false;
		} else if (head >> 4 <= 3) this.#data(bytes, timeMs);
	}

	#data(bytes: number[], timeMs: number): void {
		const operation = bytes[0] >> 4;
		if ((bytes[0] & 15) !== this.#theirs) return;
		this.#theirs = (this.#theirs + 1) % 16;
		if (this.#incoming.length === 0) {
			this.#length = bytes[1] * 256 + bytes[2];
			this.#incoming.push(...bytes.slice(3));
		} else this.#incoming.push(...bytes.slice(1));
		if (operation < 2) this.#toSay.push([this.#tester, [0xb0 + this.#theirs]]);
		if (operation % 2 === 0) return;
		const request = Uint8Array.from(this.#incoming.slice(0, this.#length));
		this.#incoming = [];
		this.#answering.begin(request, this.#handle(request), timeMs);
	}

	#say(answer: Uint8Array): void {
		const { silentFrom, wrongSequenceAt } = this.#faults;
		this.#packets = [[answer.length >> 8, answer.length & 0xff, ...answer.subarray(0, 5)]];
		for (let at = 5; at < answer.length; at += 7) this.#packets.push([...answer.subarray(at, at + 7)]);
		const sequences = this.#packets.map((_, i) => (this.#ours + i + (i === wrongSequenceAt ? 3 : 0)) % 16);
		const last = this.#packets.length - 1;
		// an acknowledgement after each third packet, and after the last
		this.#packets = this.#packets.map((part, i) => [(i === last ? 0x10 : i % 3 === 2 ? 0x00 : 0x20) + sequences[i], ...part]);
		if (silentFrom >= 0) this.#packets.length = Math.min(this.#packets.length, silentFrom);
		this.#waits = false;
	}

	#next(): void {
		const packet = this.#packets.shift()!;
		this.#ours = (this.#ours + 1) % 16;
		this.#waits = packet[0] >> 4 < 2;
		this.#toSay.push([this.#tester, packet]);
	}
}
