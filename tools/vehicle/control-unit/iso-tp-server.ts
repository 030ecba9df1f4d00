/**
 * The control unit's end of ISO-TP on one pair of identifiers: requests in, answers out, a frame per
 * millisecond at most. Deliberately shares no code with src/.
 */
import type { CanFrame, SendFrame } from "../frame.js";
import { Answering, type ControlUnitFaults } from "./answering.js";

/** Of a frame of ours. */
const FILL = 0xaa;

export class IsoTpServer {
	readonly #requestId: number;
	readonly #responseId: number;
	readonly #extended: boolean;
	readonly #faults: ControlUnitFaults;
	readonly #handle: (request: Uint8Array) => Uint8Array;
	readonly #answering: Answering;

	/** Frames of an answer that wait, and how many may leave before the next flow control. */
	#outgoing: number[][] = [];
	#allowed = 0;
	#gapMs = 0;
	#nextMs = 0;
	/** A request that is longer than a frame. */
	#incoming: number[] | undefined;
	#missing = 0;
	#expected = 0;
	#untilFlow = 0;
	#toSay: number[][] = [];

	constructor(
		ids: { readonly request: number; readonly response: number; readonly extended: boolean },
		faults: ControlUnitFaults,
		handle: (request: Uint8Array) => Uint8Array,
	) {
		this.#requestId = ids.request;
		this.#responseId = ids.response;
		this.#extended = ids.extended;
		this.#faults = faults;
		this.#handle = handle;
		this.#answering = new Answering(faults, (answer) => this.#say(answer));
	}

	receive({ id, extended, rtr, data }: CanFrame, timeMs: number): void {
		if (id !== this.#requestId || extended !== this.#extended || rtr || this.#faults.silent || data.length < 2) return;
		const bytes = [...data];
		switch (bytes[0] >> 4) {
			case 0:
				this.#request(bytes.slice(1, 1 + (bytes[0] & 15)), timeMs);
				break;
			case 1:
				this.#incoming = bytes.slice(2);
				this.#missing = (bytes[0] & 15) * 256 + bytes[1] - this.#incoming.length;
				this.#expected = 1;
				this.#flow();
				break;
			case 2:
				this.#more(bytes, timeMs);
				break;
			case 3:
				this.#allowed = (bytes[0] & 15) === 0 ? bytes[1] || Infinity : 0;
				this.#gapMs = bytes[2] < 0x80 ? bytes[2] : 1;
				this.#nextMs = timeMs;
		}
	}

	/** Advances by a millisecond. */
	step(timeMs: number, send: SendFrame): void {
		this.#answering.step(timeMs);
		const said = this.#toSay.shift();
		if (said !== undefined) send(this.#responseId, this.#extended, filled(said));
		else if (this.#outgoing.length > 0 && this.#allowed > 0 && timeMs >= this.#nextMs) {
			send(this.#responseId, this.#extended, filled(this.#outgoing.shift()!));
			this.#allowed -= 1;
			this.#nextMs = timeMs + this.#gapMs;
		}
	}

	#more(bytes: number[], timeMs: number): void {
		if (this.#incoming === undefined) return;
		if ((bytes[0] & 15) !== this.#expected) {
			this.#incoming = undefined;
			return;
		}
		this.#expected = (this.#expected + 1) % 16;
		const part = bytes.slice(1, 1 + this.#missing);
		this.#incoming.push(...part);
		this.#missing -= part.length;
		if (this.#missing <= 0) {
			const whole = this.#incoming;
			this.#incoming = undefined;
			this.#request(whole, timeMs);
		} else if (this.#untilFlow > 0 && --this.#untilFlow === 0) this.#flow();
	}

	#flow(): void {
		this.#untilFlow = this.#faults.blockSize;
		this.#toSay.push([0x30, this.#faults.blockSize, this.#faults.separationMs]);
	}

	#request(bytes: number[], timeMs: number): void {
		const request = Uint8Array.from(bytes);
		this.#outgoing = [];
		this.#answering.begin(request, this.#handle(request), timeMs);
	}

	#say(answer: Uint8Array): void {
		const { silentFrom, wrongSequenceAt } = this.#faults;
		const frames: number[][] = [];
		if (answer.length <= 7) frames.push([answer.length, ...answer]);
		else {
			frames.push([0x10 + (answer.length >> 8), answer.length & 0xff, ...answer.subarray(0, 6)]);
			for (let at = 6; at < answer.length; at += 7) frames.push([0x20 + (frames.length % 16), ...answer.subarray(at, at + 7)]);
		}
		if (wrongSequenceAt > 0 && frames[wrongSequenceAt]) frames[wrongSequenceAt][0] ^= 0x04;
		if (silentFrom >= 0) frames.length = Math.min(frames.length, silentFrom);
		const first = frames.shift();
		if (first !== undefined) this.#toSay.push(first);
		this.#outgoing = frames;
		this.#allowed = 0;
	}
}

const filled = (bytes: number[]): Uint8Array => Uint8Array.from({ length: 8 }, (_, i) => bytes[i] ?? FILL);
