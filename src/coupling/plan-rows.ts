/**
 * What a coupling's file says about its frames, and what the rows of several couplings are written with.
 * Token notation: `plan-encoder.ts`. None of it is in the firmware: a build step makes frame plans of the
 * rows.
 */

import { type DataIdOrder, dataIdsOf } from "../can/data-ids.js";
import type { MarkedSignal } from "../can/layouts/overwritten.js";
import * as pq from "../can/layouts/pq.js";
import type { ModeNumber } from "../lock/modes.js";
import type { FrameProfile } from "./couplings/couplings.js";
import type { ChecksumRow, CounterRow, FrameRow, PeriodMs, PlanTable } from "./plan-encoder.js";

/** The frames of the car keep their counters. */
export const NO_COUNTERS: readonly CounterRow[] = Object.freeze([]);

/**
 * A counter byte: begins at `initial`, takes a `step` with each frame, and above `wrapAbove` goes on at
 * `wrapTo`. All are 0..255.
 */
export const counter = (name: string, initial: number, step: number, wrapAbove: number, wrapTo: number): CounterRow =>
	Object.freeze({ name, initial, step, wrapAbove, wrapTo });

/** A counter in the low nibble, below these bits of payload. */
export const low = (name: string, above = 0): CounterRow => counter(name, above, 1, above + 15, above);

/** One in the high nibble, above them. */
export const high = (name: string, below = 0): CounterRow => counter(name, below, 0x10, 0xf0 + below, below);

/** The same rows with a period. */
export const every = (periodMs: PeriodMs, rows: readonly FrameRow[]): readonly FrameRow[] =>
	rows.map((row) => ({ ...row, periodMs }));

/** The row of another table. @throws {RangeError} it has none */
export const rowOf = (table: PlanTable, id: number): FrameRow => {
	const found = table.frames.find((frame) => frame.id === id);
	if (found === undefined) throw new RangeError(`no frame ${id}`);
	return found;
};

/** Rows of a table that generates, what is named here exchanged; in the order of their periods. */
export const but = (rows: readonly FrameRow[], others: readonly (readonly [number, Partial<FrameRow>])[]): readonly FrameRow[] =>
	rows
		.map((row) => ({ ...row, ...others.find(([id]) => id === row.id)?.[1] }))
		.sort((one, other) => (one.periodMs as number) - (other.periodMs as number));

/** The XOR of all other bytes. @param target the byte that receives it, 0..7 */
export const xor = (target: number): readonly ChecksumRow[] =>
	Object.freeze([{ kind: "xor", target, mask: 0xff & ~(1 << target) }]);

/**
 * Byte 0 of an MQB frame: `reference` feeds the DataID first, as that does, `autosar` last (E2E profile 2).
 */
export const mqbChecksum = (id: number, order: DataIdOrder): readonly ChecksumRow[] => {
	const dataIds = dataIdsOf(id, order) ?? [];
	const dataIdPosition = order === "reference" ? "first" : "last";
	return Object.freeze([{ kind: "crc8", target: 0, mask: 0xfe, dataIds, dataIdPosition }]);
};

/** The steering CRC ends with the low byte of the CAN id, which has no other, whatever the counter. */
const STEERING_DATA_ID: readonly number[] = Object.freeze(new Array(16).fill(pq.LENKWINKEL_1));

/**
 * Byte 6 of Lenkwinkel_1, which the reference alone sends; the closed form of its table.
 * Source: docs/control-and-can.md 3.4.
 */
export const STEERING_CRC: ChecksumRow = Object.freeze({
	kind: "crc8",
	target: 6,
	mask: 0x3f,
	dataIds: STEERING_DATA_ID,
	dataIdPosition: "last",
});

/**
 * Byte 7 of Lenkwinkel_1, which cars send; byte 6 is no checksum there. Source: docs/control-and-can.md 3.4.
 */
export const STEERING_SUM: ChecksumRow = Object.freeze({ kind: "inverted-sum", target: 7, mask: 0x2f });

/**
 * Generations 1 and 2: the front wheels turn faster than the rear ones. Source: docs/control-and-can.md 3.5,
 * 3.6.
 */
export const BREMSE_3: FrameRow = Object.freeze({ message: "Bremse_3", id: pq.BREMSE_3, bytes: "aFE 0A aFE 0A 00 0A 00 0A" });

/** The rows while a mode is active; the same for all modes where the coupling makes no difference. Pure. */
type PlanOfMode = (mode: ModeNumber) => PlanTable;

/** The frames of a coupling in both profiles. */
export interface CouplingPlans {
	/** What its car can mark as invalid, in these frames and others: such a frame is not rewritten. */
	readonly marked: readonly MarkedSignal[];
	/** Frames of the car that are rewritten. */
	readonly inline: Readonly<Record<FrameProfile, PlanOfMode>>;
	/** Frames that are sent where there is no car. */
	readonly standalone: Readonly<Record<FrameProfile, PlanOfMode>>;
}
