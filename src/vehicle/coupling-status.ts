/**
 * The coupling's status frame by generation: where it is, and how its raw engagement becomes percent. A pure table.
 * Source: control-and-can.md 2.2.
 */

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
