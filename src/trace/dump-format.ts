/**
 * The text forms of frames: the reference's table, the log of `candump -L`, SavvyCAN's CSV, and our CAN log. A line is written straight into the answer,
 * in three parts, so that the two lines of a frame, received and sent, share what is the same: prefix, place, tail.
 */

import { decimalDigits, hexDigits, LOWER_DIGITS, UPPER_DIGITS, writeDecimal, writeHex, writeHexBytes } from "../text/digits.js";
import { encodeUtf8 } from "../text/utf8.js";
import { BUS_NAMES, type BusFilter, RECEIVED_ROWS, SENT_ROWS } from "./bus-filter.js";
import type { RecordReader } from "./record-reader.js";

/** No line is longer. */
export const LONGEST_LINE_BYTES = 96;

/** How the lines of a record look. */
export interface LineFormat {
	/** Writes what all lines of the record that is shown begin with. @returns the index after it, as does `tail` */
	prefix(record: RecordReader, into: Uint8Array, at: number): number;
	/** Bus, direction and what else is said there. */
	place(record: RecordReader, sent: boolean): Uint8Array;
	/** Writes the frame as sent, or as received, and the line's end. */
	tail(record: RecordReader, sent: boolean, into: Uint8Array, at: number): number;
}

export interface DumpFormat extends LineFormat {
	/** As in `format=`. */
	readonly name: string;
	readonly contentType: string;
	readonly fileName: string;
	/** True if lines that begin with "#" may stand anywhere. */
	readonly allowsComments: boolean;
	/** What stands before the first line; "" = nothing. */
	head(windowMs: number, filter: BusFilter): string;
}

const TAB = 0x09;
const LF = 0x0a;
const SPACE = 0x20;
const HASH = 0x23;
const COMMA = 0x2c;
const DOT = 0x2e;
const ZERO = 0x30;
const LETTER_R = 0x52;
const LETTER_X = 0x78;
const OPENING = 0x28;

/** Texts by 4 * sent + 2 * flag + bus. */
const TABLE_PLACES = Object.freeze(
	["RX\t-", "RX\tGEN", "TX\t-", "TX\tGEN"].flatMap((kind) => BUS_NAMES.map((name) => encodeUtf8(`\t${name}\t${kind}\t0`))),
);
const CSV_PLACES = Object.freeze(
	["false,Rx", "true,Rx", "false,Tx", "true,Tx"].flatMap((kind) => BUS_NAMES.map((_, bus) => encodeUtf8(`,${kind},${bus},`))),
);
/** By bus. */
const CANDUMP_PLACES = Object.freeze(BUS_NAMES.map((_, bus) => encodeUtf8(`) can${bus} `)));
const CSV_ZEROS = encodeUtf8("00,00,00,00,00,00,00,00,\n");

/** The reference's. Source: docs/http-api.md 3.21. */
const TABLE: DumpFormat = Object.freeze({
	name: "text",
	contentType: "text/plain",
	fileName: "openhaldex-can-dump.txt",
	allowsComments: true,
	head(windowMs: number, filter: BusFilter): string {
		return `OpenHaldex CAN dump\nwindow_ms=${windowMs} bus=${filter.name}\nts_ms\tbus\tdir\tgen\tid\tdlc\tdata\n`;
	},
	prefix(record: RecordReader, into: Uint8Array, at: number): number {
		const timeMs = Math.trunc(record.timeUs / 1000) >>> 0;
		return writeDecimal(timeMs, decimalDigits(timeMs), into, at);
	},
	place(record: RecordReader, sent: boolean): Uint8Array {
		return TABLE_PLACES[sent ? 4 + (record.generated ? 2 : 0) + record.sentOn : record.receivedOn];
	},
	tail(record: RecordReader, sent: boolean, into: Uint8Array, start: number): number {
		let at = start;
		into[at++] = LETTER_X;
		at = writeHex(record.frameId, hexDigits(record.frameId), LOWER_DIGITS, into, at);
		into[at++] = TAB;
		into[at++] = ZERO + record.dlc(sent);
		into[at++] = TAB;
		const dataAt = record.dataAt(sent);
		at = writeHexBytes(record.bytes, dataAt, dataAt + record.dataLength(sent), SPACE, LOWER_DIGITS, into, at);
		into[at++] = LF;
		return at;
	},
});

/** Source: can-utils, `candump -L`; the chassis is can0. */
const CANDUMP: DumpFormat = Object.freeze({
	name: "candump",
	contentType: "text/plain",
	fileName: "openhaldex-can-dump.log",
	allowsComments: false,
	head: () => "",
	prefix(record: RecordReader, into: Uint8Array, start: number): number {
		const seconds = Math.trunc(record.timeUs / 1e6);
		into[start] = OPENING;
		const at = writeDecimal(seconds, 10, into, start + 1);
		into[at] = DOT;
		return writeDecimal(record.timeUs - seconds * 1e6, 6, into, at + 1);
	},
	place(record: RecordReader, sent: boolean): Uint8Array {
		return CANDUMP_PLACES[sent ? record.sentOn : record.receivedOn];
	},
	tail(record: RecordReader, sent: boolean, into: Uint8Array, start: number): number {
		let at = writeHex(record.frameId, record.extended ? 8 : 3, UPPER_DIGITS, into, start);
		into[at++] = HASH;
		if (record.remote) {
			into[at++] = LETTER_R;
			if (record.dlc(sent) > 0) into[at++] = ZERO + record.dlc(sent);
		} else {
			const dataAt = record.dataAt(sent);
			at = writeHexBytes(record.bytes, dataAt, dataAt + record.dlc(sent), 0, UPPER_DIGITS, into, at);
		}
		into[at++] = LF;
		return at;
	},
});

/** Source: SavvyCAN, FrameFileIO::saveNativeCSVFile; it has no column for remote frames and writes them without data, as we do. */
const SAVVYCAN: DumpFormat = Object.freeze({
	name: "savvycan",
	contentType: "text/csv",
	fileName: "openhaldex-can-dump.csv",
	allowsComments: false,
	head: () => "Time Stamp,ID,Extended,Dir,Bus,LEN,D1,D2,D3,D4,D5,D6,D7,D8\n",
	prefix(record: RecordReader, into: Uint8Array, start: number): number {
		const at = writeDecimal(record.timeUs, decimalDigits(record.timeUs), into, start);
		into[at] = COMMA;
		return writeHex(record.frameId, 8, UPPER_DIGITS, into, at + 1);
	},
	place(record: RecordReader, sent: boolean): Uint8Array {
		return CSV_PLACES[(sent ? 4 + record.sentOn : record.receivedOn) + (record.extended ? 2 : 0)];
	},
	tail(record: RecordReader, sent: boolean, into: Uint8Array, start: number): number {
		const length = record.dataLength(sent);
		into[start] = ZERO + length;
		into[start + 1] = COMMA;
		into.set(CSV_ZEROS, start + 2);
		const dataAt = record.dataAt(sent);
		writeHexBytes(record.bytes, dataAt, dataAt + length, COMMA, UPPER_DIGITS, into, start + 2);
		return start + 2 + CSV_ZEROS.length;
	},
});

const CAN = encodeUtf8("\tCAN");
/** The lines of the CAN log. Source: docs/http-api.md 3.28. */
export const LOG_LINE: LineFormat = Object.freeze({
	prefix(record: RecordReader, into: Uint8Array, at: number): number {
		return put(CAN, into, TABLE.prefix(record, into, at));
	},
	place: TABLE.place,
	tail: TABLE.tail,
});

export const DUMP_FORMATS: readonly DumpFormat[] = Object.freeze([TABLE, CANDUMP, SAVVYCAN]);

/**
 * Writes the lines of a record that are wanted: as received, then as sent. The caller made room for two of LONGEST_LINE_BYTES.
 * @param number of a record in hand @param wanted its rows, as bits @returns the index after them
 */
export function writeRecord(
	record: RecordReader,
	number: number,
	wanted: number,
	format: LineFormat,
	into: Uint8Array,
	start: number,
): number {
	const rows = record.rows(number) & wanted;
	if (rows === 0) return start;
	record.show(number);
	const received = (rows & RECEIVED_ROWS) !== 0;
	let at = start;
	let prefixEnd = start;
	let tailAt = start;
	if (received) {
		prefixEnd = format.prefix(record, into, start);
		tailAt = put(format.place(record, false), into, prefixEnd);
		at = format.tail(record, false, into, tailAt);
	}
	if ((rows & SENT_ROWS) === 0) return at;
	const tailEnd = at;
	at = received ? repeat(into, start, prefixEnd, at) : format.prefix(record, into, at);
	at = put(format.place(record, true), into, at);
	return received && !record.changed ? repeat(into, tailAt, tailEnd, at) : format.tail(record, true, into, at);
}

function put(bytes: Uint8Array, into: Uint8Array, at: number): number {
	into.set(bytes, at);
	return at + bytes.length;
}

/** Copies `into[start, end)` to `at`. */
function repeat(into: Uint8Array, start: number, end: number, at: number): number {
	into.copyWithin(at, start, end);
	return at + end - start;
}
