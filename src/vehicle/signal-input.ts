/**
 * One signal of the catalogue, read from the gateway's samples: mapped inputs, the mode trigger and the dashboard.
 * Respects multiplexers, and takes neither error codes nor values with a set quality bit where the layout tables know them.
 * `poll` is part of the control tick: it allocates nothing and costs little while no frame came.
 * Source: control-and-can.md 2.3, 2.5; decisions.md 5, 9.
 */

import { bytesNeeded, readPhysical, readRaw } from "../can/bits.js";
import { type CatalogueSignal, findSelector, type Network } from "../can/catalogue.js";
import { compileField, type Field, readField } from "../can/field.js";
import { MQB_SIGNALS } from "../can/layouts/mqb.js";
import { PQ_SIGNALS } from "../can/layouts/pq.js";
import { resolveSignalKey } from "../can/signal-key.js";
import type { SignalLayout, SignalRow } from "../can/signal-layout.js";
import { ENTRY_DATA, ENTRY_DLC, ENTRY_SEQUENCE, NEVER_RECEIVED, type WatchList } from "./watch-list.js";

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
	/** Time of the frame that brought it, ms on the gateway's clock. */
	atMs = 0;
	/** True while the latest value is at most `holdMs` old. */
	live = false;
	/** The signal. */
	readonly signal: CatalogueSignal;

	readonly #holdMs: number;
	readonly #chassisAt: number;
	readonly #couplingAt: number;
	readonly #minDlc: number;
	readonly #field: Field | undefined;
	readonly #factor: number;
	readonly #offset: number;
	readonly #plain: boolean;
	readonly #errorFrom: number;
	readonly #qualityByte: number;
	readonly #qualityMask: number;
	readonly #selector: SignalLayout | undefined;
	readonly #mux: number;
	#chassisSequence = -1;
	#couplingSequence = -1;

	/**
	 * @param signal what to read @param bus where its frame comes from @param network the catalogue it is from
	 * @param watch gets the frame; on a full list the signal never gets a value @param holdMs see `live`
	 */
	constructor(signal: CatalogueSignal, bus: "any" | "chassis" | "haldex", network: Network, watch: WatchList, holdMs: number) {
		const known = knownRow(network, signal);
		const selector = signal.mux >= 0 ? findSelector(network, signal.frameId) : undefined;
		const quality = known?.qualityBit ?? -1;
		this.signal = signal;
		this.#holdMs = holdMs;
		this.#minDlc = Math.max(bytesNeeded(signal), selector === undefined ? 0 : bytesNeeded(selector), (quality >> 3) + 1);
		this.#field = compileField(signal);
		this.#factor = Math.fround(signal.factor);
		this.#offset = Math.fround(signal.offset);
		this.#plain = signal.factor === 1 && signal.offset === 0;
		this.#errorFrom = known?.errorFrom ?? Number.POSITIVE_INFINITY;
		this.#qualityByte = ENTRY_DATA + (quality >> 3);
		this.#qualityMask = quality < 0 ? 0 : 1 << (quality & 7);
		this.#selector = selector;
		this.#mux = signal.mux;
		const { frameId, extended } = signal;
		this.#chassisAt = bus === "haldex" ? 0 : watch.add(CHASSIS, frameId, extended, this.#minDlc);
		this.#couplingAt = bus === "chassis" ? 0 : watch.add(COUPLING, frameId, extended, this.#minDlc);
	}

	/**
	 * Looks for a new frame. @param sample as the gateway filled it for the watch list @param nowMs the sample's time
	 * @returns true if there is a new value. With frames on both buses at once the coupling bus's counts. Never throws.
	 */
	poll(sample: Uint8Array, nowMs: number): boolean {
		let fresh = false;
		const chassisAt = this.#chassisAt;
		if (chassisAt !== 0 && sample[chassisAt + ENTRY_SEQUENCE] !== this.#chassisSequence) {
			this.#chassisSequence = sample[chassisAt + ENTRY_SEQUENCE];
			fresh = this.#take(sample, chassisAt, nowMs);
		}
		const couplingAt = this.#couplingAt;
		if (couplingAt !== 0 && sample[couplingAt + ENTRY_SEQUENCE] !== this.#couplingSequence) {
			this.#couplingSequence = sample[couplingAt + ENTRY_SEQUENCE];
			if (this.#take(sample, couplingAt, nowMs)) fresh = true;
		}
		// Ages are differences modulo 2^32; a value found too old stays so, or it would look new after 25 days.
		if (this.live && ((nowMs - this.atMs) | 0) > this.#holdMs) this.live = false;
		return fresh;
	}

	#take(sample: Uint8Array, at: number, nowMs: number): boolean {
		const dlc = sample[at + ENTRY_DLC];
		if (dlc < this.#minDlc || dlc >= NEVER_RECEIVED) return false;
		if ((sample[at + this.#qualityByte] & this.#qualityMask) !== 0) return false;
		if (this.#selector !== undefined && readRaw(sample, at + ENTRY_DATA, dlc, this.#selector) !== this.#mux) return false;
		if (this.#field === undefined) {
			this.value = readPhysical(sample, at + ENTRY_DATA, dlc, this.signal);
		} else {
			const raw = readField(sample, at + ENTRY_DATA, this.#field);
			if (raw >= this.#errorFrom) return false;
			this.value = this.#plain ? raw : Math.fround(Math.fround(raw * this.#factor) + this.#offset);
		}
		this.atMs = (nowMs - (sample[at] | (sample[at + 1] << 8))) >>> 0;
		this.live = true;
		return true;
	}
}

/**
 * Makes an input of a key.
 * @param key see `signal-key.ts`; an empty or unusable one gives none @param holdMs how long a value stays live
 * @returns undefined if the key names no signal. Never throws.
 */
export function createSignalInput(key: string, network: Network, watch: WatchList, holdMs: number): SignalInput | undefined {
	const resolved = key === "" ? undefined : resolveSignalKey(network, key);
	return resolved === undefined ? undefined : new SignalInput(resolved.signal, resolved.bus, network, watch, holdMs);
}
