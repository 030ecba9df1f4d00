/**
 * The coupling's status frame by generation: where it is, and how its raw engagement becomes percent. A pure table.
 * Source: docs/control-and-can.md 2.2.
 */

import { MQB_SIGNALS } from "../can/layouts/mqb.js";
import { PQ_SIGNALS } from "../can/layouts/pq.js";
import type { SignalLayout } from "../can/signal-layout.js";

/** How a generation reports. */
export interface CouplingStatus {
	/** Identifier of the status frame on the coupling bus (standard). */
	readonly frameId: number;
	/** Bytes that the frame must have. */
	readonly minDlc: number;
	/** Raw engagement that is 0 %. */
	readonly zeroRaw: number;
	/** Raw steps from 0 to 100 %. */
	readonly spanRaw: number;
	/** True: engagement is the sum of bytes 1 and 4 (saturating), a guess of the reference. */
	readonly addsRear: boolean;
}

const STATUS: Readonly<Record<number, CouplingStatus>> = Object.freeze({
	1: { frameId: 0x2c0, minDlc: 2, zeroRaw: 128, spanRaw: 70, addsRear: false },
	2: { frameId: 0x2c0, minDlc: 5, zeroRaw: 128, spanRaw: 127, addsRear: true },
	4: { frameId: 0x2c0, minDlc: 2, zeroRaw: 128, spanRaw: 127, addsRear: false },
	5: { frameId: 0x118, minDlc: 4, zeroRaw: 0, spanRaw: 250, addsRear: false },
});

/** @param generation 1, 2, 4, 5 @returns undefined for any other: its coupling is not known. Never throws. */
export function couplingStatusOf(generation: number): CouplingStatus | undefined {
	return STATUS[generation];
}

/** The signals of the status frame that are shown; all of them as raw values. */
export interface CouplingSignals {
	readonly state: SignalLayout;
	readonly engagement: SignalLayout;
	/** Added to `engagement` where the generation does. */
	readonly rearEngagement: SignalLayout | undefined;
}

/** @param generation 1, 2, 4, 5 @returns undefined for any other. Never throws. */
export function couplingSignalsOf(generation: number): CouplingSignals | undefined {
	const status = couplingStatusOf(generation);
	if (status === undefined) return undefined;
	if (generation === 5)
		return { state: MQB_SIGNALS.couplingState, engagement: MQB_SIGNALS.engagement, rearEngagement: undefined };
	const rearEngagement = status.addsRear ? PQ_SIGNALS.rearEngagement : undefined;
	return { state: PQ_SIGNALS.couplingState, engagement: PQ_SIGNALS.centreEngagement, rearEngagement };
}

/** Flags of the status byte of generations 1, 2, 4 by bit; on 5 that byte holds the drive profile. Source: docs/control-and-can.md 2.2. */
const STATE_FLAGS: readonly (readonly [number, string])[] = Object.freeze([
	[1, "Clutch 1 report"],
	[2, "Temperature protection"],
	[4, "Clutch 2 report"],
	[8, "Coupling open"],
	[64, "Speed limit"],
] as const);

/** The status byte in words: `8 (Coupling open)`, `0 (None)`. */
export function couplingStateText(state: number, generation: number): string {
	const flags = generation === 5 ? 0 : state;
	const names = STATE_FLAGS.filter(([mask]) => (flags & mask) !== 0).map(([, name]) => name);
	return `${state} (${names.length > 0 ? names.join(", ") : "None"})`;
}
