/**
 * Whether frames of one kind say something: of a sender that hangs, or whose bytes are damaged, they are
 * silence. Each check begins once the car has shown that it keeps to it: a car that never counts, or has
 * other DataIDs than the known ones, is not doubted for that. `accepts` is part of the control tick: it
 * allocates nothing. Source: docs/decisions.md 46.
 */

import { flagField } from "../can/bits.js";
import { dataIdsOf } from "../can/data-ids.js";
import type { FrameCheck } from "../can/signal-layout.js";
import type { Car } from "../coupling/coupling.js";
import { ENTRY_DATA, NEVER_HEAD, WORD_DATA, WORD_HEAD } from "./sample.js";

/**
 * This many frames in a row show that the car keeps to a check: by chance one of 256 has the right checksum.
 */
const SHOWN = 3;
/**
 * Of frames that verify each fourth is looked at, of others each one. The bus has a checksum of its own, so
 * what these find is a sender with a fault, which lasts: at most 80 ms of such a sender count, with frames
 * each 20 ms, and 400 ms where only every 100 ms one is read. Each frame would take the tick beyond its
 * 0.2 M instructions.
 */
const LOOK_EACH = 4;
const FRAME_BYTES = 8;
const CRC_INIT = 0xff;
const CRC_FINAL_XOR = 0xff;
/** x^8 + x^5 + x^3 + x^2 + x + 1, CRC-8/AUTOSAR. */
const CRC_POLYNOMIAL = 0x2f;
const CRC_OF_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => {
	let crc = byte;
	for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc & 0x80 ? CRC_POLYNOMIAL : 0);
	return crc;
});
const NO_COUNTER = Object.freeze({ start: 0, length: 0 });
const NO_DATA_IDS: readonly number[] = Object.freeze([]);

/** Checks the frames of one identifier; all their readers share it. */
export class FrameGuard {
	readonly check: FrameCheck;
	readonly #dataIds: readonly number[];
	/** The frame that was looked at last, and what came of it. */
	#at = 0;
	#head = NEVER_HEAD;
	#isAccepted = true;
	/** The counter in the words of the payload. A frame without one has the mask 0. */
	readonly #counterAt: number;
	readonly #counterMask: number;
	/** The car's counter moves. */
	#counts = false;
	#lastCount = -1;
	#counted = 0;
	/** The car's checksums are right. */
	#verifies = false;
	#verified = 0;
	/** Frames until the next checksum is looked at. */
	#skips = 0;

	constructor(check: FrameCheck) {
		const { word, mask } = flagField([check.counter ?? NO_COUNTER]);
		this.check = check;
		this.#counterAt = WORD_DATA + word;
		this.#counterMask = mask;
		this.#dataIds = dataIdsOf(check.id, "autosar") ?? NO_DATA_IDS;
	}

	/** Whether the latest frame in a sample says something. @param at its entry, in 16-bit words */
	accepts(sample: Uint8Array, words: Uint16Array, at: number): boolean {
		const head = words[at + WORD_HEAD];
		if (head === this.#head && at === this.#at) return this.#isAccepted;
		this.#at = at;
		this.#head = head;
		const counts = this.#isCounted(words, at);
		this.#isAccepted = this.#isVerified(sample, 2 * at + ENTRY_DATA) && counts;
		return this.#isAccepted;
	}

	/** A counter may leave some values out: frames are lost, and gateways pass only some. */
	#isCounted(words: Uint16Array, at: number): boolean {
		if (this.#counterMask === 0) return true;
		const count = words[at + this.#counterAt] & this.#counterMask;
		const moves = count !== this.#lastCount;
		if (!this.#counts && moves && this.#lastCount >= 0) this.#counts = ++this.#counted >= SHOWN;
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
			if (isRight) this.#skips = LOOK_EACH - 1;
			return isRight;
		}
		this.#verified = isRight ? this.#verified + 1 : 0;
		this.#verifies = this.#verified >= SHOWN;
		return true;
	}

	/** @param checksumAt does not count */
	#checksum(sample: Uint8Array, from: number, checksumAt: number): number {
		const { checksum, mask = 0 } = this.check;
		if (checksum === "crc8") {
			let crc = CRC_INIT;
			for (let i = 0; i < FRAME_BYTES; i++) if (i !== checksumAt) crc = CRC_OF_BYTE[crc ^ sample[from + i]];
			return CRC_OF_BYTE[crc ^ this.#dataIds[sample[from + 1] & 0x0f]] ^ CRC_FINAL_XOR;
		}
		let result = 0;
		if (checksum === "xor") {
			for (let i = 0; i < FRAME_BYTES; i++) if (i !== checksumAt) result ^= sample[from + i];
			return result;
		}
		for (let i = 0; i < FRAME_BYTES; i++) if ((mask & (1 << i)) !== 0) result += sample[from + i];
		return (CRC_FINAL_XOR - result) & 0xff;
	}
}

/**
 * What the car has shown of its frames since the start. Other settings make the inputs anew, and a sender that
 * hangs must not be believed for that: `WatchList` hands it on. Source: docs/decisions.md 46, 47.
 */
export class FrameHabits {
	/** The car whose frames have told of the ignition. */
	ignitionToldBy: Car | undefined;
	/** Frames that have told a speed, by identifier: the car stands only while each of them says so. */
	readonly speedFrames: number[] = [];
	readonly #guards: FrameGuard[] = [];

	/** The guard of the frames that a check is for. Allocates the first time. */
	guardOf(check: FrameCheck): FrameGuard {
		const known = this.#guards.find((one) => one.check === check);
		if (known !== undefined) return known;
		const guard = new FrameGuard(check);
		this.#guards.push(guard);
		return guard;
	}
}
