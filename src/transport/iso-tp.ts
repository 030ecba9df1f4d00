/**
 * ISO-TP, ISO 15765-2:2016, normal addressing on classic CAN: messages of up to 4,095 bytes in frames of 8,
 * one message at a time in each direction. Knows neither a bus nor a clock: frames and times are arguments.
 * Never throws for what a control unit sends: what does not fit is left aside as the standard says, or ends
 * the message with a reason.
 */

import { elapsedMs } from "../clock/elapsed.js";
import type { SendFrame, TransportUser } from "./channel.js";

/** The longest message whose length fits the 12 bits of a first frame. */
export const MESSAGE_MAX = 4095;
/**
 * For a frame that is handed over, a flow control, the next consecutive frame. Source: ISO 15765-2 table 21.
 */
const STEP_TIMEOUT_MS = 1000;
/** Flow controls that say wait, in a row (N_WFTmax): with N_Bs that is ten seconds. */
const WAITS_MAX = 10;
/** Consecutive frames sent in one call of `poll`: a bounded turn. */
const BURST_MAX = 8;

const SINGLE = 0;
const FIRST = 1;
const CONSECUTIVE = 2;
const FLOW_CONTROL = 3;

const CONTINUE = 0;
const WAIT = 1;
const OVERFLOW = 2;

const IDLE = 0;
const WAITING = 1;
const STREAMING = 2;

const EMPTY = new Uint8Array(0);

/** Identifiers and habits of one connection. */
export interface IsoTpOptions {
	readonly requestId: number;
	readonly responseId: number;
	/** Of both identifiers: 29 bits. */
	readonly extended: boolean;
	/** Longest message that is received, 8..4095. */
	readonly receiveMax: number;
	/** Consecutive frames that the other side may send before it waits for us, 0 = all. */
	readonly blockSize: number;
	/** Between two of them, 0..127. */
	readonly separationMs: number;
	/** Fills frames up to 8 bytes. */
	readonly padding: number;
}

/** Least time between two consecutive frames that a flow control asks for. Source: ISO 15765-2 table 20. */
export function separationOf(code: number): number {
	if (code <= 0x7f) return code;
	// 100 to 900 us: a millisecond is as close as a caller gets; the reserved ones mean the longest time
	return code >= 0xf1 && code <= 0xf9 ? 1 : 0x7f;
}

/** Whether less than a gap has passed. A clock of whole milliseconds shows up to one more than there were. */
const isTooSoon = (thenMs: number, nowMs: number, gapMs: number): boolean => gapMs > 0 && elapsedMs(thenMs, nowMs) <= gapMs;

/**
 * One connection. `receive` takes the frames of the response identifier, `poll` is called every few
 * milliseconds.
 */
export class IsoTp {
	readonly #options: IsoTpOptions;
	readonly #send: SendFrame;
	readonly #user: TransportUser;
	readonly #frame = new Uint8Array(8);

	#sending = IDLE;
	#out: Uint8Array = EMPTY;
	#outAt = 0;
	#outSequence = 0;
	#blockLeft = 0;
	#limitsBlock = false;
	#separationMs = 0;
	/** The last frame was a consecutive one: the next keeps its distance. */
	#isPaced = false;
	#waits = 0;
	/** Start of what is being waited for on the way out. */
	#outMs = 0;

	#in: Uint8Array = EMPTY;
	#inAt = 0;
	#inSequence = 0;
	#inBlock = 0;
	#inMs = 0;
	/** A flow control that did not fit yet, -1 = none. */
	#owed = -1;

	constructor(options: IsoTpOptions, send: SendFrame, user: TransportUser) {
		this.#options = options;
		this.#send = send;
		this.#user = user;
	}

	/**
	 * Begins to send, in place of what was under way.
	 * @param message 1..4095 bytes, kept until it is sent
	 * @throws {RangeError}
	 */
	start(message: Uint8Array, nowMs: number): void {
		if (message.length < 1 || message.length > MESSAGE_MAX)
			throw new RangeError(`a message of ${message.length} bytes: 1 to ${MESSAGE_MAX} are allowed`);
		this.reset();
		this.#out = message;
		this.#outAt = 0;
		this.#outMs = nowMs;
		this.#waits = 0;
		this.#sending = STREAMING;
		this.#separationMs = 0;
		this.#blockLeft = 1;
		this.#limitsBlock = true;
		this.poll(nowMs);
	}

	/** Discards what is under way, without a word. */
	reset(): void {
		this.#sending = IDLE;
		this.#in = EMPTY;
		this.#owed = -1;
	}

	/** Goes on with what waits for room or time, and drops what has waited too long. */
	poll(nowMs: number): void {
		if (this.#owed >= 0 && this.#flowControl(this.#owed)) this.#inMs = nowMs;
		if (this.#in.length > 0 && elapsedMs(this.#inMs, nowMs) >= STEP_TIMEOUT_MS) {
			this.reset();
			this.#user.failed("timeout");
		} else if (this.#sending === WAITING) this.#giveUpAfter(nowMs, "flow_control_failed");
		else if (this.#sending === STREAMING) this.#stream(nowMs);
	}

	/** A frame of the response identifier. @param data its bytes, as many as its DLC says */
	receive(data: Uint8Array, nowMs: number): void {
		if (data.length === 0) return;
		const kind = data[0] >> 4;
		if (kind === SINGLE) this.#single(data);
		else if (kind === FIRST) this.#first(data, nowMs);
		else if (kind === CONSECUTIVE) this.#consecutive(data, nowMs);
		else if (kind === FLOW_CONTROL) this.#flowControlled(data, nowMs);
	}

	#stream(nowMs: number): void {
		for (let burst = 0; burst < BURST_MAX && this.#sending === STREAMING; burst++) {
			const isNext = this.#outAt > 0;
			if (this.#isPaced && isTooSoon(this.#outMs, nowMs, this.#separationMs)) return;
			const size = isNext ? this.#fillConsecutive() : this.#fillStart();
			if (!this.#hand()) {
				this.#giveUpAfter(nowMs, "send_failed");
				return;
			}
			this.#outMs = nowMs;
			this.#isPaced = isNext;
			this.#outAt += size;
			if (isNext) this.#outSequence = (this.#outSequence + 1) & 15;
			if (this.#outAt >= this.#out.length) {
				this.#sending = IDLE;
				this.#user.sent();
			} else if (this.#limitsBlock && --this.#blockLeft === 0) this.#sending = WAITING;
		}
	}

	/** Fills in a single or first frame. @returns bytes of the message in it */
	#fillStart(): number {
		const { length } = this.#out;
		this.#outSequence = 1;
		if (length <= 7) {
			this.#frame[0] = length;
			return this.#fill(1, length);
		}
		this.#frame[0] = (FIRST << 4) | (length >> 8);
		this.#frame[1] = length & 0xff;
		return this.#fill(2, 6);
	}

	#fillConsecutive(): number {
		this.#frame[0] = (CONSECUTIVE << 4) | this.#outSequence;
		return this.#fill(1, Math.min(7, this.#out.length - this.#outAt));
	}

	/** The next `count` bytes of the message from byte `at` of the frame on, and padding. @returns count */
	#fill(at: number, count: number): number {
		for (let i = 0; i < count; i++) this.#frame[at + i] = this.#out[this.#outAt + i];
		this.#frame.fill(this.#options.padding, at + count);
		return count;
	}

	#hand(): boolean {
		return this.#send(this.#options.requestId, this.#options.extended, this.#frame);
	}

	#giveUpAfter(nowMs: number, reason: "send_failed" | "flow_control_failed"): void {
		if (elapsedMs(this.#outMs, nowMs) < STEP_TIMEOUT_MS) return;
		this.reset();
		this.#user.failed(reason);
	}

	#flowControlled(data: Uint8Array, nowMs: number): void {
		if (this.#sending !== WAITING || data.length < 3) return;
		const state = data[0] & 15;
		this.#outMs = nowMs;
		if (state === WAIT && ++this.#waits <= WAITS_MAX) return;
		if (state !== CONTINUE) {
			this.reset();
			this.#user.failed("flow_control_failed");
			return;
		}
		this.#waits = 0;
		this.#limitsBlock = data[1] > 0;
		this.#blockLeft = data[1];
		this.#separationMs = separationOf(data[2]);
		this.#sending = STREAMING;
		this.#stream(nowMs);
	}

	#single(data: Uint8Array): void {
		const length = data[0] & 15;
		if (length === 0 || length > data.length - 1) return;
		this.#in = EMPTY;
		this.#owed = -1;
		this.#user.received(data.slice(1, 1 + length));
	}

	#first(data: Uint8Array, nowMs: number): void {
		if (data.length < 8) return;
		const length = ((data[0] & 15) << 8) | data[1];
		// 0: a length of 32 bits follows, more than anybody has room for
		if (length === 0 || length > this.#options.receiveMax) {
			this.reset();
			this.#flowControl(OVERFLOW);
			this.#owed = -1;
			this.#user.failed("payload_too_large");
			return;
		}
		if (length < 8) return;
		this.#in = new Uint8Array(length);
		this.#in.set(data.subarray(2, 8));
		this.#inAt = 6;
		this.#inSequence = 1;
		this.#askForMore(nowMs);
		this.#user.receiving();
	}

	#consecutive(data: Uint8Array, nowMs: number): void {
		if (this.#in.length === 0) return;
		const size = Math.min(7, this.#in.length - this.#inAt);
		if (data.length < 1 + size) return;
		if ((data[0] & 15) !== this.#inSequence) {
			this.reset();
			this.#user.failed("bad_sequence");
			return;
		}
		this.#in.set(data.subarray(1, 1 + size), this.#inAt);
		this.#inAt += size;
		this.#inSequence = (this.#inSequence + 1) & 15;
		this.#inMs = nowMs;
		if (this.#inAt >= this.#in.length) {
			const message = this.#in;
			this.#in = EMPTY;
			this.#user.received(message);
		} else if (this.#inBlock > 0 && --this.#inBlock === 0) this.#askForMore(nowMs);
	}

	#askForMore(nowMs: number): void {
		this.#inMs = nowMs;
		this.#inBlock = this.#options.blockSize;
		this.#flowControl(CONTINUE);
	}

	/** @returns true if it was handed over; otherwise it is owed, and `poll` tries again */
	#flowControl(state: number): boolean {
		const frame = new Uint8Array(8).fill(this.#options.padding);
		frame[0] = (FLOW_CONTROL << 4) | state;
		frame[1] = state === CONTINUE ? this.#options.blockSize : 0;
		frame[2] = state === CONTINUE ? this.#options.separationMs : 0;
		const isSent = this.#send(this.#options.requestId, this.#options.extended, frame);
		this.#owed = isSent ? -1 : state;
		return isSent;
	}
}
