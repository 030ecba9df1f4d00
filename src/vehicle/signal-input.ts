/**
 * One value of the gateway's samples: of the car, a mapped input, a condition, the steering angle, the
 * coupling's report. Codes, values out of range, values with a quality bit, and a multiplexed frame with
 * another selector bring none. `poll` is part of the control tick: it allocates nothing. Source:
 * docs/control-and-can.md 2.3, 2.5; docs/decisions.md 5, 9.
 */

import type { Bus } from "../../hal/ports.js";
import { type BitField, bitField, bytesNeeded, type FlagField, flagField, readRaw } from "../can/bits.js";
import { CHASSIS, COUPLING } from "../can/bus.js";
import { findSelector, knownRow, type Network, type ResolvedKey, resolveSignalKey } from "../can/catalogue.js";
import type { FrameCheck, RawRow, SignalPlace, SignalRow } from "../can/signal-layout.js";
import type { Car } from "../coupling/coupling.js";
import { checkOf, checkOfCar } from "../coupling/couplings/couplings.js";
import type { FrameGuard } from "./frame-guard.js";
import { ENTRY_DATA, NEVER_HEAD, WORD_DATA, WORD_HEAD } from "./sample.js";
import type { WatchList } from "./watch-list.js";

const fround = Math.fround;

const FULL_DLC = 8; // what is beyond a frame's DLC is checked once, against minHead
const NO_VALUE = Number.NEGATIVE_INFINITY;

/** Where a value is read. */
export interface InputSource {
	readonly bus: "any" | "chassis" | "haldex";
	readonly frameId: number;
	readonly extended: boolean;
	/** The value is their mean. */
	readonly signals: readonly (SignalPlace & Pick<RawRow, "min" | "max" | "qualityBit" | "qualityBits">)[];
	/** Scale of all signals; absent: the raw value. */
	readonly factor?: number;
	readonly offset?: number;
	/** The signal counts only while the selector has the value `mux`. */
	readonly selector?: SignalPlace | undefined;
	readonly mux?: number;
	readonly check?: FrameCheck | undefined;
}

/** How a raw value is read, and its range. */
interface RawReader extends BitField {
	readonly min: number;
	readonly max: number;
	/** Bits that are 0 in a valid frame. */
	readonly quality: FlagField | undefined;
}

/** For bits that `bitField` can't describe. */
const NO_BITS = Object.freeze({ word: 0, shift: 0, mask: 0 });

function readerOf(signal: InputSource["signals"][number]): RawReader {
	const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, qualityBit, qualityBits = 1 } = signal;
	const bits = bitField(signal) ?? NO_BITS;
	const quality = qualityBit === undefined ? undefined : flagField([{ start: qualityBit, length: qualityBits }]);
	return { ...bits, min, max, quality };
}

/** A watched value. */
export class SignalInput {
	/** Float32 in the signal's unit; NaN before the first. */
	value = Number.NaN;
	/** Time of its frame, ms on the gateway's clock modulo 2^32. */
	atMs = 0;
	/** The latest frame had a code, a value out of range, or a quality bit. */
	isCode = false;
	readonly from: InputSource;
	/** Its entry in a sample, in 16-bit words; on any bus that of the chassis. 0: never a value. */
	readonly at: number;

	#seen = false;
	readonly #readers: readonly RawReader[];
	readonly #holdMs: number;
	/** The coupling's entry of a frame on any bus; 0 = none. */
	readonly #otherAt: number;
	readonly #minHead: number;
	readonly #isRaw: boolean;
	readonly #factor: number;
	readonly #offset: number;
	readonly #guard: FrameGuard | undefined;
	#head = NEVER_HEAD;
	#otherHead = NEVER_HEAD;

	/**
	 * @param watch gets the frame
	 * @param holdMs how long a value stays live, below 2^31
	 */
	constructor(from: InputSource, watch: WatchList, holdMs: number) {
		const { bus, check, frameId, extended, signals, selector, factor = 1, offset = 0 } = from;
		this.from = from;
		this.#readers = signals.map(readerOf);
		this.#holdMs = holdMs;
		this.#factor = fround(factor);
		this.#offset = fround(offset);
		this.#isRaw = from.factor === undefined;
		const bytes = signals.map((one) => Math.max(bytesNeeded(one), ((one.qualityBit ?? 0) + (one.qualityBits ?? 1) + 7) >> 3));
		const minDlc = Math.max(...bytes, selector === undefined ? 0 : bytesNeeded(selector));
		this.#minHead = minDlc << 8;
		this.at = watch.add(bus === "haldex" ? COUPLING : CHASSIS, frameId, extended, minDlc) >> 1;
		this.#otherAt = bus === "any" ? watch.add(COUPLING, frameId, extended, minDlc) >> 1 : 0;
		this.#guard = check && watch.habits.guardOf(check);
	}

	/**
	 * Looks for a new frame; of two on both buses the second waits for the next call.
	 * @param sample of the gateway for the watch list
	 * @param words the same buffer, see `wordsOf`
	 * @param nowMs the sample's time, modulo 2^32
	 * @returns true if there is a new value
	 */
	poll(sample: Uint8Array, words: Uint16Array, nowMs: number): boolean {
		let at = this.at;
		let head = words[at + WORD_HEAD];
		if (head !== this.#head) {
			this.#head = head;
		} else {
			at = this.#otherAt;
			if (at === 0) return false;
			head = words[at + WORD_HEAD];
			if (head === this.#otherHead) return false;
			this.#otherHead = head;
		}
		if (head < this.#minHead) return false;
		if (this.#guard !== undefined && !this.#guard.accepts(sample, words, at)) return false;
		const { selector } = this.from;
		if (selector !== undefined && readRaw(sample, 2 * at + ENTRY_DATA, FULL_DLC, selector) !== this.from.mux) return false;
		const value = this.#mean(sample, words, at);
		this.isCode = value === NO_VALUE;
		if (this.isCode) return false;
		this.value = value;
		this.atMs = (nowMs - words[at]) >>> 0;
		this.#seen = true;
		return true;
	}

	/** NO_VALUE if one of them has none. */
	#mean(sample: Uint8Array, words: Uint16Array, at: number): number {
		const readers = this.#readers;
		const payload = at + WORD_DATA;
		let sum = 0;
		for (let i = 0; i < readers.length; i++) {
			const one = readers[i];
			const low = payload + one.word;
			const raw =
				one.mask !== 0
					? ((words[low] | (words[low + 1] << 16)) >> one.shift) & one.mask
					: readRaw(sample, 2 * at + ENTRY_DATA, FULL_DLC, this.from.signals[i]);
			if (raw < one.min || raw > one.max) return NO_VALUE;
			const { quality } = one;
			if (quality !== undefined && (words[payload + quality.word] & quality.mask) !== 0) return NO_VALUE;
			sum += raw;
		}
		if (this.#isRaw) return sum;
		const scaled = fround(fround(sum) * this.#factor);
		const mean = readers.length === 1 ? scaled : fround(scaled / readers.length);
		return this.#offset === 0 ? mean : fround(mean + this.#offset);
	}

	/** Copies the value of another input. @returns false if that reads another signal */
	goOnFrom(other: SignalInput): boolean {
		const [own, theirs] = [this.from, other.from];
		if (own.frameId !== theirs.frameId || own.extended !== theirs.extended || own.bus !== theirs.bus) return false;
		const [signal, same] = [own.signals[0], theirs.signals[0]];
		if (signal.start !== same.start || signal.length !== same.length || own.mux !== theirs.mux) return false;
		this.value = other.value;
		this.atMs = other.atMs;
		this.#seen = other.#seen;
		return true;
	}

	/**
	 * The value is at most `holdMs` old. To be called at least once a week: only a value that was found too
	 * old stays so when the clock wraps.
	 */
	isLive(nowMs: number): boolean {
		if (this.#seen && ((nowMs - this.atMs) | 0) > this.#holdMs) this.#seen = false;
		return this.#seen;
	}
}

/** Reads the mean of rows. @param signals of one frame and scale @param check of it */
export function sourceOfRows(bus: InputSource["bus"], signals: readonly SignalRow[], check?: FrameCheck): InputSource {
	const { id, extended, factor, offset } = signals[0];
	return { bus, frameId: id, extended: extended === true, signals, factor, offset, check };
}

/** Where the signal of a key is read; undefined if it names none. */
export function sourceOfKey(network: Network, resolved: ResolvedKey | undefined): InputSource | undefined {
	if (resolved === undefined) return undefined;
	const { bus, signal } = resolved;
	const { frameId, extended, factor, mux, offset } = signal;
	const selector = mux >= 0 ? findSelector(network, frameId) : undefined;
	const check = extended ? undefined : checkOf(network, frameId);
	const signals = [knownRow(network, signal) ?? signal];
	return { bus, frameId, extended, signals, factor, offset, selector, mux, check };
}

/**
 * @param source of `sourceOfKey`
 * @param holdMs how long a value stays live, below 2^31
 * @returns undefined without a source, or if the watch list is full
 */
export function inputOf(source: InputSource | undefined, watch: WatchList, holdMs: number): SignalInput | undefined {
	const input = source && new SignalInput(source, watch, holdMs);
	return input?.at === 0 ? undefined : input;
}

/** @param key see `parseSignalKey`; the others as `inputOf` */
export function createSignalInput(key: string, network: Network, watch: WatchList, holdMs: number): SignalInput | undefined {
	return inputOf(sourceOfKey(network, resolveSignalKey(network, key)), watch, holdMs);
}

/** Reads a row's raw value. @param row of a frame with 11 bits of identifier @param car has the checks of its frame */
export function rawInput(bus: "chassis" | "haldex", row: RawRow, watch: WatchList, holdMs: number, car: Car): SignalInput {
	const from = { bus, frameId: row.id, extended: false, signals: [row], check: checkOfCar(car, row.id) };
	return new SignalInput(from, watch, holdMs);
}

/** Flags in one word of a frame, as any frame since the last sample has shown them. */
export class CollectedFlags {
	/** Age of the latest frame. */
	ageMs = 0;
	bits = 0;
	/** Its sender is alive. */
	isAccepted = true;
	readonly #at: number;
	readonly #minHead: number;
	readonly #flagsAt: number;
	readonly #mask: number;
	readonly #guard: FrameGuard | undefined;
	/** The latest frame as it came: collected ones have no counter. */
	readonly #plainAt: number;
	#head = NEVER_HEAD;

	/** @param rows of one frame */
	constructor(bus: Bus, rows: readonly RawRow[], watch: WatchList, check?: FrameCheck) {
		const { word, mask } = flagField(rows);
		const minDlc = Math.max(...rows.map(bytesNeeded));
		this.#at = watch.collect(bus, rows[0].id, minDlc) >> 1;
		this.#minHead = minDlc << 8;
		this.#flagsAt = this.#at + WORD_DATA + word;
		this.#mask = mask;
		this.#plainAt = check === undefined ? 0 : watch.add(bus, rows[0].id, false, minDlc) >> 1;
		this.#guard = check && watch.habits.guardOf(check);
	}

	/** See `SignalInput.poll`. @returns true if a frame has come that is long enough */
	poll(sample: Uint8Array, words: Uint16Array): boolean {
		const head = words[this.#at + WORD_HEAD];
		if (head === this.#head) return false;
		this.#head = head;
		if (head < this.#minHead) return false;
		this.ageMs = words[this.#at];
		this.bits = words[this.#flagsAt] & this.#mask;
		this.isAccepted = this.#guard === undefined || this.#guard.accepts(sample, words, this.#plainAt);
		return true;
	}
}
