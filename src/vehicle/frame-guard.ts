/**
 * Frames of a sender that hangs, or with damaged bytes, count as silence. Each check begins once the car has
 * shown that it keeps to it: a car may not count, or have other DataIDs. `accepts` is part of the control
 * tick: it allocates nothing. Source: docs/decisions.md 46.
 */

import { flagField } from "../can/bits.js";
import { CRC_8, dataIdsOf } from "../can/layouts/mqb.js";
import type { FrameCheck } from "../can/signal-layout.js";
import type { Car } from "../coupling/coupling.js";
import { ENTRY_DATA, NEVER_HEAD, WORD_DATA, WORD_HEAD } from "./sample.js";

/**
 * Right frames in a row after which a check begins. By chance one frame of 256 has the right checksum, and three
 * in a row have it once in 16 million. Source: docs/decisions.md 46.
 */
const SHOWN_FRAMES = 3;
/**
 * Every fourth frame is checked; after a wrong one, every frame until one is right. Assumed: wrong frames come
 * from a sender that stays faulty, since the bus has a checksum of its own. At most three of them are accepted.
 * The guard rejects the sender after at most 80 ms if its frames come every 20 ms, and after at most 400 ms if one
 * is read every 100 ms. Checking each frame would exceed the tick's budget of 0.2 million instructions.
 */
const CHECK_EVERY_FRAMES = 4;
const FRAME_BYTES = 8;
const { polynomial: CRC_POLYNOMIAL, initial: CRC_INITIAL, finalXor: CRC_FINAL_XOR } = CRC_8;
const CRC_OF_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => {
	let crc = byte;
	for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc & 0x80 ? CRC_POLYNOMIAL : 0);
	return crc;
});
const NO_COUNTER = Object.freeze({ start: 0, length: 0 });
const NO_DATA_IDS: readonly number[] = Object.freeze([]);

/** Checks one identifier for all its readers. */
export class FrameGuard {
	readonly check: FrameCheck;
	readonly #dataIds: readonly number[];
	/** The last frame, and the result. */
	#at = 0;
	#head = NEVER_HEAD;
	#isAccepted = true;
	/** Without a counter the mask is 0. */
	readonly #counterAt: number;
	readonly #counterMask: number;
	#counts = false;
	#lastCount = -1;
	#counted = 0;
	#verifies = false;
	#verified = 0;
	#skips = 0;

	constructor(check: FrameCheck) {
		const { word, mask } = flagField([check.counter ?? NO_COUNTER]);
		this.check = check;
		this.#counterAt = WORD_DATA + word;
		this.#counterMask = mask;
		this.#dataIds = dataIdsOf(check.id, "autosar") ?? NO_DATA_IDS;
	}

	/** @param at entry of the latest frame in a sample, in 16-bit words */
	accepts(sample: Uint8Array, words: Uint16Array, at: number): boolean {
		const head = words[at + WORD_HEAD];
		if (head === this.#head && at === this.#at) return this.#isAccepted;
		this.#at = at;
		this.#head = head;
		const counts = this.#isCounted(words, at);
		this.#isAccepted = this.#isVerified(sample, 2 * at + ENTRY_DATA) && counts;
		return this.#isAccepted;
	}

	/** A counter may skip values: frames are lost, and gateways pass only some. */
	#isCounted(words: Uint16Array, at: number): boolean {
		if (this.#counterMask === 0) return true;
		const count = words[at + this.#counterAt] & this.#counterMask;
		const moves = count !== this.#lastCount;
		if (!this.#counts && moves && this.#lastCount >= 0) this.#counts = ++this.#counted >= SHOWN_FRAMES;
		this.#lastCount = count;
		return moves || !this.#counts;
	}

	#isVerified(sample: Uint8Array, from: number): boolean {
		if (this.#skips > 0) {
			this.#skips--;
			return true;
		}
		const { checksum, checksumAt = 0 } = this.check;
		if (checksum === undefined || (checksum === "crc8" && this.#dataIds.length === 0)) return true;
		const isRight = this.#checksum(sample, from, checksumAt) === sample[from + checksumAt];
		if (this.#verifies) {
			if (isRight) this.#skips = CHECK_EVERY_FRAMES - 1;
			return isRight;
		}
		this.#verified = isRight ? this.#verified + 1 : 0;
		this.#verifies = this.#verified >= SHOWN_FRAMES;
		return true;
	}

	/** @param checksumAt does not count */
	#checksum(sample: Uint8Array, from: number, checksumAt: number): number {
		const { checksum, counter = NO_COUNTER, mask = 0 } = this.check;
		if (checksum === "crc8") {
			let crc: number = CRC_INITIAL;
			for (let i = 0; i < FRAME_BYTES; i++) if (i !== checksumAt) crc = CRC_OF_BYTE[crc ^ sample[from + i]];
			const count = (sample[from + (counter.start >> 3)] >> (counter.start & 7)) & ((1 << counter.length) - 1);
			return CRC_OF_BYTE[crc ^ this.#dataIds[count]] ^ CRC_FINAL_XOR;
		}
		let result = 0;
		if (checksum === "xor") {
			for (let i = 0; i < FRAME_BYTES; i++) if (i !== checksumAt) result ^= sample[from + i];
			return result;
		}
		for (let i = 0; i < FRAME_BYTES; i++) if ((mask & (1 << i)) !== 0) result += sample[from + i];
		return (0xff - result) & 0xff;
	}
}

/**
 * Habits that the car has shown since the start; `WatchList` hands it on, since new inputs after other settings must
 * not believe a sender that hangs. Source: docs/decisions.md 46, 47.
 */
export class FrameHabits {
	/** The car that has told of the ignition. */
	ignitionToldBy: Car | undefined;
	/** Identifiers that have told a speed: the car stands only while each says so. */
	readonly speedFrames: number[] = [];
	readonly #guards: FrameGuard[] = [];

	/** Allocates the first time. */
	guardOf(check: FrameCheck): FrameGuard {
		const known = this.#guards.find((one) => one.check === check);
		if (known !== undefined) return known;
		const guard = new FrameGuard(check);
		this.#guards.push(guard);
		return guard;
	}
}
