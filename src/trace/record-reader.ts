/**
 * Reads the gateway's ring of recent frames. A record is up to two rows: the frame as it was received on one bus, and as it was sent
 * on the other. Source: modules/can-gateway/README.md "Recent frames".
 */

import type { TracePort } from "../../hal/ports.js";

/** Records read at once: the gateway is locked while they are copied. */
export const RECORDS_AT_ONCE = 16;

const HEADER_BYTES = 8;
const HEADER_WORDS = HEADER_BYTES / 4;
const RECORD_BYTES = 32;
const RECORD_WORDS = RECORD_BYTES / 4;
const RECEIVED_AT = 16;
const SENT_AT = 24;
// the word that holds both DLCs, bus and flags
const BUS_SHIFT = 16;
const FLAGS_SHIFT = 24;
const CHANGED = 1;
const DROPPED = 2;
const CYCLIC = 4;
/** Rows that a record has, by bus | flags & (DROPPED | CYCLIC): what is dropped was not sent, what is cyclic was not received. */
const ROWS = Object.freeze([1 | 8, 4 | 2, 1, 4, 2, 8, 0, 0]);
const EXTENDED_BIT = 0x80000000;
const REMOTE_BIT = 0x40000000;
const IDENTIFIER_MASK = 0x1fffffff;
const TWO_32 = 0x100000000;

/** Holds the last records read and shows one of them at a time. Allocates nothing once made. */
export class RecordReader {
	/** Records in hand. */
	count = 0;
	/** Records that were overwritten before the last `read` could have them. */
	overwritten = 0;
	/** Where to read on. */
	cursor = 0;

	/** The record that is shown: microseconds of the gateway's clock when it was received, or a cyclic frame made. */
	timeUs = 0;
	/** Without flag bits. */
	frameId = 0;
	extended = false;
	remote = false;
	/** Bus on which it was received, if it was. */
	receivedOn = 0;
	/** Bus on which it was sent, or will be, if it was not dropped. */
	sentOn = 0;
	/** The frame that was sent is not the one received. */
	changed = false;
	readonly bytes = new Uint8Array(HEADER_BYTES + RECORD_BYTES * RECORDS_AT_ONCE);

	readonly #port: TracePort;
	/** The same bytes; the gateway writes little endian, and so is every machine that this runs on. */
	readonly #words = new Uint32Array(this.bytes.buffer);
	#meta = 0;
	#at = 0;

	constructor(port: TracePort) {
		this.#port = port;
	}

	/** Reads records from number `cursor` on. */
	read(cursor: number): void {
		this.cursor = this.#port.readRecords(cursor, this.bytes);
		this.count = this.#words[0];
		this.overwritten = this.#words[1];
	}

	/** Rows that a record in hand has, as bits; see `bus-filter.ts`. */
	rows(record: number): number {
		const meta = this.#words[HEADER_WORDS + RECORD_WORDS * record + 3];
		return ROWS[((meta >> FLAGS_SHIFT) & (DROPPED | CYCLIC)) | ((meta >> BUS_SHIFT) & 1)];
	}

	/** Shows a record in hand. */
	show(record: number): void {
		const words = this.#words;
		const at = HEADER_WORDS + RECORD_WORDS * record;
		const identifier = words[at + 2];
		const meta = words[at + 3];
		const flags = meta >> FLAGS_SHIFT;
		this.timeUs = words[at] + words[at + 1] * TWO_32;
		this.frameId = identifier & IDENTIFIER_MASK;
		this.extended = identifier >= EXTENDED_BIT;
		this.remote = (identifier & REMOTE_BIT) !== 0;
		this.receivedOn = (meta >> BUS_SHIFT) & 1;
		this.sentOn = flags & CYCLIC ? this.receivedOn : this.receivedOn ^ 1;
		this.changed = (flags & (CHANGED | CYCLIC)) !== 0;
		this.#meta = meta;
		this.#at = HEADER_BYTES + RECORD_BYTES * record;
	}

	/** The controller made or changed what was sent; only ever true for what leaves on the coupling bus, as the reference has it. */
	get generated(): boolean {
		return this.changed && this.sentOn === 1;
	}

	/** DLC as sent, or as received. */
	dlc(sent: boolean): number {
		return sent ? (this.#meta >> 8) & 0xff : this.#meta & 0xff;
	}

	/** The data begin in `bytes` here; there are none of a remote frame. */
	dataAt(sent: boolean): number {
		return this.#at + (sent ? SENT_AT : RECEIVED_AT);
	}

	/** Bytes of data. */
	dataLength(sent: boolean): number {
		return this.remote ? 0 : this.dlc(sent);
	}
}
