/** Whether the ignition is on, by the flags of the car. Source: docs/control-and-can.md 5.2. */

import { CHASSIS, identifierOf } from "../can/bus.js";
import type { IgnitionFlag } from "../coupling/coupling.js";
import { type LatestFrames, NEVER_SEEN_MS } from "../vehicle/latest-frames.js";

/** The ignition, and since when. */
export class Ignition {
	/** A frame has told it since the start. */
	seen = false;
	/** The latest frame said that it is on. */
	rawOn = false;
	/** Name of that frame's flag, "" = none yet. */
	saidBy: IgnitionFlag["name"] | "" = "";
	/** Age of that frame. */
	ageMs = NEVER_SEEN_MS;
	#onMs: number | undefined;
	#offMs: number | undefined;

	/** Looks at the frames, about once a second. @param nowMs modulo 2^32 */
	look(flags: readonly IgnitionFlag[], frames: LatestFrames, nowMs: number): void {
		let ageMs = NEVER_SEEN_MS;
		for (const { name, signal } of flags) {
			if (!frames.read(CHASSIS, identifierOf(signal.id, signal.extended === true))) continue;
			const { received } = frames;
			const raw = received.raw(signal);
			if (Number.isNaN(raw) || received.ageMs >= ageMs) continue;
			ageMs = received.ageMs;
			this.saidBy = name;
			this.rawOn = raw === 1;
		}
		this.ageMs = ageMs;
		if (ageMs === NEVER_SEEN_MS) return;
		this.seen = true;
		if (this.rawOn) this.#onMs = nowMs - ageMs;
		else this.#offMs = nowMs - ageMs;
	}

	/** How long ago it was last on, ms; 0 = never. */
	onAgeMs(nowMs: number): number {
		return this.#onMs === undefined ? 0 : (nowMs - this.#onMs) >>> 0;
	}

	/** How long ago it was last off, ms; 0 = never. */
	offAgeMs(nowMs: number): number {
		return this.#offMs === undefined ? 0 : (nowMs - this.#offMs) >>> 0;
	}
}
