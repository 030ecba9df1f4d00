/**
 * One HTTP connection without its socket: bytes in, bytes out, time as an argument. It reads a request, hands
 * it to the router, sends the answer, and goes on with the next request. An error ends in an answer or a
 * close: what a handler throws becomes 500, and each phase has a time-out. `src/runtime/http-service.ts`
 * explains the server as a whole.
 */

import { elapsedMs } from "../clock/elapsed.js";
import { copyBytes, copyText, NO_BYTES } from "../text/bytes.js";
import {
	type HttpLimits,
	PIECE_BYTES,
	REQUEST_CHUNK_BYTES,
	REQUEST_SLOTS,
	SMALL_BODY_BYTES,
	SMALL_CHUNK_BYTES,
	SMALL_SLOTS,
} from "./limits.js";
import type { HttpRequest, InputBuffers } from "./request.js";
import { ParserEvent, RequestParser } from "./request-parser.js";
import { HttpResponse } from "./response.js";
import type { BodySink, Route, Router } from "./router.js";

/**
 * READING, BODY, ANSWERING if the handler answers later, SENDING, and READING again, or LINGERING and CLOSED.
 * WAITING comes before any step of BODY for which the heap is too full. In the order in which the connections
 * of a client are evicted: it misses the first ones least.
 */
export enum Phase {
	/** To be closed. */
	CLOSED = 0,
	/** Answered without reading all: input is thrown away for a moment. */
	LINGERING = 1,
	/** Reading a head, or idle. */
	READING = 2,
	SENDING = 3,
	/** The handler answers later. */
	ANSWERING = 4,
	/** The heap is too full for the next step of the request. */
	WAITING = 5,
	/** Reading a body. */
	BODY = 6,
}

/** A step beside the parser's events: to begin the body of a request that has a route. */
const BEGIN = -1;

/** Memory that the first bytes of a body get, unless the body is shorter. */
const BODY_BYTES_MIN = 512;

const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

/** Shared by the connections of a server. */
export interface ConnectionContext {
	readonly limits: HttpLimits;
	readonly router: Router;
	readonly buffers: InputBuffers;
	readonly hasHeap: (slots: number, chunkBytes: number) => boolean;
	/** Evicts another connection to free heap. @returns false: no connection may be evicted */
	readonly evictFor: (connection: object, onlyIdle: boolean) => boolean;
	/** Another client of the same address waits for a connection: this one ends with its answer. */
	readonly isWanted: (connection: object) => boolean;
	/** Told of what a handler, sink or producer threw. */
	readonly onFault: (error: unknown) => void;
	/** Told when an answer that comes later is there for `pull`. */
	readonly onLate?: () => void;
}

/** From accept to close. Never throws; what a handler throws is reported and answered with 500. */
export class Connection {
	/**
	 * Input behind a request that has just been answered, or a request that tries again to get heap, waits
	 * for `resume`, in a turn of its own.
	 */
	isPaused = false;
	readonly #context: ConnectionContext;
	readonly #parser: RequestParser;
	readonly #request: HttpRequest;
	#response: HttpResponse;
	#phase: number = Phase.READING;
	readonly #openedMs: number;
	/** When the phase began; in READING also the first byte of a head. */
	#phaseMs = 0;
	#progressMs = 0; // when bytes moved last
	/** Bytes of the body, or of the answer, since `#rateMs`. */
	#rateBytes = 0;
	#rateMs = 0;
	/** The last step of the request, or the one that waits: a `ParserEvent`, or BEGIN. */
	#step: number = ParserEvent.NEED_DATA;
	#served = false;
	#headRead = false; // and it is valid
	#route: Route | undefined = undefined;
	#sink: BodySink | undefined = undefined;
	/** A body that is collected: the first `#bodyBytes` of it. */
	#body: Uint8Array | undefined = undefined;
	#bodyBytes = 0;
	/** The client waits to be told that it may send the body. */
	#continueDue = false;

	constructor(context: ConnectionContext, nowMs: number) {
		this.#context = context;
		this.#parser = new RequestParser(context.buffers);
		this.#request = this.#parser.request;
		this.#response = new HttpResponse(context.onLate);
		this.#openedMs = nowMs;
		this.#enter(Phase.READING, nowMs);
	}

	get phase(): number {
		return this.#phase;
	}

	/** `pull` has something to send. False while the producer of the answer has nothing. */
	get hasOutput(): boolean {
		if (this.#phase === Phase.SENDING) return !this.#response.waitsForProducer;
		return this.#continueDue || this.#isAnswered;
	}

	/** Ends at once: the socket is gone, or is to go. Idempotent. */
	close(): void {
		if (this.#phase === Phase.CLOSED) return;
		this.#phase = Phase.CLOSED;
		this.isPaused = false;
		this.#endRequest();
		this.#endBody();
		this.#request.forget();
		this.#parser.reset();
	}

	/** Since accept. */
	openForMs(nowMs: number): number {
		return elapsedMs(this.#openedMs, nowMs);
	}

	/** How long it has been idle, or its client too slow, ms; -1 while it is used properly. */
	idleMs(nowMs: number): number {
		const phase = this.#phase;
		const waitsForUs = phase === Phase.ANSWERING || phase === Phase.WAITING || (phase === Phase.SENDING && !this.hasOutput);
		if (waitsForUs) return -1;
		const isMoving = phase === Phase.SENDING || this.#sink !== undefined;
		const ms = elapsedMs(isMoving ? this.#progressMs : this.#phaseMs, nowMs);
		const isIdle = phase === Phase.LINGERING || (phase === Phase.READING && this.#parser.idle);
		return isIdle || ms >= this.#context.limits.slowMs ? ms : -1;
	}

	/** Bytes that `receive` takes now. */
	space(): number {
		// the input of a request that waits stays where it is
		if (this.#phase === Phase.CLOSED || this.#phase === Phase.WAITING) return 0;
		return this.#throwsAway ? PIECE_BYTES : this.#parser.space();
	}

	/** Takes input. @throws {RangeError} more than `space()` */
	receive(bytes: Uint8Array, nowMs: number): void {
		if (this.#phase === Phase.CLOSED) return;
		// while an answer is sent only what the client takes of it is progress
		if (this.#phase !== Phase.SENDING) {
			this.#progressMs = nowMs;
			this.#rateBytes += bytes.length;
		}
		if (this.#throwsAway) {
			this.#parser.reset();
			return;
		}
		if (this.#phase === Phase.READING && this.#served && this.#parser.idle) this.#phaseMs = nowMs;
		this.#parser.receive(bytes);
		this.#advance(nowMs);
	}

	/** Goes on with input that has waited, and with a request that has waited for the heap. */
	resume(nowMs: number): void {
		this.isPaused = false;
		if (this.#phase === Phase.WAITING) this.#do(this.#step, nowMs);
		this.#advance(nowMs);
	}

	/**
	 * Writes a piece of the answer to `into[start, end)`, as much as fits and is there.
	 * @returns the index after it; `start` = nothing to send now
	 */
	pull(into: Uint8Array, start: number, end: number, nowMs: number): number {
		let at = start;
		if (this.#isAnswered) this.#send(nowMs);
		if (this.#continueDue && end - at >= CONTINUE.length) {
			this.#continueDue = false;
			copyText(CONTINUE, 0, CONTINUE.length, into, at);
			at += CONTINUE.length;
		}
		try {
			if (this.#phase === Phase.SENDING) {
				at = this.#response.pull(into, at, end);
				if (this.#response.isSent) this.#afterAnswer(nowMs);
			}
		} catch (error) {
			// too late for another status; a body that ends early tells the client
			this.#context.onFault(error);
			this.close();
		}
		if (at > start) this.#progressMs = nowMs;
		this.#rateBytes += at - start;
		return at;
	}

	/** Time-outs, and what waits for the heap or a producer. Call a few times per second. */
	tick(nowMs: number): void {
		const limits = this.#context.limits;
		const inPhaseMs = elapsedMs(this.#phaseMs, nowMs);
		switch (this.#phase) {
			case Phase.READING:
				if (!this.#parser.idle) {
					if (inPhaseMs >= limits.headerTimeoutMs) this.#reject(408, nowMs);
				} else if (inPhaseMs >= (this.#served ? limits.keepAliveMs : limits.headerTimeoutMs)) this.close();
				break;
			case Phase.WAITING:
				if (inPhaseMs >= limits.heapTimeoutMs) this.#reject(503, nowMs);
				else this.isPaused = true;
				break;
			case Phase.BODY:
				if (!this.#isAnswered && this.#isTooSlow(nowMs)) this.#reject(408, nowMs);
				break;
			case Phase.ANSWERING:
				if (!this.#isAnswered && inPhaseMs >= limits.answerTimeoutMs) this.#reject(504, nowMs);
				break;
			case Phase.SENDING:
				if (this.#response.waitsForProducer) {
					this.#response.waitsForProducer = false;
					this.#enter(Phase.SENDING, nowMs); // the client was not slow meanwhile
				} else if (this.#isTooSlow(nowMs)) this.close();
				break;
			case Phase.LINGERING:
				if (inPhaseMs >= limits.lingerMs || elapsedMs(this.#progressMs, nowMs) >= limits.lingerQuietMs) this.close();
				break;
		}
	}

	get #isAnswered(): boolean {
		return (this.#phase === Phase.ANSWERING || this.#phase === Phase.BODY) && this.#response.status !== 0;
	}

	/** Nothing that comes now is ever answered: it would only take memory, behind a stream for hours. */
	get #throwsAway(): boolean {
		return this.#phase === Phase.LINGERING || (this.#phase === Phase.SENDING && this.#response.closes);
	}

	#enter(phase: number, nowMs: number): void {
		this.#phase = phase;
		this.#phaseMs = this.#progressMs = this.#rateMs = nowMs;
		this.#rateBytes = 0;
	}

	/** Fewer than `leastBytesPerS` moved in the last whole `rateSpanMs`. */
	#isTooSlow(nowMs: number): boolean {
		const { rateSpanMs, leastBytesPerS } = this.#context.limits;
		if (elapsedMs(this.#rateMs, nowMs) < rateSpanMs) return false;
		const isTooSlow = this.#rateBytes < (leastBytesPerS * rateSpanMs) / 1000;
		this.#rateMs = nowMs;
		this.#rateBytes = 0;
		return isTooSlow;
	}

	#advance(nowMs: number): void {
		while (this.#phase === Phase.READING || this.#phase === Phase.BODY) {
			const event = this.#parser.next();
			if (event === ParserEvent.NEED_DATA) return;
			this.#do(event, nowMs);
		}
	}

	/** Does a step of a request, once the heap has what it may take. */
	#do(step: number, nowMs: number): void {
		this.#step = step;
		try {
			if (!this.#hasHeapFor(step, nowMs)) {
				if (this.#phase !== Phase.WAITING) this.#enter(Phase.WAITING, nowMs);
				return;
			}
			if (this.#phase !== Phase.BODY) this.#enter(Phase.BODY, nowMs);
			if (step === ParserEvent.HEAD) this.#onHead(nowMs);
			else if (step === BEGIN) this.#beginBody(this.#route as Route, nowMs);
			else if (step === ParserEvent.DATA) this.#onData(nowMs);
			else if (step === ParserEvent.END) this.#onEnd(nowMs);
			else this.#reject(this.#parser.status, nowMs);
		} catch (error) {
			this.#context.onFault(error);
			this.#reject(500, nowMs);
		}
	}

	/** The heap check: what each step may take. */
	#hasHeapFor(step: number, nowMs: number): boolean {
		const { contentLength } = this.#request;
		const route = this.#route;
		if (step === ParserEvent.HEAD) return this.#hasHeap(SMALL_SLOTS, SMALL_CHUNK_BYTES, nowMs);
		const opens = step === BEGIN && route?.body === "stream";
		const handles = step === ParserEvent.END && route !== undefined && route.body !== "stream";
		const grows = step === ParserEvent.DATA && this.#body !== undefined && this.#bodyCapacity > this.#body.length;
		if (!opens && !handles && !grows) return true;
		if (route?.isSmall === true && contentLength <= SMALL_BODY_BYTES) return this.#hasHeap(SMALL_SLOTS, SMALL_CHUNK_BYTES, nowMs);
		// memory of a body may lie there for long: other requests must be possible beside it
		return this.#hasHeap(REQUEST_SLOTS, REQUEST_CHUNK_BYTES + (grows ? this.#bodyCapacity : 0), nowMs);
	}

	/**
	 * Idle connections of others are evicted for it at once; used ones once it has waited for `openMs`, for
	 * most requests soon end by themselves.
	 */
	#hasHeap(slots: number, chunkBytes: number, nowMs: number): boolean {
		const { hasHeap, evictFor, limits } = this.#context;
		const waitedMs = this.#phase === Phase.WAITING ? elapsedMs(this.#phaseMs, nowMs) : 0;
		while (!hasHeap(slots, chunkBytes)) if (!evictFor(this, waitedMs < limits.openMs)) return false;
		return true;
	}

	#onHead(nowMs: number): void {
		const request = this.#request;
		this.#headRead = true;
		if (!request.readTarget()) {
			this.#reject(400, nowMs);
			return;
		}
		const route = this.#context.router.match(request, this.#response);
		this.#route = route;
		if (route === undefined) {
			// only a body that is there already is read and forgotten, so that the connection can go on
			if (!this.#parser.bodyIsHere) this.#send(nowMs);
		} else if (route.body !== "stream" && request.contentLength > this.#context.limits.bodyBytes) this.#reject(413, nowMs);
		else this.#do(BEGIN, nowMs);
	}

	#beginBody(route: Route, nowMs: number): void {
		const { contentLength, expectsContinue } = this.#request;
		if (route.body === "stream") {
			this.#sink = this.#context.router.open(route, this.#request, this.#response);
			if (this.#sink === undefined) {
				this.#send(nowMs);
				return;
			}
		} else if (route.body === "collect") this.#body = NO_BYTES;
		this.#continueDue = expectsContinue && contentLength !== 0;
	}

	#onData(nowMs: number): void {
		const { buffer, dataStart, dataEnd } = this.#parser;
		// a client that sends without waiting for 100 needs none
		this.#continueDue = false;
		if (this.#sink !== undefined) {
			if (this.#response.status === 0) this.#sink.write(buffer, dataStart, dataEnd);
			if (this.#response.status !== 0) this.#send(nowMs);
			return;
		}
		if (this.#body === undefined) return;
		const capacity = this.#bodyCapacity;
		if (capacity > this.#body.length) {
			const grown = new Uint8Array(capacity);
			copyBytes(this.#body, 0, this.#bodyBytes, grown, 0);
			this.#body = grown;
		}
		copyBytes(buffer, dataStart, dataEnd, this.#body, this.#bodyBytes);
		this.#bodyBytes += dataEnd - dataStart;
	}

	/**
	 * Bytes of memory for a body and the data that was read last. It grows with what arrives: a client that
	 * only announces a long body takes no heap from others.
	 */
	get #bodyCapacity(): number {
		const { dataStart, dataEnd } = this.#parser;
		const { contentLength } = this.#request;
		const bytes = this.#bodyBytes + dataEnd - dataStart;
		const capacity = this.#body?.length ?? 0;
		if (bytes <= capacity) return capacity;
		return Math.min(contentLength, Math.max(BODY_BYTES_MIN, 2 * bytes));
	}

	#onEnd(nowMs: number): void {
		const sink = this.#sink;
		const request = this.#request;
		const response = this.#response;
		this.#continueDue = false;
		this.#sink = undefined;
		if (sink !== undefined) {
			if (response.status === 0) sink.end();
		} else if (this.#route !== undefined) {
			if (this.#body !== undefined) request.body = this.#body.subarray(0, this.#bodyBytes);
			this.#context.router.handle(this.#route, request, response);
			request.body = NO_BYTES;
			this.#body = undefined;
		}
		if (response.status !== 0) this.#send(nowMs);
		else {
			response.deferred = true;
			this.#enter(Phase.ANSWERING, nowMs);
		}
	}

	#reject(status: number, nowMs: number): void {
		this.#endBody();
		this.#renewResponse();
		this.#context.router.problem(status, this.#response);
		this.#send(nowMs);
	}

	#send(nowMs: number): void {
		const request = this.#request;
		const response = this.#response;
		const keepAlive = this.#parser.complete && request.keepAlive && !this.#context.isWanted(this);
		this.#sink = undefined; // it has been answered, at its end or before
		this.#endBody();
		this.#enter(Phase.SENDING, nowMs);
		try {
			this.#context.router.answers?.(this.#headRead ? request : undefined, response);
			response.begin(this.#headRead ? request.minor : 1, this.#headRead && request.method === "HEAD", keepAlive);
		} catch (error) {
			this.#context.onFault(error);
			this.close();
		}
		request.forget(); // it is not looked at any more, and a stream may last for hours
		if (this.#throwsAway && this.#parser.hasInput) this.#parser.reset();
		else this.#parser.release();
	}

	#afterAnswer(nowMs: number): void {
		const { complete } = this.#parser;
		const { closes } = this.#response;
		this.#endRequest();
		if (!closes) {
			this.#served = true;
			this.#enter(Phase.READING, nowMs);
			this.#parser.restart();
			this.isPaused = this.#parser.hasInput;
		} else if (complete && !this.#parser.hasInput) this.#phase = Phase.CLOSED;
		else {
			this.#parser.reset();
			this.#enter(Phase.LINGERING, nowMs);
		}
	}

	#endRequest(): void {
		this.#renewResponse();
		this.#route = undefined;
		this.#headRead = false;
		this.#bodyBytes = 0;
	}

	/** A handler that answers later may hold the old one, which leads nowhere then. */
	#renewResponse(): void {
		this.#response.abandon();
		this.#response = new HttpResponse(this.#context.onLate);
	}

	#endBody(): void {
		const sink = this.#sink;
		this.#sink = undefined;
		this.#body = undefined;
		this.#continueDue = false;
		try {
			sink?.abort();
		} catch (error) {
			this.#context.onFault(error);
		}
	}
}
