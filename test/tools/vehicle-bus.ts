/**
 * Helpers of the vehicle's tests: collects what a vehicle sends, and decodes it by arithmetic of its own (the
 * bits of the frame as one little-endian number), so that neither the vehicle's nor the controller's bit code
 * vouches for itself.
 */
import type { Generation } from "../../tools/vehicle/chassis.js";
import type { CouplingOptions } from "../../tools/vehicle/coupling-ecu.js";
import type { Cycle } from "../../tools/vehicle/cycles.js";
import type { CanFrame } from "../../tools/vehicle/frame.js";
import { type ConstantDrive, Vehicle } from "../../tools/vehicle/vehicle.js";

export const GENERATIONS: readonly Generation[] = [1, 2, 4, 5];

export interface SentFrame extends CanFrame {
	readonly timeMs: number;
	readonly bus: "chassis" | "coupling";
}

/** The field of `length` bits at `start`. */
export function field(data: Uint8Array, start: number, length: number): number {
	let bits = 0n;
	for (let i = data.length - 1; i >= 0; i -= 1) bits = (bits << 8n) | BigInt(data[i]);
	return Number((bits >> BigInt(start)) & ((1n << BigInt(length)) - 1n));
}

/** Changes a frame on its way to the coupling bus; undefined = forward as it is. */
export type Rewrite = (id: number, data: Uint8Array, vehicle: Vehicle) => Uint8Array | undefined;

/**
 * Drives a vehicle for a while with a controller that forwards chassis frames, perhaps rewritten; returns all
 * that it sent.
 */
export function drive(
	generation: Generation,
	how: Cycle | ConstantDrive,
	durationMs: number,
	rewrite: Rewrite = () => undefined,
	options: CouplingOptions = {},
): { vehicle: Vehicle; frames: SentFrame[] } {
	const vehicle = new Vehicle(generation, how, options);
	const frames: SentFrame[] = [];
	const collect = (bus: SentFrame["bus"]) => (id: number, extended: boolean, data: Uint8Array) => {
		frames.push({ timeMs: vehicle.car.timeMs, bus, id, extended, rtr: false, data: Uint8Array.from(data) });
	};
	const send = collect("chassis");
	for (let step = 0; step < durationMs; step += 1) {
		vehicle.step((id, extended, data) => {
			send(id, extended, data);
			const forwarded = Uint8Array.from(data);
			vehicle.receiveOnCouplingBus({ id, extended, rtr: false, data: rewrite(id, forwarded, vehicle) ?? forwarded });
		}, collect("coupling"));
	}
	return { vehicle, frames };
}

/** A car that stands still, for tests that vary one thing. */
export const PARKED: ConstantDrive = { speedKmh: undefined, pedalPercent: 0, brakePercent: 0, steeringDeg: 0, selector: "D" };

/**
 * CRC-8/AUTOSAR as the polynomial division that it is: an oracle that shares nothing with the shift register
 * of the vehicle.
 */
export function crc8ByLongDivision(bytes: readonly number[]): number {
	let dividend = 0n;
	for (const byte of bytes) dividend = (dividend << 8n) | BigInt(byte);
	const bits = BigInt(bytes.length * 8);
	dividend = (dividend << 8n) ^ (0xffn << bits); // the initial value, on the first byte
	for (let i = bits + 7n; i >= 8n; i -= 1n) if ((dividend >> i) & 1n) dividend ^= 0x12fn << (i - 8n);
	return Number(dividend) ^ 0xff;
}
