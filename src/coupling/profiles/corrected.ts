/**
 * The `corrected` frame profile: rewrites only bytes that influence lock, keeps every received counter, writes valid checksums
 * (DataID last) and leaves the frames of group 1 alone while the ABS or ESP intervenes.
 * Token notation: `plan-encoder.ts`. Source: docs/control-and-can.md 3.5 to 3.8 (what influences lock), 3.10, 3.12 and A2, A5.
 */

import { dataIdsOf } from "../../can/data-ids.js";
import type { ChecksumRow, CounterRow, FrameRow, PlanTable } from "../plan-encoder.js";
import { BRAKE_GROUP } from "../rule-groups.js";

const NO_COUNTERS: readonly CounterRow[] = Object.freeze([]);

/** Motor_1 byte 6 of generation 1 asks for more lock with a smaller value: FE open, 16 full. */
export const GENERATION_1: PlanTable = Object.freeze({
	counterSet: 11,
	counters: NO_COUNTERS,
	frames: Object.freeze([
		{ message: "Motor_1", id: 0x280, bytes: ".. aFE .. a4E .. .. dFE-E8 .." },
		{ message: "Bremse_3", id: 0x4a0, bytes: "aFE 0A aFE 0A 00 0A 00 0A", group: BRAKE_GROUP },
	]),
});

export const GENERATION_2: PlanTable = Object.freeze({
	counterSet: 12,
	counters: NO_COUNTERS,
	frames: Object.freeze([
		{ message: "Motor_1", id: 0x280, bytes: ".. aFE .. a4E .. .. aFE .." },
		{ message: "Motor_3", id: 0x380, bytes: ".. .. aFE .. .. .. .. .." },
		{ message: "Bremse_2", id: 0x5a0, bytes: ".. .. .. .. a7F aFE .. ..", group: BRAKE_GROUP },
		{ message: "Bremse_3", id: 0x4a0, bytes: "aFE 0A aFE 0A 00 0A 00 0A", group: BRAKE_GROUP },
	]),
});

/** Bremse_4 has DLC 3 in most cars: only its clutch setpoint is written, and the XOR where there is one. */
export const GENERATION_4: PlanTable = Object.freeze({
	counterSet: 14,
	counters: NO_COUNTERS,
	frames: Object.freeze([
		{ message: "Motor_1", id: 0x280, bytes: ".. aFE a20 a4E aFE aFE a16 aFE" },
		{ message: "Bremse_2", id: 0x5a0, bytes: ".. .. .. .. a7F .. .. ..", group: BRAKE_GROUP },
		{ message: "Bremse_3", id: 0x4a0, bytes: "aB6 07 aCC 07 aD2 07 aD2 07", group: BRAKE_GROUP },
		{
			message: "Bremse_4",
			id: 0x2a0,
			bytes: "aFE .. .. .. .. .. .. ..",
			checksums: Object.freeze<ChecksumRow[]>([{ kind: "xor", target: 7, mask: 0x7f }]),
			group: BRAKE_GROUP,
		},
	]),
});

/**
 * Byte 0 of an MQB frame by AUTOSAR E2E profile 2: DataID last. A frame of the car that does not verify shows that its DataIDs are others:
 * it is left alone. Source: docs/control-and-can.md 3.10, 8.1.
 */
function dataIdLast(id: number): readonly ChecksumRow[] {
	const dataIds = dataIdsOf(id, "autosar") ?? [];
	return Object.freeze([{ kind: "crc8", target: 0, mask: 0xfe, dataIds, dataIdPosition: "last", verify: true }]);
}

/** Generation 5. ESP_19: the front wheels turn up to 1.515 km/h faster than they do, the difference that the reference shows. */
export const GENERATION_5: PlanTable = Object.freeze({
	counterSet: 15,
	counters: NO_COUNTERS,
	frames: Object.freeze<FrameRow[]>([
		{ message: "ESP_19", id: 0x0b2, bytes: ".. .. .. .. +CA<FF .. +CA<FF ..", group: BRAKE_GROUP },
		{ message: "Motor_11", id: 0x0a7, bytes: ".. .. .. .. .. .. aFA aFA", checksums: dataIdLast(0x0a7) },
		{
			message: "ESP_14",
			id: 0x08a,
			bytes: ".. .. .. .. .. .. .. aFE",
			checksums: dataIdLast(0x08a),
			group: BRAKE_GROUP,
		},
	]),
});
