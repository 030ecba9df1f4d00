/**
 * One signal of the catalogue, read from the gateway's samples: mapped inputs, the mode trigger and the dashboard.
 * Respects multiplexers, and takes neither error codes nor values with a set quality bit where the layout tables know them.
 * `poll` is part of the control tick: it allocates nothing and costs little while no frame came.
 * Source: control-and-can.md 2.3, 2.5; decisions.md 5, 9.
 */

import { bytesNeeded, readPhysical, readRaw } from "../can/bits.js";
import { type CatalogueSignal, findSelector, type Network } from "../can/catalogue.js";
import { compileField } from "../can/field.js";
import { MQB_SIGNALS } from "../can/layouts/mqb.js";
import { PQ_SIGNALS } from "../can/layouts/pq.js";
import { resolveSignalKey } from "../can/signal-key.js";
import type { SignalLayout, SignalRow } from "../can/signal-layout.js";
import { ENTRY_DATA, ENTRY_DLC, ENTRY_SEQUENCE, type WatchList } from "./watch-list.js";

const CHASSIS = 0;
const COUPLING = 1;

/** What the layout tables know of the signal at this place. */
function knownRow(network: Network, signal: CatalogueSignal): SignalRow | undefined {
	const rows: SignalRow[] = Object.values(network === "mqb" ? MQB_SIGNALS : PQ_SIGNALS);
	return rows.find((row) => row.id === signal.frameId && row.start === signal.start && row.length === signal.length);
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
	// Entries in the sample: the bus named in the key, and the other one for keys of any bus (0 = none).
	readonly #at: number;
	readonly #otherAt: number;
	readonly #minDlc: number;
	readonly #compiled: boolean;
	readonly #threeBytes: boolean;
	readonly #fieldAt: number;
	readonly #shift: number;
	readonly #mask: number;
	readonly #factor: number;
	readonly #offset: number;
	readonly #errorFrom: number;
	readonly #qualityAt: number;
	readonly #qualityMask: number;
	readonly #selector: SignalLayout | undefined;
	// The gateway counts frames from 0: an entry whose count never changed has no frame yet.
	#sequence = 0;
	#otherSequence = 0;

	/**
	 * @param signal what to read @param bus where its frame comes from @param network the catalogue it is from
	 * @param watch gets the frame @param holdMs how long a value stays live
	 */
	constructor(signal: CatalogueSignal, bus: "any" | "chassis" | "haldex", network: Network, watch: WatchList, holdMs: number) {
		const known = knownRow(network, signal);
		const selector = signal.mux >= 0 ? findSelector(network, signal.frameId) : undefined;
		const quality = known?.qualityBit ?? -1;
		const field = compileField(signal);
		const { frameId, extended } = signal;
		this.signal = signal;
		this.#holdMs = holdMs;
		this.#minDlc = Math.max(bytesNeeded(signal), selector === undefined ? 0 : bytesNeeded(selector), (quality >> 3) + 1);
		this.#compiled = field !== undefined;
		this.#fieldAt = ENTRY_DATA + (field?.byte ?? 0);
		this.#shift = field?.shift ?? 0;
		this.#mask = field?.mask ?? 0;
		this.#threeBytes = (signal.start & 7) + signal.length > 16;
		this.#factor = Math.fround(signal.factor);
		this.#offset = Math.fround(signal.offset);
		this.#errorFrom = known?.errorFrom ?? Number.POSITIVE_INFINITY;
		this.#qualityAt = ENTRY_DATA + (quality >> 3);
		this.#qualityMask = quality < 0 ? 0 : 1 << (quality & 7);
		this.#selector = selector;
		this.#at = watch.add(bus === "haldex" ? COUPLING : CHASSIS, frameId, extended, this.#minDlc);
		this.#otherAt = bus === "any" ? watch.add(COUPLING, frameId, extended, this.#minDlc) : 0;
		this.watched = this.#at !== 0;
	}

	/**
	 * Looks for a new frame. Not to be called if not `watched`.
	 * @param sample as the gateway filled it for the watch list @param nowMs the sample's time, modulo 2^32
	 * @returns true if there is a new value. Of frames on both buses at once the second waits for the next call. Never throws.
	 */
	poll(sample: Uint8Array, nowMs: number): boolean {
		let at = this.#at;
		let sequence = sample[at + ENTRY_SEQUENCE];
		if (sequence !== this.#sequence) {
			this.#sequence = sequence;
		} else {
			at = this.#otherAt;
			if (at === 0) return false;
			sequence = sample[at + ENTRY_SEQUENCE];
			if (sequence === this.#otherSequence) return false;
			this.#otherSequence = sequence;
		}
		const dlc = sample[at + ENTRY_DLC];
		if (dlc < this.#minDlc) return false;
		if ((sample[at + this.#qualityAt] & this.#qualityMask) !== 0) return false;
		if (this.#selector !== undefined && readRaw(sample, at + ENTRY_DATA, dlc, this.#selector) !== this.signal.mux) return false;
		if (this.#compiled) {
			// `readField` inline: a call would cost half as much again.
			const first = at + this.#fieldAt;
			let raw = sample[first] | (sample[first + 1] << 8);
			if (this.#threeBytes) raw |= sample[first + 2] << 16;
			raw = (raw >> this.#shift) & this.#mask;
			if (raw >= this.#errorFrom) return false;
			const scaled = Math.fround(raw * this.#factor);
			this.value = this.#offset === 0 ? scaled : Math.fround(scaled + this.#offset);
		} else {
			this.value = readPhysical(sample, at + ENTRY_DATA, dlc, this.signal);
		}
		this.atMs = (nowMs - (sample[at] | (sample[at + 1] << 8))) >>> 0;
		this.#seen = true;
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
	const resolved = key === "" ? undefined : resolveSignalKey(network, key);
	if (resolved === undefined) return undefined;
	const input = new SignalInput(resolved.signal, resolved.bus, network, watch, holdMs);
	return input.watched ? input : undefined;
}
