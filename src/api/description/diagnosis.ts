/** Diagnosis of the coupling's control unit, by UDS and KWP2000. */

import { GENERATIONS } from "../../coupling/couplings/couplings.js";
import { EXCHANGE_STATUSES } from "../../diagnosis/diagnosis.js";
import { STATUS_LABELS } from "../../diagnosis/services.js";
import type { Endpoint, Endpoints } from "./route.js";
import {
	always,
	anyOf,
	count,
	flag,
	list,
	named,
	number,
	object,
	oneOf,
	optional,
	raw,
	type Static,
	type TProperties,
	type TSchema,
	text,
	whole,
} from "./schema.js";

const byte = (says?: string) => text(says, { pattern: "^[0-9A-F]{2}$" });
const bytes = (says?: string) => text(says, { pattern: "^([0-9A-F]{2}( [0-9A-F]{2})*)?$" });
const canId = text(undefined, { pattern: "^0x([0-9A-F]{3}|[0-9A-F]{8})$" });
const dataIdentifier = text(undefined, { pattern: "^0x[0-9A-F]{4}$" });
const oneOfTwo = <A extends TSchema, B extends TSchema>(a: A, b: B, description: string) =>
	raw<Static<A> | Static<B>>({ oneOf: [a, b], description });

const UdsRoute = named(
	"UdsRoute",
	oneOfTwo(
		object({ selected: always(false) }),
		object({
			selected: always(true),
			name: oneOf(["allwheel-70f", "allwheel-71d", "allwheel-29bit", "allwheel-kwp-tp20"]),
			requestCanId: canId,
			responseCanId: canId,
			extended: flag(),
		}),
		"How the control unit is reached, once that is known",
	),
);

const UdsStatusWord = named("UdsStatusWord", oneOf(EXCHANGE_STATUSES, "How a request ended"));

const result = {
	ok: flag(),
	status: UdsStatusWord,
	message: text("For people; of a negative response the name of its code"),
	timeout: flag(),
	busy: flag(),
	negative: flag(),
	pendingSeen: flag("The control unit asked for more time"),
	elapsedMs: whole(undefined, 0, 35000),
	requestServiceId: byte(),
	responseServiceId: byte(),
	responseHex: bytes("The whole response"),
	responseLength: whole(undefined, 0, 256),
	negativeServiceId: optional(byte()),
	nrc: optional(byte()),
	nrcName: optional(text()),
	route: UdsRoute,
};
const UdsResult = named(
	"UdsResult",
	object(result, "Result of the last request; `negativeServiceId`, `nrc`, `nrcName` of a negative response only"),
);
const UdsLast = named(
	"UdsLast",
	oneOfTwo(
		object({ available: always(false) }),
		object({ available: always(true), ageMs: count(), ...result }),
		"The last result of any job, and its age",
	),
);

const transport = ["uds_can", "kwp_tp20"] as const;
export const UdsStatus = named(
	"UdsStatus",
	object(
		{
			supported: always(true),
			transport: oneOf(transport),
			kwpTp20Supported: always(true),
			target: always("haldex"),
			active: flag(),
			udsActive: flag(),
			kwpTp20Active: flag(),
			route: UdsRoute,
			last: UdsLast,
		},
		"State of the diagnosis: `active` while a job asks the car, one at a time",
	),
);

const generation = oneOf([0, ...GENERATIONS]);
const answer = <P extends TProperties>(members: P, says?: string) =>
	object(
		{
			ok: flag("A response was positive"),
			haldexGeneration: generation,
			couplingGeneration: generation,
			uds: UdsStatus,
			...members,
		},
		says,
	);

const UdsProbeAnswer = named("UdsProbeAnswer", answer({ result: UdsResult, asamOdxFileIdentifier: optional(text()) }));
const UdsReadAnswer = named(
	"UdsReadAnswer",
	answer({
		result: UdsResult,
		did: dataIdentifier,
		rawDataHex: optional(bytes("Bytes after the identifier, of a positive response")),
		value: optional(text("The first 32 of them, as a text if they are one")),
	}),
);

const IDENTITY = [
	"asamOdxFileIdentifier",
	"asamOdxFileVersion",
	"partNumber",
	"softwareVersion",
	"systemSupplierIdentifier",
	"vin",
	"hardwareNumber",
	"hardwareVersion",
	"dataSetNumber",
	"dataSetVersion",
] as const;
export const UdsIdentityAnswer = named(
	"UdsIdentityAnswer",
	answer(
		{
			result: optional(UdsResult),
			records: optional(
				list(
					object({
						did: dataIdentifier,
						label: text(),
						field: oneOf(IDENTITY),
						ok: flag(),
						rawDataHex: optional(bytes("Bytes after the identifier, of a positive response")),
						value: optional(text("The first 32 of them, as a text if they are one")),
						status: optional(UdsStatusWord),
						message: optional(text()),
						nrc: optional(byte()),
						nrcName: optional(text()),
					}),
					{ maxItems: IDENTITY.length },
				),
			),
			positiveResponseCount: optional(whole(undefined, 0, IDENTITY.length)),
			meaningfulPositiveResponseCount: optional(whole("Those that are not empty", 0, IDENTITY.length)),
			lastResult: optional(UdsResult),
			...(Object.fromEntries(IDENTITY.map((field) => [field, optional(text())])) as Record<
				(typeof IDENTITY)[number],
				ReturnType<typeof optional<ReturnType<typeof text>>>
			>),
		},
		"`result` and no `records` if no control unit could be asked; `lastResult` if it ended early; values once more under their names",
	),
);

export const UdsDtcAnswer = named(
	"UdsDtcAnswer",
	answer({
		result: UdsResult,
		statusMask: byte(),
		dtc: object({
			parsed: flag("The response was positive"),
			reportType: optional(text('"" by KWP2000', { pattern: "^([0-9A-F]{2})?$" })),
			statusAvailabilityMask: optional(text('"" by KWP2000', { pattern: "^([0-9A-F]{2})?$" })),
			dtcCount: optional(whole(undefined, 0, 85)),
			records: optional(
				list(
					object({
						rawDtcHex: text("Three bytes, two by KWP2000", { pattern: "^([0-9A-F]{4}|[0-9A-F]{6})$" }),
						rawDtcSpaced: bytes("The same, byte by byte"),
						statusHex: byte(),
						statusByte: whole(undefined, 0, 255),
						odisFaultType: oneOf(["active/static", "passive/sporadic", "pending", ""]),
						statusLabels: list(oneOf(STATUS_LABELS), { maxItems: 8 }, "Of bits 0 to 7"),
					}),
					{ maxItems: 85 },
				),
			),
		}),
	}),
);

const anyTransport = oneOf([...transport, ""]);
const UdsClearAnswer = named(
	"UdsClearAnswer",
	answer(
		{
			result: optional(UdsResult),
			transport: anyTransport,
			groupOfDTC: optional(text(undefined, { pattern: "^[0-9A-F]{2} [0-9A-F]{2} [0-9A-F]{2}$" })),
			status: optional(raw<"unsupported_generation">({ const: "unsupported_generation" })),
			message: optional(text()),
		},
		"`status` and `message` in place of `result` for a generation that cannot be asked",
	),
);

const KwpValue = named(
	"KwpValue",
	object(
		{
			label: optional(text()),
			number: optional(number()),
			unit: optional(oneOf(["1/min", "%", "°C", "V", "km/h", "", "bar", "ms", "mbar", "A", "Nm"])),
			rawDataHex: text("Formula, a, b", { pattern: "^[0-9A-F]{2} [0-9A-F]{2} [0-9A-F]{2}$" }),
		},
		"A value of a block; without `number` and `unit` if its formula makes no number",
	),
);
export const UdsMeasuredItem = named(
	"UdsMeasuredItem",
	object(
		{
			id: text("Identifier as asked"),
			did: optional(dataIdentifier),
			localIdentifier: optional(byte()),
			ok: flag(),
			status: UdsStatusWord,
			message: text(),
			nrc: optional(byte()),
			nrcName: optional(text()),
			rawDataHex: optional(bytes("Bytes after the identifier")),
			value: optional(bytes("The same")),
			responseHex: optional(bytes("The whole response")),
			values: optional(list(KwpValue, { maxItems: 8 }, "By KWP2000: the values of the block, in its order")),
			label: optional(text()),
			unit: optional(oneOf(["V", "A", "%", "min", "°C"])),
			verified: optional(flag("False: not yet compared with an instrument")),
			number: optional(number("The value in its unit; absent if it is not one")),
		},
		"`label`, `unit`, `verified` of values that are known",
	),
);
const IDENTIFIERS_MAX = 16;
export const UdsMeasuredAnswer = named(
	"UdsMeasuredAnswer",
	answer({
		transport: anyTransport,
		requestKind: oneOf(["did", "localIdentifier", ""]),
		itemCount: whole("Asked for; fewer `items` after a time-out or `busy`", 0, IDENTIFIERS_MAX),
		positiveResponseCount: whole(undefined, 0, IDENTIFIERS_MAX),
		items: list(UdsMeasuredItem, { maxItems: IDENTIFIERS_MAX }),
		status: optional(oneOf(["unsupported_generation", "did_required"])),
		message: optional(text()),
	}),
);

/** A number of at most `digits` hexadecimal digits, as lenient as the reference reads it. */
const hexadecimal = (digits: number, more = {}) =>
	text(`0..${"F".repeat(digits)}, hexadecimal`, {
		...more,
		maxLength: 32,
		pattern: `^[ _]*(?:0[ _]*[xX][ _]*)?(?:0[ _]*){0,${8 - digits}}(?:[0-9a-fA-F][ _]*){1,${digits}}$`,
	});
/** 1 to 16 of them. */
const hexadecimals = (digits: number, says: string) => {
	const item = `[ _]{0,3}(?:0[xX])?(?:0[ _]?){0,${8 - digits}}(?:[0-9a-fA-F][ _]?){1,${digits}}[ _]{0,3}`;
	const separators = "[,;\\t\\r\\n]";
	return optional(
		text(says, { pattern: `^(?:${separators}{0,8}${item}(?:${separators}{1,3}${item}){0,15}${separators}{0,8})?$` }),
	);
};

const did = hexadecimal(4);
const didOrNumber = optional(anyOf([did, whole(undefined, 0, 0xffff)]));
const UdsReadRequest = named(
	"UdsReadRequest",
	object({ did: didOrNumber, dataIdentifier: didOrNumber }, "Hexadecimal text or a number", {
		anyOf: [{ required: ["did"] }, { required: ["dataIdentifier"] }],
	}),
);

const ANSWERED = "`ok` tells whether the vehicle answered";
/** By GET, and by POST as pages do it. */
const byBoth = (path: string, name: string, endpoint: Omit<Endpoint, "id">): Endpoints => ({
	[`GET ${path}`]: {
		id: `get${name}`,
		...endpoint,
		note: "Browsers get 403: a page of another site could ask the car. They use POST",
	},
	[`POST ${path}`]: { id: `post${name}`, ...endpoint, needsNoKey: true },
});
const measured = {
	says: "Read measured values",
	query: {
		dids: hexadecimals(4, "Data identifiers (generation 5), 1 to 16 of 0..FFFF with commas between"),
		localIds: hexadecimals(2, "Local identifiers (2 and 4), 1 to 16 of 0..FF"),
		ids: hexadecimals(4, "Either of them"),
	},
	answer: UdsMeasuredAnswer,
	means: ANSWERED,
	errors: { 400: { "invalid did list": "", "invalid local id list": "" } },
};
const read = { says: "Read a data identifier", answer: UdsReadAnswer, means: ANSWERED };

export const DIAGNOSIS: Endpoints = {
	"GET /api/uds/status": { id: "getUdsStatus", says: "State of the diagnosis", answer: UdsStatus, means: "The state" },
	"POST /api/uds/probe": {
		id: "postUdsProbe",
		says: "Find the coupling's diagnosis address",
		answer: UdsProbeAnswer,
		means: ANSWERED,
	},
	"GET /api/uds/read": {
		id: "getUdsRead",
		...read,
		query: { did },
		errors: { 400: { "did query parameter required": "", "invalid did": "" } },
		note: "Browsers get 403: a page of another site could ask the car. They use POST",
	},
	"POST /api/uds/read": {
		id: "postUdsRead",
		...read,
		body: UdsReadRequest,
		errors: { 400: { "invalid did": "" } },
		needsNoKey: true,
	},
	"POST /api/uds/identity": {
		id: "postUdsIdentity",
		says: "Read what identifies the coupling",
		answer: UdsIdentityAnswer,
		means: ANSWERED,
	},
	...byBoth("/api/uds/dtc", "UdsDtc", {
		says: "Read fault codes",
		query: { statusMask: optional(hexadecimal(2, { default: "AF" })) },
		answer: UdsDtcAnswer,
		means: ANSWERED,
		errors: { 400: { "invalid statusMask": "" } },
	}),
	"POST /api/uds/clear-dtc": {
		id: "postUdsClearDtc",
		says: "Clear fault codes",
		query: { groupOfDTC: optional(hexadecimal(6, { default: "FFFFFF" })) },
		answer: UdsClearAnswer,
		means: ANSWERED,
		errors: { 400: { "invalid groupOfDTC": "" } },
	},
	...byBoth("/api/diag/measured", "DiagMeasured", measured),
	...byBoth("/api/uds/measured", "UdsMeasured", measured),
};
