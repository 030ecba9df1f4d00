/**
 * Reads whether ABS, ESP, EDS or MSR intervene, from the gateway's samples into the vehicle's state: the flags of all frames since
 * the last sample, so that one that stands in a single frame is not missed.
 * Part of the control tick: allocates nothing. Source: docs/control-and-can.md 3.12 item 4; docs/decisions.md 17, 18.
 */

import { CHASSIS } from "../can/bus.js";
import { flagField } from "../can/field.js";
import type { Interventions } from "../coupling/coupling.js";
import { DRIVER_INPUT_MAX_AGE_MS, type VehicleState } from "./vehicle-state.js";
import { NEVER_HEAD, type WatchList, WORD_DATA, WORD_HEAD } from "./watch-list.js";

/** The one frame that tells, of one car. */
export class InterventionReader {
	readonly #at: number;
	readonly #minHead: number;
	readonly #flagsAt: number;
	readonly #mask: number;
	#head = NEVER_HEAD;

	/** @param watch gets the frame */
	constructor({ minDlc, flags: rows }: Interventions, watch: WatchList) {
		const flags = flagField(rows);
		this.#at = watch.collect(CHASSIS, rows[0].id, minDlc) >> 1;
		this.#minHead = minDlc << 8;
		this.#flagsAt = this.#at + WORD_DATA + flags.word;
		this.#mask = flags.mask;
	}

	/**
	 * Takes over new frames and lets the last one expire. @param words sample, see `wordsOf` @param nowMs its time
	 * @param state is written to. Never throws.
	 */
	poll(words: Uint16Array, nowMs: number, state: VehicleState): void {
		const at = this.#at;
		const head = words[at + WORD_HEAD];
		if (head !== this.#head && head >= this.#minHead) {
			this.#head = head;
			state.interventionsAtMs = (nowMs - words[at]) >>> 0;
			state.interventionsValid = true;
			state.interventionActive = (words[this.#flagsAt] & this.#mask) !== 0;
		}
		// a flag that was set when the frame went away is not known to be set any more
		if (state.interventionsValid && ((nowMs - state.interventionsAtMs) | 0) > DRIVER_INPUT_MAX_AGE_MS)
			state.interventionsValid = state.interventionActive = false;
	}
}
