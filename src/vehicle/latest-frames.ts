/**
 * The latest frames that the gateway has seen, one identifier at a time and only when somebody asks: for the dashboard, the frame
 * diagnosis and the CAN view. Not for the control tick, which has its watch list. Source: modules/can-gateway/README.md "Latest frames".
 */

import { readPhysical, readRaw } from "../can/bits.js";
import type { SignalLayout } from "../can/signal-layout.js";

/** What is needed of the gateway. */
export interface LatestFramesPort {
	/** Fills in the identifier with this index, 0, 1, 2, ...; an identifier keeps its index. @returns false beyond the last one */
	readLatest(index: number, into: Uint8Array): boolean;
}

/** `ageMs` of a frame that was never seen. */
export const NEVER_SEEN_MS = 0xffffffff;

const ENTRY_BYTES = 52;
const RECEIVED_AT = 8;
const SENT_AT = 28;
const NOW_AT = 48;
const FLAG_CHANGED = 1;
const FLAG_CYCLIC = 4;
/** Identifiers that one `find` looks at: a large table is searched over several calls. */
const SEARCHED_AT_ONCE = 128;

/** The latest frame of an identifier in one direction. It changes with the next `read` or `find`. */
export class LatestFrame {
	/** The payload is `bytes[dataAt, dataAt + dlc)`; 0 up to its eighth byte. */
	readonly bytes: Uint8Array;
	readonly dataAt: number;
	readonly #at: number;

	constructor(bytes: Uint8Array, at: number) {
		this.bytes = bytes;
		this.#at = at;
		this.dataAt = at + 12;
	}

	/** ms, or NEVER_SEEN_MS. */
	get ageMs(): number {
		return readU32(this.bytes, this.#at);
	}
	/** Frames so far, modulo 2^32; 0 = never. */
	get count(): number {
		return readU32(this.bytes, this.#at + 4);
	}
	/** 0..8. */
	get dlc(): number {
		return this.bytes[this.#at + 8];
	}
	/** True if the controller changed the frame or made it. */
	get generated(): boolean {
		return (this.bytes[this.#at + 9] & (FLAG_CHANGED | FLAG_CYCLIC)) !== 0;
	}

	/** Raw value of a signal of at most 32 bits; NaN if the frame is too short for it. */
	raw(signal: SignalLayout): number {
		return readRaw(this.bytes, this.dataAt, this.dlc, signal);
	}

	/** Value of a signal in its unit; NaN if the frame is too short for it. Never throws. */
	physical(signal: SignalLayout): number {
		return readPhysical(this.bytes, this.dataAt, this.dlc, signal);
	}
}

/** An identifier of one bus that is asked for again and again: it remembers where the gateway keeps it. */
export class FrameKey {
	readonly identifier: number;
	/** -1 until it was found. */
	index = -1;
	/** Identifiers below this index are others. */
	searched = 0;

	/** @param bus that the frame is received on: 0 chassis, 1 coupling @param frameId without flag bits @param extended 29-bit */
	constructor(
		readonly bus: number,
		frameId: number,
		extended: boolean,
	) {
		this.identifier = (extended ? frameId | 0x80000000 : frameId) >>> 0;
	}
}

/** Reads the gateway's table. Holds one entry: that of the last `read` or `find` that returned true. Allocates nothing once made. */
export class LatestFrames {
	/** Received on `bus`. */
	readonly received: LatestFrame;
	/** Sent on the other bus: forwarded, rewritten or cyclic. */
	readonly sent: LatestFrame;
	readonly #port: LatestFramesPort;
	readonly #entry = new Uint8Array(ENTRY_BYTES);

	constructor(port: LatestFramesPort) {
		this.#port = port;
		this.received = new LatestFrame(this.#entry, RECEIVED_AT);
		this.sent = new LatestFrame(this.#entry, SENT_AT);
	}

	/** Reads the identifier with this index, 0, 1, 2, ... in the order in which they were first seen. @returns false beyond the last one */
	read(index: number): boolean {
		return this.#port.readLatest(index, this.#entry);
	}

	/** Reads the identifier of `key`. @returns false if it was never seen, or has not been found yet (it is searched for over several calls) */
	find(key: FrameKey): boolean {
		if (key.index >= 0) return this.read(key.index);
		for (const end = key.searched + SEARCHED_AT_ONCE; key.searched < end; key.searched++) {
			if (!this.read(key.searched)) return false;
			if (this.bus === key.bus && readU32(this.#entry, 0) === key.identifier) {
				key.index = key.searched;
				return true;
			}
		}
		return false;
	}

	/** Time of the entry, ms of the gateway's clock modulo 2^32: what the ages refer to. */
	get nowMs(): number {
		return readU32(this.#entry, NOW_AT);
	}
	/** Identifier with bit 31 set for a 29-bit one. */
	get identifier(): number {
		return readU32(this.#entry, 0);
	}
	/** Identifier, 11 or 29 bits. */
	get frameId(): number {
		return this.identifier & 0x1fffffff;
	}
	/** True for a 29-bit identifier. */
	get extended(): boolean {
		return this.#entry[3] >= 0x80;
	}
	/** Bus of `received`: 0 chassis, 1 coupling. */
	get bus(): number {
		return this.#entry[4];
	}
}

function readU32(bytes: Uint8Array, at: number): number {
	return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
}
