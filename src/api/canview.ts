/**
 * The signals and the last frames of both buses, and the signal catalogue as a DBC file, all written in C.
 * Source: docs/api.md, "CAN buses".
 */

import type { TextPort } from "../../hal/ports.js";
import { networkNumber } from "../can/catalogue.js";
import { parseBusFilter } from "../can/frame-dump.js";
import { couplingOf, networkOf } from "../coupling/couplings/couplings.js";
import { PENDING, type Producer } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import { type HttpResponse, UNKNOWN_LENGTH } from "../http/response.js";
import { copyBytes, encodeUtf8, NO_BYTES } from "../text/bytes.js";
import type { ApiContext } from "./context.js";
import { problem } from "./problem.js";
import { clampedIn } from "./request-values.js";

/* Rows of each kind. Source: docs/api.md, "CAN buses". */
const DEFAULT_DECODED = 200;
const MOST_DECODED = 2000;
const DEFAULT_RAW = 20;
const MOST_RAW = 128;

/** GET /api/canview. Answers with the rows; an unknown bus has none. 400 `invalid decoded`, `invalid raw`. */
export function getCanview({ controller, frameText }: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const rows = parseBusFilter(request.query("bus"))?.rows ?? 0;
	const decoded = clampedIn(request, response, "decoded", 0, MOST_DECODED, DEFAULT_DECODED);
	if (decoded === undefined) return;
	const raw = clampedIn(request, response, "raw", 0, MOST_RAW, DEFAULT_RAW);
	if (raw === undefined) return;
	const view = frameText.view(controller.settings.generation, rows, decoded, raw);
	response.stream(200, "application/json", new TextBody("", view), UNKNOWN_LENGTH);
}

const SHORTEST_REPORT = 4;
const NETWORKS = Object.freeze(["pq", "mqb"] as const);

/**
 * GET /api/canview/dbc: what the firmware knows of a network's frames as a DBC file, so that other tools read
 * recordings with names. Answers with the file of `?network=`, by default that of the generation; 400
 * `invalid network`.
 */
export function getDbc({ controller, frameText }: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const wanted = request.query("network") ?? networkOf(controller.settings.generation);
	const network = NETWORKS.find((name) => name === wanted);
	if (network === undefined) {
		problem(response, 400, "invalid network", { field: "network", value: wanted, allowed: NETWORKS });
		return;
	}
	const own = couplingOf(controller.settings.generation);
	// without a coupling of that network: as the shortest report of it
	const reportBytes = own?.car.network === network ? own.status.bytes : SHORTEST_REPORT;
	response.stream(200, "text/plain", new TextBody("", frameText.dbcFile(networkNumber(network), reportBytes)), UNKNOWN_LENGTH);
	response.header("Content-Disposition", `attachment; filename=opencoupling-${network}.dbc`);
}

/** A body that is written in C, piece by piece: its memory does not depend on how long the text is. */
export class TextBody implements Producer {
	/** What goes before the text; it fits any piece. */
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
