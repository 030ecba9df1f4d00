/**
 * What the gateway's bench runs on, as the application and the simulated car make it: frame plan, watch list,
 * traffic of both buses. One file, little endian: u32 bytes of the plan, of the watch list, number of frames;
 * plan; watch list; per frame u64 microseconds, u32 bus, u32 0, SocketCAN record.
 */

import "../../test/support/natives.js";
import { writeFileSync } from "node:fs";
import type { FrameProfile } from "../../src/coupling/couplings/couplings.js";
import { framePlan } from "../../src/coupling/frame-plan.js";
import { MAP } from "../../src/lock/modes.js";
import { DEFAULT_SETTINGS } from "../../src/settings/settings.js";
import { Telemetry } from "../../src/vehicle/telemetry.js";
import type { Generation } from "../vehicle/chassis.js";
import { CYCLES } from "../vehicle/cycles.js";
import { RECORD_BYTES, writeRecord } from "../vehicle/frame.js";
import { Vehicle } from "../vehicle/vehicle.js";

const HEADER_BYTES = 12;
const FRAME_BYTES = 16 + RECORD_BYTES;
const FRAME_TIME_US = 222; // of an 8-byte frame at 500 kbit/s
const CHASSIS = 0;
const COUPLING = 1;
const BREMSE_4 = 0x2a0;

/** @param seconds of the launch cycle: the same every time */
export function writeGatewayTraffic(path: string, generation: Generation, profile: FrameProfile, seconds: number): void {
	const plan = framePlan(generation, profile, MAP);
	const watch = new Telemetry(generation, DEFAULT_SETTINGS.inputMappings).watch.bytes();
	const frames: Buffer[] = [];
	const vehicle = new Vehicle(generation, CYCLES.launch);
	for (let ms = 0; ms < seconds * 1000; ms++) {
		let timeUs = ms * 1000;
		const add = (bus: number) => (id: number, extended: boolean, data: Uint8Array) => {
			const frame = Buffer.alloc(FRAME_BYTES);
			frame.writeBigUInt64LE(BigInt(timeUs));
			frame.writeUInt32LE(bus, 8);
			// In most cars Bremse_4 has DLC 3 and is left alone; some have 8, and that is slower.
			const whole = id === BREMSE_4 ? Uint8Array.from({ length: 8 }, (_, i) => data[i] ?? 0) : data;
			writeRecord(frame, 16, id, extended, whole);
			frames.push(frame);
			timeUs += FRAME_TIME_US;
		};
		vehicle.step(add(CHASSIS), add(COUPLING));
	}
	const header = Buffer.alloc(HEADER_BYTES);
	[plan.length, watch.length, frames.length].forEach((value, i) => {
		header.writeUInt32LE(value, 4 * i);
	});
	writeFileSync(path, Buffer.concat([header, plan, watch, ...frames]));
}
