/**
 * Whether the ignition is on, as two frames of an MQB car tell it. Which frame tells it in a PQ car is not known, so there nobody does.
 * Source: docs/control-and-can.md 5.2.
 */

import { CHASSIS } from "../can/bus.js";
import { identifierOf } from "../can/identifier.js";
import { type LatestFrame, NEVER_SEEN_MS } from "../vehicle/latest-frames.js";

/** Who remembers the latest frames. */
export interface FrameMemory {
	readonly received: LatestFrame;
	read(bus: number, id: number): boolean;
}

interface Source {
	readonly name: "ZAS_Kl_15" | "NM_Gateway_KL15";
	readonly id: number;
	readonly byte: number;
	readonly mask: number;
}

const SOURCES: readonly Source[] = Object.freeze([
	Object.freeze({ name: "ZAS_Kl_15", id: 0x3c0, byte: 2, mask: 2 }),
	Object.freeze({ name: "NM_Gateway_KL15", id: identifierOf(0x1b000010, true), byte: 4, mask: 1 }),
]);

export class Ignition {
	/** A frame that tells it has come since the start. */
	seen = false;
	/** What the latest of them said. */
	rawOn = false;
	/** Which one that was, "" = none. */
	saidBy: Source["name"] | "" = "";
	/** Age of that frame, ms. */
	ageMs = NEVER_SEEN_MS;
	#onMs: number | undefined;
	#offMs: number | undefined;

	/** Looks at the frames. Call about once a second. @param nowMs modulo 2^32 */
	look(isMqb: boolean, frames: FrameMemory, nowMs: number): void {
		let ageMs = NEVER_SEEN_MS;
		if (isMqb)
			for (const { name, id, byte, mask } of SOURCES) {
				if (!frames.read(CHASSIS, id)) continue;
				const { received } = frames;
				if (received.dlc <= byte || received.ageMs >= ageMs) continue;
				ageMs = received.ageMs;
				this.saidBy = name;
				this.rawOn = (received.bytes[received.dataAt + byte] & mask) !== 0;
			}
		this.ageMs = ageMs;
		if (ageMs === NEVER_SEEN_MS) return;
		this.seen = true;
		if (this.rawOn) this.#onMs = nowMs - ageMs;
		else this.#offMs = nowMs - ageMs;
	}

	/** How long ago it was last said to be on, ms; 0 = never. */
	onAgeMs(nowMs: number): number {
		return this.#onMs === undefined ? 0 : (nowMs - this.#onMs) >>> 0;
	}

	/** The same of off. */
	offAgeMs(nowMs: number): number {
		return this.#offMs === undefined ? 0 : (nowMs - this.#offMs) >>> 0;
	}
}
