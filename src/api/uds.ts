/**
 * /api/uds/... and /api/diag/measured: requests to the coupling's control unit. An answer comes when the job
 * has ended; the car is asked by a worker, so that neither the control loop nor other clients wait.
 * Source: docs/api.md, "Diagnosis".
 */

import { MUST_STAND } from "../analyzer/permission.js";
import { isRunning } from "../can/bus.js";
import { IDENTITY, KWP_VALUES, MEASURED } from "../can/layouts/diagnosis-data.js";
import type { DiagnosisRoute } from "../can/layouts/diagnosis-ids.js";
import { elapsedMs } from "../clock/elapsed.js";
import { COUPLINGS, couplingOf } from "../coupling/couplings/couplings.js";
import {
	type DiagnosisJob,
	type DiagnosisTransport,
	type ExchangeResult,
	type ExchangeStatus,
	isOver,
	notExchanged,
} from "../diagnosis/diagnosis.js";
import {
	asText,
	BLOCK_VALUE_BYTES,
	BLOCK_VALUES_AT,
	clearDtcs,
	clearKwpDtcs,
	faultType,
	kwpQuantity,
	kwpTroubleCodes,
	measuredNumber,
	nrcName,
	readDid,
	readDtcs,
	readKwpDtcs,
	readLocalId,
	STATUS_LABELS,
	startSession,
	type TroubleCode,
	troubleCodes,
} from "../diagnosis/services.js";
import { jsonTexts } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { upperCase } from "../text/characters.js";
import { hexadecimal, hexOf, hexText, hexValues } from "../text/hexadecimal.js";
import { inOwnTurn } from "./active-state.js";
import type { ApiContext } from "./context.js";
import { reject } from "./problem.js";
import { jsonObject } from "./request-values.js";

/** Generations whose control unit can be asked. */
const ASKED = COUPLINGS.filter(({ diagnosis }) => diagnosis !== "").map(({ generation }) => generation);
const UNSUPPORTED = Object.freeze({
	status: "unsupported_generation",
	message: `set the coupling generation to ${ASKED.slice(0, -1).join(", ")} or ${ASKED[ASKED.length - 1]} first`,
});
/* How long each response may take. Source: docs/api.md, "Diagnosis"; for KWP docs/control-and-can.md 5.4. */
const PROBE_MS = 900;
const READ_MS = 1500;
const DTC_MS = 3000;
const KWP_MS = 5000;
const DEFAULT_LOCAL_IDS: readonly number[] = Object.freeze([1, 2, 3, 4]);
/**
 * Source: docs/api.md, "Diagnosis". Over UDS 16 that are each answered after READ_MS take 24 s of the 30 s
 * that an answer may (`answerTimeoutMs`).
 */
const IDS_MAX = 16;
/* Highest identifiers of services 22 and 21. */
const DID_MAX = 0xffff;
const LOCAL_ID_MAX = 0xff;
/** A positive response to 22 echoes its two bytes of identifier, one to 21 its one. */
const DID_DATA_AT = 3;
/** A control unit may send 252, of each of ten values. The longest that is known, a VIN, has 17. */
const VALUE_BYTES_MAX = 32;
/** A block has four; a tester shows eight where it reads two blocks at once. */
const BLOCK_VALUES_MAX = 8;
const ODX_FILE = 0;

interface Question extends Pick<DiagnosisJob, "transport" | "requests" | "timeoutMs"> {
	readonly probeMs?: number;
	readonly isProbe?: boolean;
	/** Asked until it is sent, which may be seconds later: then it is `can_not_ready`. */
	readonly isForbidden?: () => boolean;
	/** The answer has the `result` of its last exchange. */
	readonly hasResult: boolean;
	readonly members: (results: readonly ExchangeResult[]) => object;
}

function ask(context: ApiContext, response: HttpResponse, question: Question): void {
	const { controller, diagnosis } = context;
	const { transport, requests, timeoutMs, probeMs = timeoutMs, isProbe = false } = question;
	const ended = (results: readonly ExchangeResult[], route: DiagnosisRoute | undefined): void => {
		const last = results[results.length - 1];
		const isOk = results.some(({ status }) => status === "positive");
		const result = question.hasResult ? { result: resultObject(last, route) } : {};
		response.jsonPieces(jsonTexts(answerOf(context, isOk, { ...result, ...question.members(results) })));
	};
	if (!isRunning(controller.sample.couplingBusState)) ended([notExchanged("can_not_ready", requests[0])], undefined);
	else
		diagnosis.start({
			transport,
			requests,
			timeoutMs,
			probeMs,
			isProbe,
			isAbandoned: () => response.abandoned || question.isForbidden?.() === true,
			// the last frame has had this turn
			ended: (results, route) => inOwnTurn(context, response, () => ended(results, route)),
		} satisfies DiagnosisJob);
}

/** A control unit may fill each response: all that is made of them is too much for the heap at once. */
function* each<T>(values: readonly T[], itemOf: (value: T, index: number) => object): Generator<object, void, void> {
	for (let i = 0; i < values.length; i++) yield itemOf(values[i], i);
}

/** An answer about diagnosis, around its own members. */
function answerOf(context: ApiContext, ok: boolean, members: object): object {
	const { generation } = context.controller.settings;
	return { ok, haldexGeneration: generation, couplingGeneration: generation, ...members, uds: diagnosisStatus(context) };
}

/** Looks for the control unit anew; by KWP2000 it opens a session, and needs no more. */
export function postUdsProbe(context: ApiContext, _request: HttpRequest, response: HttpResponse): void {
	const isKwp = transportOf(context) === "kwp_tp20";
	ask(context, response, {
		transport: isKwp ? "kwp_tp20" : "uds_can",
		requests: [isKwp ? startSession() : readDid(IDENTITY[ODX_FILE].did)],
		timeoutMs: isKwp ? KWP_MS : PROBE_MS,
		isProbe: !isKwp,
		hasResult: true,
		members: ([{ status, response: found }]) => {
			const text = isKwp || status !== "positive" ? undefined : asText(found, DID_DATA_AT);
			return text === undefined ? {} : { asamOdxFileIdentifier: text };
		},
	});
}

/** Identity of the control unit, ten values; it stops at the first one without an answer. */
export function postUdsIdentity(context: ApiContext, _request: HttpRequest, response: HttpResponse): object | undefined {
	const requests = IDENTITY.map(({ did }) => readDid(did));
	if (transportOf(context) === "kwp_tp20") return withoutDids(context, requests[0], {});
	ask(context, response, {
		transport: "uds_can",
		requests,
		timeoutMs: READ_MS,
		probeMs: PROBE_MS,
		hasResult: false,
		members: (results) => {
			const positive = results.filter(({ status }) => status === "positive");
			if (results[0].status === "no_route" || results[0].status === "can_not_ready")
				return { result: resultObject(results[0], undefined) };
			const values = results.map(({ status, response: found }) => (status === "positive" ? shownValue(found) : undefined));
			const meaningful = values.filter((value) => value !== undefined && value !== "");
			const last = results[results.length - 1];
			return {
				records: each(results, (result, i) => identityRecord(result, i, values[i])),
				positiveResponseCount: positive.length,
				meaningfulPositiveResponseCount: meaningful.length,
				...(isOver(last.status) ? { lastResult: resultObject(last, context.diagnosis.worker.route) } : {}),
				...identityFields(values.map((value) => value || undefined)),
			};
		},
	});
	return undefined;
}

/** By KWP2000 the control unit has no data identifiers, and to a request by UDS it is silent. */
function withoutDids(context: ApiContext, request: Uint8Array, members: object): object {
	const result = resultObject(notExchanged("unsupported_generation", request), undefined);
	return answerOf(context, false, { result, ...members });
}

/** The values once more at the top, in the order of IDENTITY. The names are never made of texts. */
function identityFields(values: readonly (string | undefined)[]): object {
	return {
		asamOdxFileIdentifier: values[0],
		asamOdxFileVersion: values[1],
		partNumber: values[2],
		softwareVersion: values[3],
		systemSupplierIdentifier: values[4],
		vin: values[5],
		hardwareNumber: values[6],
		hardwareVersion: values[7],
		dataSetNumber: values[8],
		dataSetVersion: values[9],
	};
}

/** The first 32 bytes: more of it is in `rawDataHex`. @param response a positive one to `readDid` */
function shownValue(response: Uint8Array): string {
	const shown = response.subarray(0, DID_DATA_AT + VALUE_BYTES_MAX);
	return asText(shown, DID_DATA_AT) ?? bytesText(shown, DID_DATA_AT);
}

function identityRecord(result: ExchangeResult, index: number, value: string | undefined): object {
	const { did, label, field } = IDENTITY[index];
	const what = { did: `0x${hexText(did, 4)}`, label, field, ok: result.status === "positive" };
	if (result.status !== "positive") return { ...what, ...failureOf(result) };
	return { ...what, value, rawDataHex: bytesText(result.response, DID_DATA_AT) };
}

function failureOf(result: ExchangeResult): object {
	const { status, nrc } = result;
	const message = messageOf(result);
	return status === "negative_response" ? { status, message, nrc: hexText(nrc, 2), nrcName: message } : { status, message };
}

/** One value by its data identifier. */
export function getUdsRead(context: ApiContext, request: HttpRequest, response: HttpResponse): object | undefined {
	const text = request.query("did");
	if (text === undefined) reject(400, "did query parameter required", { field: "did", allowed: "0..FFFF, hexadecimal" });
	return answerRead(context, response, text, hexOf(text, DID_MAX));
}

/** One value by the data identifier in the body. */
export function postUdsRead(context: ApiContext, request: HttpRequest, response: HttpResponse): object | undefined {
	const body = jsonObject(request, "did dataIdentifier");
	const given = [body.did, body.dataIdentifier].filter((value) => value !== undefined);
	const wrong = given.find((value) => didOf(value) < 0);
	return answerRead(context, response, wrong ?? given[0] ?? null, wrong === undefined ? didOf(given[0]) : -1);
}

function didOf(value: unknown): number {
	if (typeof value === "string") return hexOf(value, DID_MAX);
	return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= DID_MAX ? value : -1;
}

function answerRead(context: ApiContext, response: HttpResponse, value: unknown, did: number): object | undefined {
	if (did < 0) reject(400, "invalid did", { field: "did", value, allowed: "0..FFFF, hexadecimal" });
	const name = { did: `0x${hexText(did, 4)}` };
	if (transportOf(context) === "kwp_tp20") return withoutDids(context, readDid(did), name);
	ask(context, response, {
		transport: "uds_can",
		requests: [readDid(did)],
		timeoutMs: READ_MS,
		hasResult: true,
		members: ([result]) => {
			const { status, response: found } = result;
			return status === "positive" ? { ...name, rawDataHex: bytesText(found, DID_DATA_AT), value: shownValue(found) } : name;
		},
	});
	return undefined;
}

/** A number of 0..`max`, `usual` where it is absent; else 400 `invalid <name>`. */
function hexIn(request: HttpRequest, name: string, usual: string, max: number): number {
	const text = request.query(name) ?? usual;
	const value = hexOf(text, max);
	if (value < 0)
		reject(400, `invalid ${name}`, { field: name, value: text, allowed: `0..${upperCase(max.toString(16))}, hexadecimal` });
	return value;
}

/** Reads the faults. KWP has no mask, and ignores it. */
export function udsDtc(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const mask = hexIn(request, "statusMask", "AF", 0xff);
	const transport = transportOf(context) || "uds_can";
	const isKwp = transport === "kwp_tp20";
	ask(context, response, {
		transport,
		requests: [isKwp ? readKwpDtcs() : readDtcs(mask)],
		timeoutMs: isKwp ? KWP_MS : DTC_MS,
		hasResult: true,
		members: ([result]) => ({ statusMask: hexText(mask, 2), dtc: dtcObject(result, isKwp) }),
	});
}

function dtcObject({ status, response }: ExchangeResult, isKwp: boolean): object {
	if (status !== "positive") return { parsed: false };
	if (isKwp) {
		const codes = kwpTroubleCodes(response);
		return {
			parsed: true,
			reportType: "",
			statusAvailabilityMask: "",
			dtcCount: codes.length,
			records: each(codes, (code) => dtcRecord(code, 4)),
		};
	}
	const read = troubleCodes(response);
	const head = { parsed: true, reportType: response.length > 1 ? hexText(response[1], 2) : "" };
	if (read === undefined) return { ...head, statusAvailabilityMask: "", dtcCount: 0 };
	const { codes, statusMask } = read;
	const records = each(codes, (code) => dtcRecord(code, 6));
	return { ...head, statusAvailabilityMask: hexText(statusMask, 2), dtcCount: codes.length, records };
}

function dtcRecord({ code, status }: TroubleCode, digits: number): object {
	const text = hexText(code, digits);
	const spaced =
		digits === 6 ? `${text.slice(0, 2)} ${text.slice(2, 4)} ${text.slice(4)}` : `${text.slice(0, 2)} ${text.slice(2)}`;
	return {
		rawDtcHex: text,
		rawDtcSpaced: spaced,
		statusHex: hexText(status, 2),
		statusByte: status,
		odisFaultType: faultType(status),
		statusLabels: STATUS_LABELS.filter((_, bit) => (status & (1 << bit)) !== 0),
	};
}

/** Rejected in a car that may be moving. */
export function postUdsClearDtc(context: ApiContext, request: HttpRequest, response: HttpResponse): object | undefined {
	const group = hexIn(request, "groupOfDTC", "FFFFFF", 0xffffff);
	const transport = transportOf(context);
	if (transport === "") return answerOf(context, false, { transport, ...UNSUPPORTED });
	const groupOfDTC = `${hexText(group >> 16, 2)} ${hexText((group >> 8) & 0xff, 2)} ${hexText(group & 0xff, 2)}`;
	// two bytes on KWP, of which FF 00 means all
	const request14 = transport === "uds_can" ? clearDtcs(group) : clearKwpDtcs(group === 0xffffff ? 0xff00 : group >> 8);
	let mayMove = false;
	const timeoutMs = transport === "uds_can" ? DTC_MS : KWP_MS;
	ask(context, response, {
		transport,
		requests: [request14],
		timeoutMs,
		hasResult: true,
		isForbidden: () => {
			mayMove ||= context.controller.vehicle.motion !== "stands";
			return mayMove;
		},
		members: ([result]) => ({
			...(mayMove ? { result: { ...resultObject(result, undefined), message: MUST_STAND } } : {}),
			transport,
			groupOfDTC,
		}),
	});
	return undefined;
}

/** Measured values: by UDS each of an identifier, by KWP2000 blocks of them. */
export function measured(context: ApiContext, request: HttpRequest, response: HttpResponse): object | undefined {
	const transport = transportOf(context);
	const byDid = transport === "uds_can";
	const eitherMax = transport === "kwp_tp20" ? LOCAL_ID_MAX : DID_MAX;
	const dids = listIn(request, "dids", DID_MAX);
	const localIds = listIn(request, "localIds", LOCAL_ID_MAX);
	const either = listIn(request, "ids", eitherMax);
	const own = byDid ? "dids" : "localIds";
	const given = request.query(own) === undefined ? either : byDid ? dids : localIds;
	const isGiven = request.query(own) !== undefined || request.query("ids") !== undefined;
	const ids = transport === "" ? [] : byDid || isGiven ? given : DEFAULT_LOCAL_IDS;
	const head = {
		transport,
		requestKind: transport === "" ? "" : byDid ? "did" : "localIdentifier",
		itemCount: ids.length,
	};
	if (transport === "" || ids.length === 0) {
		const why = transport === "" ? UNSUPPORTED : { status: "did_required", message: "dids query parameter required" };
		return answerOf(context, false, { ...head, positiveResponseCount: 0, items: [], ...why });
	}
	const requests = ids.map((id) => (byDid ? readDid(id) : readLocalId(id)));
	ask(context, response, {
		transport,
		requests,
		timeoutMs: byDid ? READ_MS : KWP_MS,
		hasResult: false,
		members: (results) => ({
			...head,
			positiveResponseCount: results.filter(({ status }) => status === "positive").length,
			items: each(results, (result, index) => measuredItem(context, result, ids[index], byDid)),
		}),
	});
	return undefined;
}

/** One value with its label, unit and number, if they are known; by KWP2000 a block of values. */
function measuredItem(context: ApiContext, result: ExchangeResult, id: number, byDid: boolean): object {
	const { status, response } = result;
	const name = byDid ? `0x${hexText(id, 4)}` : hexText(id, 2);
	const item = { id: name, ...(byDid ? { did: name } : { localIdentifier: name }), ok: status === "positive" };
	if (status !== "positive") {
		const said = response.length > 0 ? { responseHex: bytesText(response) } : {};
		return { ...item, ...failureOf(result), ...said };
	}
	const dataAt = byDid ? DID_DATA_AT : BLOCK_VALUES_AT;
	const raw = bytesText(response, dataAt);
	const known = byDid ? MEASURED.find(({ did }) => did === id) : undefined;
	const number = known === undefined ? Number.NaN : measuredNumber(known, response.subarray(dataAt));
	return {
		...item,
		status,
		message: messageOf(result),
		rawDataHex: raw,
		value: raw,
		responseHex: bytesText(response),
		...(byDid ? {} : { values: blockValues(context, id, response) }),
		...(known === undefined ? {} : { label: known.label, unit: known.unit, verified: known.isVerified }),
		...(Number.isNaN(number) ? {} : { number: inThousandths(number) }),
	};
}

const inThousandths = (number: number): number => Math.round(number * 1000) / 1000;

/** In the block's order, those without a number, too; none if the response has another form. */
function blockValues({ controller }: ApiContext, block: number, response: Uint8Array): object[] {
	const { generation } = controller.settings;
	const count = (response.length - BLOCK_VALUES_AT) / BLOCK_VALUE_BYTES;
	const values: object[] = [];
	if (!Number.isInteger(count)) return values;
	for (let place = 0; place < count && place < BLOCK_VALUES_MAX; place++) {
		const at = BLOCK_VALUES_AT + place * BLOCK_VALUE_BYTES;
		const formula = response[at];
		const quantity = kwpQuantity(formula, response[at + 1], response[at + 2]);
		const known = KWP_VALUES.find(
			(row) => row.generations.includes(generation) && row.block === block && row.place === place && row.formula === formula,
		);
		values.push({
			...(known === undefined ? {} : { label: known.label }),
			...(quantity === undefined ? {} : { number: inThousandths(quantity.number), unit: quantity.unit }),
			rawDataHex: bytesText(response.subarray(at, at + BLOCK_VALUE_BYTES)),
		});
	}
	return values;
}

/** "" for a generation whose control unit cannot be asked. */
function transportOf({ controller }: ApiContext): DiagnosisTransport | "" {
	return couplingOf(controller.settings.generation)?.diagnosis ?? "";
}

/** The ids in a parameter, none if it is absent or empty; else 400, whatever the generation would use. */
function listIn(request: HttpRequest, field: "dids" | "localIds" | "ids", max: number): readonly number[] {
	const text = request.query(field) ?? "";
	const ids = hexValues(text, max, IDS_MAX);
	if (ids !== undefined && (ids.length > 0 || text === "")) return ids;
	const allowed = `1 to ${IDS_MAX} of 0..${max === DID_MAX ? "FFFF" : "FF"}, hexadecimal, with commas between them`;
	return reject(400, max === DID_MAX ? "invalid did list" : "invalid local id list", { field, value: text, allowed });
}

const NEGATIVE = 0x7f;

const MESSAGES: Readonly<Record<Exclude<ExchangeStatus, "negative_response">, string>> = Object.freeze({
	positive: "positive response",
	timeout: "the control unit does not answer",
	busy: "another job runs, or a tester of somebody else is at work",
	can_not_ready: "the coupling bus is not running",
	no_route: "no control unit answers on any route",
	unsupported_generation: "by KWP2000 the control unit has no data identifiers: ask /api/diag/measured",
	unexpected_response: "the response belongs to another request",
	send_failed: "the request could not be sent",
	bad_sequence: "a frame of the response is missing",
	payload_too_large: "the response has more than 256 bytes",
	setup_timeout: "nobody answers the request for a channel",
	setup_negative: "the control unit rejects a channel",
	ack_timeout: "the control unit acknowledges nothing",
	bad_tp20_frame: "the control unit breaks the rules of TP2.0",
	setup_send_failed: "the request for a channel could not be sent",
	bad_setup_response: "the control unit answers the request for a channel wrongly",
	params_send_failed: "the channel's parameters could not be sent",
	params_timeout: "the control unit does not answer the channel's parameters",
	bad_params_response: "the control unit answers the channel's parameters wrongly",
});

function bytesText(bytes: Uint8Array, start = 0): string {
	return upperCase(hexadecimal(bytes.subarray(start), " "));
}

function messageOf({ status, nrc }: ExchangeResult): string {
	if (status === "negative_response") return nrcName(nrc);
	return MESSAGES[status];
}

function routeObject(route: DiagnosisRoute | undefined): object {
	if (route === undefined) return { selected: false };
	const id = (value: number): string => `0x${hexText(value, route.extended ? 8 : 3)}`;
	const { name, requestId, responseId, extended } = route;
	return { selected: true, name, requestCanId: id(requestId), responseCanId: id(responseId), extended };
}

function resultObject(result: ExchangeResult, route: DiagnosisRoute | undefined): object {
	const { status, request, response, nrc, pendingSeen, elapsedMs: tookMs } = result;
	const isNegative = status === "negative_response";
	const message = messageOf(result);
	return {
		ok: status === "positive",
		status,
		message,
		timeout: status === "timeout" || status === "setup_timeout" || status === "ack_timeout",
		busy: status === "busy",
		negative: isNegative,
		pendingSeen,
		elapsedMs: tookMs,
		requestServiceId: hexText(request[0], 2),
		responseServiceId: hexText(response.length > 0 ? response[0] : 0, 2),
		responseHex: bytesText(response),
		responseLength: response.length,
		...(isNegative && response[0] === NEGATIVE
			? { negativeServiceId: hexText(response[1], 2), nrc: hexText(nrc, 2), nrcName: message }
			: {}),
		route: routeObject(route),
	};
}

/** `uds` of the status and of each answer about diagnosis. */
export function diagnosisStatus({ controller, diagnosis }: ApiContext): object {
	const { worker, nowMs } = diagnosis;
	const { active, last } = worker;
	const atRest = couplingOf(controller.settings.generation)?.diagnosis || "uds_can";
	const transport = active ? worker.transport : atRest;
	return {
		supported: true,
		transport,
		kwpTp20Supported: true,
		target: "haldex",
		active,
		udsActive: active && transport === "uds_can",
		kwpTp20Active: active && transport === "kwp_tp20",
		route: routeObject(worker.route),
		last:
			last === undefined
				? { available: false }
				: { available: true, ageMs: elapsedMs(last.atMs, nowMs), ...resultObject(last.result, last.route) },
	};
}
