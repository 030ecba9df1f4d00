/**
 * VW TP2.0: a channel to one control unit, and messages over it in packets of 7 bytes that are acknowledged
 * in blocks; a request is one packet. Frames and times are arguments. Never throws for frames of a control
 * unit. Source: docs/control-and-can.md 5.4.
 */

import { KWP_ADDRESS, TP20_IDS } from "../can/layouts/diagnosis-ids.js";
import { elapsedMs } from "../clock/elapsed.js";
import { RESPONSE_MAX, type SendFrame, type TransportFailure, type TransportUser } from "./channel.js";

const SETUP_REQUEST = 0xc0;
const SETUP_POSITIVE = 0xd0;
/** The control unit rejects the channel. */
const SETUP_NEGATIVE_FIRST = 0xd6;
const SETUP_NEGATIVE_LAST = 0xd8;
/** KWP2000. */
const APPLICATION = 0x01;

const PARAMETERS = 0xa0;
const PARAMETERS_ANSWER = 0xa1;
const CHANNEL_TEST = 0xa3;
const BREAK = 0xa4;
const DISCONNECT = 0xa8;

/* First byte of a packet: operation and sequence. */
const OPERATION_SHIFT = 4;
const SEQUENCE_MASK = 0x0f;
/* Operations. The first two are bits of a packet with data. */
const LAST_PACKET = 1;
const WITHOUT_ACK = 2;
const DATA_LAST = LAST_PACKET | WITHOUT_ACK;
const ACK_NOT_READY = 0x9;
const ACK_READY = 0xb;

/**
 * Packets before an acknowledgement, T1 = 100 ms until it comes, T3 = 5 ms between two. Source:
 * docs/control-and-can.md 5.4, as the reference asks for.
 */
const BLOCK = 15;
const T1_CODE = 0x8a;
const T3_CODE = 0x32;
const UNUSED = 0xff;

/* No source has them: both together take 1 s of the 5 s that docs/control-and-can.md 5.4 gives a request. */
const SETUP_TIMEOUT_MS = 500;
const PARAMETERS_TIMEOUT_MS = 500;
/** Until the echo of a disconnect. Source: docs/control-and-can.md 5.4. */
const CLOSE_TIMEOUT_MS = 50;
const PACKET_TIMEOUT_MS = 1000;
/** Bounds of T1, the wait for an acknowledgement. */
const ACK_MIN_MS = 50;
const ACK_MAX_MS = 1000;
/** Longest time between two packets: a code can say more than a request may take. */
const GAP_MAX_MS = 1000;
const NOT_READY_MAX = 20;
/** Longer than the 50 ms of docs/decisions.md 10. */
const SEND_TIMEOUT_MS = 100;

const CLOSED = 0;
const SETTING_UP = 1;
const NEGOTIATING = 2;
const OPEN = 3;
const CLOSING = 4;

const EMPTY = new Uint8Array(0);

/* A time code: the two upper bits say the unit of the six lower ones. Source: docs/control-and-can.md 5.4. */
const TIME_UNIT_SHIFT = 6;
const TIME_COUNT_MASK = 0x3f;
const TIME_UNITS_MS: readonly number[] = Object.freeze([0.1, 1, 10, 100]);

/** Milliseconds of a time code; 0 for an unused one. */
export function timeOf(code: number): number {
	return code === UNUSED ? 0 : (code & TIME_COUNT_MASK) * TIME_UNITS_MS[code >> TIME_UNIT_SHIFT];
}

interface Tp20User extends TransportUser {
	opened(): void;
	/** After `close`, once, with or without an echo. */
	closed(): void;
}

/** `receive` gets each frame of `listensTo`, `poll` is called every few milliseconds. */
export class Tp20 {
	readonly #send: SendFrame;
	readonly #user: Tp20User;

	#phase = CLOSED;
	/** Negotiated identifiers. */
	#sendId = 0;
	#receiveId = 0;
	/** Start of the current wait. */
	#sinceMs = 0;
	#ackMs = ACK_MIN_MS;
	#gapMs = 0;

	#out: Uint8Array = EMPTY;
	#outSequence = 0;
	#awaitsAck = false;
	#notReady = 0;
	#lastSentMs: number | undefined;

	#in: Uint8Array = EMPTY;
	#inAt = 0;
	#inSequence = 0;

	constructor(send: SendFrame, user: Tp20User) {
		this.#send = send;
		this.#user = user;
	}

	/** Its identifier; 0 until it is known. */
	get receiveId(): number {
		return this.#receiveId;
	}

	get isClosed(): boolean {
		return this.#phase === CLOSED;
	}

	/** Frames of this 11-bit identifier belong to the channel. */
	listensTo(id: number): boolean {
		if (this.#phase === CLOSED) return false;
		return this.#phase === SETTING_UP ? id === TP20_IDS.setUp + KWP_ADDRESS : id === this.#receiveId;
	}

	/** Asks for a new channel; `opened` or `failed` follows. */
	open(nowMs: number): void {
		this.#phase = SETTING_UP;
		this.#out = EMPTY;
		this.#in = EMPTY;
		this.#awaitsAck = false;
		this.#outSequence = 0;
		this.#inSequence = 0;
		this.#lastSentMs = undefined;
		this.#sinceMs = nowMs;
		const request = [KWP_ADDRESS, SETUP_REQUEST, 0x00, 0x10, TP20_IDS.listen & 0xff, TP20_IDS.listen >> 8, APPLICATION];
		if (!this.#send(TP20_IDS.setUp, false, new Uint8Array(request))) this.#fail("setup_send_failed");
	}

	/** Sends a request over the open channel. @param message 1..5 bytes */
	start(message: Uint8Array, nowMs: number): void {
		this.#out = message;
		this.#awaitsAck = false;
		this.#notReady = 0;
		this.#sinceMs = nowMs;
		this.#request(nowMs);
	}

	/** Closes the channel; `closed` follows, unless it is closed. */
	close(nowMs: number): void {
		if (this.#phase === CLOSED) return;
		const wasNegotiated = this.#phase !== SETTING_UP;
		this.#phase = CLOSING;
		this.#sinceMs = nowMs;
		if (!wasNegotiated || !this.#control(DISCONNECT)) this.#end();
	}

	/** Checks time-outs and sends. @param nowMs modulo 2^32 */
	poll(nowMs: number): void {
		const waitedMs = elapsedMs(this.#sinceMs, nowMs);
		if (this.#phase === SETTING_UP && waitedMs >= SETUP_TIMEOUT_MS) this.#fail("setup_timeout");
		else if (this.#phase === NEGOTIATING && waitedMs >= PARAMETERS_TIMEOUT_MS) this.#fail("params_timeout");
		else if (this.#phase === CLOSING && waitedMs >= CLOSE_TIMEOUT_MS) this.#end();
		else if (this.#phase === OPEN && this.#awaitsAck && waitedMs >= this.#ackMs) this.#fail("ack_timeout");
		else if (this.#phase === OPEN && this.#in.length > 0 && waitedMs >= PACKET_TIMEOUT_MS) this.#fail("timeout");
		else if (this.#phase === OPEN && !this.#awaitsAck && this.#out.length > 0) this.#request(nowMs);
	}

	/** @param data as many bytes as its DLC says */
	receive(data: Uint8Array, nowMs: number): void {
		if (data.length === 0) return;
		if (this.#phase === SETTING_UP) this.#answered(data, nowMs);
		else if (data[0] === DISCONNECT && this.#phase === CLOSING) this.#end();
		else if (data[0] === DISCONNECT) this.#fail("timeout");
		else if (this.#phase === NEGOTIATING) this.#negotiated(data, nowMs);
		else if (this.#phase === OPEN) this.#packet(data, nowMs);
	}

	#answered(data: Uint8Array, nowMs: number): void {
		const answer = data[1];
		if (data.length < 2 || data[0] !== 0x00) return; // for another tester
		if (answer >= SETUP_NEGATIVE_FIRST && answer <= SETUP_NEGATIVE_LAST) this.#fail("setup_negative");
		else if (data.length < 7 || answer !== SETUP_POSITIVE) this.#fail("bad_setup_response");
		else {
			const [receiveId, sendId] = [identifier(data[2], data[3]), identifier(data[4], data[5])];
			const isTheirs = receiveId >= TP20_IDS.theirFirst && receiveId <= TP20_IDS.theirLast;
			if (!isTheirs || sendId < TP20_IDS.ourFirst || sendId > TP20_IDS.ourLast) {
				this.#fail("bad_setup_response");
				return;
			}
			this.#receiveId = receiveId;
			this.#sendId = sendId;
			this.#phase = NEGOTIATING;
			this.#sinceMs = nowMs;
			if (!this.#control(PARAMETERS)) this.#fail("params_send_failed");
		}
	}

	#negotiated(data: Uint8Array, nowMs: number): void {
		if (data[0] === CHANNEL_TEST) this.#control(PARAMETERS_ANSWER);
		else if (data[0] !== PARAMETERS_ANSWER || data.length < 6) this.#fail("bad_params_response");
		else {
			this.#ackMs = Math.min(ACK_MAX_MS, Math.max(ACK_MIN_MS, timeOf(data[2])));
			this.#gapMs = Math.min(GAP_MAX_MS, timeOf(data[4]));
			this.#phase = OPEN;
			this.#sinceMs = nowMs;
			this.#user.opened();
		}
	}

	#packet(data: Uint8Array, nowMs: number): void {
		const operation = data[0] >> OPERATION_SHIFT;
		if (operation <= DATA_LAST) this.#data(data, operation, nowMs);
		else if (operation === ACK_READY || operation === ACK_NOT_READY)
			this.#acknowledged(operation === ACK_READY, data[0] & SEQUENCE_MASK, nowMs);
		else if (data[0] === CHANNEL_TEST) this.#control(PARAMETERS_ANSWER);
		else if (data[0] === BREAK) this.#in = EMPTY;
		else if (data[0] !== PARAMETERS_ANSWER) this.#fail("bad_tp20_frame");
	}

	#acknowledged(isReady: boolean, sequence: number, nowMs: number): void {
		if (!this.#awaitsAck) return;
		if (sequence !== this.#outSequence) {
			this.#fail("bad_sequence");
			return;
		}
		this.#sinceMs = nowMs;
		if (!isReady) {
			if (++this.#notReady > NOT_READY_MAX) this.#fail("ack_timeout");
			return;
		}
		this.#taken();
	}

	#taken(): void {
		this.#awaitsAck = false;
		this.#notReady = 0;
		this.#out = EMPTY;
		this.#user.sent();
	}

	#request(nowMs: number): void {
		// a clock of whole milliseconds shows up to one more than there were
		const isTooSoon = this.#lastSentMs !== undefined && elapsedMs(this.#lastSentMs, nowMs) <= this.#gapMs;
		if (isTooSoon && this.#gapMs > 0) return;
		const frame = Uint8Array.of((LAST_PACKET << OPERATION_SHIFT) | this.#outSequence, 0, this.#out.length, ...this.#out);
		if (!this.#send(this.#sendId, false, frame)) {
			if (elapsedMs(this.#sinceMs, nowMs) >= SEND_TIMEOUT_MS) this.#fail("send_failed");
			return;
		}
		this.#lastSentMs = this.#sinceMs = nowMs;
		this.#outSequence = (this.#outSequence + 1) & SEQUENCE_MASK;
		this.#awaitsAck = true;
	}

	#data(data: Uint8Array, operation: number, nowMs: number): void {
		// a control unit may answer at once, without acknowledging the request first
		if (this.#awaitsAck) this.#taken();
		const sequence = data[0] & SEQUENCE_MASK;
		if (sequence !== this.#inSequence) {
			// a packet again whose acknowledgement was lost
			if (sequence === ((this.#inSequence - 1) & SEQUENCE_MASK) && (operation & WITHOUT_ACK) === 0) this.#acknowledge();
			else this.#fail("bad_sequence");
			return;
		}
		this.#sinceMs = nowMs;
		const isFirst = this.#in.length === 0;
		if (!isFirst) this.#append(data, 1);
		else if (!this.#begin(data)) return;
		this.#inSequence = (sequence + 1) & SEQUENCE_MASK;
		const isLast = (operation & LAST_PACKET) !== 0;
		if ((operation & WITHOUT_ACK) === 0) this.#acknowledge();
		if (!isLast) {
			if (isFirst) this.#user.receiving();
			return;
		}
		const message = this.#in;
		const isWhole = this.#inAt >= message.length;
		this.#in = EMPTY;
		if (isWhole) this.#user.received(message);
		else this.#fail("bad_tp20_frame");
	}

	#begin(data: Uint8Array): boolean {
		const length = data.length < 3 ? 0 : (data[1] << 8) | data[2];
		if (length === 0 || length > RESPONSE_MAX) {
			this.#fail(length === 0 ? "bad_tp20_frame" : "payload_too_large");
			return false;
		}
		this.#in = new Uint8Array(length);
		this.#inAt = 0;
		this.#append(data, 3);
		return true;
	}

	#append(data: Uint8Array, from: number): void {
		const size = Math.min(data.length - from, this.#in.length - this.#inAt);
		this.#in.set(data.subarray(from, from + size), this.#inAt);
		this.#inAt += size;
	}

	#acknowledge(): void {
		this.#send(this.#sendId, false, new Uint8Array([(ACK_READY << OPERATION_SHIFT) | this.#inSequence]));
	}

	#control(operation: number): boolean {
		const withTimes = operation === PARAMETERS || operation === PARAMETERS_ANSWER;
		const frame = withTimes ? [operation, BLOCK, T1_CODE, UNUSED, T3_CODE, UNUSED] : [operation];
		return this.#send(this.#sendId, false, new Uint8Array(frame));
	}

	#fail(reason: TransportFailure): void {
		// or else the control unit keeps the channel, and the next tester is rejected
		if (this.#phase === NEGOTIATING || this.#phase === OPEN) this.#control(DISCONNECT);
		this.#phase = CLOSED;
		this.#out = EMPTY;
		this.#in = EMPTY;
		this.#awaitsAck = false;
		this.#user.failed(reason);
	}

	#end(): void {
		this.#phase = CLOSED;
		this.#user.closed();
	}
}

/** 0 if it is marked as invalid. */
function identifier(low: number, high: number): number {
	return high >> 4 === 0 ? low | ((high & 0x0f) << 8) : 0;
}
