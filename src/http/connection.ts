/**
 * One HTTP connection without its socket: bytes in, bytes out, time as an argument. Reads a request, hands it to the router, sends the answer, goes
 * on with the next. Whatever goes wrong ends in an answer or a close, never in silence: what a handler throws becomes 500, and every phase times out.
 */

import { elapsedMs } from "../clock/elapsed.js";
import { BodyCollector } from "./body-collector.js";
import type { ConnectionContext } from "./connection-context.js";
import { LeastRate } from "./least-rate.js";
import { PIECE_BYTES, TURN_EVENTS } from "./limits.js";
import { NO_BYTES } from "./no-bytes.js";
import { PHASE } from "./phase.js";
import { HttpRequest } from "./request.js";
import { EVENT, RequestParser } from "./request-parser.js";
import { HttpResponse } from "./response.js";
import { ResponseWriter } from "./response-writer.js";
import { isUrgent } from "./room.js";
import type { BodySink, Route } from "./router.js";

/** One place of the server. Never throws; what a handler throws is reported and answered with 500. */
export class Connection {
	/** It goes on after its answer though others wait: the only one of its client. */
	isOnlyOne = false;
	/** Input waits for the next turn: what one may take has been worked off, or it stands behind a request that has just been answered. */
	isPaused = false;
	readonly #context: ConnectionContext;
	readonly #parser: RequestParser;
	readonly #request: HttpRequest;
	#response: HttpResponse;
	readonly #writer = new ResponseWriter();
	readonly #collector: BodyCollector;
	#phase: number = PHASE.CLOSED;
	#eventsLeft = TURN_EVENTS; // of the parser, in this turn
	/** When the phase began; in READING the moment of accept, of the last answer, or of the first byte of a head. */
	#phaseMs = 0;
	#progressMs = 0; // when bytes moved last
	readonly #rate: LeastRate; // of the body, or of the answer
	#served = false;
	#headRead = false; // that of the current request, and it is valid
	/** The body stays in the input buffer while there is room. */
	#gathers = false;
	#ignored = 0; // bytes of a body that nobody wants
	#route: Route | undefined = undefined;
	#sink: BodySink | undefined = undefined;

	constructor(context: ConnectionContext) {
		this.#context = context;
		this.#parser = new RequestParser(context.limits, context.buffers);
		this.#request = new HttpRequest(this.#parser.head);
		this.#response = new HttpResponse(context.onLate);
		this.#collector = new BodyCollector(context.slots);
		this.#rate = new LeastRate(context.limits);
	}

	/** One of `PHASE`. */
	get phase(): number {
		return this.#phase;
	}

	/** There is more of an answer to send now. False while its producer has nothing. */
	get hasOutput(): boolean {
		return this.#phase === PHASE.SENDING && !this.#writer.waitsForProducer;
	}

	/** It need not be asked by `tick` and `pull` now: it waits for a request, which comes by `receive`, or for a stream that has nothing to say. */
	isQuiet(): boolean {
		return this.#phase === PHASE.READING || (this.#phase === PHASE.SENDING && this.#writer.isQuiet());
	}

	/** Begins with a new socket. */
	open(nowMs: number): void {
		this.#parser.reset();
		this.#writer.reset();
		this.#served = false;
		this.#enter(PHASE.READING, nowMs);
	}

	/** Ends at once: the socket is gone, or is to go. Idempotent. */
	close(): void {
		if (this.#phase === PHASE.CLOSED) return;
		this.#phase = PHASE.CLOSED;
		this.isPaused = false;
		this.#writer.reset();
		this.#endRequest();
		this.#endBody();
		this.#request.forget();
		this.#parser.reset();
	}

	/** How long it has been doing what it does, ms. */
	heldMs(nowMs: number): number {
		return elapsedMs(this.#phaseMs, nowMs);
	}

	/** How long it has been idle, ms; -1 while it does something. What comes or is taken too slowly is nothing. */
	idleMs(nowMs: number): number {
		const { slowMs } = this.#context.limits;
		const inPhaseMs = elapsedMs(this.#phaseMs, nowMs);
		const restsMs = this.#sink === undefined ? inPhaseMs : elapsedMs(this.#progressMs, nowMs);
		if (this.#phase === PHASE.LINGERING) return inPhaseMs;
		if (this.#phase === PHASE.READING) return this.#parser.idle || inPhaseMs >= slowMs ? inPhaseMs : -1;
		if (this.hasOutput) {
			const stillMs = elapsedMs(this.#progressMs, nowMs);
			return stillMs >= slowMs ? stillMs : -1;
		}
		return this.#phase === PHASE.BODY && restsMs >= slowMs ? restsMs : -1;
	}

	/** How long it has been collecting a body in memory of its own, ms; -1 if it does not. */
	collectingMs(nowMs: number): number {
		return this.#phase === PHASE.BODY && this.#collector.active ? elapsedMs(this.#phaseMs, nowMs) : -1;
	}

	/** Gives up a body that comes too slowly, for one that waits: answers 408, and closes. */
	giveWay(nowMs: number): void {
		this.#refuse(408, nowMs);
	}

	/** Goes on with input that has waited. Call before anything else in each turn of the event loop. @returns true if there was some */
	beginTurn(nowMs: number): boolean {
		this.#eventsLeft = TURN_EVENTS;
		if (!this.isPaused) return false;
		this.isPaused = false;
		this.#advance(nowMs);
		return true;
	}

	/** Number of bytes that `receive` takes now. */
	space(): number {
		if (this.#phase === PHASE.READING) return this.#parser.space();
		// what has been read of a request that waits stays where it is
		if (this.#phase === PHASE.CLOSED || this.#phase === PHASE.WAITING) return 0;
		return this.#throwsAway ? PIECE_BYTES : this.#parser.space();
	}

	/** Takes input. @throws {RangeError} more than `space()` */
	receive(bytes: Uint8Array, nowMs: number): void {
		// while an answer is sent only what the client takes of it is progress
		if (this.#phase !== PHASE.SENDING) {
			this.#progressMs = nowMs;
			this.#rate.add(bytes.length);
		}
		if (this.#phase === PHASE.CLOSED) return;
		if (this.#phase === PHASE.READING) {
			if (this.#served && this.#parser.idle) this.#phaseMs = nowMs;
		} else if (this.#throwsAway) {
			this.#parser.reset();
			return;
		}
		this.#parser.receive(bytes);
		this.#advance(nowMs);
	}

	/**
	 * Writes output to `into[start, end)`, as much as fits and is there; an answer that is over makes way for the next request.
	 * @param nowMs modulo 2^32 @returns the index after it; `start` = nothing to send now
	 */
	pull(into: Uint8Array, start: number, end: number, nowMs: number): number {
		let at = start;
		if (this.#phase === PHASE.ANSWERING && this.#response.status !== 0) this.#send(nowMs);
		if (this.#writer.continueDue) at = this.#writer.pullContinue(into, at, end);
		try {
			while (this.#phase === PHASE.SENDING) {
				at = this.#writer.pull(into, at, end);
				if (this.#writer.busy) break;
				this.#afterAnswer(nowMs);
			}
		} catch (error) {
			// too late for another status; a body that ends early tells the client
			this.#context.onFault(error);
			this.close();
		}
		if (at > start) this.#progressMs = nowMs;
		this.#rate.add(at - start);
		return at;
	}

	/** Enforces the time-outs. Call a few times per second. */
	tick(nowMs: number): void {
		const limits = this.#context.limits;
		const inPhaseMs = elapsedMs(this.#phaseMs, nowMs);
		const stillMs = elapsedMs(this.#progressMs, nowMs);
		switch (this.#phase) {
			case PHASE.READING:
				if (!this.#parser.idle) {
					if (inPhaseMs >= limits.headerTimeoutMs) this.#refuse(408, nowMs);
				} else if (inPhaseMs >= (this.#served ? limits.keepAliveMs : limits.headerTimeoutMs)) this.close();
				break;
			case PHASE.WAITING:
				if (inPhaseMs >= limits.bodyTimeoutMs) this.#refuse(503, nowMs);
				else this.#goOn(nowMs);
				break;
			case PHASE.BODY:
				if (this.#response.status !== 0) this.#send(nowMs);
				else if (stillMs >= limits.bodyTimeoutMs || this.#rate.isTooSlow(nowMs)) this.#refuse(408, nowMs);
				break;
			case PHASE.ANSWERING:
				if (this.#response.status !== 0) this.#send(nowMs);
				else if (inPhaseMs >= limits.answerTimeoutMs) this.#refuse(504, nowMs);
				break;
			case PHASE.SENDING:
				if (this.#writer.waitsForProducer) this.#rate.begin(nowMs);
				else if (this.#rate.isTooSlow(nowMs)) this.close();
				break;
			case PHASE.LINGERING:
				if (inPhaseMs >= limits.lingerMs || stillMs >= limits.lingerQuietMs) this.close();
				break;
		}
	}

	/** Nothing that comes now is ever answered: it would only take memory, behind a stream for hours. */
	get #throwsAway(): boolean {
		return this.#phase === PHASE.LINGERING || (this.#phase === PHASE.SENDING && !this.#writer.keepsAlive);
	}

	#enter(phase: number, nowMs: number): void {
		this.#phase = phase;
		this.#phaseMs = this.#progressMs = nowMs;
		this.#rate.begin(nowMs);
	}

	#advance(nowMs: number): void {
		while (this.#phase === PHASE.READING || this.#phase === PHASE.BODY) {
			if (this.#gathers && !this.#isGathered(nowMs)) return;
			this.isPaused = this.#eventsLeft-- <= 0;
			if (this.isPaused) return;
			const event = this.#parser.next();
			if (event === EVENT.NEED_DATA) return;
			this.#on(event, nowMs);
		}
	}

	/** Works off an event; what the application throws becomes 500. */
	#on(event: number, nowMs: number): void {
		try {
			if (event === EVENT.HEAD) this.#onHead(nowMs);
			else if (event === EVENT.DATA) this.#onData(nowMs);
			else if (event === EVENT.END) this.#onEnd(nowMs);
			else this.#refuse(this.#parser.status, nowMs);
		} catch (error) {
			this.#context.onFault(error);
			this.#refuse(500, nowMs);
		}
	}

	#onHead(nowMs: number): void {
		this.#enter(PHASE.BODY, nowMs);
		this.#headRead = true;
		if (this.#hasRoom(0, nowMs)) this.#takeUp(nowMs);
	}

	/** Whether there is room on the heap. If not it waits, as long as others give way for it, and is refused otherwise. */
	#hasRoom(bodyBytes: number, nowMs: number): boolean {
		if (this.#context.hasRoom(bodyBytes) || isUrgent(this.#context, this.#request)) return true;
		if (!this.#context.makeWay(this)) this.#refuse(503, nowMs);
		else if (this.#phase !== PHASE.WAITING) this.#enter(PHASE.WAITING, nowMs);
		return false;
	}

	/** Tries again what has waited. */
	#goOn(nowMs: number): void {
		if (this.#route !== undefined && !this.#parser.complete) this.#beginCollecting(nowMs);
		else if (this.#hasRoom(this.#collector.length, nowMs)) {
			if (this.#route === undefined) this.#on(EVENT.HEAD, nowMs);
			else this.#enter(PHASE.BODY, nowMs);
		}
		this.#advance(nowMs);
	}

	#takeUp(nowMs: number): void {
		const isTarget = this.#request.readTarget();
		this.#route = isTarget ? this.#context.router.match(this.#request, this.#response) : undefined;
		if (!isTarget) this.#refuse(400, nowMs);
		else if (this.#route !== undefined) this.#onRoute(this.#route, nowMs);
		// a body that is there already is read and forgotten, so that the connection can go on; none is waited for
		else if (!this.#parser.bodyIsHere) this.#send(nowMs);
	}

	#onRoute(route: Route, nowMs: number): void {
		const { contentLength, expectsContinue } = this.#request.head;
		if (route.body === "stream") {
			this.#sink = this.#context.router.open(route, this.#request, this.#response);
			this.#eventsLeft = 0; // to begin is work enough
			if (this.#sink === undefined) this.#send(nowMs);
		} else if (contentLength > this.#context.limits.bodyBytes) this.#refuse(413, nowMs);
		else if (route.body === "collect" && contentLength < 0) this.#beginCollecting(nowMs);
		else this.#gathers = route.body === "collect";
		if (this.#phase === PHASE.BODY) this.#writer.continueDue = expectsContinue && contentLength !== 0;
	}

	/** Memory is for a body that has filled the input buffer, or may at any time: one that trickles takes none. @returns true if it can be read on */
	#isGathered(nowMs: number): boolean {
		if (this.#parser.bodyIsHere || this.#parser.space() > 0) return this.#parser.bodyIsHere;
		this.#beginCollecting(nowMs);
		return this.#phase === PHASE.BODY;
	}

	/** Takes memory for the body, or waits for some. */
	#beginCollecting(nowMs: number): void {
		this.#gathers = false;
		if (this.#phase !== PHASE.WAITING) this.#enter(PHASE.WAITING, nowMs);
		const { contentLength, expectsContinue } = this.#request.head;
		const { slots, limits } = this.#context;
		const bytes = contentLength < 0 ? limits.bodyBytes : contentLength;
		// it may lie there for long: a request must have room beside it
		if (slots.free === 0 || !this.#hasRoom(-bytes, nowMs)) return;
		this.#collector.begin(bytes);
		this.#enter(PHASE.BODY, nowMs);
		this.#writer.continueDue = expectsContinue && contentLength < 0;
	}

	#onData(nowMs: number): void {
		const { buffer, dataStart, dataEnd } = this.#parser;
		// a client that sends without waiting for 100 needs none
		this.#writer.continueDue = false;
		if (this.#sink !== undefined) {
			if (this.#response.status === 0) this.#sink.write(buffer, dataStart, dataEnd);
			if (this.#response.status !== 0) this.#send(nowMs);
		} else if (this.#gathers) {
			this.#gathers = false;
			this.#request.body = buffer.subarray(dataStart, dataEnd);
		} else if (this.#collector.active) {
			if (!this.#collector.add(buffer, dataStart, dataEnd)) this.#refuse(413, nowMs);
		} else {
			this.#ignored += dataEnd - dataStart;
			if (this.#ignored > this.#context.limits.bodyBytes) this.#refuse(413, nowMs);
		}
	}

	#onEnd(nowMs: number): void {
		const response = this.#response;
		const route = this.#route;
		this.#writer.continueDue = this.#gathers = false;
		if (route !== undefined) {
			const sink = this.#sink;
			this.#sink = undefined;
			if (sink !== undefined) {
				if (response.status === 0) sink.end();
			} else {
				if (!this.#hasRoom(this.#collector.length, nowMs)) return;
				if (this.#collector.active) this.#request.body = this.#collector.body();
				this.#context.router.handle(route, this.#request, response);
				this.#collector.release();
				this.#request.body = NO_BYTES;
			}
			if (response.status === 0 && !response.deferred) throw new Error("handler gave no answer");
		}
		if (response.status === 0) this.#enter(PHASE.ANSWERING, nowMs);
		else this.#send(nowMs);
	}

	#refuse(status: number, nowMs: number): void {
		this.#endBody();
		this.#response = this.#response.renewed();
		this.#context.router.problem(status, this.#response);
		this.#send(nowMs);
	}

	#send(nowMs: number): void {
		const head = this.#request.head;
		const keepAlive = this.#parser.complete && head.keepAlive && (this.isOnlyOne || !this.#context.crowded);
		this.#sink = undefined; // it has been answered, at its end or before
		this.#endBody();
		this.#enter(PHASE.SENDING, nowMs);
		try {
			if (this.#response.status >= 400)
				this.#context.router.refused?.(this.#headRead ? this.#request : undefined, this.#response);
			this.#writer.begin(this.#response, this.#headRead ? head.minor : 1, this.#headRead && head.method === "HEAD", keepAlive);
		} catch (error) {
			this.#context.onFault(error);
			this.close();
		}
		this.#request.forget(); // it is not looked at any more, and a stream may last for hours
		if (this.#throwsAway && this.#parser.hasInput) this.#parser.reset();
		else this.#parser.release();
	}

	#afterAnswer(nowMs: number): void {
		const complete = this.#parser.complete;
		this.#endRequest();
		if (this.#writer.keepsAlive) {
			this.#served = true;
			this.#enter(PHASE.READING, nowMs);
			this.#parser.restart();
			this.isPaused = this.#parser.hasInput;
		} else if (complete && !this.#parser.hasInput) this.#phase = PHASE.CLOSED;
		else {
			this.#parser.reset();
			this.#enter(PHASE.LINGERING, nowMs);
		}
	}

	/** Its answer has been sent. `#send` has let go of its body and its head before. */
	#endRequest(): void {
		this.#response = this.#response.renewed();
		this.#route = undefined;
		this.#headRead = false;
		this.#ignored = 0;
	}

	#endBody(): void {
		const sink = this.#sink;
		this.#sink = undefined;
		this.#collector.release();
		this.#writer.continueDue = this.#gathers = false;
		try {
			sink?.abort();
		} catch (error) {
			this.#context.onFault(error);
		}
	}
}
