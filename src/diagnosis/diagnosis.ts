/**
 * Asks the coupling's control unit, over UDS on generation 5, over KWP2000 on 2 and 4: one job at a time, a
 * list of requests. A job goes on in `poll`, a bounded piece at a time: no client's request and no tick waits
 * for the car. Another tester goes first. Source: docs/control-and-can.md 5.3, 5.4.
 */

import type { DiagnosisPort } from "../../hal/ports.js";
import { CHASSIS, COUPLING, frameIdAt, identifierOf, isExtendedAt } from "../can/bus.js";
import { IDENTITY } from "../can/layouts/diagnosis-data.js";
import { type DiagnosisRoute, KWP_ROUTE, TESTERS, TP20_IDS, UDS_ROUTES } from "../can/layouts/diagnosis-ids.js";
import { elapsedMs } from "../clock/elapsed.js";
import { TRANSPORT_FAILURES, type TransportFailure } from "../transport/channel.js";
import { IsoTp } from "../transport/iso-tp.js";
import { Tp20 } from "../transport/tp20.js";
import { readDid, startSession } from "./services.js";

/** As in docs/api.md, "Diagnosis". */
export const EXCHANGE_STATUSES = Object.freeze([
	"positive",
	"negative_response",
	"unexpected_response",
	"busy",
	"no_route",
	"can_not_ready",
	"unsupported_generation",
	...TRANSPORT_FAILURES,
] as const);
/** One of them. */
export type ExchangeStatus = (typeof EXCHANGE_STATUSES)[number];

/** Result of one request. */
export interface ExchangeResult {
	readonly status: ExchangeStatus;
	readonly request: Uint8Array;
	/** Empty = none. */
	readonly response: Uint8Array;
	/** -1 = not negative. */
	readonly nrc: number;
	readonly pendingSeen: boolean;
	readonly elapsedMs: number;
}

const NOTHING = new Uint8Array(0);

/** A result without any exchange. */
export function notExchanged(status: ExchangeStatus, request: Uint8Array): ExchangeResult {
	return { status, request, response: NOTHING, nrc: -1, pendingSeen: false, elapsedMs: 0 };
}

/** UDS on ISO-TP, or KWP2000 on TP2.0. */
export type DiagnosisTransport = "uds_can" | "kwp_tp20";

/** A job. */
export interface DiagnosisJob {
	readonly transport: DiagnosisTransport;
	/** 1..16 requests. */
	readonly requests: readonly Uint8Array[];
	/** Until each response. */
	readonly timeoutMs: number;
	/** For each route while none is known. */
	readonly probeMs: number;
	/** Only looks for the route. */
	readonly isProbe: boolean;
	/**
	 * The client is gone, or the car does not allow more: the next request is not sent, and its result is
	 * `can_not_ready`.
	 */
	readonly isAbandoned?: () => boolean;
	/** One for each request, at least one; fewer after a time-out or "busy". */
	ended(results: readonly ExchangeResult[], route: DiagnosisRoute | undefined): void;
}

/** Another tester is at work for this long after its last frame. Source: docs/control-and-can.md 5.4. */
const FOREIGN_PAUSE_MS = 5000;
/** Assumed: a frame may still be for us this long after our channel. */
const LATE_MS = 200;
/** Source: docs/control-and-can.md 5.3. */
const GAP_MS = 20;
/** Frames read and sent in one call: the car's own frames fit beside our answers. */
const FRAMES_MAX = 32;
const SENDS_MAX = 8;
/** The port's answer once another tester was heard. */
const YIELDED = -2;

const RESTING = 0;
const PROBING = 1;
const OPENING = 2;
const ASKING = 3;
const PAUSING = 4;
const CLOSING = 5;

const NEGATIVE = 0x7f;
const PENDING = 0x78;
/** P2* of ISO 14229-2, after each "response pending". Source: docs/control-and-can.md 5.3. */
const PENDING_MS = 5000;
/** For all of an exchange. Assumed: as long as a client's answer may wait (`answerTimeoutMs`). */
const EXCHANGE_MAX_MS = 30_000;
/** Bytes behind the service that a positive response repeats. */
const REPEATED: Readonly<Record<number, number>> = Object.freeze({ [0x10]: 1, [0x21]: 1, [0x22]: 2 });

/** Waits for the response to one request; the same for UDS (ISO 14229-1) and KWP2000 (ISO 14230-3). */
class Exchange {
	readonly #request: Uint8Array;
	readonly #timeoutMs: number;
	readonly #startMs: number;
	/** From `#sinceMs` on. */
	#waitMs = EXCHANGE_MAX_MS;
	#sinceMs: number;
	#isReceiving = false;
	#pendingSeen = false;
	/** A message that answers another request. */
	#stray: Uint8Array | undefined;
	#result: ExchangeResult | undefined;

	/** @param timeoutMs from the sent request until a response begins */
	constructor(request: Uint8Array, timeoutMs: number, nowMs: number) {
		this.#request = request;
		this.#timeoutMs = timeoutMs;
		this.#startMs = nowMs;
		this.#sinceMs = nowMs;
	}

	/** The request was sent. Before, the transport has its own time-out. */
	sent(nowMs: number): void {
		this.#wait(this.#timeoutMs, nowMs);
	}

	/** A message of several frames begins: the transport has its own time-out. */
	receiving(): void {
		this.#isReceiving = true;
	}

	/**
	 * A message of the control unit. One that answers another request does not end the wait: if no answer
	 * comes, the last is the result, `unexpected_response`.
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

	failed(reason: TransportFailure, nowMs: number): void {
		this.#end(reason, NOTHING, -1, nowMs);
	}

	/** @returns the result once it is over */
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

/** One worker for all clients. */
export class Diagnosis {
	readonly #port: DiagnosisPort;
	/** Only while a job runs: they take a twentieth of a board's heap. */
	#isoTp: IsoTp | undefined;
	#tp20: Tp20 | undefined;
	/** Identifier, then data: one frame of the port. */
	readonly #frame = new Uint8Array(13);

	#phase = RESTING;
	#job: DiagnosisJob | undefined;
	#results: ExchangeResult[] = [];
	#exchange: Exchange | undefined;
	#route = -1;
	#candidate = 0;
	#lastRoute = 0;
	#next = 0;
	#pauseMs = 0;
	#nowMs = 0;
	#sends = 0;
	/** End of our last TP2.0 channel. */
	#tp20EndMs: number | undefined;
	#failure: TransportFailure = "timeout";
	/** undefined before the first. */
	last: { readonly result: ExchangeResult; readonly route: DiagnosisRoute | undefined; readonly atMs: number } | undefined;
	/** Used by the running job, else by the last one. */
	transport: DiagnosisTransport = "uds_can";

	constructor(port: DiagnosisPort) {
		this.#port = port;
	}

	#send = (id: number, extended: boolean, data: Uint8Array): boolean =>
		this.#sends++ < SENDS_MAX && this.#port.send(COUPLING, identifierOf(id, extended), data);

	get #user() {
		return {
			sent: (): void => this.#exchange?.sent(this.#nowMs),
			receiving: (): void => this.#exchange?.receiving(),
			received: (message: Uint8Array): void => this.#exchange?.received(message, this.#nowMs),
			failed: (reason: TransportFailure): void => this.#failed(reason),
		};
	}

	#connect(route: DiagnosisRoute): IsoTp {
		this.#isoTp = new IsoTp(route, this.#send, this.#user);
		return this.#isoTp;
	}

	#openChannel(): void {
		const tp20 = new Tp20(this.#send, {
			...this.#user,
			opened: () => this.#ask(startSession(), true),
			closed: () => this.#end(),
		});
		this.#tp20 = tp20;
		tp20.open(this.#nowMs);
	}

	get active(): boolean {
		return this.#phase !== RESTING;
	}

	get route(): DiagnosisRoute | undefined {
		if (this.transport === "kwp_tp20") return KWP_ROUTE;
		return this.#route < 0 ? undefined : UDS_ROUTES[this.#route];
	}

	/** A tester, or a control unit that answers one over TP2.0, was heard within the pause. */
	#hearsForeign(nowMs: number): boolean {
		const wasHeard = (bus: typeof CHASSIS | typeof COUPLING): boolean =>
			TESTERS.some(([first, last]) => this.#port.receivedAgeMs(bus, first, last) < FOREIGN_PAUSE_MS);
		const oursMs = this.#tp20EndMs === undefined ? FOREIGN_PAUSE_MS : elapsedMs(this.#tp20EndMs, nowMs) - LATE_MS;
		const answeredMs = this.#port.receivedAgeMs(COUPLING, TP20_IDS.listen, TP20_IDS.listen);
		return wasHeard(CHASSIS) || wasHeard(COUPLING) || answeredMs < Math.min(oursMs, FOREIGN_PAUSE_MS);
	}

	/** Begins a job, or ends it at once with "busy" while another job or tester is at work. */
	start(job: DiagnosisJob, nowMs: number): void {
		const isAbandoned = job.isAbandoned?.() === true;
		if (isAbandoned || this.active || this.#hearsForeign(nowMs)) {
			job.ended([notExchanged(isAbandoned ? "can_not_ready" : "busy", job.requests[0])], this.route);
			return;
		}
		this.#nowMs = nowMs;
		this.#sends = 0;
		this.#job = job;
		this.#results = [];
		this.#next = 0;
		this.transport = job.transport;
		if (job.transport === "kwp_tp20") {
			this.#phase = OPENING;
			this.#listen([KWP_ROUTE.responseId, TP20_IDS.listen]);
			this.#openChannel();
		} else if (this.#route >= 0 && !job.isProbe) {
			this.#listen([listenId(UDS_ROUTES[this.#route])]);
			this.#connect(UDS_ROUTES[this.#route]);
			this.#ask(job.requests[0], false);
		} else {
			this.#listen(UDS_ROUTES.map(listenId));
			this.#route = -1;
			this.#candidate = 0;
			this.#probe();
		}
	}

	/** Goes on with the job, every few milliseconds. @param nowMs modulo 2^32 */
	poll(nowMs: number): void {
		this.#nowMs = nowMs;
		this.#sends = 0;
		if (!this.active) return;
		for (let count = 0; count < FRAMES_MAX && this.#receive(); count++);
		this.#tp20?.poll(nowMs);
		this.#isoTp?.poll(nowMs);
		if (this.#phase === PAUSING && elapsedMs(this.#pauseMs, nowMs) >= GAP_MS) this.#ask(this.#job!.requests[this.#next], false);
		const result = this.#exchange?.poll(nowMs);
		if (result !== undefined) this.#answered(result);
	}

	/** @returns false if no frame waits */
	#receive(): boolean {
		const frame = this.#frame;
		const length = this.#port.receiveDiagnosis(frame);
		if (length === YIELDED && this.#phase !== CLOSING) this.#conclude(notExchanged("busy", this.#request));
		if (length < 0) return false;
		const id = frameIdAt(frame, 0);
		const isExtended = isExtendedAt(frame, 0);
		const data = frame.slice(5, 5 + length);
		if (this.transport === "kwp_tp20") {
			if (!isExtended && this.#tp20?.listensTo(id)) this.#tp20.receive(data, this.#nowMs);
			if (this.#phase === OPENING) this.#listen([KWP_ROUTE.responseId, TP20_IDS.listen, this.#tp20?.receiveId ?? 0]);
		} else if (this.#exchange !== undefined) {
			const route = UDS_ROUTES[this.#phase === PROBING ? this.#probed : this.#route];
			if (route !== undefined && route.responseId === id && route.extended === isExtended)
				this.#isoTp?.receive(data, this.#nowMs);
		}
		return true;
	}

	/** The route to try: the one that worked last first. */
	get #probed(): number {
		if (this.#candidate === 0) return this.#lastRoute;
		return this.#candidate <= this.#lastRoute ? this.#candidate - 1 : this.#candidate;
	}

	#probe(): void {
		this.#phase = PROBING;
		const request = readDid(IDENTITY[0].did);
		this.#exchange = new Exchange(request, this.#job!.probeMs, this.#nowMs);
		this.#connect(UDS_ROUTES[this.#probed]).start(request, this.#nowMs);
	}

	#ask(request: Uint8Array, isSession: boolean): void {
		if (this.#tp20?.isClosed) {
			// it went between two requests, or together with the response to the one before
			this.#conclude(notExchanged(this.#failure, request));
			return;
		}
		if (!isSession && this.#job!.isAbandoned?.() === true) {
			this.#conclude(notExchanged("can_not_ready", request));
			return;
		}
		this.#phase = isSession ? OPENING : ASKING;
		this.#exchange = new Exchange(request, this.#job!.timeoutMs, this.#nowMs);
		(this.#tp20 ?? this.#isoTp)?.start(request, this.#nowMs);
	}

	#failed(reason: TransportFailure): void {
		this.#failure = reason;
		if (this.#exchange !== undefined) this.#exchange.failed(reason, this.#nowMs);
		else if (this.#phase === OPENING) this.#conclude(notExchanged(reason, this.#request));
		else if (this.#phase === CLOSING) this.#end();
	}

	/** The current or next request. */
	get #request(): Uint8Array {
		const { requests } = this.#job!;
		return requests[this.#next] ?? requests[0];
	}

	#answered(result: ExchangeResult): void {
		this.#exchange = undefined;
		if (this.#phase === PROBING) this.#probeAnswered(result);
		else if (this.#phase === OPENING) {
			if (result.status === "positive") this.#ask(this.#job!.requests[0], false);
			else this.#conclude(result);
		} else {
			this.#results.push(result);
			this.#next++;
			const isSilent = isOver(result.status);
			if (isSilent && this.transport === "uds_can") this.#route = -1;
			if (isSilent || this.#next >= this.#job!.requests.length) this.#close();
			else {
				this.#phase = PAUSING;
				this.#pauseMs = this.#nowMs;
			}
		}
	}

	#probeAnswered(result: ExchangeResult): void {
		const isProbe = this.#job!.isProbe;
		if (result.status === "positive") {
			this.#route = this.#probed;
			this.#lastRoute = this.#route;
			this.#listen([listenId(UDS_ROUTES[this.#route])]);
			if (isProbe) this.#conclude(result);
			else this.#ask(this.#job!.requests[0], false);
		} else if (++this.#candidate < UDS_ROUTES.length) this.#probe();
		else this.#conclude(isProbe ? result : notExchanged("no_route", this.#job!.requests[0]));
	}

	/** Ends the job with this as its last result. */
	#conclude(result: ExchangeResult): void {
		this.#results.push(result);
		this.#close();
	}

	#close(): void {
		this.#exchange = undefined;
		this.#phase = CLOSING;
		if (this.#tp20?.isClosed === false) this.#tp20.close(this.#nowMs);
		else this.#end();
	}

	#end(): void {
		const job = this.#job;
		if (job === undefined) return;
		this.#job = undefined;
		this.#isoTp = this.#tp20 = undefined;
		this.#phase = RESTING;
		if (this.transport === "kwp_tp20") this.#tp20EndMs = this.#nowMs;
		this.#port.closeDiagnosis();
		this.last = { result: this.#results[this.#results.length - 1], route: this.route, atMs: this.#nowMs };
		job.ended(this.#results, this.route);
	}

	#listen(ids: readonly number[]): void {
		const known = ids.filter((id) => id !== 0);
		this.#port.openDiagnosis(bytesOf(known), bytesOf(TESTERS.flat()));
	}
}

const bytesOf = (ids: readonly number[]): Uint8Array => new Uint8Array(Uint32Array.from(ids).buffer);

/** Further requests would only wait. */
export const isOver = (status: ExchangeStatus): boolean => status !== "positive" && status !== "negative_response";

const listenId = ({ responseId, extended }: DiagnosisRoute): number => identifierOf(responseId, extended);
