/**
 * The `reference` frame profile: bytes, counters and checksums that cars on the road accept, wrong checksums included.
 * Token notation: `plan-encoder.ts`. Source: docs/control-and-can.md 3.3 to 3.8 and 3.10; proven by the golden vectors.
 */

import { dataIdsOf } from "../../can/data-ids.js";
import { FWD, type ModeNumber } from "../../lock/modes.js";
import type { ChecksumRow, CounterRow, FrameRow, PlanTable } from "../plan-encoder.js";

const NO_COUNTERS: readonly CounterRow[] = Object.freeze([]);

/** Gen 1 Motor_1 byte 6, the main lever, by mode 1..6; the dynamic modes leave it as the car sent it. */
const GEN1_LEVER = Object.freeze(["..", "iFE", "a16", "a22", "a50", "a50", "a50"]);

const GEN1_OTHER_FRAMES: readonly FrameRow[] = Object.freeze([
	{ message: "Motor_3", id: 0x380, bytes: ".. .. aFE .. .. .. .. aFE" },
	{ message: "Bremse_1", id: 0x1a0, bytes: ".. 00 00 a0A .. .. .. .." },
	{ message: "Bremse_3", id: 0x4a0, bytes: "aFE 0A aFE 0A 00 0A 00 0A" },
]);

/** Generation 1. The lever byte depends on the mode itself. */
export function generation1(mode: ModeNumber): PlanTable {
	const lever = mode >= FWD && mode < GEN1_LEVER.length ? GEN1_LEVER[mode] : "..";
	const motor1: FrameRow = { message: "Motor_1", id: 0x280, bytes: `00 aFE 21 a4E aFE aFE ${lever} 00` };
	return { counterSet: 1, counters: NO_COUNTERS, frames: [motor1, ...GEN1_OTHER_FRAMES] };
}

export const GENERATION_2: PlanTable = Object.freeze({
	counterSet: 2,
	counters: NO_COUNTERS,
	frames: Object.freeze([
		{ message: "Motor_1", id: 0x280, bytes: ".. aFE 21 a4E .. .. aFE .." },
		{ message: "Motor_3", id: 0x380, bytes: ".. .. aFE .. .. .. .. a01" },
		{ message: "Bremse_1", id: 0x1a0, bytes: "a80 a41 aFE 0A .. .. .. .." },
		{ message: "Bremse_2", id: 0x5a0, bytes: ".. .. .. .. a7F aFE .. .." },
		{ message: "Bremse_3", id: 0x4a0, bytes: "aFE 0A aFE 0A 00 0A 00 0A" },
	]),
});

/** The steering CRC ends with the low byte of the CAN id, whatever the counter. */
const STEERING_DATA_ID: readonly number[] = Object.freeze(new Array(16).fill(0xc2));

/** Both checksums of Lenkwinkel_1; the closed form of the reference's table. Source: docs/control-and-can.md 3.4. */
const STEERING_CHECKSUMS: readonly ChecksumRow[] = Object.freeze([
	{ kind: "crc8", target: 6, mask: 0x3f, dataIds: STEERING_DATA_ID, dataIdPosition: "last" },
	{ kind: "inverted-sum", target: 7, mask: 0x2f },
]);

export const GENERATION_4: PlanTable = Object.freeze({
	counterSet: 4,
	counters: Object.freeze([
		{ name: "LW1", initial: 0, step: 0x10, wrapAbove: 0xf0, wrapTo: 0 },
		{ name: "BRAKES4", initial: 0, step: 0x10, wrapAbove: 0xf0, wrapTo: 0 },
	]),
	frames: Object.freeze<FrameRow[]>([
		{ message: "Lenkwinkel_1", id: 0x0c2, bytes: "22 00 00 00 80 cLW1 00 00", checksums: STEERING_CHECKSUMS },
		{ message: "Motor_1", id: 0x280, bytes: ".. aFE a20 a4E aFE aFE a16 aFE" },
		{ message: "Bremse_1", id: 0x1a0, bytes: "20 40 .. .. aFE aFE .. .." },
		{ message: "Bremse_2", id: 0x5a0, bytes: ".. .. .. .. a7F .. .. .." },
		{ message: "Bremse_3", id: 0x4a0, bytes: "aB6 07 aCC 07 aD2 07 aD2 07" },
		{
			message: "Bremse_4",
			id: 0x2a0,
			bytes: "aFE 00 00 64 00 00 cBRAKES4 00",
			checksums: Object.freeze([{ kind: "xor", target: 7, mask: 0x7f }]),
		},
	]),
});

/** Byte 0 of an MQB frame with the DataID fed first: what the reference sends. */
function dataIdFirst(id: number): readonly ChecksumRow[] {
	const dataIds = dataIdsOf(id, "reference") ?? [];
	return Object.freeze([{ kind: "crc8", target: 0, mask: 0xfe, dataIds, dataIdPosition: "first" }]);
}

/** Generation 5. ESP_19 has two pseudo counters, `HI` and `LO`, that sweep the spoofed wheel speeds. */
export const GENERATION_5: PlanTable = Object.freeze({
	counterSet: 5,
	counters: Object.freeze([
		{ name: "HI", initial: 0x20, step: 1, wrapAbove: 0x1a, wrapTo: 0x01 },
		{ name: "LO", initial: 0x00, step: 1, wrapAbove: 0x0e, wrapTo: 0x00 },
		{ name: "MOTOR_12", initial: 0x70, step: 1, wrapAbove: 0x7f, wrapTo: 0x70 },
		{ name: "MOTOR_11", initial: 0x40, step: 1, wrapAbove: 0x4f, wrapTo: 0x40 },
		{ name: "ESP_14", initial: 0x10, step: 1, wrapAbove: 0x1f, wrapTo: 0x10 },
		{ name: "ESP_10", initial: 0x00, step: 1, wrapAbove: 0x0f, wrapTo: 0x00 },
		{ name: "ESP_05", initial: 0x80, step: 1, wrapAbove: 0x8f, wrapTo: 0x80 },
		{ name: "ESP_23", initial: 0x00, step: 1, wrapAbove: 0x1f, wrapTo: 0x00 },
		{ name: "MOTOR_14", initial: 0x10, step: 1, wrapAbove: 0x1f, wrapTo: 0x10 },
		{ name: "ESP_07", initial: 0x20, step: 1, wrapAbove: 0x1f, wrapTo: 0x00 },
		{ name: "MOTOR_CODE_01", initial: 0x10, step: 1, wrapAbove: 0x1f, wrapTo: 0x10 },
		{ name: "ESP_20", initial: 0x30, step: 1, wrapAbove: 0x3f, wrapTo: 0x30 },
	]),
	frames: Object.freeze<FrameRow[]>([
		{ message: "ESP_19", id: 0x0b2, bytes: "kLO kHI kLO kHI kLO+CA kHI kLO+CA kHI" },
		{ message: "Motor_12", id: 0x0a8, bytes: "00 cMOTOR_12 00 00 00 64 0F kMOTOR_12", checksums: dataIdFirst(0x0a8) },
		{ message: "Motor_11", id: 0x0a7, bytes: "00 cMOTOR_11 FA FA 00 FA aFA aFA", checksums: dataIdFirst(0x0a7) },
		{ message: "ESP_14", id: 0x08a, bytes: "00 cESP_14 00 00 00 00 00 aFE", checksums: dataIdFirst(0x08a) },
		{
			message: "ESP_10",
			id: 0x116,
			bytes: "00 cESP_10 01 04 00 40 00 kESP_10",
			checksums: dataIdFirst(0x116),
			forcedDlc: 8,
		},
		{ message: "ESP_05", id: 0x106, bytes: "00 cESP_05 64 C0 00 00 FD 00", checksums: dataIdFirst(0x106), forcedDlc: 8 },
		{ message: "Kombi_01", id: 0x30b, bytes: "10 20 02 00 0C 00 00 24" },
		{ message: "ESP_23", id: 0x5be, bytes: "00 cESP_23 BF 7F 00 00 7C 78", checksums: dataIdFirst(0x5be) },
		{ message: "Parkhilfe_04", id: 0x54b, bytes: "00 00 00 00 00 00 00 24" },
		{ message: "Gateway_72", id: 0x3db, bytes: "50 80 00 00 05 10 01 78" },
		{ message: "Getriebe_14", id: 0x3c8, bytes: "00 00 54 24 00 60 01 51" },
		{ message: "Motor_14", id: 0x3be, bytes: "00 cMOTOR_14 E6 01 C8 80 00 80", checksums: dataIdFirst(0x3be) },
		{ message: "ESP_07", id: 0x392, bytes: "00 cESP_07 00 00 00 00 00 00", checksums: dataIdFirst(0x392) },
		{ message: "ESP_29", id: 0x18c, bytes: "00 20 59 00 00 00 00 00" },
		{ message: "Motor_07", id: 0x640, bytes: "A0 5A 56 A3 80 A0 59 01" },
		{ message: "Charisma_01", id: 0x385, bytes: "00 00 22 02 02 20 02 02" },
		{ message: "Systeminfo_01", id: 0x585, bytes: "84 3C 00 7F 14 00 00 00" },
		{
			message: "Motor_Code_01",
			id: 0x641,
			bytes: "00 cMOTOR_CODE_01 2B 53 14 14 D7 24",
			checksums: dataIdFirst(0x641),
		},
		{ message: "ESP_20", id: 0x65d, bytes: "00 cESP_20 2B 10 00 00 E2 79", checksums: dataIdFirst(0x65d) },
		{ message: "Diagnose_01", id: 0x6b2, bytes: "30 4D 58 A2 89 85 3F 30" },
		{ message: "Kombi_02", id: 0x6b7, bytes: "4D 58 F2 EE 04 2B 00 78" },
	]),
});
