/**
 * Where the car's quantities stand in the frames: one table per platform and the bit writer that fills them
 * in. A pure table: `id, start bit, length, factor, offset, value`; all little endian (Intel), physical = raw
 * * factor + offset. Positions from docs/control-and-can.md 2.1, 7.2 and 7.3, typed in anew: the controller's
 * own tables are checked against these.
 */
import { type Car, CRANK_MS, IDLE_RPM, INITIALISING_MS, MAX_TORQUE_NM } from "./car.js";
import { writeBits } from "./integrity.js";

/** One signal. `value` gives the physical value, for one-bit signals 0, 1 or a truth value. */
export type Signal = readonly [
	id: number,
	start: number,
	length: number,
	factor: number,
	offset: number,
	value: (car: Car) => number | boolean,
];

/** Writes a signal's physical value. */
export function writeSignal(data: Uint8Array, signal: Signal, car: Car): void {
	const [, start, length, factor, offset, value] = signal;
	writeBits(data, start, length, (Number(value(car)) - offset) / factor);
}

const speed = (car: Car) => Math.abs(car.velocityKmh);
const initialising = (car: Car) => car.ignitionOn && car.ignitionMs < INITIALISING_MS;
/** PQ's speeds say that they are not known yet; 327.08 km/h is raw 7FC4. */
const PQ_INITIALISING_KMH = 327.08;
const orInitialising = (kmh: (car: Car) => number) => (car: Car) => (initialising(car) ? PQ_INITIALISING_KMH : kmh(car));
const wheelDirection = (car: Car) => (speed(car) < 0.1 ? 3 : Number(reversing(car)));
const braking = (car: Car) => car.brakePercent > 1;
const reversing = (car: Car) => car.gear < 0;
const running = (car: Car) => car.ignitionOn && car.ignitionMs >= CRANK_MS;
const cranking = (car: Car) => car.ignitionOn && car.ignitionMs < CRANK_MS;
const brakeBar = (car: Car) => 1.1 * car.brakePercent;
const torquePercent = (car: Car) => (100 * Math.max(0, car.torqueNm + lossNm(car))) / (MAX_TORQUE_NM * 1.25);
const lossNm = (car: Car) => (running(car) ? 22 + (16 * car.rpm) / 6500 : 0);
const lossPercent = (car: Car) => (100 * lossNm(car)) / (MAX_TORQUE_NM * 1.25);
const requestPercent = (car: Car) => (running(car) ? Math.max(car.pedalPercent * 0.8, lossPercent(car) * 0.9) : 0);
// Absolute pressure in the intake of a turbo engine: below ambient at idle, up to 2 bar under load.
const boostBar = (car: Car) => (running(car) ? 0.4 + (1.6 * car.pedalPercent * Math.min(car.rpm, 3000)) / 300_000 : 1);
const PQ_SELECTOR = { P: 8, R: 7, N: 6, D: 5 };
const MQB_SELECTOR = { P: 5, R: 6, N: 7, D: 8 };
// Both platforms' gear displays use 7 or above for reverse; assumed, no source in the specification.
const gearCode = (car: Car) => (car.gear < 0 ? 7 : car.gear);

export const PQ_SIGNALS: readonly Signal[] = [
	// Lenkwinkel_1
	[0x0c2, 0, 15, 0.04375, 0, (car) => Math.abs(car.steeringDeg)],
	[0x0c2, 15, 1, 1, 0, (car) => car.steeringDeg < 0],
	[0x0c2, 16, 15, 0.04375, 0, (car) => Math.abs(car.steeringRateDegps)],
	[0x0c2, 31, 1, 1, 0, (car) => car.steeringRateDegps < 0],
	[0x0c2, 41, 2, 1, 0, initialising],
	// Bremse_1; bit 63 marks a substitute speed
	[0x1a0, 17, 15, 0.01, 0, orInitialising(speed)],
	[0x1a0, 63, 1, 1, 0, initialising],
	[0x1a0, 2, 1, 1, 0, (car) => car.absActive],
	[0x1a0, 4, 1, 1, 0, (car) => car.espActive],
	[0x1a0, 11, 1, 1, 0, braking],
	// Bremse_3; bit 0 of each word is a direction, of which only 0 in reverse and at standstill was seen
	[0x4a0, 1, 15, 0.01, 0, orInitialising((car) => car.wheelFrontLeftKmh)],
	[0x4a0, 17, 15, 0.01, 0, orInitialising((car) => car.wheelFrontRightKmh)],
	[0x4a0, 33, 15, 0.01, 0, orInitialising((car) => car.wheelRearLeftKmh)],
	[0x4a0, 49, 15, 0.01, 0, orInitialising((car) => car.wheelRearRightKmh)],
	// Motor_1
	[0x280, 16, 16, 0.25, 0, (car) => car.rpm],
	[0x280, 40, 8, 0.4, 0, (car) => car.pedalPercent],
	[0x280, 8, 8, 0.39, 0, torquePercent],
	[0x280, 32, 8, 0.39, 0, torquePercent],
	[0x280, 48, 8, 0.39, 0, lossPercent],
	[0x280, 56, 8, 0.39, 0, requestPercent],
	[0x280, 0, 1, 1, 0, (car) => car.pedalPercent < 0.4],
	[0x280, 2, 1, 1, 0, (car) => car.pedalPercent > 99],
	// Motor_2
	[0x288, 8, 8, 0.75, -48, () => 88],
	[0x288, 16, 1, 1, 0, braking],
	[0x288, 17, 1, 1, 0, braking],
	// Motor_3
	[0x380, 8, 8, 0.75, -48, () => 31],
	[0x380, 16, 8, 0.4, 0, (car) => car.pedalPercent],
	[0x380, 56, 8, 0.4, 0, (car) => car.pedalPercent],
	// Motor_6, Motor_7
	[0x488, 8, 8, 0.39, 0, requestPercent],
	[0x488, 16, 8, 0.39, 0, torquePercent],
	[0x588, 32, 8, 0.01, 0, boostBar],
	// Getriebe_1, Getriebe_2
	[0x440, 0, 1, 1, 0, (car) => car.shiftLeftMs > 0],
	[0x440, 8, 4, 1, 0, gearCode],
	[0x440, 12, 4, 1, 0, (car) => PQ_SELECTOR[car.selector]],
	[0x540, 56, 4, 1, 0, gearCode],
	[0x540, 60, 4, 1, 0, gearCode],
	// Bremse_5
	[0x4a8, 0, 14, 0.01, 0, (car) => Math.abs(car.yawDegps)],
	[0x4a8, 15, 1, 1, 0, (car) => car.yawDegps < 0],
	[0x4a8, 16, 12, 0.1, 0, brakeBar],
	[0x4a8, 28, 1, 1, 0, (car) => speed(car) < 0.1],
	[0x4a8, 43, 1, 1, 0, braking],
	// Bremse_8, Bremse_2
	[0x1ac, 32, 9, 0.02, -7.22, (car) => car.accelerationMps2],
	[0x1ac, 46, 1, 1, 0, braking],
	[0x1ac, 48, 10, 0.03125, -16, (car) => car.accelerationMps2],
	[0x5a0, 0, 8, 0.01, -1.27, (car) => car.lateralG],
	[0x5a0, 9, 15, 0.002, 0, (car) => speed(car) / 3.6 / (2 * Math.PI * 0.317)],
	// Kombi_1, Kombi_2
	[0x320, 9, 1, 1, 0, (car) => car.handbrake],
	[0x320, 25, 15, 0.01, 0, speed],
	[0x320, 46, 10, 0.32, 0, speed],
	[0x420, 8, 8, 0.5, -50, () => 12],
	// Gate_Komf_1, BSG_Last and the frame of terminals beside it
	[0x390, 17, 1, 1, 0, reversing],
	[0x390, 55, 1, 1, 0, (car) => car.hazardLights],
	[0x570, 0, 1, 1, 0, () => 1],
	[0x570, 1, 1, 1, 0, (car) => car.ignitionOn],
	[0x570, 2, 1, 1, 0, running],
	[0x570, 3, 1, 1, 0, cranking],
	[0x572, 0, 1, 1, 0, () => 1],
	[0x572, 1, 1, 1, 0, (car) => car.ignitionOn],
	[0x572, 2, 1, 1, 0, (car) => car.ignitionOn],
	[0x570, 16, 8, 0.05, 5, (car) => (running(car) ? 14.1 : 12.3)],
];

export const MQB_SIGNALS: readonly Signal[] = [
	// LWI_01
	[0x086, 16, 13, 0.1, 0, (car) => Math.abs(car.steeringDeg)],
	[0x086, 29, 1, 1, 0, (car) => car.steeringDeg < 0],
	[0x086, 30, 1, 1, 0, (car) => car.steeringRateDegps < 0],
	[0x086, 31, 9, 5, 0, (car) => Math.abs(car.steeringRateDegps)],
	[0x086, 15, 1, 1, 0, initialising],
	// Motor_11, Motor_12
	[0x0a7, 12, 10, 1, -509, (car) => (running(car) ? 3.2 * car.pedalPercent : 0)],
	[0x0a7, 22, 10, 1, -509, (car) => car.torqueNm],
	[0x0a7, 32, 10, 1, -509, () => 0],
	[0x0a7, 42, 10, 1, -509, (car) => car.torqueNm],
	[0x0a8, 48, 16, 0.25, 0, (car) => car.rpm],
	// Getriebe_11
	[0x0ad, 42, 4, 1, 0, (car) => MQB_SELECTOR[car.selector]],
	[0x0ad, 60, 4, 1, 0, gearCode],
	// ESP_14: 1 in P, 3 in gear
	[0x08a, 12, 4, 1, 0, (car) => (car.selector === "P" ? 1 : 3)],
	// ESP_19: rear left, rear right, front left, front right
	[0x0b2, 0, 16, 0.0075, 0, (car) => car.wheelRearLeftKmh],
	[0x0b2, 16, 16, 0.0075, 0, (car) => car.wheelRearRightKmh],
	[0x0b2, 32, 16, 0.0075, 0, (car) => car.wheelFrontLeftKmh],
	[0x0b2, 48, 16, 0.0075, 0, (car) => car.wheelFrontRightKmh],
	// ESP_21
	[0x0fd, 32, 16, 0.01, 0, speed],
	[0x0fd, 53, 1, 1, 0, (car) => speed(car) < 0.1 && braking(car)],
	[0x0fd, 56, 1, 1, 0, (car) => car.absActive],
	[0x0fd, 61, 1, 1, 0, (car) => car.espActive],
	// ESP_02
	[0x101, 15, 1, 1, 0, (car) => speed(car) < 0.1],
	[0x101, 16, 8, 0.01, -1.27, (car) => car.lateralG],
	[0x101, 24, 10, 0.03125, -16, (car) => car.accelerationMps2],
	[0x101, 40, 14, 0.01, 0, (car) => Math.abs(car.yawDegps)],
	[0x101, 54, 1, 1, 0, (car) => car.yawDegps < 0],
	// ESP_05
	[0x106, 16, 10, 0.3, -30, brakeBar],
	[0x106, 26, 1, 1, 0, braking],
	[0x106, 39, 1, 1, 0, reversing],
	[0x106, 61, 1, 1, 0, braking],
	// EPB_01: an electric brake, 17 kN when applied
	[0x104, 56, 5, 1, 0, (car) => (car.handbrake ? 17 : 0)],
	[0x104, 61, 2, 1, 0, (car) => car.handbrake],
	// Motor_04
	[0x107, 8, 4, 1, 0, gearCode],
	[0x107, 12, 4, 1, 0, gearCode],
	[0x107, 16, 8, 0.04, 0, (car) => (running(car) ? 1.5 + car.rpm / 2000 : 0)],
	[0x107, 24, 12, 3, 0, (car) => car.rpm],
	[0x107, 39, 9, 0.01, 0, boostBar],
	// ESP_10: direction of each wheel, 3 while it stands; 1 = backwards is assumed
	[0x116, 56, 2, 1, 0, wheelDirection],
	[0x116, 58, 2, 1, 0, wheelDirection],
	[0x116, 60, 2, 1, 0, wheelDirection],
	[0x116, 62, 2, 1, 0, wheelDirection],
	// Motor_20
	[0x121, 12, 8, 0.4, 0, (car) => car.pedalPercent],
	[0x121, 38, 1, 1, 0, (car) => car.torqueNm < 0],
	[0x121, 40, 8, 10, 0, () => IDLE_RPM],
	// Motor_14
	[0x3be, 19, 1, 1, 0, cranking],
	[0x3be, 28, 1, 1, 0, braking],
	[0x3be, 30, 1, 1, 0, braking],
	[0x3be, 39, 1, 1, 0, running],
	[0x3be, 40, 1, 1, 0, (car) => car.pedalPercent > 99],
	// Kombi_01 (its bit of the handbrake stays 0 with an electric one), Blinkmodi_02
	[0x366, 20, 1, 1, 0, (car) => car.hazardLights],
	[0x30b, 48, 10, 0.32, 0, speed],
	// Klemmen_Status_01, NMH_Gateway, Gateway_72
	[0x3c0, 16, 1, 1, 0, () => 1],
	[0x3c0, 17, 1, 1, 0, (car) => car.ignitionOn],
	[0x3c0, 19, 1, 1, 0, cranking],
	[0x1b000010, 32, 1, 1, 0, (car) => car.ignitionOn],
	[0x3db, 25, 1, 1, 0, reversing],
	// Motor_07
	[0x640, 8, 8, 0.75, -48, () => 24],
	[0x640, 16, 8, 1, -60, () => 95],
	[0x640, 24, 8, 0.75, -48, () => 88],
];
