/**
 * Standalone operation in the `corrected` profile: counters of four bits, one for each frame, valid checksums where one is known, one source and
 * the car's length for each identifier. Token notation: `plan-encoder.ts`. Source: docs/control-and-can.md 3.4, 3.9, 3.10, 3.12, B1 to B8, B20.
 */

import { dataIdsOf } from "../../can/data-ids.js";
import type { ChecksumRow, CounterRow, FrameRow, PlanTable } from "../plan-encoder.js";
import * as reference from "./reference.js";
import * as standalone from "./standalone-reference.js";

/** A counter in the low nibble, below these bits of payload. */
const low = (name: string, high = 0): CounterRow =>
	Object.freeze({ name, initial: high, step: 1, wrapAbove: high + 15, wrapTo: high });
/** One in the high nibble, above them. */
const high = (name: string, below = 0): CounterRow =>
	Object.freeze({ name, initial: below, step: 0x10, wrapAbove: 0xf0 + below, wrapTo: below });

const xor = (target: number): readonly ChecksumRow[] => Object.freeze([{ kind: "xor", target, mask: 0xff & ~(1 << target) }]);
const STEERING_DATA_ID: readonly number[] = Object.freeze(new Array(16).fill(0xc2));
/** Cars send seven bytes of Lenkwinkel_1: the CRC is the last. */
const STEERING_CRC: readonly ChecksumRow[] = Object.freeze([
	{ kind: "crc8", target: 6, mask: 0x3f, dataIds: STEERING_DATA_ID, dataIdPosition: "last" },
]);

/** Rows of a table, what is named here exchanged. */
const but = (rows: readonly FrameRow[], others: readonly (readonly [number, Partial<FrameRow>])[]): readonly FrameRow[] =>
	rows.map((row) => ({ ...row, ...others.find(([id]) => id === row.id)?.[1] }));

/** Motor_1 byte 6 of generation 1 asks for more lock with a smaller value: FE open, 16 full, in all modes. */
export const GENERATION_1: PlanTable = Object.freeze({
	counterSet: 31,
	counters: Object.freeze([low("BRAKES1")]),
	frames: Object.freeze(but(standalone.generation1(0).frames, [[0x280, { bytes: "00 aFE 21 a4E aFE aFE dFE-E8 00" }]])),
	passes: standalone.DIAGNOSIS_IDS,
});

export const GENERATION_2: PlanTable = Object.freeze({
	counterSet: 32,
	counters: Object.freeze([low("BRAKES1"), high("BRAKES2"), high("BRAKES5", 4), high("BRAKES9"), low("BRAKES10"), high("LW1")]),
	frames: Object.freeze(
		but(standalone.GENERATION_2.frames, [
			[0x2a0, { bytes: "00 00 00 00 00 00 00 00", forcedDlc: 3 }],
			[0x0ae, { bytes: "00 cBRAKES9 00 00 00 00 02 00", checksums: xor(0) }],
			[0x0c2, { checksums: STEERING_CRC, forcedDlc: 7 }],
			[0x480, { bytes: "FE 00 00 00 00 00 00 00", checksums: xor(7) }],
			[0x4a8, { bytes: "FE 7F 03 00 00 00 cBRAKES5 00", checksums: xor(7) }],
			[0x3a0, { bytes: "00 cBRAKES10 75 D4 51 47 1D 0F", checksums: xor(0) }],
		]),
	),
	passes: standalone.DIAGNOSIS_IDS,
});

/** Kombi_3 comes from its first source only. */
export const GENERATION_4: PlanTable = Object.freeze({
	counterSet: 34,
	counters: Object.freeze([high("LW1"), low("BRAKES1"), high("BRAKES2"), high("BRAKES9"), low("DIAGNOSE1")]),
	frames: Object.freeze(
		but(
			standalone.GENERATION_4.frames.filter((row) => row.id !== 0x520 || row.periodMs === 25),
			[
				[0x0c2, { checksums: STEERING_CRC, forcedDlc: 7 }],
				[0x2a0, { bytes: "aFE 00 00 00 00 00 00 00", checksums: [], forcedDlc: 3 }],
				[0x0ae, { bytes: "00 cBRAKES9 00 00 00 00 03 00", checksums: xor(0) }],
			],
		),
	),
	passes: standalone.DIAGNOSIS_IDS,
});

/** Byte 0 of an MQB frame by AUTOSAR E2E profile 2: DataID last. */
function dataIdLast(id: number): readonly ChecksumRow[] {
	const dataIds = dataIdsOf(id, "autosar") ?? [];
	return Object.freeze([{ kind: "crc8", target: 0, mask: 0xfe, dataIds, dataIdPosition: "last" }]);
}

const valid = (row: FrameRow): FrameRow => (row.checksums === undefined ? row : { ...row, checksums: dataIdLast(row.id) });

/** Generation 5. What Motor_12 says of the engine speed and ESP_10 of the wheels' direction does not follow a counter. */
export const GENERATION_5: PlanTable = Object.freeze({
	counterSet: 35,
	counters: Object.freeze([
		{ name: "HI", initial: 1, step: 1, wrapAbove: 0x1a, wrapTo: 1 },
		{ name: "LO", initial: 0, step: 1, wrapAbove: 0x0e, wrapTo: 0 },
		low("MOTOR_12", 0x70),
		low("MOTOR_11", 0x40),
		low("ESP_14", 0x10),
		low("ESP_10"),
		low("ESP_05", 0x80),
		low("ESP_23"),
		low("MOTOR_14", 0x10),
		low("ESP_07"),
		low("MOTOR_CODE_01", 0x10),
		low("ESP_20", 0x30),
		...standalone.GENERATION_5_COUNTERS,
	]),
	frames: Object.freeze(
		but(standalone.generation5(reference.GENERATION_5, dataIdLast).map(valid), [
			[0x0a8, { bytes: "00 cMOTOR_12 00 00 00 64 0F 00" }],
			[0x116, { bytes: "00 cESP_10 01 04 00 40 00 00" }],
		]),
	),
	passes: standalone.DIAGNOSIS_IDS,
});
