/**
 * Whether frames of one kind say something: of a sender that hangs, or whose bytes are damaged, they are
 * silence. Each check begins once the car has shown that it keeps to it: a car that never counts, or has
 * other DataIDs than the known ones, is not doubted for that. `accepts` is part of the control tick: it
 * allocates nothing. Source: docs/decisions.md 46.
 */

import { dataIdsOf } from "../can/data-ids.js";
import { readBits } from "../can/field.js";
import type { FrameCheck } from "../can/signal-layout.js";
import type { FrameHabit, FrameHabits } from "./frame-habits.js";
import { ENTRY_DATA, WORD_DATA } from "./watch-list.js";

/**
 * So many frames in a row show that the car keeps to a check: by chance one of 256 has the right checksum.
 */
const SHOWN = 3;
/**
 * Of frames that verify each fourth is looked at, of others each one. The bus has a checksum of its own, so
 * what these find is a sender with a fault, which lasts: at most 80 ms of such a sender count, with frames
 * each 20 ms. Each frame would take the tick beyond its 0.2 M instructions.
 */
const LOOK_EACH = 4;
const FRAME_BYTES = 8;
const CRC_INIT = 0xff;
const CRC_FINAL_XOR = 0xff;
/** Remainders of the 16 high nibbles for the polynomial of CRC-8/AUTOSAR, 0x2F. */
const CRC_NIBBLES = Object.freeze([
	0x00, 0x2f, 0x5e, 0x71, 0xbc, 0x93, 0xe2, 0xcd, 0x57, 0x78, 0x09, 0x26, 0xeb, 0xc4, 0xb5, 0x9a,
]);
const NO_DATA_IDS: readonly number[] = Object.freeze([]);

/** Of the frames of one identifier. */
export class FrameGuard {
	readonly #check: FrameCheck;
	readonly #dataIds: readonly number[];
	readonly #habit: FrameHabit;
	#last: number;
	#counted = 0;
	#verified = 0;
	/** Frames until the next one is looked at. */
	#skips = 0;

	/** @param habits what the car has shown before counts for this one, too */
	constructor(check: FrameCheck, habits: FrameHabits) {
		this.#check = check;
		this.#habit = habits.of(check);
		this.#last = this.#habit.lastCount;
		this.#dataIds = dataIdsOf(check.id, "autosar") ?? NO_DATA_IDS;
	}

	/**
	 * A new frame in a sample.
	 * @param at its entry, in 16-bit words
	 * @returns whether it says something. Never throws.
	 */
	accepts(sample: Uint8Array, words: Uint16Array, at: number): boolean {
		const counts = this.#counts(words, at);
		return this.#verifies(sample, 2 * at + ENTRY_DATA) && counts;
	}

	/** A counter may leave some values out: frames are lost, and gateways pass only some. */
	#counts(words: Uint16Array, at: number): boolean {
		const { counter } = this.#check;
		if (counter === undefined) return true;
		const habit = this.#habit;
		const count = readBits(words, at + WORD_DATA, counter.start, counter.length);
		const moves = count !== this.#last;
		if (!habit.counts && moves && this.#last >= 0) habit.counts = ++this.#counted >= SHOWN;
		this.#last = habit.lastCount = count;
		return moves || !habit.counts;
	}

	#verifies(sample: Uint8Array, from: number): boolean {
		const { checksum } = this.#check;
		if (checksum === undefined || (checksum === "crc8" && this.#dataIds.length === 0)) return true;
		if (this.#skips > 0) {
			this.#skips--;
			return true;
		}
		const isRight = this.#isRight(sample, from);
		const habit = this.#habit;
		if (habit.verifies) {
			if (isRight) this.#skips = LOOK_EACH - 1;
			return isRight;
		}
		this.#verified = isRight ? this.#verified + 1 : 0;
		habit.verifies = this.#verified >= SHOWN;
		return true;
	}

	#isRight(sample: Uint8Array, from: number): boolean {
		const { checksum, checksumAt = 0, mask = 0 } = this.#check;
		let result = checksum === "crc8" ? CRC_INIT : 0;
		for (let i = 0; i < FRAME_BYTES; i++) {
			const byte = sample[from + i];
			if (checksum === "inverted-sum") {
				if ((mask & (1 << i)) !== 0) result += byte;
			} else if (i === checksumAt) continue;
			else if (checksum === "xor") result ^= byte;
			else result = crcStep(result, byte);
		}
		if (checksum === "crc8") result = crcStep(result, this.#dataIds[sample[from + 1] & 0x0f]) ^ CRC_FINAL_XOR;
		else if (checksum === "inverted-sum") result = (CRC_FINAL_XOR - result) & 0xff;
		return result === sample[from + checksumAt];
	}
}

function crcStep(crc: number, byte: number): number {
	let next = crc ^ byte;
	next = ((next << 4) & 0xff) ^ CRC_NIBBLES[next >> 4];
	return ((next << 4) & 0xff) ^ CRC_NIBBLES[next >> 4];
}
