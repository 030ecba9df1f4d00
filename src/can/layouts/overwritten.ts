/**
 * Signals that the car may mark as invalid: those that the controller reads, and others that frame plans
 * overwrite. The build makes marks of them (`src/coupling/plan-encoder.ts`); none of it is in the firmware.
 * `README.md` has the form of a row. A `min` above `max`: all values but those between.
 */

import type { RawRow } from "../signal-layout.js";
import { ESP_05, ESP_07, ESP_10, ESP_20, KOMBI_02, MOTOR_07, MOTOR_11_SIGNALS, MOTOR_14, MQB_SIGNALS } from "./mqb.js";
import { BREMSE_4, LENKWINKEL_1, MOTOR_1, PQ_SIGNALS } from "./pq.js";

/** A torque of Motor_1. */
const TORQUE = Object.freeze({ id: MOTOR_1, length: 8, max: 0xfe, source: "assumed, 3.13: torques of Motor_1" } as const);

/** The clutch that the brake system asks for. */
const SETPOINT = Object.freeze({ dbc: "ABS_Setpoint_Center_Clutch", id: BREMSE_4, start: 0, length: 8 } as const);

/** For plans of generations 1, 2 and 4. */
export const PQ_MARKED: readonly RawRow[] = Object.freeze([
	...Object.values(PQ_SIGNALS),
	{ ...TORQUE, dbc: "Internal_Engine_Torque", start: 8 },
	{ ...TORQUE, dbc: "Internal_Engine_Torque_without_External", start: 32 },
	{ ...TORQUE, dbc: "Mechanical_Engine_Loss_Torque", start: 48 },
	{ ...TORQUE, dbc: "Driver_Requested_Torque", start: 56 },
	{
		dbc: "LW1_ID",
		id: LENKWINKEL_1,
		start: 32,
		length: 8,
		min: 0x80,
		max: 0x80,
		source: "maker, 3.13: Lenkwinkel_1, 80 = calibrated; another value was seen in a car",
	},
	{ ...SETPOINT, max: 0xfe, source: "maker, 3.13: Bremse_4, FF error" },
	{
		...SETPOINT,
		min: 0x80,
		max: 0x7e,
		source: "maker, 3.13: Bremse_4, 7F open at once: a request of the brake system that lock must not replace",
	},
]);

/** For plans of generation 5. */
export const MQB_MARKED: readonly RawRow[] = Object.freeze([
	...Object.values(MQB_SIGNALS),
	MOTOR_11_SIGNALS.actual,
	MOTOR_11_SIGNALS.filtered,
	{ dbc: "ESP_Wegimpuls_VL", id: ESP_10, start: 16, length: 10, qualityBit: 12, qualityBits: 4, source: "assumed, 3.13: ESP_10" },
	{ dbc: "ESP_Bremsdruck", id: ESP_05, start: 16, length: 10, qualityBit: 12, qualityBits: 2, source: "assumed, 3.13: ESP_05" },
	{ dbc: "MO_Fahrer_bremst", id: MOTOR_14, start: 28, length: 1, qualityBit: 29, source: "assumed, 3.13: Motor_14" },
	{ dbc: "MO_Gangposition", id: MOTOR_14, start: 20, length: 4, qualityBit: 50, source: "assumed, 3.13: Motor_14" },
	{ dbc: "OBD_Fehler_Radsensor_HL", id: ESP_07, start: 40, length: 16, max: 0, source: "assumed, 3.13: ESP_07, four sensors" },
	{
		dbc: "MO_Ansaugluft_Temp",
		id: MOTOR_07,
		start: 8,
		length: 8,
		qualityBit: 0,
		qualityBits: 3,
		source: "assumed, 3.13: Motor_07",
	},
	{ dbc: "BR_Reifenumfang", id: ESP_20, start: 52, length: 12, qualityBit: 51, source: "assumed, 3.13: ESP_20" },
	{ dbc: "KBI_Aussen_Temp_gef", id: KOMBI_02, start: 56, length: 8, qualityBit: 55, source: "assumed, 3.13: Kombi_02" },
]);
