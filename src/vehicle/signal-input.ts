/**
 * One signal of the catalogue, read from the gateway's samples: mapped inputs, conditions and the dashboard.
 * Respects multiplexers, and takes neither error codes nor values with a set quality bit where the layout tables know them.
 * `poll` is part of the control tick: it allocates nothing and costs little while no frame came.
 * Source: docs/control-and-can.md 2.3, 2.5; docs/decisions.md 5, 9.
 */

import { bytesNeeded, readPhysical, readRaw } from "../can/bits.js";
import { CHASSIS, COUPLING } from "../can/bus.js";
import { type CatalogueSignal, findSelector, type Network } from "../can/catalogue.js";
import { compileField, type Field, flagField } from "../can/field.js";
import { MQB_SIGNALS } from "../can/layouts/mqb.js";
import { PQ_SIGNALS } from "../can/layouts/pq.js";
import { type ResolvedKey, resolveSignalKey } from "../can/signal-key.js";
import type { RawRow, SignalLayout } from "../can/signal-layout.js";
import { ENTRY_DATA, NEVER_HEAD, type WatchList, WORD_DATA, WORD_HEAD } from "./watch-list.js";

const fround = Math.fround;

const FULL_DLC = 8; // what is beyond a frame's DLC is checked once, against minHead

/** Of the layout tables. */
const ROWS: Readonly<Record<Network, readonly RawRow[]>> = Object.freeze({
	pq: Object.freeze(Object.values(PQ_SIGNALS)),
	mqb: Object.freeze(Object.values(MQB_SIGNALS)),
});

/** Identifiers of those rows: the engine finds one in them for a tenth of what it costs to look at each row. */
const IDS: Readonly<Record<Network, readonly number[]>> = Object.freeze({
	pq: Object.freeze(ROWS.pq.map(({ id }) => id)),
	mqb: Object.freeze(ROWS.mqb.map(({ id }) => id)),
});

/** What the layout tables know of the signal at this place. */
function knownRow(network: Network, signal: CatalogueSignal): RawRow | undefined {
	const { frameId, start, length } = signal;
	const ids = IDS[network];
	for (let at = ids.indexOf(frameId); at >= 0; at = ids.indexOf(frameId, at + 1)) {
		const row = ROWS[network][at];
		if (row.start === start && row.length === length) return row;
	}
	return undefined;
}

/** A signal that is watched. */
export class SignalInput {
	/** The latest value, float32 in the signal's unit; NaN before the first. */
	value = Number.NaN;
	/** Time of the frame that brought it, ms on the gateway's clock modulo 2^32. */
	atMs = 0;
	/** The signal. */
	readonly signal: CatalogueSignal;
	/** False if the watch list was full: the signal never gets a value. */
	readonly watched: boolean;

	#seen = false;
	readonly #holdMs: number;
	// Word offsets of the entries in the sample: the bus named in the key, and the other one for keys of any bus (0 = none).
	readonly #at: number;
	readonly #otherAt: number;
	readonly #bus: string;
	readonly #minHead: number;
	/** undefined: more than two words, or read in another way. */
	readonly #field: Field | undefined;
	readonly #factor: number;
	readonly #offset: number;
	readonly #errorFrom: number;
	readonly #qualityAt: number;
	readonly #qualityMask: number;
	readonly #selector: SignalLayout | undefined;
	#head = NEVER_HEAD;
	#otherHead = NEVER_HEAD;

	/**
	 * @param signal what to read @param bus where its frame comes from @param network the catalogue it is from
	 * @param watch gets the frame @param holdMs how long a value stays live
	 */
	constructor(signal: CatalogueSignal, bus: "any" | "chassis" | "haldex", network: Network, watch: WatchList, holdMs: number) {
		const known = knownRow(network, signal);
		const selector = signal.mux >= 0 ? findSelector(network, signal.frameId) : undefined;
		const start = known?.qualityBit ?? 0;
		const length = known?.qualityBit === undefined ? 0 : (known.qualityBits ?? 1);
		const quality = flagField([{ start, length }]);
		const { frameId, extended } = signal;
		const minDlc = Math.max(bytesNeeded(signal), selector === undefined ? 0 : bytesNeeded(selector), (start + length + 7) >> 3);
		// in the order in which `poll` reads them: the engine looks for a member from the first one that was set
		this.#at = watch.add(bus === "haldex" ? COUPLING : CHASSIS, frameId, extended, minDlc) >> 1;
		this.#otherAt = bus === "any" ? watch.add(COUPLING, frameId, extended, minDlc) >> 1 : 0;
		this.#minHead = minDlc << 8;
		this.#qualityAt = WORD_DATA + quality.word;
		this.#qualityMask = quality.mask;
		this.#selector = selector;
		this.#field = compileField(signal);
		this.#errorFrom = known?.errorFrom ?? Number.POSITIVE_INFINITY;
		this.#factor = fround(signal.factor);
		this.#offset = fround(signal.offset);
		this.#holdMs = holdMs;
		this.signal = signal;
		this.#bus = bus;
		this.watched = this.#at !== 0;
	}

	/**
	 * Looks for a new frame. Not to be called if not `watched`.
	 * @param sample as the gateway filled it for the watch list @param words the same buffer, see `wordsOf` @param nowMs the sample's time, modulo 2^32
	 * @returns true if there is a new value. Of frames on both buses at once the second waits for the next call. Never throws.
	 */
	poll(sample: Uint8Array, words: Uint16Array, nowMs: number): boolean {
		let at = this.#at;
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
		if ((words[at + this.#qualityAt] & this.#qualityMask) !== 0) return false;
		if (this.#selector !== undefined && readRaw(sample, 2 * at + ENTRY_DATA, FULL_DLC, this.#selector) !== this.signal.mux)
			return false;
		const field = this.#field;
		if (field !== undefined) {
			// `readField` inline: a call would cost half as much again.
			const word = at + WORD_DATA + field.word;
			const bits = field.wide ? words[word] | (words[word + 1] << 16) : words[word];
			const raw = (bits >> field.shift) & field.mask;
			if (raw >= this.#errorFrom) return false;
			const scaled = fround(raw * this.#factor);
			this.value = this.#offset === 0 ? scaled : fround(scaled + this.#offset);
		} else {
			this.value = readPhysical(sample, 2 * at + ENTRY_DATA, FULL_DLC, this.signal);
		}
		this.atMs = (nowMs - words[at]) >>> 0;
		this.#seen = true;
		return true;
	}

	/** Goes on with the value of another input, if both read the same signal. @returns whether they do. Never throws. */
	goOnFrom(other: SignalInput): boolean {
		const { frameId, extended, start, length, mux } = other.signal;
		const own = this.signal;
		const isSameFrame = frameId === own.frameId && extended === own.extended && other.#bus === this.#bus;
		if (!isSameFrame || start !== own.start || length !== own.length || mux !== own.mux) return false;
		this.value = other.value;
		this.atMs = other.atMs;
		this.#seen = other.#seen;
		return true;
	}

	/**
	 * True while the latest value is at most `holdMs` old. To be asked at least once a week: ages are differences modulo 2^32,
	 * and only a value that was found too old stays so.
	 */
	isLive(nowMs: number): boolean {
		if (this.#seen && ((nowMs - this.atMs) | 0) > this.#holdMs) this.#seen = false;
		return this.#seen;
	}
}

/**
 * Makes an input of a key.
 * @param key see `signal-key.ts`; an empty or unusable one gives none @param holdMs how long a value stays live
 * @returns undefined if the key names no signal or the watch list is full. Never throws.
 */
export function createSignalInput(key: string, network: Network, watch: WatchList, holdMs: number): SignalInput | undefined {
	return key === "" ? undefined : inputOf(resolveSignalKey(network, key), network, watch, holdMs);
}

/**
 * The same of a key that was looked up.
 * @param resolved undefined if the key names no signal @param holdMs how long a value stays live, below 2^31
 * @returns undefined without a signal, and if the watch list is full. Never throws.
 */
export function inputOf(
	resolved: ResolvedKey | undefined,
	network: Network,
	watch: WatchList,
	holdMs: number,
): SignalInput | undefined {
	if (resolved === undefined) return undefined;
	const input = new SignalInput(resolved.signal, resolved.bus, network, watch, holdMs);
	return input.watched ? input : undefined;
}
