/** Generation 5: frames of the car that are rewritten. Token notation: `plan-encoder.ts`. */

import type { ChecksumRow, FrameRow, PlanTable } from "../../plan-encoder.js";
import { counter, mqbChecksum, NO_COUNTERS } from "../../plan-rows.js";
import { BRAKE_GROUP } from "../../rule-groups.js";

const dataIdFirst = (id: number): readonly ChecksumRow[] => mqbChecksum(id, "reference");

/** ESP_19 has two pseudo counters, `HI` and `LO`, that sweep the spoofed wheel speeds. */
export const REFERENCE: PlanTable = Object.freeze({
	counterSet: 5,
	counters: Object.freeze([
		counter("HI", 0x20, 1, 0x1a, 0x01),
		counter("LO", 0x00, 1, 0x0e, 0x00),
		counter("MOTOR_12", 0x70, 1, 0x7f, 0x70),
		counter("MOTOR_11", 0x40, 1, 0x4f, 0x40),
		counter("ESP_14", 0x10, 1, 0x1f, 0x10),
		counter("ESP_10", 0x00, 1, 0x0f, 0x00),
		counter("ESP_05", 0x80, 1, 0x8f, 0x80),
		counter("ESP_23", 0x00, 1, 0x1f, 0x00),
		counter("MOTOR_14", 0x10, 1, 0x1f, 0x10),
		counter("ESP_07", 0x20, 1, 0x1f, 0x00),
		counter("MOTOR_CODE_01", 0x10, 1, 0x1f, 0x10),
		counter("ESP_20", 0x30, 1, 0x3f, 0x30),
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
	source: "3.8: all rows; 3.3: counters; 3.10: checksums",
});

/**
 * A frame of the car that does not verify shows that its DataIDs are others: it is left alone. Source: docs/control-and-can.md 3.10, 8.1.
 */
const verified = (id: number): readonly ChecksumRow[] => mqbChecksum(id, "autosar").map((row) => ({ ...row, verify: true }));

/** ESP_19: the front wheels turn up to 1.515 km/h faster than they do, the difference that the reference shows. */
export const CORRECTED: PlanTable = Object.freeze({
	counterSet: 15,
	counters: NO_COUNTERS,
	frames: Object.freeze<FrameRow[]>([
		{ message: "ESP_19", id: 0x0b2, bytes: ".. .. .. .. +CA<FF .. +CA<FF ..", group: BRAKE_GROUP },
		{ message: "Motor_11", id: 0x0a7, bytes: ".. .. .. .. .. .. aFA aFA", checksums: verified(0x0a7) },
		{
			message: "ESP_14",
			id: 0x08a,
			bytes: ".. .. .. .. .. .. .. aFE",
			checksums: verified(0x08a),
			group: BRAKE_GROUP,
		},
	]),
	source: "3.12: rows of generation 5; 3.10: checksums",
});
