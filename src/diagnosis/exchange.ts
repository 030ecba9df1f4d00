/**
 * One request to a control unit and its response, over whatever transport: which message answers which
 * request is the same for UDS (ISO 14229-1) and KWP2000 (ISO 14230-3). Source: docs/control-and-can.md 5.3,
 * 5.4.
 */

import { elapsedMs } from "../clock/elapsed.js";
import type { TransportFailure } from "../transport/channel.js";

const NEGATIVE = 0x7f;
const PENDING = 0x78;
/** P2* of ISO 14229-2: how long a control unit has after each "response pending". */
const PENDING_MS = 5000;
/** However often it says so, and however slowly it speaks. */
const EXCHANGE_MAX_MS = 30_000;
/** Bytes of a request behind the service that its positive response repeats: whose value it is. */
const REPEATED: Readonly<Record<number, number>> = Object.freeze({ [0x10]: 1, [0x21]: 1, [0x22]: 2 });

/** What became of a request; as clients know it, docs/api.md, "Diagnosis". */
export type ExchangeStatus =
	| "positive"
	| "negative_response"
	| "unexpected_response"
	| "busy"
	| "no_route"
	| "can_not_ready"
	| "unsupported_generation"
	| TransportFailure;

/** How one request ended. */
export interface ExchangeResult {
	readonly status: ExchangeStatus;
	readonly request: Uint8Array;
	/** The whole response; empty if there was none. */
	readonly response: Uint8Array;
	/** 0x00..0xFF, -1 if the response is not negative. */
	readonly nrc: number;
	readonly pendingSeen: boolean;
	readonly elapsedMs: number;
}

const NOTHING = new Uint8Array(0);

/** A result without any exchange: what stands in the way. */
export function notExchanged(status: ExchangeStatus, request: Uint8Array): ExchangeResult {
	return { status, request, response: NOTHING, nrc: -1, pendingSeen: false, elapsedMs: 0 };
}

/**
 * Waits for the response to one request. Feed it what the transport tells; `poll` gives the result once it is
 * over.
 */
export class Exchange {
	readonly #request: Uint8Array;
	readonly #timeoutMs: number;
	readonly #startMs: number;
	/** How long it waits at most, from `#sinceMs` on. */
	#waitMs = EXCHANGE_MAX_MS;
	#sinceMs: number;
	#isReceiving = false;
	#pendingSeen = false;
	/**
	 * A message that answers something else: a late response to the request before, say. It does not end the
	 * wait.
	 */
	#stray: Uint8Array | undefined;
	#result: ExchangeResult | undefined;

	/**
	 * @param request at least one byte, the service first
	 * @param timeoutMs until a response begins, from when the request was sent
	 */
	constructor(request: Uint8Array, timeoutMs: number, nowMs: number) {
		this.#request = request;
		this.#timeoutMs = timeoutMs;
		this.#startMs = nowMs;
		this.#sinceMs = nowMs;
	}

	/** The request was sent. Before, the transport watches over it. */
	sent(nowMs: number): void {
		this.#wait(this.#timeoutMs, nowMs);
	}

	/** A message of several frames begins: until it is there the transport watches over it. */
	receiving(): void {
		this.#isReceiving = true;
	}

	/**
	 * A whole message of the control unit. One that answers something else does not end the wait: if no
	 * answer comes in time, the last of these is the result, as `unexpected_response`. After the end nothing
	 * changes the result.
	 * @param message kept, not copied @param nowMs of the constructor's clock, which may wrap at 2^31 or 2^32
	 */
	received(message: Uint8Array, nowMs: number): void {
		this.#isReceiving = false;
		const isNegative = message.length >= 3 && message[0] === NEGATIVE && message[1] === this.#request[0];
		if (this.#isAnsweredBy(message)) this.#end("positive", message, -1, nowMs);
		else if (isNegative && message[2] !== PENDING) this.#end("negative_response", message, message[2], nowMs);
		else if (isNegative) {
			this.#pendingSeen = true;
			this.#wait(PENDING_MS, nowMs);
		} else this.#stray = message;
	}

	/** The transport failed. */
	failed(reason: TransportFailure, nowMs: number): void {
		this.#end(reason, NOTHING, -1, nowMs);
	}

	/**
	 * Ends it when an answer is too late. Call it every few milliseconds.
	 * @returns the result once it is over, and from then on; undefined before
	 */
	poll(nowMs: number): ExchangeResult | undefined {
		const isLate = !this.#isReceiving && elapsedMs(this.#sinceMs, nowMs) >= this.#waitMs;
		const isOver = isLate || elapsedMs(this.#startMs, nowMs) >= EXCHANGE_MAX_MS;
		if (isOver && this.#stray !== undefined) this.#end("unexpected_response", this.#stray, -1, nowMs);
		else if (isOver) this.#end("timeout", NOTHING, -1, nowMs);
		return this.#result;
	}

	#wait(ms: number, fromMs: number): void {
		this.#waitMs = ms;
		this.#sinceMs = fromMs;
	}

	#isAnsweredBy(message: Uint8Array): boolean {
		const [service] = this.#request;
		if (message.length === 0 || message[0] !== service + 0x40) return false;
		const repeated = REPEATED[service] ?? 0;
		for (let i = 1; i <= repeated; i++) if (message[i] !== this.#request[i]) return false;
		return true;
	}

	#end(status: ExchangeStatus, response: Uint8Array, nrc: number, nowMs: number): void {
		this.#result ??= {
			status,
			request: this.#request,
			response,
			nrc,
			pendingSeen: this.#pendingSeen,
			// a clock that jumps does not make it longer
			elapsedMs: Math.min(elapsedMs(this.#startMs, nowMs), EXCHANGE_MAX_MS),
		};
	}
}
