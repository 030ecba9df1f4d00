/** The gateway's memory, made by hand: latest frames and a ring of recent ones. */
import type { LatestFramesPort } from "../../src/vehicle/latest-frames.js";

/** One direction of an identifier. */
interface Seen {
	readonly ageMs?: number;
	readonly count?: number;
	readonly dlc?: number;
	/** 1 changed, 4 cyclic. */
	readonly flags?: number;
	readonly data?: readonly number[];
}

/** An identifier as received on `bus` and sent on the other one; what is left out was never seen. */
export interface Latest {
	readonly bus: 0 | 1;
	/** Bit 31 set = extended. */
	readonly id: number;
	readonly received?: Seen;
	readonly sent?: Seen;
}

/** A table that tests fill. */
export class LatestTable implements LatestFramesPort {
	/** The gateway's clock. */
	nowMs = 0;
	readonly entries: Latest[] = [];

	constructor(...entries: Latest[]) {
		this.entries = entries;
	}

	readLatest(bus: number, id: number, into: Uint8Array): boolean {
		const entry = this.entries.find((one) => one.bus === bus && one.id === id);
		if (entry === undefined) return false;
		const view = new DataView(into.buffer, into.byteOffset, 52);
		view.setUint32(0, entry.id, true);
		view.setUint32(4, entry.bus, true);
		view.setUint32(48, this.nowMs, true);
		[entry.received, entry.sent].forEach((seen, direction) => {
			const at = 8 + 20 * direction;
			const data = seen?.data ?? [];
			view.setUint32(at, seen === undefined ? 0xffffffff : (seen.ageMs ?? 0), true);
			view.setUint32(at + 4, seen === undefined ? 0 : (seen.count ?? 1), true);
			view.setUint32(at + 8, (seen?.dlc ?? data.length) | ((seen?.flags ?? 0) << 8), true);
			for (let i = 0; i < 8; i++) view.setUint8(at + 12 + i, data[i] ?? 0);
		});
		return true;
	}
}

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
	/** Records that it loses at the next read. */
	lostMeanwhile = 0;
	/** Called before each read of lines. */
	onRead: () => void = () => undefined;

	/** `struct latest` of print.c for each identifier. */
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
