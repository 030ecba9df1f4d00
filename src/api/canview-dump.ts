/**
 * GET /api/canview/dump: the frames of the last seconds as text, straight from the gateway's ring.
 * Source: docs/api.md, "CAN buses".
 */

import type { FrameLinesPort } from "../../hal/ports.js";
import { ALL_BUSES, DUMP_FORMATS, parseBusFilter, RECEIVED_ROWS, SENT_ROWS } from "../can/frame-dump.js";
import type { HttpRequest } from "../http/request.js";
import { type HttpResponse, UNKNOWN_LENGTH } from "../http/response.js";
import { TextBody } from "./canview.js";
import type { ApiContext } from "./context.js";
import { plainProblem, problem } from "./problem.js";
import { clampedIn } from "./request-values.js";

/* Source: docs/api.md, "CAN buses". */
const DEFAULT_SECONDS = 30;
const LEAST_SECONDS = 1;
const MOST_SECONDS = 120;

const DIRECTIONS = Object.freeze(["all", "rx", "tx"] as const);

/**
 * Answers with the dump; 400 `invalid format`, `invalid dir`, `invalid seconds`, 503 while another one is
 * being sent. An unknown bus means all, as in the reference.
 */
export function getCanviewDump(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const wantedFormat = request.query("format") ?? "text";
	const format = DUMP_FORMATS.find(({ name }) => name === wantedFormat);
	const wantedDirections = request.query("dir") ?? "all";
	const directions = DIRECTIONS.find((name) => name === wantedDirections);
	if (format === undefined) {
		const allowed = DUMP_FORMATS.map(({ name }) => name);
		problem(response, 400, "invalid format", { field: "format", value: wantedFormat, allowed });
	} else if (directions === undefined)
		problem(response, 400, "invalid dir", { field: "dir", value: wantedDirections, allowed: DIRECTIONS });
	else {
		const seconds = clampedIn(request, response, "seconds", LEAST_SECONDS, MOST_SECONDS, DEFAULT_SECONDS);
		if (seconds === undefined) return;
		const windowMs = seconds * 1000;
		const filter = parseBusFilter(request.query("bus")) ?? ALL_BUSES;
		const rows = filter.rows & (directions === "rx" ? RECEIVED_ROWS : directions === "tx" ? SENT_ROWS : ~0);
		if (context.dumpPlaces.free === 0) {
			plainProblem(response, 503);
			return;
		}
		const lines = context.frameText.lines(format.number, rows);
		const coveredMs = lines.lookBack(windowMs);
		response.stream(200, format.contentType, new Dump(context.dumpPlaces, format.head(windowMs, filter), lines), UNKNOWN_LENGTH);
		response.header("Content-Disposition", `attachment; filename=${format.fileName}`);
		response.header("X-Covered-Ms", String(coveredMs));
	}
}

/** Has a place until it has been sent or dropped. */
class Dump extends TextBody {
	readonly #places: { free: number };

	constructor(places: { free: number }, head: string, lines: FrameLinesPort) {
		super(head, lines);
		this.#places = places;
		places.free--;
	}

	close(): void {
		this.#places.free++;
	}
}
