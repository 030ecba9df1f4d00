import assert from "node:assert/strict";
import { BUS_OFF, ERROR_ACTIVE, STOPPED } from "../../src/can/bus.js";
import { Reason } from "../../src/controller/reason.js";
import type { Tuning } from "../../src/lock/tuning.js";
import { DEFAULT_TUNING } from "../../src/settings/settings.js";
import { SampleBuilder } from "../support/sample-builder.js";
import { assertActive, assertStock, Car, isActive, isStock, STOCK, TICK_MS, tuned, UNTOUCHED } from "./car.js";

const FWD = 1;
const FULL = 2;
const SPEED = 7;
const THROTTLE = 8;
const MAP = 9;
const RPM = 10;
const MOTOR_1 = 0x280;

describe("controller/controller", () => {
	describe("start", () => {
		for (const generation of [1, 2, 4, 5] as const)
			it(`activates the stored mode after 1 s of valid inputs on generation ${generation}`, () => {
				const car = new Car({ generation, mode: FULL });
				assertStock(car.controller, Reason.STARTING);
				assertStock(car.tick(), Reason.NO_INTERVENTIONS);
				assertStock(car.run(1000), Reason.STARTING);
				assertActive(car.tick(), FULL, 100);
			});

		it("counts the 1 s of valid inputs from its first step on, whatever the clock shows then", () => {
			const { controller } = new Car({ mode: FULL, respectInterventions: false, controlWithoutFeedback: true });
			const gateway = new SampleBuilder(controller.telemetry.watch.bytes());
			const stepAt = (ms: number) => {
				const sample = gateway.bytes(ms);
				sample.fill(0, 4, 12);
				sample[4] = sample[5] = 1;
				controller.step(sample);
				return controller.controlActive;
			};
			for (let ms = 5000; ms < 5990; ms += 10) assert.equal(stepAt(ms), false);
			assert.equal(stepAt(5999), false);
			assert.equal(stepAt(6000), true);
		});

		it("counts at most 20 ms of a stall for an input that returned just before it and must be valid for 0.5 s", () => {
			const car = Car.active({ mode: MAP });
			car.sendsEngine = false;
			car.until(isStock);
			car.sendsEngine = true;
			assertStock(car.tick(), Reason.SETTLING);
			assertStock(car.tick(60_000), Reason.SETTLING);
			assert.equal(car.until(isActive), 480);
		});

		it("keeps mode and lock while the clock goes back", () => {
			for (const backMs of [-1, -500]) {
				const car = Car.active({ mode: FULL, ...tuned({ engageRatePercentPerS: 10 }) });
				const { lockPercent } = car.controller;
				assert.ok(lockPercent > 0 && lockPercent < 50);
				assertActive(car.tick(backMs), FULL, lockPercent);
				assertActive(car.tick(0), FULL, lockPercent);
			}
		});

		it("counts the 1 s of valid inputs from the return of the last one that the mode needs", () => {
			const car = new Car({ mode: MAP });
			car.sendsBrake = false;
			assertStock(car.run(3000), Reason.NO_SPEED);
			car.sendsBrake = true;
			assert.equal(car.until(isActive), 1010);
		});

		it("counts the 1 s of valid inputs, and keeps the mode active, across the wrap of the clock", () => {
			const car = new Car({ mode: MAP }, 2 ** 32 - 500);
			assertStock(car.run(1010), Reason.STARTING);
			assert.ok(car.tick().controlActive);
			assert.ok(car.run(5000).controlActive);
		});
	});

	describe("inputs", () => {
		it("lets inputs expire at most 20 ms later when the clock steps back", () => {
			const backBy = (ms: number): number => {
				const car = Car.active({ mode: FULL });
				car.sendsBrake = false;
				car.run(100);
				car.now -= ms;
				return car.until(isStock);
			};
			assert.ok(Math.abs(backBy(1000) - backBy(0)) <= 2 * TICK_MS, `${backBy(1000)} ms instead of ${backBy(0)}`);
		});

		/** Full lock in each mode, with a gate on speed where that is its only input. */
		const flat = { x: [0], lockPercent: [100] };
		const FULL_TABLES = {
			speedCurve: flat,
			throttleCurve: flat,
			rpmCurve: flat,
			map: { ...DEFAULT_TUNING.map, cells: new Array(63).fill(100) },
		};
		// mode, tuning, what fails, how long it is good for
		const EXPIRY: readonly (readonly [number, Partial<Tuning>, "brake" | "engine", number, Reason])[] = [
			[SPEED, FULL_TABLES, "brake", 300, Reason.NO_SPEED],
			[MAP, FULL_TABLES, "brake", 300, Reason.NO_SPEED],
			[MAP, FULL_TABLES, "engine", 300, Reason.NO_PEDAL],
			[THROTTLE, FULL_TABLES, "engine", 300, Reason.NO_PEDAL],
			[RPM, FULL_TABLES, "engine", 500, Reason.NO_RPM],
			[FULL, { disableSpeedKmh: 200 }, "brake", 300, Reason.NO_SPEED],
			[FULL, { disableThrottlePercent: 10 }, "engine", 300, Reason.NO_PEDAL],
		];
		for (const [mode, tuning, frame, goodForMs, reason] of EXPIRY)
			it(`ramps mode ${mode} down when ${frame} frames have been missing for ${goodForMs} ms, then is stock`, () => {
				const car = Car.active({ mode, ...tuned(tuning) });
				const sends = frame === "brake" ? "sendsBrake" : "sendsEngine";
				car[sends] = false;
				assertActive(car.run(goodForMs), mode, 100);
				assertActive(car.tick(), mode, 98, reason);
				assert.ok(car.run(480).controlActive);
				assertStock(car.tick(), reason);
				car[sends] = true;
				assertStock(car.run(500), Reason.SETTLING);
				assertActive(car.tick(), mode, 100);
			});

		for (const generation of [1, 2, 4, 5] as const)
			for (const mode of [FWD, FULL]) {
				const lock = mode === FULL ? 100 : 0;
				it(`is stock in mode ${mode} on generation ${generation} while the frame of ABS and ESP is missing, whether its last flag was set or not`, () => {
					for (const braking of [false, true]) {
						const car = Car.active({ generation, mode });
						car.braking = braking;
						car.run(200);
						car.sendsBrake = false;
						assert.ok(car.run(300).controlActive);
						if (mode === FULL && !braking) assertActive(car.tick(), mode, 98, Reason.NO_INTERVENTIONS);
						assertStock(car.run(5000), Reason.NO_INTERVENTIONS);
						car.braking = false;
						car.sendsBrake = true;
						assertStock(car.run(500), Reason.SETTLING);
						assert.ok(car.tick().controlActive);
						// the flag may have been set until just before its frame returned
						if (braking) assertActive(car.run(490), mode, 0, Reason.INTERVENTION);
						assertActive(car.run(400), mode, lock);
					}
				});

				it(`is stock in mode ${mode} on generation ${generation} while the coupling does not report, unless the driver does without`, () => {
					const car = Car.active({ generation, mode });
					car.sendsCoupling = false;
					assertActive(car.run(500), mode, lock);
					if (mode === FULL) assertActive(car.tick(), mode, 98, Reason.NO_FEEDBACK);
					assertStock(car.run(5000), Reason.NO_FEEDBACK);
					car.sendsCoupling = true;
					assertStock(car.run(500), Reason.SETTLING);
					assertActive(car.tick(), mode, lock);
					car.sendsCoupling = false;
					car.set({ controlWithoutFeedback: true });
					assertActive(car.run(5000), mode, lock);
				});
			}

		it("keeps the mode through 300 ms without the speed; after 400 ms it ramps on to stock although the speed returns", () => {
			const car = Car.active({ mode: SPEED, ...tuned(FULL_TABLES) });
			car.sendsBrake = false;
			assertActive(car.run(300), SPEED, 100);
			car.sendsBrake = true;
			assertActive(car.tick(), SPEED, 100);
			car.sendsBrake = false;
			car.run(400);
			car.sendsBrake = true;
			assertActive(car.tick(), SPEED, 78, Reason.SETTLING);
			assert.equal(car.until(isStock), 390);
			assertStock(car.run(100), Reason.SETTLING);
			assertActive(car.tick(), SPEED, 100);
		});
	});

	describe("buses", () => {
		for (const [bus, flag, down, settling] of [
			["chassis", 1, Reason.CHASSIS_BUS_DOWN, Reason.CHASSIS_BUS_SETTLING],
			["coupling", 2, Reason.COUPLING_BUS_DOWN, Reason.COUPLING_BUS_SETTLING],
		] as const) {
			it(`is stock at once when the ${bus} bus is stopped or off`, () => {
				for (const state of [STOPPED, BUS_OFF]) {
					const car = Car.active({ mode: FULL });
					car[`${bus}State`] = state;
					assertStock(car.tick(), down);
					car[`${bus}State`] = ERROR_ACTIVE;
					assertStock(car.run(500), settling);
					assertActive(car.tick(), FULL, 2.5);
					assertActive(car.run(380), FULL, 97.5);
					assertActive(car.run(1000), FULL, 100);
				}
			});

			it(`is stock when the ${bus} bus stopped and ran again between two ticks, and for 0.5 s after it`, () => {
				const car = Car.active({ mode: FULL });
				car.interruptedBuses = flag;
				assertStock(car.tick(), down);
				car.interruptedBuses = 0;
				assertStock(car.run(490), settling);
				assert.equal(car.until(isActive), 20);
				assertActive(car.controller, FULL, 2.5);
			});
		}

		it("raises lock slowly when a mode is selected after a bus was gone in stock, and after its lease ran out", () => {
			const car = Car.active({ mode: FULL });
			car.set({ mode: STOCK });
			car.couplingState = BUS_OFF;
			car.run(1000);
			car.couplingState = ERROR_ACTIVE;
			car.run(1000);
			car.set({ mode: FULL });
			assertActive(car.tick(), FULL, 2.5);
			car.run(1000);
			car.leaseLost = true;
			assertActive(car.tick(), FULL, 2.5);
		});

		it("asks for full lock at once when the coupling's bus runs for the first time, after the car's", () => {
			const car = new Car({ mode: FULL });
			car.couplingState = STOPPED;
			assertStock(car.run(3000), Reason.COUPLING_BUS_DOWN);
			car.couplingState = ERROR_ACTIVE;
			car.until(isActive);
			assertActive(car.controller, FULL, 100);
		});

		it("is stock when both buses stop in the tick of a change", () => {
			const car = Car.active({ mode: FULL });
			car.set({ tuning: { ...DEFAULT_TUNING, releaseRatePercentPerS: 50 } });
			car.chassisState = car.couplingState = STOPPED;
			assertStock(car.tick(), Reason.CHASSIS_BUS_DOWN);
		});

		it("treats a bus with errors as running", () => {
			for (const state of [ERROR_ACTIVE, ERROR_ACTIVE + 1, ERROR_ACTIVE + 2]) {
				const car = Car.active({ mode: FULL });
				car.chassisState = car.couplingState = state;
				assertActive(car.run(1000), FULL, 100);
			}
		});

		it("is stock at once when the chassis bus is silent for more than 200 ms", () => {
			const car = Car.active({ mode: FULL });
			for (const age of [0, 199, 200]) {
				car.chassisAgeMs = age;
				assertActive(car.tick(), FULL, 100);
			}
			car.chassisAgeMs = 201;
			assertStock(car.tick(), Reason.CHASSIS_SILENT);
			car.chassisAgeMs = 0;
			assertStock(car.run(500), Reason.CHASSIS_BUS_SETTLING);
			assertActive(car.tick(), FULL, 2.5);
		});
	});

	describe("interventions and heat", () => {
		for (const generation of [4, 5] as const)
			it(`opens within 100 ms on generation ${generation} and leaves brake frames alone in the corrected profile`, () => {
				const brakeFrame = generation === 4 ? 0x4a0 : 0x08a;
				const engineFrame = generation === 4 ? MOTOR_1 : 0x0a7;
				const car = Car.active({ generation, mode: FULL, frameProfile: "corrected" });
				assert.notEqual(car.rewritten(brakeFrame), UNTOUCHED);
				car.braking = true;
				assertActive(car.tick(), FULL, 90, Reason.INTERVENTION);
				assert.equal(car.rewritten(brakeFrame), UNTOUCHED);
				assert.notEqual(car.rewritten(engineFrame), UNTOUCHED);
				assertActive(car.run(90), FULL, 0, Reason.INTERVENTION);
				car.braking = false;
				assertActive(car.run(1000), FULL, 0, Reason.INTERVENTION);
				assert.equal(car.rewritten(brakeFrame), UNTOUCHED);
				assertActive(car.tick(), FULL, 2.5);
				assert.notEqual(car.rewritten(brakeFrame), UNTOUCHED);
				assertActive(car.run(390), FULL, 100);
			});

		it("opens for a flag that stood in one frame between two ticks", () => {
			const car = Car.active({ mode: FULL });
			car.brakedBetween = true;
			assertActive(car.tick(), FULL, 90, Reason.INTERVENTION);
		});

		for (const [what, away, back] of [
			["their frame is gone", (car: Car) => (car.sendsBrake = false), (car: Car) => (car.sendsBrake = true)],
			["the chassis bus is gone", (car: Car) => (car.interruptedBuses = 1), (car: Car) => (car.interruptedBuses = 0)],
			["the car is silent", (car: Car) => (car.chassisAgeMs = 65535), (car: Car) => (car.chassisAgeMs = 0)],
		] as const)
			it(`extends an intervention by the time in which ${what}`, () => {
				const car = Car.active({ mode: FULL });
				car.braking = true;
				car.run(100);
				away(car);
				car.braking = false;
				car.run(800);
				back(car);
				car.run(1000);
				assertActive(car.controller, FULL, 0, Reason.INTERVENTION);
				assert.equal(
					car.until(({ lockPercent }) => lockPercent > 0),
					10,
				);
				away(car);
				car.run(800);
				back(car);
				assert.equal(car.until(isActive), 510, "no intervention before: as after any doubt");
				assert.equal(car.controller.reason, Reason.ACTIVE);
			});

		it("does not open for interventions when the driver opted out", () => {
			const car = Car.active({ mode: FULL, frameProfile: "corrected", respectInterventions: false });
			car.braking = true;
			assertActive(car.run(1000), FULL, 100);
			assert.notEqual(car.rewritten(0x4a0), UNTOUCHED);
		});

		for (const [bit, reason] of [
			[0, Reason.COUPLING_FAULT],
			[1, Reason.OVERHEATED],
			[2, Reason.COUPLING_FAULT],
			[4, Reason.EMERGENCY_MODE],
		] as const)
			it(`opens when bit ${bit} of the coupling's state says ${reason}, until it has not said so for 10 s`, () => {
				const car = Car.active({ mode: FULL });
				car.couplingStatus = 0xe8; // the bits that say nothing of it
				assertActive(car.run(1000), FULL, 100);
				car.couplingStatus = 1 << bit;
				assertActive(car.run(500), FULL, 0, reason);
				car.couplingStatus = 0;
				assertActive(car.run(9990), FULL, 0, reason);
				assertActive(car.tick(), FULL, 100);
			});
	});
});
