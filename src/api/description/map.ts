/** The active map and the curves, and maps that are stored. */

import { Flag, mapPath, Ok, OkPath, OkState, revision } from "./common.js";
import { type Endpoint, type Endpoints, NOT_APPLIED } from "./route.js";
import {
	anyOf,
	described,
	exactly,
	flag,
	list,
	named,
	number,
	object,
	oneOf,
	optional,
	percent,
	raw,
	type TProperties,
	text,
	whole,
} from "./schema.js";

const SPEEDS = 9;
const PEDALS = 7;

export const LockMap = named(
	"LockMap",
	object(
		{
			speedBins: exactly(SPEEDS, whole(undefined, 0, 65535)),
			throttleBins: exactly(PEDALS, percent()),
			lockTable: exactly(PEDALS, exactly(SPEEDS, percent())),
			from: optional(text('Of an earlier map: name of the stored map that it was made from, "" = of none')),
		},
		"Lock by pedal (rows, %) and speed (columns, km/h)",
	),
);

const values = {
	speedBins: exactly(SPEEDS, number()),
	throttleBins: exactly(PEDALS, number()),
	lockTable: exactly(PEDALS, exactly(SPEEDS, number())),
};
const ROUNDED = "Rounded; cells and pedals clamped to 0..100, speeds to 0..65535; then both axes must ascend";
const tried = {
	revision: revision("`revisions.map`"),
	try: optional(described(Flag, "Active without a name unless `from` is the same: the file of the named map stays as it is")),
	from: optional(text('Path or name of the stored map that it was made from, "" = of none; absent: that of the active map')),
};
const LockMapValues = named("LockMapValues", object(values, ROUNDED));
/** The map in `map`, which does not count beside one of its members at the top level. */
function inMap(more: TProperties) {
	const { properties, ...schema } = object({ map: LockMapValues, ...more });
	return raw({ ...schema, properties: { ...properties, speedBins: false, throttleBins: false, lockTable: false } });
}
const TOP_OR_MAP = "The three members at the top level or, if none of them is there, in `map`";

const LockMapBody = named("LockMapBody", object({ ...values, ...tried }, ROUNDED));
const LockMapRequest = named("LockMapRequest", anyOf([LockMapBody, inMap(tried)], TOP_OR_MAP));
const C6_SPEEDS = 7;
const LockMapC6 = named(
	"LockMapC6",
	object(
		{
			speedArray: exactly(C6_SPEEDS, number()),
			throttleArray: exactly(PEDALS, number()),
			lockArray: exactly(PEDALS, exactly(C6_SPEEDS, number())),
		},
		"As GET /api/settings of OpenHaldex-C6 answers: gets two more speeds, with the lock of its last one",
	),
);
const LockMapImport = named("LockMapImport", anyOf([LockMapValues, inMap({}), LockMapC6], `${TOP_OR_MAP}, or as OpenHaldex-C6`));

/** Points, the curve and the request of an input. @param max of x, in `unit` */
function curve(name: string, max: number, unit: string) {
	const points = named(
		`${name}Points`,
		list(object({ x: whole(unit, 0, max), lock: percent() }), { minItems: 1, maxItems: 12 }, "x ascends"),
	);
	return {
		points,
		curve: named(`${name}Curve`, object({ count: whole(undefined, 1, 12), points })),
		request: named(`${name}CurveRequest`, object({ points, revision: revision("`revisions`") })),
	};
}
const speed = curve("Speed", 300, "km/h");
const throttle = curve("Throttle", 100, "%");
const rpm = curve("Rpm", 10000, "1/min");
export const CurvePoints = speed.points;
/** The answer of an endpoint that finds another revision. */
export const ACTIVE_STATES = [LockMap, speed.curve, throttle.curve, rpm.curve];

export const MapList = named(
	"MapList",
	object({
		current: text("Path of the active map", { pattern: "^/maps/[^/]+\\.json$" }),
		currentName: text(),
		maps: list(object({ name: text(), path: mapPath(), format: oneOf(["json", "txt"]), readOnly: flag() })),
	}),
);

/** A file by its path or its name, one of which must be there and not empty. */
export const pathOrName = (says: string) =>
	object({ path: optional(text()), name: optional(text()) }, says, {
		anyOf: ["path", "name"].map((member) => ({
			required: [member],
			properties: { [member]: { type: "string", minLength: 1 } },
		})),
	});
const StoredMap = named("StoredMap", pathOrName("The path, or the name"));

const mapName = text("At most 63 bytes with .json, not only blanks", {
	minLength: 1,
	maxLength: 63,
	pattern: "[^ ]",
});
const NewMap = named("NewMap", object({ name: mapName, revision: revision("`revisions.map`") }));

const before = optional(whole("How many changes ago", 0, 10, { default: 0 }));
const BEFORE = { 400: { "invalid before": "" }, 404: { "not found": "there is no such state" } };
const CHANGED = { "changed meanwhile": "`revision` is not the active one" };
const NOT_A_MAP = {
	"invalid map sizes": "",
	"invalid lock table": "",
	"bins must ascend": "",
};
const LOADED = { busy: NOT_APPLIED };

function curveEndpoints(name: string, max: number, { curve: answer, request }: ReturnType<typeof curve>) {
	const lower = name.toLowerCase();
	const get: Endpoint = {
		id: `get${name}Curve`,
		says: `The ${lower} curve`,
		query: { before },
		answer,
		means: "The curve",
		errors: BEFORE,
	};
	const post: Endpoint = {
		id: `post${name}Curve`,
		says: `Replace the ${lower} curve, x 0..${max}`,
		body: request,
		example: {
			points: [
				{ x: 0, lock: 0 },
				{ x: max, lock: 80 },
			],
		},
		answer: OkState,
		means: "Active",
		errors: {
			400: {
				"invalid points": "not 1 to 12",
				"point out of range": "",
				"points must ascend": "",
				"invalid revision": "not a whole number",
			},
			409: CHANGED,
			503: LOADED,
		},
	};
	return { [`GET /api/curve/${lower}`]: get, [`POST /api/curve/${lower}`]: post };
}

export const MAP: Endpoints = {
	"GET /api/map": { id: "getMap", says: "The active map", query: { before }, answer: LockMap, means: "The map", errors: BEFORE },
	"POST /api/map": {
		id: "postMap",
		says: "Replace the active map",
		body: LockMapRequest,
		answer: Ok,
		means: "Active",
		errors: {
			400: {
				...NOT_A_MAP,
				"invalid revision": "not a whole number",
				"invalid try": "",
				"invalid from": "",
				"save failed": "the flash cannot forget the map's name",
			},
			409: CHANGED,
			503: LOADED,
		},
	},
	"POST /api/map/swap": {
		id: "postMapSwap",
		says: "Activate the previous map; the next swap brings the present one back",
		body: object({ revision: revision("`revisions.map`") }),
		example: {},
		answer: OkPath,
		means: "Active",
		errors: {
			400: { "invalid revision": "not a whole number", "swap failed": "no other map was active, or the flash is full" },
			409: CHANGED,
			503: LOADED,
		},
	},
	...curveEndpoints("Speed", 300, speed),
	...curveEndpoints("Throttle", 100, throttle),
	...curveEndpoints("Rpm", 10000, rpm),
	"GET /api/maps": { id: "getMaps", says: "The stored maps", answer: MapList, means: "The list" },
	"POST /api/maps/load": {
		id: "postMapsLoad",
		says: "Activate a stored map",
		body: StoredMap,
		example: { path: "/maps/fwd.txt" },
		answer: OkPath,
		means: "Active",
		errors: {
			400: { "missing path": "", "load failed": "no such map, an invalid file, or a full flash" },
			503: LOADED,
		},
	},
	"POST /api/maps/save": {
		id: "postMapsSave",
		says: "Store the active map under a name",
		body: NewMap,
		example: { name: "Winter" },
		answer: OkPath,
		means: "Stored, and current",
		errors: {
			400: {
				"missing name": "",
				"save failed": "an invalid name, 64 maps, or a full flash",
				"invalid revision": "not a whole number",
			},
			409: CHANGED,
		},
	},
	"POST /api/maps/delete": {
		id: "postMapsDelete",
		says: "Delete a stored map",
		body: StoredMap,
		answer: Ok,
		means: "Deleted",
		errors: { 400: { "missing path": "", "delete failed": "no such map, or it is read-only, current or of a condition" } },
	},
	"GET /api/maps/export": {
		id: "getMapsExport",
		says: "A map as a file",
		query: {
			path: optional(text("Path of a stored map; without path and name, the active map")),
			name: optional(text("Name of a stored map")),
			format: optional(oneOf(["txt", "json"], undefined, { default: "txt" })),
		},
		answer: { "text/plain": text(), "application/json": LockMap },
		means: "The file, as an attachment",
		errors: { 400: { "invalid format": "", "export failed": "the file is invalid" }, 404: { "not found": "no such map" } },
	},
	"POST /api/maps/import": {
		id: "postMapsImport",
		says: "Store a map from a file; the active map stays",
		query: { name: mapName },
		body: {
			"application/json": LockMapImport,
			"text/plain": text(
				"The TXT form: a header with nine speeds and seven lines, columns by tabs, semicolons, commas or blanks",
				{ minLength: 1 },
			),
		},
		answer: OkPath,
		means: "Stored",
		errors: {
			400: { ...NOT_A_MAP, "missing name": "", "import failed": "as `save failed`, or the current map" },
		},
	},
};
