/** Looking at the buses: CAN view, dumps, DBC, capture, the port for analyzers. */

import { Flag } from "./common.js";
import { type Endpoints, NOT_APPLIED } from "./route.js";
import { always, count, flag, list, named, number, object, oneOf, optional, raw, text, whole } from "./schema.js";

const frame = {
	bus: oneOf(["chassis", "haldex"]),
	dir: oneOf(["RX", "TX"]),
	id: whole(undefined, 0, 0x1fffffff),
	ts: count("Uptime of the frame, ms"),
	generated: flag("The controller changed or made the frame; only of what leaves on the coupling bus"),
	ageMs: count("ms"),
};

export const CanView = named(
	"CanView",
	object({
		decoded: list(
			object({
				...frame,
				name: text(),
				value: raw<number | string>({ type: ["number", "string"] }),
				unit: text(),
				codesKnown: flag("It is known which raw values are codes, such as a sensor error; inputs ignore those"),
				hz: number("How often the frame comes, counted between two requests", 0),
			}),
			{ maxItems: 2000 },
		),
		raw: list(
			object({
				...frame,
				dlc: whole(undefined, 0, 8),
				data: text(undefined, { pattern: "^(?:[0-9a-f]{2}(?: [0-9a-f]{2}){0,7})?$" }),
			}),
			{ maxItems: 128 },
		),
	}),
);

const Capture = named(
	"Capture",
	object({
		ok: optional(always(true)),
		active: flag(),
		disableController: flag(),
		broadcastOpenHaldexOverCAN: flag(),
		broadcastControllerOverCAN: flag(),
	}),
);
const CaptureRequest = named("CaptureRequest", object({ active: Flag }));

export const Analyzer = named(
	"Analyzer",
	object({
		ok: optional(always(true)),
		enabled: flag("The setting `analyzerEnabled`"),
		port: whole("0 while it does not listen", 0, 65535),
		clients: list(object({ lostFrames: count("It was too slow for them") }), { maxItems: 2 }),
		maySend: flag("Frames of clients go to the car; never stored"),
		sendRefusal: text('Why `maySend` would be rejected now, "" = it would not'),
		sentFrames: count("Of clients, since the start"),
		refusedFrames: count("Rejected, since the start"),
		lastRefusal: text('Why the last rejected frame was, "" = none'),
	}),
);
const AnalyzerRequest = named(
	"AnalyzerRequest",
	object({ enabled: optional(Flag), maySend: optional(Flag) }, undefined, {
		anyOf: [{ required: ["enabled"] }, { required: ["maySend"] }],
	}),
);

const bus = optional(text("all, chassis, haldex or coupling", { default: "all" }));

export const CAN: Endpoints = {
	"GET /api/canview": {
		id: "getCanview",
		says: "The latest frames, decoded and raw",
		query: {
			decoded: optional(number("Most decoded rows, clamped to 0..2000", undefined, undefined, { default: 200 })),
			raw: optional(number("Most raw rows, clamped to 0..128", undefined, undefined, { default: 20 })),
			bus,
		},
		answer: CanView,
		means: "The rows",
		errors: { 400: { "invalid decoded": "", "invalid raw": "" } },
	},
	"GET /api/canview/dump": {
		id: "getCanviewDump",
		says: "Recent frames as a file",
		query: {
			seconds: optional(number("s to look back, clamped to 1..120", undefined, undefined, { default: 30 })),
			bus,
			format: optional(
				oneOf(["text", "candump", "savvycan"], undefined, {
					default: "text",
				}),
			),
			dir: optional(oneOf(["all", "rx", "tx"], "As received, as sent, or both", { default: "all" })),
		},
		answer: { "text/plain": text(), "text/csv": text() },
		answerHeaders: { "X-Covered-Ms": whole("How many ms before the request are covered without a gap") },
		means: "One line per frame, oldest first",
		errors: {
			400: { "invalid format": "", "invalid dir": "", "invalid seconds": "" },
			503: { busy: "another dump is being sent, or the heap is too full" },
		},
	},
	"GET /api/canview/dbc": {
		id: "getDbc",
		says: "The known signals as a DBC file",
		query: { network: optional(oneOf(["pq", "mqb"], "Unless given, that of the coupling's generation")) },
		answer: { "text/plain": text() },
		means: "The file, compressed with gzip",
		notModified: true,
		errors: { 400: { "invalid network": "" } },
	},
	"GET /api/canview/capture": { id: "getCapture", says: "State of the capture mode", answer: Capture, means: "The state" },
	"POST /api/canview/capture": {
		id: "postCapture",
		says: "Begin or end the capture mode: stock, controller off, broadcast on",
		body: CaptureRequest,
		example: { active: true },
		answer: Capture,
		means: "The state",
		errors: { 400: { "invalid active": "" }, 503: { busy: NOT_APPLIED } },
	},
	"GET /api/analyzer": { id: "getAnalyzer", says: "State of the port for SavvyCAN", answer: Analyzer, means: "The state" },
	"POST /api/analyzer": {
		id: "postAnalyzer",
		says: "Switch the port for SavvyCAN, and whether its clients may send",
		body: AnalyzerRequest,
		example: { enabled: true },
		answer: Analyzer,
		means: "The state, once it is active",
		errors: {
			400: { "invalid enabled": "", "invalid maySend": "" },
			409: { "sending refused": "`detail` says why" },
			503: { busy: NOT_APPLIED },
		},
	},
};
