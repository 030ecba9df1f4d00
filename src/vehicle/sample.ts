/**
 * The gateway's samples, one a control tick: a header, and an entry for each watched frame. Byte layout:
 * `modules/can-gateway/README.md`, "Watched frames".
 */

import { upperCase } from "../text/characters.js";

/** Bytes before the first entry. */
export const SAMPLE_HEADER = 24;
/** Bytes of an entry: age u16, sequence u8, DLC u8, eight data bytes. */
export const SAMPLE_ENTRY = 12;
/** Offsets in an entry. */
export const ENTRY_SEQUENCE = 2;
export const ENTRY_DLC = 3;
export const ENTRY_DATA = 4;
/**
 * Offsets in the header in 16-bit words: clock (two words), bus states (coupling's in the high byte), active
 * plan (low byte) and the buses that did not run at some time since the last sample (high byte, bit n for bus
 * n), ages of the buses.
 */
const WORD_NOW = 0;
export const WORD_STATES = 2;
export const WORD_FLAGS = 3;
export const PLAN_ACTIVE = 0xff;
export const CHASSIS_INTERRUPTED = 0x100;
export const COUPLING_INTERRUPTED = 0x200;
export const WORD_CHASSIS_AGE = 4;
const WORD_COUPLING_AGE = 5;
/** That long ago, or never. Source: modules/can-gateway/README.md, "Watched frames". */
export const NEVER_MS = 0xffff;
/**
 * Why a generating plan is silent, two words: an identifier that another node sends, with HEARD_ON_COUPLING
 * in the upper word if on that bus; NOTHING_HEARD in both while it only listens; 0 = it is not.
 */
export const WORD_HEARD = 6;
export const NOTHING_HEARD = 0xffff;
export const HEARD_ON_COUPLING = 0x4000;
/**
 * Identifier of a frame that leaves as it came because the car marks a signal in it as invalid for some time;
 * two words, 0 = none.
 */
const WORD_INVALID = 8;
/** Offsets in an entry in 16-bit words; the head is sequence and DLC. */
export const WORD_HEAD = 1;
export const WORD_DATA = 2;
/** In an entry's DLC byte. */
export const NEVER_RECEIVED = 0x80;
export const NEVER_HEAD = NEVER_RECEIVED << 8;
/**
 * A sample in 16-bit words: the gateway and all machines are little endian. Allocates a view: make it once
 * per buffer. @throws {RangeError} the buffer starts at an odd offset
 */
export function wordsOf(sample: Uint8Array): Uint16Array {
	return new Uint16Array(sample.buffer, sample.byteOffset, sample.length >> 1);
}

/** The latest header; at first no bus runs and no frame was received. */
export class SampleHeader {
	words: Uint16Array = Uint16Array.of(0, 0, 0, 0, NEVER_MS, NEVER_MS, 0, 0, 0, 0);

	/** The gateway's clock, ms modulo 2^32. */
	get nowMs(): number {
		return (this.words[WORD_NOW] | (this.words[WORD_NOW + 1] << 16)) >>> 0;
	}
	/** 0 stopped, 1 error-active, 2 error-warning, 3 error-passive, 4 bus-off. */
	get chassisState(): number {
		return this.words[WORD_STATES] & 0xff;
	}
	get couplingBusState(): number {
		return this.words[WORD_STATES] >> 8;
	}
	/** ms since the last frame on the chassis bus, 0..65534; NEVER_MS = never or longer ago. */
	get chassisAgeMs(): number {
		return this.words[WORD_CHASSIS_AGE];
	}
	get couplingAgeMs(): number {
		return this.words[WORD_COUPLING_AGE];
	}
	/** The gateway applies a plan. */
	get isPlanActive(): boolean {
		return (this.words[WORD_FLAGS] & PLAN_ACTIVE) !== 0;
	}
	/** `0x4A0`: frame that leaves as it came, as the car marks a signal in it as invalid; "" = none. */
	get invalidFrame(): string {
		const id = this.words[WORD_INVALID] | (this.words[WORD_INVALID + 1] << 16);
		return id === 0 ? "" : `0x${upperCase(id.toString(16))}`;
	}
}
