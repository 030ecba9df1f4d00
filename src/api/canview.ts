/**
 * GET /api/canview: the signals and the last frames of both buses. Source: docs/http-api.md 3.20.
 * A row is put together as one text: its names come from the catalogue, which holds nothing that JSON would have to escape.
 */

import type { JsonWriter } from "../http/json-writer.js";
import { NO_BYTES } from "../http/no-bytes.js";
import type { JsonSection } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { LOWER_DIGITS, writeHexBytes } from "../text/digits.js";
import { encodeAscii } from "../text/utf8.js";
import { BUS_NAMES, parseBusFilter } from "../trace/bus-filter.js";
import { DecodedRows } from "../trace/decoded-rows.js";
import { RawRows } from "../trace/raw-rows.js";
import type { RecordReader } from "../trace/record-reader.js";
import type { ApiContext } from "./context.js";
import { wholeNumberIn } from "./query.js";

const DEFAULT_DECODED = 200;
const MOST_DECODED = 2000;
const DEFAULT_RAW = 20;
const MOST_RAW = 128;
const VALUE_DECIMALS = 3;
const MOST_DATA_BYTES = 8;
const SPACE = 0x20;
const QUOTE = 0x22;
const DATA = encodeAscii('"data":"');

interface Rows {
	readonly decoded: DecodedRows;
	readonly raw: RawRows;
	/** The gateway's clock when the answer began, ms modulo 2^32. */
	readonly nowMs: number;
	/** What the rows of one frame have in common, as JSON members: made once per frame, not once per signal. */
	frameNumber: number;
	head: Uint8Array;
	tail: Uint8Array;
}

/** Answers with the rows; an unknown bus has none. 400 `invalid decoded`, `invalid raw`. */
export function getCanview(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const { canView, controller } = context;
	const filter = parseBusFilter(request.query("bus"));
	const decodedLimit = wholeNumberIn(request, response, "decoded", 0, MOST_DECODED, DEFAULT_DECODED);
	if (decodedLimit === undefined) return;
	const rawLimit = wholeNumberIn(request, response, "raw", 0, MOST_RAW, DEFAULT_RAW);
	if (rawLimit === undefined) return;
	const { generation, uptimeMs } = controller;
	const rows: Rows = {
		decoded: new DecodedRows(canView.port, canView.directory(generation), generation, filter, decodedLimit),
		raw: new RawRows(canView.port, filter, rawLimit),
		nowMs: uptimeMs,
		frameNumber: 0,
		head: NO_BYTES,
		tail: NO_BYTES,
	};
	response.sections(200, SECTIONS, rows);
}

function openDecoded(json: JsonWriter): void {
	json.beginObject().key("decoded").beginArray();
}

function writeDecoded(json: JsonWriter, rows: Rows): boolean {
	const row = rows.decoded;
	if (!row.advance()) return false;
	if (!row.ready) return true;
	if (rows.frameNumber !== row.frameNumber) {
		rows.frameNumber = row.frameNumber;
		rows.head = encodeAscii(`"bus":"${BUS_NAMES[row.bus]}","dir":"${row.sent ? "TX" : "RX"}","id":${row.frameId}`);
		rows.tail = encodeAscii(`"ts":${row.ts},"generated":${row.generated},"ageMs":${row.ageMs},"hz":${row.hz}`);
	}
	const { value } = row;
	const text = typeof value === "string" ? `"${value}"` : row.whole ? value : value.toFixed(VALUE_DECIMALS);
	const members = encodeAscii(`"name":"${row.name}","value":${text},"unit":"${row.unit}"`);
	json.beginObject().members(rows.head).members(members).members(rows.tail).endObject();
	if (!json.overflowed) row.take();
	return true;
}

function openRaw(json: JsonWriter): void {
	json.endArray().key("raw").beginArray();
}

function writeRaw(json: JsonWriter, { raw, nowMs }: Rows): boolean {
	if (!raw.advance()) return false;
	if (!raw.ready) return true;
	const { reader, sent } = raw;
	const ts = Math.trunc(reader.timeUs / 1000) >>> 0;
	const ageMs = Math.max(0, (nowMs - ts) | 0);
	const where = `"bus":"${BUS_NAMES[raw.bus]}","dir":"${sent ? "TX" : "RX"}","id":${reader.frameId},"dlc":${reader.dlc(sent)}`;
	const when = `"ts":${ts},"generated":${sent && reader.generated},"ageMs":${ageMs}`;
	json.beginObject().members(encodeAscii(where)).members(dataMember(reader, sent)).members(encodeAscii(when)).endObject();
	if (!json.overflowed) raw.take();
	return true;
}

/** `"data":"08 00 ff"`; no bytes for a remote frame. */
function dataMember(reader: RecordReader, sent: boolean): Uint8Array {
	const member = new Uint8Array(DATA.length + 3 * MOST_DATA_BYTES);
	member.set(DATA);
	const start = reader.dataAt(sent);
	const end = start + reader.dataLength(sent);
	const at = writeHexBytes(reader.bytes, start, end, SPACE, LOWER_DIGITS, member, DATA.length);
	member[at] = QUOTE;
	return member.subarray(0, at + 1);
}

function close(json: JsonWriter): void {
	json.endArray().endObject();
}

const SECTIONS: readonly JsonSection<Rows>[] = Object.freeze([openDecoded, writeDecoded, openRaw, writeRaw, close]);
