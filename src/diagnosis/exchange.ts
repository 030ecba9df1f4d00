/**
 * One request to a control unit and its response, over whatever transport: which message answers which request is the
 * same for UDS (ISO 14229-1) and KWP2000 (ISO 14230-3). Source: docs/control-and-can.md 5.3, 5.4.
 */

import { elapsedMs } from "../clock/elapsed.js";
import type { TransportFailure } from "../transport/channel.js";

const NEGATIVE = 0x7f;
const PENDING = 0x78;
/** P2*: how long a control unit has after each "response pending". */
const PENDING_MS = 5000;
/** However often it says so. */
const PENDING_MAX_MS = 30_000;

/** What became of a request; as clients know it, docs/http-api.md 4.2. */
export type ExchangeStatus =
	| "positive"
	| "negative_response"
	| "unexpected_response"
	| "busy"
	| "no_route"
	| "can_not_ready"
	| TransportFailure;

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

/** Waits for the response to one request. Feed it what the transport tells; `result` is there once it is over. */
export class Exchange {
	readonly #request: Uint8Array;
	readonly #startMs: number;
	/** From `#sinceMs` on. */
	#timeoutMs: number;
	#sinceMs: number;
	#pendingSeen = false;
	#result: ExchangeResult | undefined;

	/** @param request at least one byte, the service first @param timeoutMs until a response, from now on */
	constructor(request: Uint8Array, timeoutMs: number, nowMs: number) {
		this.#request = request;
		this.#timeoutMs = timeoutMs;
		this.#startMs = nowMs;
		this.#sinceMs = nowMs;
	}

	get result(): ExchangeResult | undefined {
		return this.#result;
	}

	/** A whole message of the control unit. */
	received(message: Uint8Array, nowMs: number): void {
		if (message.length === 0) return;
		if (message[0] === this.#request[0] + 0x40) this.#end("positive", message, -1, nowMs);
		else if (message[0] !== NEGATIVE || message.length < 3 || message[1] !== this.#request[0])
			this.#end("unexpected_response", message, -1, nowMs);
		else if (message[2] !== PENDING) this.#end("negative_response", message, message[2], nowMs);
		else {
			this.#pendingSeen = true;
			this.#sinceMs = nowMs;
			this.#timeoutMs = Math.min(PENDING_MS, PENDING_MAX_MS - elapsedMs(this.#startMs, nowMs));
		}
	}

	/** The transport gave up. */
	failed(reason: TransportFailure, nowMs: number): void {
		this.#end(reason, NOTHING, -1, nowMs);
	}

	/** @returns the result once it is over */
	poll(nowMs: number): ExchangeResult | undefined {
		if (elapsedMs(this.#sinceMs, nowMs) >= this.#timeoutMs) this.#end("timeout", NOTHING, -1, nowMs);
		return this.#result;
	}

	#end(status: ExchangeStatus, response: Uint8Array, nrc: number, nowMs: number): void {
		this.#result ??= {
			status,
			request: this.#request,
			response,
			nrc,
			pendingSeen: this.#pendingSeen,
			elapsedMs: elapsedMs(this.#startMs, nowMs),
		};
	}
}
