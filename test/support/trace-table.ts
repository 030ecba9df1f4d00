// The gateway's memory, made by hand in the bytes of modules/can-gateway/README.md: latest frames and a ring of recent ones.
import type { TracePort } from "../../hal/ports.js";
import { LatestTable } from "./latest-frames.js";

/** A frame that passed. */
export interface Record {
	readonly timeUs: number;
	/** With flag bits. */
	readonly id: number;
	readonly bus: 0 | 1;
	/** 1 changed, 2 dropped, 4 cyclic. */
	readonly flags?: number;
	readonly received?: readonly number[];
	/** As received unless given. */
	readonly sent?: readonly number[];
	/** DLCs where they are not the lengths of the data. */
	readonly dlcs?: readonly [number, number];
}

const HEADER_BYTES = 8;
const RECORD_BYTES = 32;

/** A ring that tests fill. Reads are counted and limited as the gateway's are. */
export class TraceTable extends LatestTable implements TracePort {
	readonly records: Record[] = [];
	/** Records that the ring has lost. */
	lost = 0;
	/** Called before each read. */
	onRead: () => void = () => undefined;

	startOfRecords(): number {
		return this.lost;
	}

	endOfRecords(): number {
		return this.records.length;
	}

	readRecords(cursor: number, into: Uint8Array): number {
		this.onRead();
		const view = new DataView(into.buffer, into.byteOffset, into.length);
		const first = Math.min(Math.max(cursor, this.lost), this.records.length);
		const room = Math.min(256, Math.trunc((into.length - HEADER_BYTES) / RECORD_BYTES));
		const found = this.records.slice(first, first + room);
		view.setUint32(0, found.length, true);
		view.setUint32(4, Math.max(0, first - cursor), true);
		found.forEach((record, i) => {
			const { timeUs, id, bus, flags = 0, received = [], sent = received, dlcs = [received.length, sent.length] } = record;
			const at = HEADER_BYTES + RECORD_BYTES * i;
			view.setBigUint64(at, BigInt(timeUs), true);
			view.setUint32(at + 8, id >>> 0, true);
			into.set([...dlcs, bus, flags], at + 12);
			into.fill(0, at + 16, at + 32);
			into.set(received, at + 16);
			into.set(sent, at + 24);
		});
		return first + found.length;
	}
}
