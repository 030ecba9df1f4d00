/** The raw rows of the CAN view: the last frames of each bus and direction, newest first. Source: docs/http-api.md 3.20. */

import type { TracePort } from "../../hal/ports.js";
import { type BusFilter, SENT_ROWS } from "./bus-filter.js";
import { RECORDS_AT_ONCE, RecordReader } from "./record-reader.js";

/** Rows of one bus and direction. */
const ROWS_PER_DIRECTION = 32;
/** How many records are looked at for them, at most: frames of a bus that is nearly silent are not dug out from between many others. */
const RECORDS_SEARCHED = 512;

/** Records passed over before the others get their turn. */
const STEPS_AT_ONCE = 256;

/** Walks back through the ring. */
export class RawRows {
	/** Shows the record of the row in hand. */
	readonly reader: RecordReader;
	/** The row in hand: as sent, or as received. */
	sent = false;
	/** There is a row in hand. */
	ready = false;

	/** Rows that are wanted, as bits, and how many more of each, by bit. */
	#wanted: number;
	readonly #left = new Uint8Array(SENT_ROWS).fill(ROWS_PER_DIRECTION);
	readonly #oldest: number;
	/** Number of the oldest record in hand; records before it come next. */
	#first: number;
	/** The record in hand that is shown; 0: read more before the next. */
	#record = 0;
	/** Its rows that are wanted and still to come, and the row in hand. */
	#rows = 0;
	#row = 0;
	#rowsLeft: number;

	/** @param filter undefined: no rows @param limit 0..128 */
	constructor(port: TracePort, filter: BusFilter | undefined, limit: number) {
		this.reader = new RecordReader(port);
		this.#wanted = filter?.rows ?? 0;
		this.#rowsLeft = limit;
		this.#first = port.endOfRecords();
		this.#oldest = Math.max(port.startOfRecords(), this.#first - RECORDS_SEARCHED);
	}

	/**
	 * Goes to the next row, unless the one in hand was not taken yet. It gives up for now, without a row, after STEPS_AT_ONCE.
	 * @returns false after the last one
	 */
	advance(): boolean {
		const reader = this.reader;
		for (let steps = 0; !this.ready && steps < STEPS_AT_ONCE; steps++) {
			if (this.#rowsLeft === 0 || this.#wanted === 0) return false;
			if (this.#rows !== 0) this.#nextRow();
			else {
				if (this.#record === 0 && !this.#readMore()) return false;
				this.#rows = reader.rows(--this.#record) & this.#wanted;
				if (this.#rows !== 0) reader.show(this.#record);
			}
		}
		return true;
	}

	/** What was sent comes first, for it left after it came. */
	#nextRow(): void {
		const sent = this.#rows & SENT_ROWS;
		this.sent = sent !== 0;
		this.#row = this.sent ? sent : this.#rows;
		this.#rows ^= this.#row;
		this.ready = true;
	}

	/** Bus of the row in hand. */
	get bus(): number {
		return this.sent ? this.reader.sentOn : this.reader.receivedOn;
	}

	/** The row in hand has been listed. */
	take(): void {
		this.ready = false;
		this.#rowsLeft--;
		if (--this.#left[this.#row] === 0) this.#wanted &= ~this.#row;
		this.#rows &= this.#wanted;
	}

	#readMore(): boolean {
		const from = Math.max(this.#oldest, this.#first - RECORDS_AT_ONCE);
		const count = this.#first - from;
		if (count <= 0) return false;
		this.reader.read(from);
		this.#first = from;
		// overwritten meanwhile: what was read instead has been listed
		if (this.reader.overwritten > 0) return false;
		this.#record = Math.min(count, this.reader.count);
		return this.#record > 0;
	}
}
