/** The control unit's end of ISO-TP and of TP2.0, and its faults. Shares no code with src/. */
import type { CanFrame, SendFrame } from "../frame.js";

/** @returns the answer to a request */
type Handle = (request: Uint8Array) => Uint8Array;

/** For tests, and for who wants to see it on the page. */
export interface ControlUnitFaults {
	/** Answers this much later, ms. */
	lateMs: number;
	/** Says "response pending" this long before it answers, each half second, ms. */
	pendingMs: number;
	/** Answers every request with this negative code, -1 = as it should. */
	negativeCode: number;
	/** From this frame of an answer on it is silent (1 = the second), -1 = never. */
	silentFrom: number;
	/** This frame of an answer carries a wrong sequence number, -1 = none. */
	wrongSequenceAt: number;
	/** Does not say a word. */
	silent: boolean;
	/** Frames between two flow controls, and time between two frames, that it asks for. */
	blockSize: number;
	separationMs: number;
}

export const noFaults = (): ControlUnitFaults => ({
	lateMs: 0,
	pendingMs: 0,
	negativeCode: -1,
	silentFrom: -1,
	wrongSequenceAt: -1,
	silent: false,
	blockSize: 0,
	separationMs: 0,
});

const PENDING_EACH_MS = 500;

/** When an answer is due: at once, late, or after some "response pending". */
class Answering {
	readonly #faults: ControlUnitFaults;
	readonly #handle: Handle;
	readonly #say: (answer: Uint8Array) => void;
	#due: { readonly answer: Uint8Array; readonly service: number; readonly atMs: number; pendingAtMs: number } | undefined;

	constructor(faults: ControlUnitFaults, handle: Handle, say: (answer: Uint8Array) => void) {
		this.#faults = faults;
		this.#handle = handle;
		this.#say = say;
	}

	/** A request came. */
	begin(request: Uint8Array, timeMs: number): void {
		const answer = this.#handle(request);
		const service = request[0] ?? 0;
		const { negativeCode, lateMs, pendingMs } = this.#faults;
		const said = negativeCode < 0 ? answer : Uint8Array.of(0x7f, service, negativeCode);
		this.#due = { answer: said, service, atMs: timeMs + lateMs + pendingMs, pendingAtMs: pendingMs > 0 ? timeMs : Infinity };
	}

	forget(): void {
		this.#due = undefined;
	}

	step(timeMs: number): void {
		const due = this.#due;
		if (due === undefined) return;
		if (timeMs >= due.atMs) {
			this.#due = undefined;
			this.#say(due.answer);
		} else if (timeMs >= due.pendingAtMs) {
			due.pendingAtMs += PENDING_EACH_MS;
			this.#say(Uint8Array.of(0x7f, due.service, 0x78));
		}
	}
}

/** Of a frame of ours. */
const FILL = 0xaa;

/** ISO-TP on one pair of identifiers: requests in, answers out, a frame per millisecond at most. */
export class IsoTpServer {
	readonly #requestId: number;
	readonly #responseId: number;
	readonly #extended: boolean;
	readonly #faults: ControlUnitFaults;
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
		handle: Handle,
	) {
		this.#requestId = ids.request;
		this.#responseId = ids.response;
		this.#extended = ids.extended;
		this.#faults = faults;
		this.#answering = new Answering(faults, handle, (answer) => this.#say(answer));
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
		this.#outgoing = [];
		this.#answering.begin(Uint8Array.from(bytes), timeMs);
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

const ADDRESS = 0x0a;
/** Where we listen while a channel is open. */
const LISTENS = 0x740;
/** Without a word for this long the channel is closed. */
const IDLE_MS = 5000;

/** TP2.0: gives a channel to a tester that asks for its address, one at a time. */
export class Tp20Server {
	readonly #faults: ControlUnitFaults;
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

	constructor(faults: ControlUnitFaults, handle: Handle, connected: () => void) {
		this.#faults = faults;
		this.#connected = connected;
		this.#answering = new Answering(faults, handle, (answer) => this.#say(answer));
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
		this.#answering.begin(request, timeMs);
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
