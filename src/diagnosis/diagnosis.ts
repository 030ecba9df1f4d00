/**
 * Asks the coupling's control unit: one job at a time, each a list of requests, over UDS on generation 5 and
 * over KWP2000 on generations 2 and 4. A job goes on in `poll`, a bounded piece at a time: no request of a
 * client and no tick waits for the car. Another tester goes first.
 * Source: docs/control-and-can.md 5.3, 5.4.
 */

import type { DiagnosisPort } from "../../hal/ports.js";
import { CHASSIS, COUPLING, frameIdAt, identifierOf, isExtendedAt } from "../can/bus.js";
import { IDENTITY } from "../can/layouts/diagnosis-data.js";
import { type DiagnosisRoute, KWP_ADDRESS, KWP_ROUTE, TESTERS, TP20_IDS, UDS_ROUTES } from "../can/layouts/diagnosis-ids.js";
import { elapsedMs } from "../clock/elapsed.js";
import type { TransportFailure } from "../transport/channel.js";
import { IsoTp } from "../transport/iso-tp.js";
import { Tp20 } from "../transport/tp20.js";
import { readDid, startSession } from "./services.js";

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
	/** Empty if there was none. */
	readonly response: Uint8Array;
	/** 0x00..0xFF, -1 if the response is not negative. */
	readonly nrc: number;
	readonly pendingSeen: boolean;
	readonly elapsedMs: number;
}

const NOTHING = new Uint8Array(0);

/** A result without any exchange. */
export function notExchanged(status: ExchangeStatus, request: Uint8Array): ExchangeResult {
	return { status, request, response: NOTHING, nrc: -1, pendingSeen: false, elapsedMs: 0 };
}

/** How a control unit is spoken to: UDS on ISO-TP, or KWP2000 on TP2.0. */
export type DiagnosisTransport = "uds_can" | "kwp_tp20";

/** A job: what is asked for, and who is told what came of it. */
export interface DiagnosisJob {
	readonly transport: DiagnosisTransport;
	/** 1..16 requests. */
	readonly requests: readonly Uint8Array[];
	/** Until each response. */
	readonly timeoutMs: number;
	/** Each route's time when there is none yet. */
	readonly probeMs: number;
	/** Looks for the route anew, and is over when one is found. */
	readonly isProbe: boolean;
	/**
	 * Nobody waits for the results any more, or the car allows them no longer: the next request is not sent, and
	 * its result is `can_not_ready`.
	 */
	readonly isAbandoned?: () => boolean;
	/** Results in the order of the requests, at least one; fewer after a time-out or "busy". */
	ended(results: readonly ExchangeResult[], route: DiagnosisRoute | undefined): void;
}

/**
 * Another tester that was heard this long ago is still at work, ms.
 * Source: docs/control-and-can.md 5.4, which has 4 to 5 s.
 */
const FOREIGN_PAUSE_MS = 5000;
/** For this long after the end of our channel a frame may still be meant for us. */
const LATE_MS = 200;
/** Between two requests. Source: docs/control-and-can.md 5.3, of those for the identity. */
const GAP_MS = 20;
/** Longest response. Source: docs/control-and-can.md 5.4. */
const RESPONSE_MAX = 256;
/**
 * Block size that we ask of a control unit: a quarter of the 32 frames that the gateway keeps for us, so that
 * a script that stalls loses none. The longest response, 36 such frames, takes 72 ms.
 */
const BLOCK_SIZE = 8;
const SEPARATION_MS = 2;
const PADDING = 0x55;
/**
 * Frames looked at in one call, and sent: however much a control unit says, the car's own frames fit beside
 * our answers.
 */
const FRAMES_MAX = 32;
const SENDS_MAX = 8;
/** What the port says when another tester was heard. */
const GAVE_WAY = -2;

const RESTING = 0;
const PROBING = 1;
const OPENING = 2;
const ASKING = 3;
const PAUSING = 4;
const CLOSING = 5;

const NEGATIVE = 0x7f;
const PENDING = 0x78;
/** P2* of ISO 14229-2: how long a control unit has after each "response pending". */
const PENDING_MS = 5000;
/** However often it says so, and however slowly it speaks. */
const EXCHANGE_MAX_MS = 30_000;
/** Bytes of a request behind the service that its positive response repeats: whose value it is. */
const REPEATED: Readonly<Record<number, number>> = Object.freeze({ [0x10]: 1, [0x21]: 1, [0x22]: 2 });

/**
 * Waits for the response to one request: which message answers which request is the same for UDS
 * (ISO 14229-1) and KWP2000 (ISO 14230-3).
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
	/** A message that answers something else, such as a late response to the request before. */
	#stray: Uint8Array | undefined;
	#result: ExchangeResult | undefined;

	/** @param timeoutMs until a response begins, from when the request was sent */
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
	 * A whole message of the control unit, which is kept. One that answers something else does not end the
	 * wait: if no answer comes in time, the last of these is the result, as `unexpected_response`.
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

	/** Ends it when an answer is too late. @returns the result once it is over */
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

/** One worker for all clients. Nothing a control unit sends makes it throw. */
export class Diagnosis {
	readonly #port: DiagnosisPort;
	/** What it speaks by, while a job runs: at rest it would take a twentieth of a board's heap. */
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
	/** When the last channel of ours over TP2.0 ended. */
	#tp20EndMs: number | undefined;
	#failure: TransportFailure = "timeout";
	/** The last result and when it was there, undefined before the first. */
	last: { readonly result: ExchangeResult; readonly route: DiagnosisRoute | undefined; readonly atMs: number } | undefined;
	/** Transport of the running job, else of the last one. */
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

	/** The one connection that UDS has at a time. */
	#connect(route: DiagnosisRoute): IsoTp {
		const options = { receiveMax: RESPONSE_MAX, blockSize: BLOCK_SIZE, separationMs: SEPARATION_MS, padding: PADDING };
		const isoTp = new IsoTp({ ...route, ...options }, this.#send, this.#user);
		this.#isoTp = isoTp;
		return isoTp;
	}

	#openChannel(): void {
		const tp20 = new Tp20(KWP_ADDRESS, RESPONSE_MAX, this.#send, {
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

	/** Another tester was heard within the last seconds, or a control unit that answers one over TP2.0. */
	#hearsForeign(nowMs: number): boolean {
		const wasHeard = (bus: typeof CHASSIS | typeof COUPLING): boolean =>
			TESTERS.some(([first, last]) => this.#port.receivedAgeMs(bus, first, last) < FOREIGN_PAUSE_MS);
		const oursMs = this.#tp20EndMs === undefined ? FOREIGN_PAUSE_MS : elapsedMs(this.#tp20EndMs, nowMs) - LATE_MS;
		const answeredMs = this.#port.receivedAgeMs(COUPLING, TP20_IDS.listen, TP20_IDS.listen);
		return wasHeard(CHASSIS) || wasHeard(COUPLING) || answeredMs < Math.min(oursMs, FOREIGN_PAUSE_MS);
	}

	/** Begins a job; it ends at once with "busy" while another job or tester is at work. */
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

	/** Goes on with the job. Called every few milliseconds. @param nowMs modulo 2^32 */
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

	/** Takes one frame of the control unit. @returns false if no frame waits */
	#receive(): boolean {
		const frame = this.#frame;
		const length = this.#port.receiveDiagnosis(frame);
		if (length === GAVE_WAY && this.#phase !== CLOSING) this.#conclude(notExchanged("busy", this.#request));
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

	/** The route that is being tried: the one that worked last first. */
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

	/** What is asked, or would be asked next. */
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

	/** Ends the job with this result behind those that there are. */
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

/** All our platforms are little-endian. */
const bytesOf = (ids: readonly number[]): Uint8Array => new Uint8Array(Uint32Array.from(ids).buffer);

/** No answer comes any more: further requests would only wait. */
export const isOver = (status: ExchangeStatus): boolean => status !== "positive" && status !== "negative_response";

const listenId = ({ responseId, extended }: DiagnosisRoute): number => identifierOf(responseId, extended);
