/**
 * /api/uds/... and /api/diag/measured: requests to the coupling's control unit. The transports are not built yet: parameters are checked,
 * and every answer has its shape with `ok: false` and the reason. Source: docs/http-api.md 4.2, 4.3.
 */

import { type JsonWriter, jsonKeys } from "../http/json-writer.js";
import type { JsonSection } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { consistsOf, HEX } from "../text/characters.js";
import type { ApiContext } from "./context.js";
import { jsonObject } from "./json.js";
import { problem } from "./problem.js";
import { writeUds, writeUdsStatus } from "./status/diagnosis.js";
import { writeGeneration } from "./status/twins.js";

const READ_MEMBERS = Object.freeze(["did", "dataIdentifier"]);
const READ_NAMES = READ_MEMBERS.join(" ");
const NOT_BUILT = "diagnostics are not built yet";
const NOT_INITIALIZED = "not_initialized";
const UNSUPPORTED = "unsupported_generation";
/** Ids of one request for measured values. */
const IDS_MAX = 16;
/** Separators of such a list: room for empty entries, which are forgiven. */
const SEPARATORS_MAX = 4 * IDS_MAX;
/** Of one number, with what is tolerated in it. */
const HEX_LENGTH_MAX = 32;
const LOCAL_IDS = "01,02,03,04";
/** Besides the comma. */
const ID_SEPARATORS = ";\t\r\n";

const K = jsonKeys([
	"ok",
	"status",
	"message",
	"timeout",
	"busy",
	"negative",
	"pendingSeen",
	"elapsedMs",
	"requestServiceId",
	"responseServiceId",
	"responseHex",
	"responseLength",
	"route",
	"selected",
	"result",
	"did",
	"statusMask",
	"dtc",
	"parsed",
	"transport",
	"groupOfDTC",
	"items",
	"requestKind",
	"itemCount",
	"positiveResponseCount",
] as const);

/** An answer: the request's service, and members of its own. */
interface Envelope {
	readonly context: ApiContext;
	/** Two upper-case hexadecimal digits; "" leaves `result` out. */
	readonly serviceId: string;
	readonly extra: (json: JsonWriter) => void;
}

function open(json: JsonWriter, { context, serviceId, extra }: Envelope): void {
	json.beginObject().key(K.ok).boolean(false);
	writeGeneration(json, context.controller);
	extra(json);
	if (serviceId !== "") writeResult(json, serviceId);
}

function close(json: JsonWriter, { context }: Envelope): void {
	writeUds(json, context);
	json.endObject();
}

const ENVELOPE: readonly JsonSection<Envelope>[] = Object.freeze([open, close]);
const STATUS: readonly JsonSection<ApiContext>[] = Object.freeze([writeUdsStatus]);

function writeResult(json: JsonWriter, serviceId: string): void {
	json.key(K.result).beginObject();
	json.key(K.ok).boolean(false).key(K.status).string(NOT_INITIALIZED).key(K.message).string(NOT_BUILT);
	json.key(K.timeout).boolean(false).key(K.busy).boolean(false).key(K.negative).boolean(false).key(K.pendingSeen).boolean(false);
	json.key(K.elapsedMs).number(0).key(K.requestServiceId).string(serviceId).key(K.responseServiceId).string("00");
	json.key(K.responseHex).string("").key(K.responseLength).number(0);
	json.key(K.route).beginObject().key(K.selected).boolean(false).endObject();
	json.endObject();
}

function answer(
	response: HttpResponse,
	context: ApiContext,
	serviceId: string,
	extra: (json: JsonWriter) => void = nothing,
): void {
	response.sections<Envelope>(200, ENVELOPE, { context, serviceId, extra });
}

function nothing(): void {}

/** The UDS status object. */
export function getUdsStatus(context: ApiContext, _request: HttpRequest, response: HttpResponse): void {
	response.sections(200, STATUS, context);
}

/** Probe and identity read data identifiers. */
export function postUdsProbe(context: ApiContext, _request: HttpRequest, response: HttpResponse): void {
	answer(response, context, "22");
}

/** 400 `did query parameter required`, `invalid did`. */
export function getUdsRead(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const text = request.query("did");
	if (text === undefined)
		problem(response, 400, "did query parameter required", { field: "did", allowed: "0..FFFF, hexadecimal" });
	else answerRead(context, response, text, hexOf(text, 0xffff));
}

/** 400 `invalid json`, `invalid object`, `invalid did`. */
export function postUdsRead(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const body = jsonObject(request, response, READ_NAMES);
	if (body === undefined) return;
	const given = READ_MEMBERS.map((member) => body[member]).filter((value) => value !== undefined);
	const wrong = given.find((value) => didOf(value) < 0);
	const value = wrong ?? given[0] ?? null;
	answerRead(context, response, value, wrong === undefined ? didOf(value) : -1);
}

/** -1 for what is none. */
function didOf(value: unknown): number {
	if (typeof value === "string") return hexOf(value, 0xffff);
	return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 0xffff ? value : -1;
}

function answerRead(context: ApiContext, response: HttpResponse, value: unknown, did: number): void {
	if (did < 0) problem(response, 400, "invalid did", { field: "did", value, allowed: "0..FFFF, hexadecimal" });
	else answer(response, context, "22", (json) => json.key(K.did).string(`0x${hexText(did, 4)}`));
}

/** 400 `invalid statusMask`. */
export function udsDtc(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const text = request.query("statusMask") ?? "AF";
	const mask = hexOf(text, 0xff);
	if (mask < 0) problem(response, 400, "invalid statusMask", { field: "statusMask", value: text, allowed: "0..FF, hexadecimal" });
	else
		answer(response, context, "19", (json) => {
			json.key(K.statusMask).string(hexText(mask, 2)).key(K.dtc).beginObject().key(K.parsed).boolean(false).endObject();
		});
}

/** 400 `invalid groupOfDTC`. */
export function postUdsClearDtc(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const text = request.query("groupOfDTC") ?? "FFFFFF";
	const group = hexOf(text, 0xffffff);
	if (group < 0) {
		problem(response, 400, "invalid groupOfDTC", { field: "groupOfDTC", value: text, allowed: "0..FFFFFF, hexadecimal" });
		return;
	}
	const transport = transportOf(context);
	answer(response, context, transport === "" ? "" : "14", (json) => {
		json.key(K.transport).string(transport);
		if (transport === "") writeUnsupported(json);
		else
			json.key(K.groupOfDTC).string(`${hexText(group >> 16, 2)} ${hexText((group >> 8) & 0xff, 2)} ${hexText(group & 0xff, 2)}`);
	});
}

/** 400 `invalid did list`, `invalid local id list`. */
export function measured(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const transport = transportOf(context);
	const byDid = transport === "uds_can";
	const given = request.query(byDid ? "dids" : "localIds") ?? request.query("ids");
	const text = given ?? (byDid ? "" : LOCAL_IDS);
	const count = transport === "" ? 0 : countIds(text, byDid ? 0xffff : 0xff);
	if (count < 0 || (transport !== "" && count === 0 && given !== undefined && given !== "")) {
		const allowed = `1 to ${IDS_MAX} of 0..${byDid ? "FFFF" : "FF"}, hexadecimal, with commas between them`;
		problem(response, 400, byDid ? "invalid did list" : "invalid local id list", { field: "ids", value: text, allowed });
		return;
	}
	answer(response, context, "", (json) => {
		json.key(K.transport).string(transport);
		json.key(K.requestKind).string(transport === "" ? "" : byDid ? "did" : "localIdentifier");
		json.key(K.itemCount).number(count).key(K.positiveResponseCount).number(0);
		json.key(K.items).beginArray().endArray();
		if (transport === "") writeUnsupported(json);
		else if (count === 0) json.key(K.status).string("did_required").key(K.message).string("dids query parameter required");
		else json.key(K.status).string(NOT_INITIALIZED).key(K.message).string(NOT_BUILT);
	});
}

function writeUnsupported(json: JsonWriter): void {
	json.key(K.status).string(UNSUPPORTED).key(K.message).string("set the coupling generation to 2, 4 or 5 first");
}

/** "" for a generation whose control unit cannot be asked. */
function transportOf({ controller }: ApiContext): string {
	const { generation } = controller;
	return generation === 5 ? "uds_can" : generation === 2 || generation === 4 ? "kwp_tp20" : "";
}

/** Number of ids in a list, empty ones not counted; -1 if one is wrong or there are too many. */
function countIds(text: string, max: number): number {
	let count = 0;
	let list = text;
	for (const separator of ID_SEPARATORS) list = list.replaceAll(separator, ",");
	if (!hasAtMost(list, ",", SEPARATORS_MAX)) return -1;
	for (const item of list.split(",")) {
		if (item.trim() === "") continue;
		if (hexOf(item, max) < 0 || ++count > IDS_MAX) return -1;
	}
	return count;
}

/** Looked at before a text is split: each part takes memory. */
function hasAtMost(text: string, separator: string, count: number): boolean {
	let at = -1;
	for (let found = 0; found <= count; found++) {
		at = text.indexOf(separator, at + 1);
		if (at < 0) return true;
	}
	return false;
}

/**
 * Value of a hexadecimal text: 1 to 8 digits, `0x` before them and blanks or `_` between them tolerated; -1 if it is none, above `max`
 * or longer than `HEX_LENGTH_MAX`.
 */
function hexOf(text: string, max: number): number {
	if (text.length > HEX_LENGTH_MAX) return -1;
	const compact = text.replaceAll(" ", "").replaceAll("_", "");
	const digits = compact.toLowerCase().startsWith("0x") ? compact.slice(2) : compact;
	const value = digits.length <= 8 && consistsOf(digits, HEX) ? Number.parseInt(digits, 16) : -1;
	return value <= max ? value : -1;
}

function hexText(value: number, digits: number): string {
	return value.toString(16).toUpperCase().padStart(digits, "0");
}
