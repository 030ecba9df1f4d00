/**
 * GET /api/events: server-sent events (HTML standard, 9.2). A stream holds the revisions that its client has,
 * never the events themselves: a slow client gets the newest state as soon as it reads again. Telemetry comes
 * at least once a second, so that a client that is gone is found.
 */

import { type Changes, FAULTS } from "../controller/changes.js";
import { PENDING, type Producer } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import { Header } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { MODES } from "../lock/modes.js";
import { byteLength, copyText } from "../text/bytes.js";
import type { ApiContext } from "./context.js";
import { reject } from "./problem.js";
import { wholeNumberIn } from "./request-values.js";
import { reasonOf, revisionsOf, shownSignals, telemetry } from "./status.js";
import { updateChanges, updateState } from "./update.js";

/** Streams at once: three of the server's eight connections stay free for requests. */
export const EVENT_STREAMS = 5;
/* Telemetry, as `hz` asks for it. Source: docs/api.md, "Events". */
const SLOWEST_HZ = 1;
const FASTEST_HZ = 20;
const DEFAULT_HZ = 5;
/** Telemetry may leave this much too early: the server looks every 50 ms. */
const EARLY_MS = 25;
/** Between two looks for other changes, which cost more than a look at mode and faults. */
const NEWS_MS = 250;
const DASHBOARD_MS = 500;

const RETRY = "retry: 2000\n\n";

/** Answers with a stream that ends when the client goes; 503 while `EVENT_STREAMS` are open. */
export function getEvents(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const hz = wholeNumberIn(request, "hz", SLOWEST_HZ, FASTEST_HZ, DEFAULT_HZ);
	if (context.underWay.events >= EVENT_STREAMS) reject(503);
	// it ends with its connection: what a client sends behind its request need not be kept
	response.closes = true;
	const lastSeen = Number(request.header(Header.LAST_EVENT_ID) ?? 0);
	response.stream(200, "text/event-stream", new EventStream(context, Math.round(1000 / hz), lastSeen));
	context.underWay.events++;
	response.onEnd(() => context.underWay.events--);
}

class EventStream implements Producer {
	readonly #context: ApiContext;
	readonly #periodMs: number;
	#greeted = false;
	/* Uptime when telemetry is due, the dashboard, a look for other changes. */
	#dueMs: number;
	#dashboardDueMs: number;
	#newsDueMs: number;
	#modeRevision = -1;
	/** `changes` of the revisions that the client has been sent. */
	#revisionsSent = -1;
	#faultRevision: number;
	/** Faults that are to be sent, bit n for `FAULTS[n]`. */
	#faultsDue: number;
	/** `updateState` that the client has been sent. */
	#updateSent = "";

	/** @param lastSeen revision of the last fault that the client was sent before it lost its connection */
	constructor(context: ApiContext, periodMs: number, lastSeen: number) {
		this.#context = context;
		this.#periodMs = periodMs;
		this.#dueMs = this.#dashboardDueMs = this.#newsDueMs = context.controller.nowMs;
		const { changes } = context;
		this.#faultRevision = changes.faultRevision;
		this.#faultsDue = changes.activeFaults | (lastSeen > 0 ? faultsAfter(changes, lastSeen) : 0);
	}

	/** Whole events, as many of those that are due as fit. */
	produce(into: Uint8Array, start: number, end: number): number {
		if (this.#isQuiet()) return PENDING;
		let at = start;
		for (const event of this.#dueEvents()) {
			const length = byteLength(event);
			if (at + length > end) break;
			copyText(event, 0, length, into, at);
			at += length;
		}
		return at > start ? at - start : PENDING;
	}

	#isQuiet(): boolean {
		const { changes, controller } = this.#context;
		if (this.#modeRevision !== changes.modeRevision || this.#faultRevision !== changes.faultRevision) return false;
		const { nowMs } = controller;
		return !isPast(this.#newsDueMs, nowMs) && !isPast(this.#dueMs, nowMs + EARLY_MS) && !isPast(this.#dashboardDueMs, nowMs);
	}

	/** The most urgent first. It goes on behind a `yield` only once that event was written. */
	*#dueEvents(): Generator<string, void, void> {
		const { changes, controller, updater, revisions } = this.#context;
		const uptimeMs = controller.nowMs;
		if (!this.#greeted) {
			yield RETRY;
			this.#greeted = true;
		}
		if (this.#modeRevision !== changes.modeRevision) {
			yield eventOf("mode", modeOf(this.#context));
			this.#modeRevision = changes.modeRevision;
		}
		this.#faultsDue |= faultsAfter(changes, this.#faultRevision);
		this.#faultRevision = changes.faultRevision;
		while (this.#faultsDue !== 0) {
			const fault = this.#oldestFault();
			const active = (changes.activeFaults & (1 << fault)) !== 0;
			const data = { uptimeMs: changes.changedMsOf(fault), fault: FAULTS[fault], active };
			yield eventOf("fault", data, changes.revisionOf(fault));
			this.#faultsDue &= ~(1 << fault);
		}
		if (isPast(this.#newsDueMs, uptimeMs)) {
			const update = updateState(updater);
			if (update !== this.#updateSent) {
				yield eventOf("update", { uptimeMs, ...updateChanges(updater) });
				this.#updateSent = update;
			}
			revisions.observe(controller.settings);
			if (this.#revisionsSent !== revisions.changes) {
				yield eventOf("revisions", { uptimeMs, ...revisionsOf(this.#context) });
				this.#revisionsSent = revisions.changes;
			}
			this.#newsDueMs = uptimeMs + NEWS_MS;
		}
		if (isPast(this.#dueMs, uptimeMs + EARLY_MS)) {
			yield eventOf("telemetry", { uptimeMs, ...telemetry(controller) });
			this.#dueMs += this.#periodMs;
			// behind: what was missed is not made up for
			if (((this.#dueMs - uptimeMs) | 0) < this.#periodMs / 2) this.#dueMs = uptimeMs + this.#periodMs;
		}
		if (isPast(this.#dashboardDueMs, uptimeMs)) {
			this.#dashboardDueMs = uptimeMs + DASHBOARD_MS;
			const signals = shownSignals(this.#context);
			if (signals.length > 0) yield eventOf("dashboard", { uptimeMs, signals });
		}
	}

	/** The fault that is due and changed first; its revision is the event's id. */
	#oldestFault(): number {
		const { changes } = this.#context;
		let oldest = -1;
		for (let i = 0; i < FAULTS.length; i++)
			if ((this.#faultsDue & (1 << i)) !== 0 && (oldest < 0 || changes.revisionOf(i) < changes.revisionOf(oldest))) oldest = i;
		return oldest;
	}
}

/** Modulo 2^32. */
function isPast(dueMs: number, nowMs: number): boolean {
	return ((nowMs - dueMs) | 0) >= 0;
}

/** @param id 0 = it has none */
function eventOf(name: string, data: object, id = 0): string {
	return `${id === 0 ? "" : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
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
