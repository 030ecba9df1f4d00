/** Generation 5: frames of the car that are rewritten. Token notation: `plan-encoder.ts`. */

import * as mqb from "../../../can/layouts/mqb.js";
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
		{ message: "ESP_19", id: mqb.ESP_19, bytes: "kLO kHI kLO kHI kLO+CA kHI kLO+CA kHI" },
		{
			message: "Motor_12",
			id: mqb.MOTOR_12,
			bytes: "00 cMOTOR_12 00 00 00 64 0F kMOTOR_12",
			checksums: dataIdFirst(mqb.MOTOR_12),
		},
		{ message: "Motor_11", id: mqb.MOTOR_11, bytes: "00 cMOTOR_11 FA FA 00 FA aFA aFA", checksums: dataIdFirst(mqb.MOTOR_11) },
		{ message: "ESP_14", id: mqb.ESP_14, bytes: "00 cESP_14 00 00 00 00 00 aFE", checksums: dataIdFirst(mqb.ESP_14) },
		{
			message: "ESP_10",
			id: mqb.ESP_10,
			bytes: "00 cESP_10 01 04 00 40 00 kESP_10",
			checksums: dataIdFirst(mqb.ESP_10),
			forcedDlc: 8,
		},
		{
			message: "ESP_05",
			id: mqb.ESP_05,
			bytes: "00 cESP_05 64 C0 00 00 FD 00",
			checksums: dataIdFirst(mqb.ESP_05),
			forcedDlc: 8,
		},
		{ message: "Kombi_01", id: mqb.KOMBI_01, bytes: "10 20 02 00 0C 00 00 24" },
		{ message: "ESP_23", id: mqb.ESP_23, bytes: "00 cESP_23 BF 7F 00 00 7C 78", checksums: dataIdFirst(mqb.ESP_23) },
		{ message: "Parkhilfe_04", id: mqb.PARKHILFE_04, bytes: "00 00 00 00 00 00 00 24" },
		{ message: "Gateway_72", id: mqb.GATEWAY_72, bytes: "50 80 00 00 05 10 01 78" },
		{ message: "Getriebe_14", id: mqb.GETRIEBE_14, bytes: "00 00 54 24 00 60 01 51" },
		{ message: "Motor_14", id: mqb.MOTOR_14, bytes: "00 cMOTOR_14 E6 01 C8 80 00 80", checksums: dataIdFirst(mqb.MOTOR_14) },
		{ message: "ESP_07", id: mqb.ESP_07, bytes: "00 cESP_07 00 00 00 00 00 00", checksums: dataIdFirst(mqb.ESP_07) },
		{ message: "ESP_29", id: mqb.ESP_29, bytes: "00 20 59 00 00 00 00 00" },
		{ message: "Motor_07", id: mqb.MOTOR_07, bytes: "A0 5A 56 A3 80 A0 59 01" },
		{ message: "Charisma_01", id: mqb.CHARISMA_01, bytes: "00 00 22 02 02 20 02 02" },
		{ message: "Systeminfo_01", id: mqb.SYSTEMINFO_01, bytes: "84 3C 00 7F 14 00 00 00" },
		{
			message: "Motor_Code_01",
			id: mqb.MOTOR_CODE_01,
			bytes: "00 cMOTOR_CODE_01 2B 53 14 14 D7 24",
			checksums: dataIdFirst(mqb.MOTOR_CODE_01),
		},
		{ message: "ESP_20", id: mqb.ESP_20, bytes: "00 cESP_20 2B 10 00 00 E2 79", checksums: dataIdFirst(mqb.ESP_20) },
		{ message: "Diagnose_01", id: mqb.DIAGNOSE_01, bytes: "30 4D 58 A2 89 85 3F 30" },
		{ message: "Kombi_02", id: mqb.KOMBI_02, bytes: "4D 58 F2 EE 04 2B 00 78" },
	]),
	source: "firmware, 3.8: all rows; firmware, 3.3: counters; firmware, 3.10: checksums",
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
		{ message: "ESP_19", id: mqb.ESP_19, bytes: ".. .. .. .. +CA<FF .. +CA<FF ..", group: BRAKE_GROUP },
		{ message: "Motor_11", id: mqb.MOTOR_11, bytes: ".. .. .. .. .. .. aFA aFA", checksums: verified(mqb.MOTOR_11) },
		{
			message: "ESP_14",
			id: mqb.ESP_14,
			bytes: ".. .. .. .. .. .. .. aFE",
			checksums: verified(mqb.ESP_14),
			group: BRAKE_GROUP,
		},
	]),
	source: "assumed, 3.12: rows of generation 5; car, 3.10: checksums",
});
