/**
 * ISO-TP, ISO 15765-2:2016, normal addressing on classic CAN: requests of one frame, responses of up to 4,095
 * bytes. Frames and times are arguments. Never throws for frames of a control unit: what does not fit is
 * ignored, as the standard says, or ends the message with a reason.
 */

import type { DiagnosisRoute } from "../can/layouts/diagnosis-ids.js";
import { elapsedMs } from "../clock/elapsed.js";
import { RESPONSE_MAX, type SendFrame, type TransportUser } from "./channel.js";

/** For a frame to be sent, and for the next consecutive frame. Source: ISO 15765-2 table 21. */
const STEP_TIMEOUT_MS = 1000;

/* First byte of a frame: its kind, then length, sequence or state. Source: ISO 15765-2, N_PCI bytes. */
const KIND_SHIFT = 4;
const LOW_MASK = 0x0f;

const SINGLE = 0;
const FIRST = 1;
const CONSECUTIVE = 2;
const FLOW_CONTROL = 3;

const CONTINUE = 0;
const OVERFLOW = 2;

/**
 * Consecutive frames before the control unit waits for us: a quarter of the 32 that the gateway keeps for us,
 * so that a script that stalls loses none. The longest response, 36 frames, takes 72 ms.
 */
const BLOCK_SIZE = 8;
/** Asked for between two frames of a response. */
const SEPARATION_MS = 2;
/** Fills each frame that is sent up to 8 bytes. */
const PADDING = 0x55;

const EMPTY = new Uint8Array(0);

/** One connection. `receive` gets the frames of `responseId`, `poll` is called every few milliseconds. */
export class IsoTp {
	readonly #route: DiagnosisRoute;
	readonly #send: SendFrame;
	readonly #user: TransportUser;

	/** To be sent, and since when. */
	#out: Uint8Array = EMPTY;
	#outMs = 0;

	#in: Uint8Array = EMPTY;
	#inAt = 0;
	#inSequence = 0;
	#inBlock = 0;
	#inMs = 0;
	/** State of a flow control that is still to be sent, -1 = none. */
	#owed = -1;

	constructor(route: DiagnosisRoute, send: SendFrame, user: TransportUser) {
		this.#route = route;
		this.#send = send;
		this.#user = user;
	}

	/** Sends a request and drops the message before. @param message 1..7 bytes */
	start(message: Uint8Array, nowMs: number): void {
		this.#reset();
		this.#out = message;
		this.#outMs = nowMs;
		this.poll(nowMs);
	}

	/** Discards what is under way, without a word. */
	#reset(): void {
		this.#out = this.#in = EMPTY;
		this.#owed = -1;
	}

	/** Goes on with what waits for the queue or for time, and drops what has waited too long. */
	poll(nowMs: number): void {
		if (this.#owed >= 0 && this.#flowControl(this.#owed)) this.#inMs = nowMs;
		if (this.#in.length > 0 && elapsedMs(this.#inMs, nowMs) >= STEP_TIMEOUT_MS) {
			this.#reset();
			this.#user.failed("timeout");
		} else if (this.#out.length > 0) this.#request(nowMs);
	}

	/** @param data as many bytes as its DLC says */
	receive(data: Uint8Array, nowMs: number): void {
		if (data.length === 0) return;
		const kind = data[0] >> KIND_SHIFT;
		if (kind === SINGLE) this.#single(data);
		else if (kind === FIRST) this.#first(data, nowMs);
		else if (kind === CONSECUTIVE) this.#consecutive(data, nowMs);
	}

	#request(nowMs: number): void {
		const { requestId, extended } = this.#route;
		const frame = new Uint8Array(8).fill(PADDING);
		frame[0] = this.#out.length;
		frame.set(this.#out, 1);
		if (this.#send(requestId, extended, frame)) {
			this.#out = EMPTY;
			this.#user.sent();
		} else if (elapsedMs(this.#outMs, nowMs) >= STEP_TIMEOUT_MS) {
			this.#reset();
			this.#user.failed("send_failed");
		}
	}

	#single(data: Uint8Array): void {
		const length = data[0] & LOW_MASK;
		if (length === 0 || length > data.length - 1) return;
		this.#in = EMPTY;
		this.#owed = -1;
		this.#user.received(data.slice(1, 1 + length));
	}

	#first(data: Uint8Array, nowMs: number): void {
		if (data.length < 8) return;
		const length = ((data[0] & LOW_MASK) << 8) | data[1];
		// 0: a length of 32 bits follows, more than any buffer holds
		if (length === 0 || length > RESPONSE_MAX) {
			this.#reset();
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
		if ((data[0] & LOW_MASK) !== this.#inSequence) {
			this.#reset();
			this.#user.failed("bad_sequence");
			return;
		}
		this.#in.set(data.subarray(1, 1 + size), this.#inAt);
		this.#inAt += size;
		this.#inSequence = (this.#inSequence + 1) & LOW_MASK;
		this.#inMs = nowMs;
		if (this.#inAt >= this.#in.length) {
			const message = this.#in;
			this.#in = EMPTY;
			this.#user.received(message);
		} else if (--this.#inBlock === 0) this.#askForMore(nowMs);
	}

	#askForMore(nowMs: number): void {
		this.#inMs = nowMs;
		this.#inBlock = BLOCK_SIZE;
		this.#flowControl(CONTINUE);
	}

	/** @returns false: `poll` tries again */
	#flowControl(state: number): boolean {
		const frame = new Uint8Array(8).fill(PADDING);
		frame[0] = (FLOW_CONTROL << KIND_SHIFT) | state;
		frame[1] = state === CONTINUE ? BLOCK_SIZE : 0;
		frame[2] = state === CONTINUE ? SEPARATION_MS : 0;
		const isSent = this.#send(this.#route.requestId, this.#route.extended, frame);
		this.#owed = isSent ? -1 : state;
		return isSent;
	}
}
