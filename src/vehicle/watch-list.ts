/**
 * The frames that the gateway is to watch, and their entries in its samples. Byte layout:
 * `modules/can-gateway/README.md`, "Watched frames".
 */

import type { Bus } from "../../hal/ports.js";
import { identifierOf } from "../can/bus.js";
import { FrameHabits } from "./frame-guard.js";
import { SAMPLE_ENTRY, SAMPLE_HEADER } from "./sample.js";

/** The gateway's limit. */
export const MAX_WATCHED = 32;

/** An entry: identifier u32, and at these offsets bus, least DLC and flags. */
const LIST_ENTRY = 8;
const LIST_BUS = 4;
const LIST_MIN_DLC = 5;
const LIST_FLAGS = 6;
const COLLECT = 1;

/** Each reader adds its frame first and keeps the offset. */
export class WatchList {
	readonly habits: FrameHabits;
	readonly #list = new Uint8Array(LIST_ENTRY * MAX_WATCHED);
	/** Each entry begins with its identifier. Our platforms are little-endian. */
	readonly #ids = new Uint32Array(this.#list.buffer);
	#count = 0;

	/** @param habits of the list before */
	constructor(habits = new FrameHabits()) {
		this.habits = habits;
	}

	/**
	 * Adds a frame, or shares its entry with the smaller of both DLCs: readers check their own.
	 * @param id without bit 31
	 * @param minDlc 0..8
	 * @returns offset of its entry in a sample, 0 = the list is full
	 */
	add(bus: Bus, id: number, extended: boolean, minDlc: number): number {
		return this.#add(bus, identifierOf(id, extended), false, minDlc);
	}

	/** As `add`, but its data are those of all frames since the last sample, OR-ed. @param id 0..0x7FF */
	collect(bus: Bus, id: number, minDlc: number): number {
		return this.#add(bus, id, true, minDlc);
	}

	#add(bus: Bus, wireId: number, collects: boolean, minDlc: number): number {
		const list = this.#list;
		const ids = this.#ids;
		const flags = collects ? COLLECT : 0;
		for (let index = 0; index < this.#count; index++) {
			const at = LIST_ENTRY * index;
			if (ids[at >> 2] !== wireId || list[at + LIST_BUS] !== bus || list[at + LIST_FLAGS] !== flags) continue;
			if (minDlc < list[at + LIST_MIN_DLC]) list[at + LIST_MIN_DLC] = minDlc;
			return SAMPLE_HEADER + SAMPLE_ENTRY * index;
		}
		if (this.#count === MAX_WATCHED) return 0;
		const at = LIST_ENTRY * this.#count;
		ids[at >> 2] = wireId;
		list[at + LIST_BUS] = bus;
		list[at + LIST_MIN_DLC] = minDlc;
		list[at + LIST_FLAGS] = flags;
		return SAMPLE_HEADER + SAMPLE_ENTRY * this.#count++;
	}

	/** The list in the gateway's format. Allocates. */
	bytes(): Uint8Array {
		return this.#list.slice(0, LIST_ENTRY * this.#count);
	}

	get sampleSize(): number {
		return SAMPLE_HEADER + SAMPLE_ENTRY * this.#count;
	}
}
