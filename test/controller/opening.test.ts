/**
 * docs/decisions.md 24: whatever takes the request back, no byte of profile `reference` asks for more lock
 * than before.
 */
import assert from "node:assert/strict";
import { PLANS } from "../../src/coupling/plan-table.js";
import { MODES } from "../../src/lock/modes.js";
import { DEFAULT_SETTINGS } from "../../src/settings/settings.js";
import { generator } from "../../tools/random.js";
import { condition } from "../support/controller-view.js";
import { PlanInterpreter } from "../support/plan-interpreter.js";
import { Car, tuned } from "./car.js";

const FULL = 2;
const MOTOR_1 = 0x280;
const LEVER = 6;
/** As the car sends it: between all that the controller sends. */
const RECEIVED = Uint8Array.of(0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47);

type Bytes = Readonly<Record<string, number>>;

/** Each lock-dependent byte as it leaves now, so that more means more lock; checksums left out. */
class Tap {
	readonly #car: Car;
	readonly #interpreter = new PlanInterpreter();

	constructor(car: Car) {
		this.#car = car;
	}

	/** To be called after each tick, as the loop does. @returns undefined in stock */
	bytes(): Bytes | undefined {
		const { controller } = this.#car;
		if (!controller.controlActive) return undefined;
		const plan = controller.takePlan();
		if (plan !== undefined) this.#interpreter.load(plan);
		this.#interpreter.commit(controller.factor, controller.groups);
		const { generation, frameProfile } = controller.settings;
		assert.ok(generation !== 0);
		const found: Record<string, number> = {};
		for (const { id, checksums } of PLANS[generation].inline[frameProfile](FULL).frames) {
			// as in the last such frame: what counts asks for nothing
			this.#interpreter.restartCounters();
			this.#interpreter.pass(0, id, 8, RECEIVED).forEach((byte, at) => {
				if (checksums?.some(({ target }) => target === at)) return;
				const isLever = generation === 1 && id === MOTOR_1 && at === LEVER;
				found[`0x${id.toString(16)} byte ${at}`] = isLever ? 0xff - byte : byte;
			});
		}
		return found;
	}
}

/** Bytes that ask for more in `now` than `before`. */
const more = (before: Bytes, now: Bytes): string[] =>
	Object.keys(now)
		.filter((byte) => now[byte] > before[byte])
		.map((byte) => `${byte}: ${before[byte]} -> ${now[byte]}`);

describe("controller: opening", () => {
	for (const [generation, rounds] of [
		[1, 100],
		[2, 50],
		[4, 50],
		[5, 20],
	] as const)
		it(`asks for no more lock in any byte of generation ${generation} while a gate closes, whatever mode and rate`, () => {
			const random = generator(24 + generation);
			let closings = 0;
			for (let round = 0; round < rounds; round++) {
				const mode = 2 + random.below(9);
				const releaseRatePercentPerS = random.of([0, 0.1, 1, 5, 20, 120, 1 + random.below(1000)]);
				const engageRatePercentPerS = random.of([0, 0, 20, 1 + random.below(1000)]);
				const tuning = {
					releaseRatePercentPerS,
					engageRatePercentPerS,
					disableSpeedKmh: 60,
					disengageUnderKmh: { map: 40, speed: 40, throttle: 40, rpm: 40 },
				};
				const car = new Car({ generation, mode, frameProfile: "reference", ...tuned(tuning) });
				const tap = new Tap(car);
				// both kinds of gates are open at 50 km/h; a preset's closes above, a table's below
				const closedKmh = mode < 7 ? 70 : 20;
				car.pedalRaw = random.below(240);
				if (random.below(3) === 0) {
					// from another mode, on whose ramp the gate then closes
					car.set({ mode: 2 });
					car.run(1000 + random.below(1000));
					car.set({ mode });
					// it is active then: what it asks for more of than the one before, the driver has chosen
					car.run(10 + random.below(100));
				} else car.run(1000 + random.below(3000));
				let before = tap.bytes();
				const { lockPercent } = car.controller;
				car.speedKmh = closedKmh;
				for (let tick = 0; tick < 200 && before !== undefined; tick++) {
					car.tick(random.of([0, 1, 5, 10, 10, 10, 30]));
					const now = tap.bytes();
					if (now === undefined) break;
					assert.deepEqual(
						more(before, now),
						[],
						`round ${round} tick ${tick}: ${MODES[mode]}, from ${lockPercent} % at ${releaseRatePercentPerS} %/s`,
					);
					before = now;
					if (lockPercent > 0) closings++;
				}
			}
			assert.ok(closings > rounds, `${closings} ticks of closing`);
		});

	const steered = { ...DEFAULT_SETTINGS.steeringGain, enabled: true, leastPercent: 30 };
	const limited = condition({
		effect: "limit",
		limitPercent: 40,
		signal: "chassis|0x280|engine rpm|rpm",
		operator: "lt",
		value: 1000,
	});
	for (const [what, take, settings] of [
		["the driver steers", (car: Car) => Object.assign(car, { steeringDeg: 200 }), { steeringGain: steered }],
		["a condition limits it", (car: Car) => Object.assign(car, { rpmRaw: 0 }), { conditions: [limited] }],
	] as const)
		it(`asks for no more lock in any byte of a preset of generation 1 when ${what}`, () => {
			for (let mode = 2; mode < 7; mode++) {
				const car = new Car({ generation: 1, mode, frameProfile: "reference", ...settings });
				car.steeringDeg = 0;
				car.run(3000);
				const tap = new Tap(car);
				let before = tap.bytes();
				const { lockPercent } = car.controller;
				take(car);
				for (let ms = 0; ms < 1500; ms += 10) {
					car.tick();
					const now = tap.bytes();
					assert.ok(before !== undefined && now !== undefined);
					assert.deepEqual(more(before, now), [], `${MODES[mode]} after ${ms} ms`);
					before = now;
				}
				assert.equal(car.controller.lockPercent < lockPercent, mode === 2 || what === "the driver steers");
			}
		});

	const selectFwd = (car: Car): void => car.set({ mode: 1 });
	for (const [what, open] of [
		["FWD is selected", selectFwd],
		["ABS intervenes", (car: Car) => Object.assign(car, { braking: true })],
		["the coupling is too hot", (car: Car) => Object.assign(car, { couplingStatus: 2 })],
		["the pedal is lost", (car: Car) => Object.assign(car, { sendsEngine: false })],
	] as const)
		it(`asks for no more lock in any byte when ${what}, however slow the ramp`, () => {
			for (const releaseRatePercentPerS of [0.1, 20, 120, 0])
				for (const tickMs of [1, 10]) {
					const car = Car.active({
						generation: 1,
						mode: FULL,
						...tuned({ releaseRatePercentPerS, disableThrottlePercent: 1 }),
					});
					const tap = new Tap(car);
					let before = tap.bytes();
					assert.ok(before !== undefined && car.controller.lockPercent === 100);
					open(car);
					for (let ms = 0; ms < 1200; ms += tickMs) {
						car.tick(tickMs);
						const now = tap.bytes();
						if (now === undefined) break;
						assert.deepEqual(more(before, now), [], `after ${ms} ms, ${releaseRatePercentPerS} %/s, ticks of ${tickMs} ms`);
						before = now;
					}
				}
		});
});
