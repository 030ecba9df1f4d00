/**
 * Reads the coupling's status frame from the gateway's samples into the vehicle's state.
 * Part of the control tick: allocates nothing. Source: docs/control-and-can.md 2.2; docs/decisions.md 5, 9.
 */

import { COUPLING } from "../can/bus.js";
import { type Field, flagField, readField, requireField } from "../can/field.js";
import type { RawRow } from "../can/signal-layout.js";
import type { StatusFrame } from "../coupling/coupling.js";
import { couplingOf } from "../coupling/couplings/couplings.js";
import type { VehicleState } from "./vehicle-state.js";
import { NEVER_HEAD, type WatchList, WORD_DATA, WORD_HEAD } from "./watch-list.js";

/** Of a byte, and so of a sum of two fields. */
const MAX_RAW = 255;

/** The status frame of one generation. */
export class CouplingReader {
	readonly #at: number;
	readonly #minHead: number;
	readonly #zeroRaw: number;
	readonly #spanRaw: number;
	readonly #engagement: Field;
	readonly #addedEngagement: Field | undefined;
	readonly #state: Field;
	readonly #isOneWord: boolean;
	readonly #statusAt: number;
	readonly #temperatureMask: number;
	readonly #faultMask: number;
	/** Heat and faults as any frame since the last sample has shown them. */
	readonly #flagsAt: number;
	#flags = 0;
	#head = NEVER_HEAD;
	#status = -1;

	/** @param watch gets the frame */
	constructor(status: StatusFrame, watch: WatchList) {
		const { addedEngagement, flags } = status;
		const { id } = status.state;
		this.#at = watch.add(COUPLING, id, false, status.minDlc) >> 1;
		this.#minHead = status.minDlc << 8;
		this.#zeroRaw = status.zeroRaw;
		this.#spanRaw = status.spanRaw;
		this.#engagement = requireField(status.engagement);
		this.#addedEngagement = addedEngagement && requireField(addedEngagement);
		this.#state = requireField(status.state);
		this.#isOneWord = addedEngagement === undefined && this.#engagement.word === this.#state.word;
		this.#statusAt = WORD_DATA + this.#state.word;
		this.#temperatureMask = maskIn(this.#state, flags && [flags.temperatureProtection]);
		this.#faultMask = maskIn(this.#state, flags?.faults);
		this.#flagsAt = flags === undefined ? this.#at : watch.collect(COUPLING, id, status.minDlc) >> 1;
	}

	/** Takes over a new frame. @param words sample, see `wordsOf` @param nowMs its time @param state is written to. Never throws. */
	poll(words: Uint16Array, nowMs: number, state: VehicleState): void {
		const at = this.#at;
		const head = words[at + WORD_HEAD];
		if (head === this.#head) return;
		this.#head = head;
		if (head < this.#minHead) return;
		state.engagementAtMs = (nowMs - words[at]) >>> 0;
		state.engagementValid = true;
		// Where state and engagement share a word, it rarely changes.
		const status = words[at + this.#statusAt];
		const flags = words[this.#flagsAt + this.#statusAt];
		if (status === this.#status && flags === this.#flags && this.#isOneWord) return;
		this.#status = status;
		this.#flags = flags;
		let raw = readField(words, at + WORD_DATA, this.#engagement);
		if (this.#addedEngagement !== undefined) {
			raw += readField(words, at + WORD_DATA, this.#addedEngagement);
			if (raw > MAX_RAW) raw = MAX_RAW; // the reference lets it wrap: fully engaged read as open
		}
		const percent = (((raw - this.#zeroRaw) * 100) / this.#spanRaw) | 0;
		state.engagementRaw = raw;
		state.engagementPercent = percent < 0 ? 0 : percent > 100 ? 100 : percent;
		// `readField` inline, of words that are read already: a call would cost half as much again.
		const { shift, mask } = this.#state;
		state.couplingState = (status >> shift) & mask;
		const shown = (flags >> shift) & mask;
		state.temperatureProtection = (shown & this.#temperatureMask) !== 0;
		state.couplingFault = (shown & this.#faultMask) !== 0;
	}
}

/** Flags of the state as bits of its value, 0 = there are none. @throws {RangeError} they are elsewhere */
function maskIn({ word, shift }: Field, flags: readonly RawRow[] | undefined): number {
	if (flags === undefined) return 0;
	const found = flagField(flags);
	if (found.word !== word) throw new RangeError("flags beside the state");
	return found.mask >> shift;
}

/** @returns undefined for a generation of which no coupling is known. Never throws. */
export function createCouplingReader(generation: number, watch: WatchList): CouplingReader | undefined {
	const coupling = couplingOf(generation);
	return coupling && new CouplingReader(coupling.status, watch);
}
