// The gateway's table of latest frames, made by hand in the bytes of modules/can-gateway/README.md.
import type { LatestFramesPort } from "../../src/vehicle/latest-frames.js";

/** One direction of an identifier. */
export interface Seen {
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
