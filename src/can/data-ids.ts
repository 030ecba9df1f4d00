/**
 * DataID lists of MQB end-to-end protection, one list of 16 per frame: the counter in the low nibble of byte
 * 1 selects the byte that goes into the CRC of byte 0, which the gateway computes
 * (`modules/can-gateway/gateway_checksum.c`). A pure table. Source: docs/control-and-can.md 3.10; "verified"
 * means that recorded vehicle frames reproduce with the DataID last.
 */

import * as mqb from "./layouts/mqb.js";
import type { Source } from "./signal-layout.js";

/**
 * Where the DataID enters the CRC: first is what the reference firmware sends, last is AUTOSAR E2E profile 2
 * (what vehicles send).
 */
export type DataIdOrder = "reference" | "autosar";

/** DataID list of one frame, selected by the low nibble of byte 1. */
interface DataIdSequence {
	readonly id: number;
	readonly dataIds: readonly number[];
	/**
	 * "verified" by recorded frames of cars, "reference": only the reference has it; and what is wrong with
	 * it.
	 */
	readonly source: Source;
}

/** One DataID for all values of the counter. */
function always(dataId: number): readonly number[] {
	return new Array<number>(16).fill(dataId);
}

/** In the reference's values: ESP_10 with 0x05. */
export const DATA_ID_SEQUENCES: readonly DataIdSequence[] = Object.freeze([
	{
		id: mqb.MOTOR_12,
		dataIds: [0x52, 0x8c, 0x50, 0xee, 0x4f, 0xa6, 0xcc, 0xcf, 0x7d, 0x2f, 0x98, 0x6b, 0x27, 0x41, 0x9f, 0x93],
		source: "car, 3.10: verified",
	},
	{
		id: mqb.GETRIEBE_11,
		dataIds: [0x3f, 0x69, 0x39, 0xdc, 0x94, 0xf9, 0x14, 0x64, 0xd8, 0x6a, 0x34, 0xce, 0xa2, 0x55, 0xb5, 0x2c],
		source: "car, 3.10: verified",
	},
	{
		id: mqb.MOTOR_11,
		dataIds: [0xd2, 0x3d, 0xcd, 0x28, 0x4c, 0x14, 0x22, 0x4b, 0x24, 0xac, 0xfa, 0x55, 0x66, 0x80, 0x0d, 0x6c],
		source: "car, 3.10: verified",
	},
	{
		id: mqb.MOTOR_20,
		dataIds: [0xe9, 0x65, 0xae, 0x6b, 0x7b, 0x35, 0xe5, 0x5f, 0x4e, 0xc7, 0x86, 0xa2, 0xbb, 0xdd, 0xeb, 0xb4],
		source: "car, 3.10: verified",
	},
	{
		id: mqb.ESP_23,
		dataIds: [0xc9, 0x21, 0x6f, 0x63, 0xd2, 0x42, 0x6a, 0x77, 0x4a, 0x3d, 0xb0, 0x62, 0x9f, 0x38, 0xcd, 0x5c],
		source: "firmware, 3.10: reference; a car sends neither CRC nor counter there",
	},
	{
		id: mqb.MOTOR_14,
		dataIds: [0x1f, 0x28, 0xc6, 0x85, 0xe6, 0xf8, 0xb0, 0x19, 0x5b, 0x64, 0x35, 0x21, 0xe4, 0xf7, 0x9c, 0x24],
		source: "car, 3.10: verified for three counter values; same list in opendbc",
	},
	{
		id: mqb.ESP_20,
		dataIds: [0xac, 0xb3, 0xab, 0xeb, 0x7a, 0xe1, 0x3b, 0xf7, 0x73, 0xba, 0x7c, 0x9e, 0x06, 0x5f, 0x02, 0xd9],
		source: "car, 3.10: verified",
	},
	{ id: mqb.ESP_14, dataIds: always(0xd4), source: "car, 3.10: verified by one frame" },
	{ id: mqb.LWI_01, dataIds: always(0x86), source: "car, 3.10: verified" },
	{ id: mqb.ESP_05, dataIds: always(0x07), source: "car, 3.10: verified" },
	{ id: mqb.ESP_07, dataIds: always(0x91), source: "car, 3.10: verified" },
	{ id: mqb.MOTOR_CODE_01, dataIds: always(0x47), source: "car, 3.10: verified by one frame" },
	{ id: mqb.ESP_10, dataIds: always(0x05), source: "firmware, 3.10: reference; vehicles use 0xAC, see ESP_10_DATA_IDS" },
	// received only: for checking what arrives
	{
		id: mqb.ESP_21,
		dataIds: [0xb4, 0xef, 0xf8, 0x49, 0x1e, 0xe5, 0xc2, 0xc0, 0x97, 0x19, 0x3c, 0xc9, 0xf1, 0x98, 0xd6, 0x61],
		source: "car, 3.10: verified",
	},
	{ id: mqb.ESP_02, dataIds: always(0xaa), source: "car, 3.10: verified" },
	{ id: mqb.KLEMMEN_STATUS_01, dataIds: always(0xc3), source: "car, 3.10: verified" },
]);

// what is preloaded and not frozen takes RAM
for (const sequence of DATA_ID_SEQUENCES) {
	Object.freeze(sequence.dataIds);
	Object.freeze(sequence);
}

/** ESP_10 as vehicles send it, in place of the reference's 0x05. Verified. */
const ESP_10_DATA_IDS = Object.freeze(always(0xac));

/** The list of a frame, 16 bytes; undefined if none is known. @param order tells the two of ESP_10 apart */
export function dataIdsOf(id: number, order: DataIdOrder): readonly number[] | undefined {
	if (id === mqb.ESP_10 && order === "autosar") return ESP_10_DATA_IDS;
	return DATA_ID_SEQUENCES.find((sequence) => sequence.id === id)?.dataIds;
}
