/**
 * GET /api/events: server-sent events. Telemetry comes as often as the client asks, mode and faults as soon as
 * they change. Revisions of settings, maps and curves and an update's progress come within 250 ms, the
 * dashboard's signals twice a second. A stream holds the revisions that its client has, never the events
 * themselves: a slow client gets the newest state as soon as it reads again, and no other client notices.
 * Telemetry comes at least once a second, so that a client that is gone is found. Source of the format: HTML standard, 9.2.
 */

import { type Changes, FAULTS } from "../controller/changes.js";
import { PENDING, type Producer } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import { HEADER } from "../http/request-head.js";
import type { HttpResponse } from "../http/response.js";
import { MODES } from "../lock/modes.js";
import { byteLength, copyText } from "../text/bytes.js";
import type { ApiContext } from "./context.js";
import { rejectPlainly } from "./problem.js";
import { wholeNumberIn } from "./request-values.js";
import { hasDashboard, reasonOf, revisionsOf, shownSignals, telemetry } from "./status.js";
import { updateChanges, updateState } from "./update.js";

/** Streams at once: three of the server's eight connections stay free for requests. */
export const EVENT_STREAMS = 5;
/* Telemetry, as `hz` asks for it. Source: docs/api.md, "Events". */
const SLOWEST_HZ = 1;
const FASTEST_HZ = 20;
const DEFAULT_HZ = 5;
/** Telemetry may leave this much before its time: the server looks every 50 ms. */
const EARLY_MS = 25;
/** It costs more than mode and faults do to see whether anything else has changed. */
const NEWS_MS = 250;
/** Signals are decoded when they are sent: more often than this is more than one can read. */
const DASHBOARD_MS = 500;

const RETRY = "retry: 2000\n\n";

/** Answers with a stream that ends when the client goes; 503 while `EVENT_STREAMS` are open. */
export function getEvents(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const hz = wholeNumberIn(request, "hz", SLOWEST_HZ, FASTEST_HZ, DEFAULT_HZ);
	if (context.underWay.events >= EVENT_STREAMS) rejectPlainly(503);
	// it ends with its connection: what a client sends behind its request need not be kept
	response.closes = true;
	const lastSeen = Number(request.header(HEADER.LAST_EVENT_ID) ?? 0);
	response.stream(200, "text/event-stream", new EventStream(context, Math.round(1000 / hz), lastSeen));
}

class EventStream implements Producer {
	/**
	 * A change was due. Each takes a turn of its own: at first, and when a client reads again after a while,
	 * many are due.
	 */
	#hasNews = false;
	readonly #context: ApiContext;
	readonly #periodMs: number;
	/** Uptime when telemetry is due. */
	#dueMs: number;
	#dashboardDueMs: number;
	#greeted = false;
	/** Uptime when changes are looked for, if not before. */
	#newsDueMs: number;
	#modeRevision = -1;
	/** `changes` of the revisions that the client has been sent. */
	#revisionsSent = -1;
	#faultRevision: number;
	/** Faults that are to be sent, bit n for `FAULTS[n]`. */
	#faultsDue: number;
	/** `updateState` that the client has been sent. */
	#updateSent = "";

	/**
	 * @param lastSeen revision of the last fault that the client was sent before it lost its connection;
	 * anything else means none
	 */
	constructor(context: ApiContext, periodMs: number, lastSeen: number) {
		this.#context = context;
		this.#periodMs = periodMs;
		this.#dueMs = this.#dashboardDueMs = this.#newsDueMs = context.controller.nowMs;
		const { changes } = context;
		this.#faultRevision = changes.faultRevision;
		this.#faultsDue = changes.activeFaults | (lastSeen > 0 ? faultsAfter(changes, lastSeen) : 0);
		context.underWay.events++;
	}

	/** One change, or the figures that are due: whole events, if they fit. */
	produce(into: Uint8Array, start: number, end: number): number {
		if (this.#isQuiet()) return PENDING;
		const { nowMs } = this.#context.controller;
		this.#hasNews = true;
		let at = this.#news(into, start, end);
		if (!this.#hasNews) {
			if (this.#isDue(nowMs)) at = this.#telemetry(into, at, end);
			if (this.#isDashboardDue(nowMs)) at = this.#dashboard(into, at, end);
		}
		return at > start ? at - start : PENDING;
	}

	/** Mode and faults are not kept waiting; whatever else has changed is looked for each `NEWS_MS`. */
	#isQuiet(): boolean {
		const { changes, controller } = this.#context;
		if (this.#modeRevision !== changes.modeRevision || this.#faultRevision !== changes.faultRevision) return false;
		const { nowMs } = controller;
		return ((nowMs - this.#newsDueMs) | 0) < 0 && !this.#isDue(nowMs) && !this.#isDashboardDue(nowMs);
	}

	close(): void {
		this.#context.underWay.events--;
	}

	#isDue(nowMs: number): boolean {
		return ((nowMs + EARLY_MS - this.#dueMs) | 0) >= 0;
	}

	#isDashboardDue(nowMs: number): boolean {
		return ((nowMs - this.#dashboardDueMs) | 0) >= 0;
	}

	/**
	 * Writes the most urgent change, which takes a turn of its own; without one the turn is not taken.
	 * @returns the index after it; `at` = none, or it does not fit
	 */
	#news(into: Uint8Array, at: number, end: number): number {
		const { changes, controller, updater, revisions } = this.#context;
		if (!this.#greeted) {
			const next = put(RETRY, into, at, end);
			this.#greeted = next > at;
			return next;
		}
		if (this.#modeRevision !== changes.modeRevision) {
			const next = put(eventOf("mode", modeOf(this.#context)), into, at, end);
			if (next > at) this.#modeRevision = changes.modeRevision;
			return next;
		}
		if (this.#faultRevision !== changes.faultRevision) {
			this.#faultsDue |= faultsAfter(changes, this.#faultRevision);
			this.#faultRevision = changes.faultRevision;
		}
		if (this.#faultsDue !== 0) return this.#writeFault(into, at, end);
		const uptimeMs = controller.nowMs;
		if (((uptimeMs - this.#newsDueMs) | 0) < 0) {
			this.#hasNews = false;
			return at;
		}
		const update = updateState(updater);
		if (update !== this.#updateSent) {
			const next = put(eventOf("update", { uptimeMs, ...updateChanges(updater) }), into, at, end);
			if (next > at) this.#updateSent = update;
			return next;
		}
		revisions.observe(controller.settings);
		if (this.#revisionsSent !== revisions.changes) {
			const next = put(eventOf("revisions", { uptimeMs, ...revisionsOf(this.#context) }), into, at, end);
			if (next > at) this.#revisionsSent = revisions.changes;
			return next;
		}
		this.#newsDueMs = uptimeMs + NEWS_MS;
		this.#hasNews = false;
		return at;
	}

	#telemetry(into: Uint8Array, at: number, end: number): number {
		const { controller } = this.#context;
		const { nowMs } = controller;
		const next = put(eventOf("telemetry", { uptimeMs: nowMs, ...telemetry(controller) }), into, at, end);
		if (next > at) {
			this.#dueMs += this.#periodMs;
			// behind: what was missed is not made up for
			if (((this.#dueMs - nowMs) | 0) < this.#periodMs / 2) this.#dueMs = nowMs + this.#periodMs;
		}
		return next;
	}

	#dashboard(into: Uint8Array, at: number, end: number): number {
		const { nowMs } = this.#context.controller;
		this.#dashboardDueMs = nowMs + DASHBOARD_MS;
		if (!hasDashboard(this.#context)) return at;
		return put(eventOf("dashboard", { uptimeMs: nowMs, signals: shownSignals(this.#context) }), into, at, end);
	}

	/** The oldest of the changes that are due, with its revision as the event's id. */
	#writeFault(into: Uint8Array, at: number, end: number): number {
		const { changes } = this.#context;
		let oldest = -1;
		for (let i = 0; i < FAULTS.length; i++)
			if ((this.#faultsDue & (1 << i)) !== 0 && (oldest < 0 || changes.revisionOf(i) < changes.revisionOf(oldest))) oldest = i;
		const active = (changes.activeFaults & (1 << oldest)) !== 0;
		const event = eventOf(
			"fault",
			{ uptimeMs: changes.changedMsOf(oldest), fault: FAULTS[oldest], active },
			changes.revisionOf(oldest),
		);
		const next = put(event, into, at, end);
		if (next > at) this.#faultsDue &= ~(1 << oldest);
		return next;
	}
}

/** An event as it is sent. @param id 0 = it has none */
function eventOf(name: string, data: object, id = 0): string {
	return `${id === 0 ? "" : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** @returns the index after the event; `at` if it does not fit */
function put(event: string, into: Uint8Array, at: number, end: number): number {
	const length = byteLength(event);
	if (at + length > end) return at;
	copyText(event, 0, length, into, at);
	return at + length;
}

function faultsAfter(changes: Changes, revision: number): number {
	let mask = 0;
	for (let i = 0; i < FAULTS.length; i++) if (changes.revisionOf(i) > revision) mask |= 1 << i;
	return mask;
}

function modeOf({ controller }: ApiContext) {
	return {
		uptimeMs: controller.nowMs,
		mode: MODES[controller.supervisor.selectedMode],
		effectiveMode: MODES[controller.effectiveMode],
		...reasonOf(controller),
		controlActive: controller.controlActive,
		disableController: controller.supervisor.disabled,
		canviewCaptureMode: controller.supervisor.captureActive,
	};
}
