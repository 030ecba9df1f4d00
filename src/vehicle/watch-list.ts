/**
 * The list of frames that the gateway is to watch, and where each one's latest data stand in the samples that
 * it fills. Byte layout of both: `modules/can-gateway/README.md`, "Watched frames".
 */

import type { Bus } from "../../hal/ports.js";
import { identifierOf } from "../can/identifier.js";
import { FrameHabits } from "./frame-habits.js";

/** Bytes of a sample before the first entry. */
export const SAMPLE_HEADER = 24;
/** Bytes of a sample's entry: age u16, sequence u8, DLC u8, eight data bytes. */
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
export const WORD_NOW = 0;
export const WORD_STATES = 2;
export const WORD_FLAGS = 3;
export const IN_FORCE = 0xff;
export const CHASSIS_INTERRUPTED = 0x100;
export const COUPLING_INTERRUPTED = 0x200;
export const WORD_CHASSIS_AGE = 4;
export const WORD_COUPLING_AGE = 5;
/** Such an age: never, or as long ago. */
export const NEVER_MS = 0xffff;
/**
 * What keeps a plan that generates silent, two words: an identifier that somebody else sends, in the upper
 * word with HEARD_ON_COUPLING if on that bus; NOTHING_HEARD in both while it only listens; 0 if nothing does.
 */
export const WORD_HEARD = 6;
export const NOTHING_HEARD = 0xffff;
export const HEARD_ON_COUPLING = 0x4000;
/**
 * Identifier of the frames that leave as they came because the car marks a signal in them as invalid, if that
 * lasts; two words, 0 = none.
 */
export const WORD_INVALID = 8;
/** Offsets in an entry in 16-bit words: age, head (sequence, DLC in the high byte), data. */
export const WORD_HEAD = 1;
export const WORD_DATA = 2;
/** Flag in an entry's DLC byte: no such frame was received yet. */
export const NEVER_RECEIVED = 0x80;
/** Head of an entry without any frame. */
export const NEVER_HEAD = NEVER_RECEIVED << 8;
/** The gateway's limit. */
export const MAX_WATCHED = 32;

/** Bytes of an entry in the list: identifier u32, and at these offsets bus, least DLC and flags. */
const LIST_ENTRY = 8;
const LIST_BUS = 4;
const LIST_MIN_DLC = 5;
const LIST_FLAGS = 6;
const COLLECT = 1;

/**
 * The same sample in 16-bit words: what the control tick reads, at half the bytecodes. The gateway writes
 * little endian, and so is every machine that this runs on. Allocates a view; make it once per sample buffer.
 * @throws {RangeError} the buffer starts at an odd offset
 */
export function wordsOf(sample: Uint8Array): Uint16Array {
	return new Uint16Array(sample.buffer, sample.byteOffset, sample.length >> 1);
}

/** Collects frames; everybody who reads a frame from samples adds it here first and keeps the offset. */
export class WatchList {
	/** What the car has shown of its frames. */
	readonly habits: FrameHabits;
	/** In the gateway's format. */
	readonly #list = new Uint8Array(LIST_ENTRY * MAX_WATCHED);
	#count = 0;

	/** @param habits of the list before; absent: nothing was shown yet */
	constructor(habits = new FrameHabits()) {
		this.habits = habits;
	}

	/**
	 * Adds a frame. A frame that is on the list already is shared, with the smaller of both minimum lengths:
	 * readers check the DLC that they need.
	 * @param id without bit 31 @param extended true for a 29-bit identifier @param minDlc 0..8
	 * @returns offset of its entry in a sample, or 0 if the list is full: no entry stands there, so test for
	 * it. Never throws.
	 */
	add(bus: Bus, id: number, extended: boolean, minDlc: number): number {
		return this.#add(bus, identifierOf(id, extended), false, minDlc);
	}

	/**
	 * Adds an entry whose data are those of all such frames since the last sample, OR-ed: a flag is not
	 * missed in whichever of them it came. Age, sequence and DLC are those of the last one. Otherwise as
	 * `add`, for standard identifiers.
	 * @param id 0..0x7FF @param minDlc 0..8 @returns offset of its entry in a sample, 0 = the list is full.
	 * Never throws.
	 */
	collect(bus: Bus, id: number, minDlc: number): number {
		return this.#add(bus, id, true, minDlc);
	}

	#add(bus: Bus, wireId: number, collects: boolean, minDlc: number): number {
		const list = this.#list;
		const view = new DataView(list.buffer);
		const flags = collects ? COLLECT : 0;
		for (let index = 0; index < this.#count; index++) {
			const at = LIST_ENTRY * index;
			if (view.getUint32(at, true) !== wireId || list[at + LIST_BUS] !== bus || list[at + LIST_FLAGS] !== flags) continue;
			if (minDlc < list[at + LIST_MIN_DLC]) list[at + LIST_MIN_DLC] = minDlc;
			return SAMPLE_HEADER + SAMPLE_ENTRY * index;
		}
		if (this.#count === MAX_WATCHED) return 0;
		const at = LIST_ENTRY * this.#count;
		view.setUint32(at, wireId, true);
		list[at + LIST_BUS] = bus;
		list[at + LIST_MIN_DLC] = minDlc;
		list[at + LIST_FLAGS] = flags;
		return SAMPLE_HEADER + SAMPLE_ENTRY * this.#count++;
	}

	/** The list in the gateway's format. Allocates. */
	bytes(): Uint8Array {
		return this.#list.slice(0, LIST_ENTRY * this.#count);
	}

	/** Bytes of a sample for this list. */
	get sampleSize(): number {
		return SAMPLE_HEADER + SAMPLE_ENTRY * this.#count;
	}
}
