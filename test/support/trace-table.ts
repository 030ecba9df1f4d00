// The gateway's memory, made by hand: latest frames and a ring of recent ones, for programs in C.
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

const RECORD_BYTES = 32;
const LATEST_BYTES = 56;
const SEEN_AT = [8, 32];

/** `struct gateway_record`. */
export function recordBytes(record: Record): Uint8Array {
	const { timeUs, id, bus, flags = 0, received = [], sent = received, dlcs = [received.length, sent.length] } = record;
	const bytes = new Uint8Array(RECORD_BYTES);
	const view = new DataView(bytes.buffer);
	view.setBigUint64(0, BigInt(timeUs), true);
	view.setUint32(8, id >>> 0, true);
	bytes.set([...dlcs, bus, flags], 12);
	bytes.set(received, 16);
	bytes.set(sent, 24);
	return bytes;
}

/** A ring that tests fill. */
export class TraceTable extends LatestTable {
	readonly records: Record[] = [];
	/** Records that the ring has lost. */
	lost = 0;
	/** Records that it loses as soon as somebody reads. */
	lostMeanwhile = 0;
	/** Called before each read of lines. */
	onRead: () => void = () => undefined;

	/** `struct latest` of print_view.c for each identifier. */
	latestBytes(): Uint8Array[] {
		return this.entries.map(({ id, bus, received, sent }) => {
			const bytes = new Uint8Array(LATEST_BYTES);
			const view = new DataView(bytes.buffer);
			view.setUint32(0, id >>> 0, true);
			bytes[4] = bus;
			[received, sent].forEach((seen, direction) => {
				if (seen === undefined) return;
				const at = SEEN_AT[direction]!;
				const data = seen.data ?? [];
				view.setBigUint64(at, BigInt(Math.max(0, this.nowMs - (seen.ageMs ?? 0)) * 1000), true);
				bytes.set(data, at + 8);
				view.setUint32(at + 16, seen.count ?? 1, true);
				bytes.set([seen.dlc ?? data.length, seen.flags ?? 0], at + 20);
			});
			return bytes;
		});
	}
}
