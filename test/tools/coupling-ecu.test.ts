import assert from "node:assert/strict";
import type { Generation } from "../../tools/vehicle/chassis.js";
import { statusPayload } from "../../tools/vehicle/coupling-ecu.js";
import { CYCLES } from "../../tools/vehicle/cycles.js";
import type { CanFrame } from "../../tools/vehicle/frame.js";
import { drive, GENERATIONS, PARKED, type SentFrame } from "./vehicle-bus.js";

/** Lock-dependent bytes of section 3.5 to 3.8 and the constants beside them: [id, byte, base], base < 0 = the constant -base. */
const BYTES: Readonly<Record<Generation, readonly (readonly [id: number, byte: number, base: number])[]>> = {
	1: [
		[0x280, 1, 0xfe],
		[0x280, 3, 0x4e],
		[0x280, 4, 0xfe],
		[0x280, 5, 0xfe],
	],
	2: [
		[0x280, 1, 0xfe],
		[0x280, 3, 0x4e],
		[0x280, 6, 0xfe],
		[0x5a0, 4, 0x7f],
		[0x5a0, 5, 0xfe],
	],
	4: [
		[0x280, 1, 0xfe],
		[0x280, 2, 0x20],
		[0x280, 3, 0x4e],
		[0x280, 4, 0xfe],
		[0x280, 5, 0xfe],
		[0x280, 6, 0x16],
		[0x280, 7, 0xfe],
		[0x5a0, 4, 0x7f],
	],
	5: [
		[0x08a, 7, 0xfe],
		[0x0a7, 6, 0xfa],
		[0x0a7, 7, 0xfa],
	],
};

/** The controller's rewriting for a lock percentage, without a calibration table (section 1.6). */
function rewriteFor(generation: Generation, lockPercent: () => number): (id: number, data: Uint8Array) => Uint8Array {
	const adjusted = (base: number) => {
		const lock = lockPercent();
		if (lock >= 99.5) return base;
		return lock <= 0 ? 0 : Math.floor((base * Math.floor(lock * 0.5 + 20)) / 100);
	};
	return (id, data) => {
		for (const [frame, byte, base] of BYTES[generation]) if (frame === id) data[byte] = adjusted(base);
		if (id === 0x4a0 && generation <= 2) data.set([adjusted(0xfe), 0x0a, adjusted(0xfe), 0x0a, 0x00, 0x0a, 0x00, 0x0a]);
		return data;
	};
}

const CRUISE = { ...PARKED, speedKmh: 60, pedalPercent: 30 };

/** Reads the engagement back as section 2.2 does. */
function reported(generation: Generation, { data }: Pick<CanFrame, "data">): number {
	const clamp = (value: number) => Math.min(100, Math.max(0, Math.trunc(value)));
	if (generation === 5) return clamp((data[2] * 100) / 250);
	if (generation === 2) return clamp((((data[1] + data[4]) & 0xff) - 128) * (100 / 127));
	return clamp(((data[1] - 128) * 100) / (generation === 1 ? 70 : 127));
}

const statusFrames = (generation: Generation, frames: SentFrame[]) =>
	frames.filter(({ bus, id }) => bus === "coupling" && id === (generation === 5 ? 0x118 : 0x2c0));
const last = <T>(list: readonly T[]) => list[list.length - 1];

describe("the coupling's ECU", () => {
	for (const generation of GENERATIONS) {
		const engagementAfter = (lockPercent: number) => {
			const { frames } = drive(
				generation,
				CRUISE,
				1500,
				rewriteFor(generation, () => lockPercent),
			);
			return reported(generation, last(statusFrames(generation, frames)));
		};

		it(`generation ${generation} closes when the frames ask for full lock and opens when they ask for none`, () => {
			assert.ok(engagementAfter(100) > 95, `${engagementAfter(100)}`);
			assert.ok(engagementAfter(0) < 5, `${engagementAfter(0)}`);
		});

		it(`generation ${generation} follows what lies between within 3 %`, () => {
			for (const lock of [10, 22.5, 40, 60, 90])
				assert.ok(Math.abs(engagementAfter(lock) - lock) <= 3, `${lock}: ${engagementAfter(lock)}`);
		});

		it(`generation ${generation} lags behind a step as a pump and plates do, and follows it within half a second`, () => {
			let lock = 0;
			let stepMs = 0;
			const rewrite = rewriteFor(generation, () => lock);
			const { frames } = drive(generation, CRUISE, 2000, (id, data) => {
				stepMs += id === 0x280 || id === 0x0a7 ? 10 : 0;
				lock = stepMs > 1000 ? 100 : 0;
				return rewrite(id, data);
			});
			const at = (timeMs: number) =>
				reported(generation, last(statusFrames(generation, frames).filter((frame) => frame.timeMs <= timeMs)));
			assert.ok(at(1050) < 50, `${at(1050)}`);
			assert.ok(at(1500) > 90, `${at(1500)}`);
		});

		it(`generation ${generation} follows a ramp without taking it for the car's own frames`, () => {
			let lock = 0;
			const rewrite = rewriteFor(generation, () => lock);
			const { vehicle } = drive(generation, CRUISE, 1100, (id, data, { car, coupling }) => {
				lock = car.timeMs * 0.12; // 120 %/s
				if (car.timeMs > 100) assert.ok(coupling.commanded, `at ${car.timeMs} ms`);
				return rewrite(id, data);
			});
			assert.ok(vehicle.coupling.engagementPercent > 85);
		});

		it(`generation ${generation} acts as from the factory on unmodified frames, all through the city`, () => {
			const { frames } = drive(generation, CYCLES.city, 40_000);
			const engagements = statusFrames(generation, frames).map((frame) => reported(generation, frame));
			assert.ok(Math.max(...engagements) < 35, `${Math.max(...engagements)}`);
			assert.ok(Math.max(...engagements) > 5, "a launch makes it close a little");
		});

		it(`generation ${generation} reports every ${generation === 5 ? 20 : 10} ms and codes each percentage so that it reads back`, () => {
			const { frames } = drive(generation, CRUISE, 2000);
			assert.equal(statusFrames(generation, frames).length, generation === 5 ? 100 : 200);
			for (let percent = 0; percent <= 100; percent += 1) {
				const data = statusPayload(generation, percent, 0);
				const read = reported(generation, { data });
				assert.ok(Math.abs(read - percent) <= 1, `${percent} read as ${read}`);
			}
		});
	}

	it("codes the examples of section 9.4 and the ends of the scale", () => {
		assert.equal(statusPayload(5, 50, 0)[2], 0x7d);
		assert.equal(statusPayload(1, 100, 0)[1], 198);
		assert.equal(statusPayload(4, 100, 0)[1], 255);
		const generation2 = statusPayload(2, 100, 0);
		assert.equal(generation2[1] + generation2[4], 255);
		assert.equal(statusPayload(4, 0, 0)[0], 0x08, "the bit for a fully open clutch");
		assert.equal(statusPayload(4, 40, 0)[0], 0x00);
	});

	it("opens when nothing arrives any more", () => {
		const vehicle = drive(
			4,
			CRUISE,
			1000,
			rewriteFor(4, () => 100),
		).vehicle;
		assert.ok(vehicle.coupling.engagementPercent > 95);
		for (let ms = 0; ms < 1000; ms += 1)
			vehicle.step(
				() => {},
				() => {},
			);
		assert.ok(vehicle.coupling.engagementPercent < 1);
	});
});
