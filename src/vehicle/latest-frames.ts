/**
 * The gateway's latest frames, one identifier at a time and on request: for the dashboard, the frame
 * diagnosis and the CAN view. The control tick has its watch list instead. Source:
 * modules/can-gateway/README.md "Latest frames".
 */

import { readPhysical, readRaw } from "../can/bits.js";
import type { SignalLayout, SignalPlace } from "../can/signal-layout.js";

/** The gateway's part. */
export interface LatestFramesPort {
	/**
	 * @param bus 0 chassis, 1 coupling
	 * @param id see `identifierOf`
	 * @returns false if it was never seen; `into` is unchanged then
	 */
	readLatest(bus: number, id: number, into: Uint8Array): boolean;
}

/** `ageMs` of a frame that was never seen. Source: modules/can-gateway/README.md, "Latest frames". */
export const NEVER_SEEN_MS = 0xffffffff;

/* Layout of `readLatest`. Source: modules/can-gateway/README.md, "Latest frames". */
const ENTRY_BYTES = 52;
const RECEIVED_AT = 8;
const SENT_AT = 28;
const FLAG_CHANGED = 1;
const FLAG_CYCLIC = 4;

/** The latest frame in one direction, until the next `read`. */
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
	/** Modulo 2^32; 0 = never. */
	get count(): number {
		return readU32(this.bytes, this.#at + 4);
	}
	/** 0..8. */
	get dlc(): number {
		return this.bytes[this.#at + 8];
	}
	/** The controller changed the frame or made it. */
	get generated(): boolean {
		return (this.bytes[this.#at + 9] & (FLAG_CHANGED | FLAG_CYCLIC)) !== 0;
	}

	/** NaN if the frame is too short. */
	raw(signal: SignalPlace): number {
		return readRaw(this.bytes, this.dataAt, this.dlc, signal);
	}

	/** In its unit; NaN if the frame is too short. */
	physical(signal: SignalLayout): number {
		return readPhysical(this.bytes, this.dataAt, this.dlc, signal);
	}
}

/** Holds the entry of the last `read` that returned true. */
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

	/** As `LatestFramesPort.readLatest`. */
	read(bus: number, id: number): boolean {
		return this.#port.readLatest(bus, id, this.#entry);
	}
}

function readU32(bytes: Uint8Array, at: number): number {
	return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
}
