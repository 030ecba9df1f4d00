/**
 * Signals and last frames of the buses, the frames of the last seconds, the signal catalogue as a DBC file,
 * all written in C; and the capture, a safe state for looking at them. Source: docs/api.md, "CAN buses".
 */

import type { TextPort } from "../../hal/ports.js";
import { networkNumber } from "../can/catalogue.js";
import { ALL_BUSES, DUMP_FORMATS, parseBusFilter, RECEIVED_ROWS, SENT_ROWS } from "../can/frame-dump.js";
import { couplingOf, networkOf } from "../coupling/couplings/couplings.js";
import { PENDING, type Producer } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { copyBytes, encodeUtf8, NO_BYTES } from "../text/bytes.js";
import { answerOnceActive } from "./active-state.js";
import type { ApiContext } from "./context.js";
import { reject } from "./problem.js";
import { clampedIn, flagIn, jsonObject } from "./request-values.js";

/* Rows. */
const DEFAULT_DECODED = 200;
const MOST_DECODED = 2000;
const DEFAULT_RAW = 20;
const MOST_RAW = 128;

/** An unknown bus has no rows. */
export function getCanview({ controller, frameText }: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const rows = parseBusFilter(request.query("bus"))?.rows ?? 0;
	const decoded = clampedIn(request, "decoded", 0, MOST_DECODED, DEFAULT_DECODED);
	const raw = clampedIn(request, "raw", 0, MOST_RAW, DEFAULT_RAW);
	const view = frameText.view(controller.settings.generation, rows, decoded, raw);
	response.stream(200, "application/json", new TextBody("", view));
}

const SHORTEST_REPORT = 4;
const NETWORKS = Object.freeze(["pq", "mqb"] as const);

/** The signal catalogue of a network as a DBC file, for other tools. */
export function getDbc({ controller, frameText }: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const wanted = request.query("network") ?? networkOf(controller.settings.generation);
	const network = NETWORKS.find((name) => name === wanted);
	if (network === undefined) reject(400, "invalid network", { field: "network", value: wanted, allowed: NETWORKS });
	const own = couplingOf(controller.settings.generation);
	// without a coupling of that network: as the shortest report of it
	const reportBytes = own?.car.network === network ? own.status.bytes : SHORTEST_REPORT;
	response.stream(200, "text/plain", new TextBody("", frameText.dbcFile(networkNumber(network), reportBytes)));
	response.header("Content-Disposition", `attachment; filename=opencoupling-${network}.dbc`);
}

/** A body that C writes piece by piece: its memory does not depend on the text's length. */
class TextBody implements Producer {
	/** Before the text; it fits any piece. */
	#head: Uint8Array;
	readonly #text: TextPort;

	constructor(head: string, text: TextPort) {
		this.#head = encodeUtf8(head);
		this.#text = text;
	}

	produce(into: Uint8Array, start: number, end: number): number {
		const head = this.#head;
		const at = start + head.length;
		if (at > end) return PENDING;
		copyBytes(head, 0, head.length, into, start);
		this.#head = NO_BYTES;
		const bytes = head.length + this.#text.write(into, at, end);
		return bytes > 0 || this.#text.isComplete ? bytes : PENDING;
	}
}

/** A dump reads as fast as it is taken, and looks at the whole memory of the gateway. */
export const DUMPS_AT_ONCE = 1;

const DEFAULT_SECONDS = 30;
const LEAST_SECONDS = 1;
const MOST_SECONDS = 120;

const DIRECTIONS = Object.freeze(["all", "rx", "tx"] as const);

/** The frames of the last seconds, from the gateway's ring. An unknown bus means all, as in the reference. */
export function getCanviewDump(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const wantedFormat = request.query("format") ?? "text";
	const format = DUMP_FORMATS.find(({ name }) => name === wantedFormat);
	if (format === undefined)
		reject(400, "invalid format", { field: "format", value: wantedFormat, allowed: DUMP_FORMATS.map(({ name }) => name) });
	const wantedDirections = request.query("dir") ?? "all";
	const directions = DIRECTIONS.find((name) => name === wantedDirections);
	if (directions === undefined) reject(400, "invalid dir", { field: "dir", value: wantedDirections, allowed: DIRECTIONS });
	const windowMs = 1000 * clampedIn(request, "seconds", LEAST_SECONDS, MOST_SECONDS, DEFAULT_SECONDS);
	const filter = parseBusFilter(request.query("bus")) ?? ALL_BUSES;
	const rows = filter.rows & (directions === "rx" ? RECEIVED_ROWS : directions === "tx" ? SENT_ROWS : ~0);
	if (context.underWay.dumps >= DUMPS_AT_ONCE) reject(503);
	const lines = context.frameText.lines(format.number, rows);
	const coveredMs = lines.lookBack(windowMs);
	response.stream(200, format.contentType, new TextBody(format.head(windowMs, filter), lines));
	context.underWay.dumps++;
	response.onEnd(() => context.underWay.dumps--);
	response.header("Content-Disposition", `attachment; filename=${format.fileName}`);
	response.header("X-Covered-Ms", String(coveredMs));
}

/**
 * Starts or ends the capture. It is a state, not a setting: over after 10 minutes or a restart, and what the
 * driver had set is active again. Source: docs/decisions.md 3, 4.
 */
export function postCapture(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	context.controller.setCapture(flagIn(jsonObject(request, "active"), "active"));
	answerOnceActive(context, response, () => ({ ok: true, ...getCapture(context) }));
}

/** State of the capture. */
export function getCapture({ controller: { supervisor, broadcastOverCan } }: ApiContext): object {
	return {
		active: supervisor.captureActive,
		disableController: supervisor.disabled,
		broadcastOpenHaldexOverCAN: broadcastOverCan,
		broadcastControllerOverCAN: broadcastOverCan,
	};
}
