/**
 * Real cars do more than simulated ones: the ignition goes off, senders freeze, sources of the
 * speed contradict each other.
 */
import assert from "node:assert/strict";
import { CalibrationProblem } from "../../src/calibration/sweep.js";
import { Reason } from "../../src/controller/reason.js";
import { condition } from "../support/controller-view.js";
import { assertActive, assertStock, Car } from "./car.js";

const FULL = 2;
const MAP = 9;

describe("the ignition", () => {
	for (const generation of [4, 5] as const) {
		it(`is a doubt for every mode while it is off, generation ${generation}`, () => {
			const car = new Car({ generation, mode: FULL });
			car.ignitionOn = true;
			assertActive(car.run(1500), FULL, 100);
			car.ignitionOn = false;
			assert.equal(car.run(20).reason, Reason.IGNITION_OFF);
			assertStock(car.run(500), Reason.IGNITION_OFF);
			car.ignitionOn = true;
			assert.equal(car.run(480).controlActive, false);
			assertActive(car.run(500), FULL, 100);
		});

		it(`is off once its frame and the engine's are missing, but not while the engine still sends, generation ${generation}`, () => {
			const car = new Car({ generation, mode: FULL });
			car.ignitionOn = true;
			car.run(1500);
			car.ignitionOn = undefined;
			assertActive(car.run(5000), FULL, 100);
			car.sendsEngine = false;
			assertStock(car.run(2500), Reason.IGNITION_OFF);
			car.sendsEngine = true;
			assertActive(car.run(1500), FULL, 100);
		});

		it(`keeps control in a car that never sends it, generation ${generation}`, () => {
			const car = new Car({ generation, mode: FULL });
			car.sendsEngine = false;
			assertActive(car.run(3000), FULL, 100);
		});
	}

	it("stays on when the settings change", () => {
		const car = new Car({ mode: FULL });
		car.ignitionOn = true;
		const { settings } = car.run(1500);
		car.set({ inputMappings: { ...settings.inputMappings, rpm: "chassis|0x288|mo2 bls|" } });
		assert.equal(car.run(20).vehicle.ignition, "on");
	});

	for (const [known, isOn] of [
		["the ignition on", true],
		["the engine", undefined],
	] as const)
		it(`is not off because other inputs have heard nothing yet, where those before knew ${known}`, () => {
			const car = new Car({ mode: FULL, respectInterventions: false, controlWithoutFeedback: true });
			car.ignitionOn = true;
			car.run(1500);
			car.ignitionOn = isOn;
			car.run(1500);
			car.ignitionOn = undefined;
			car.sendsEngine = false;
			const { settings } = car.controller;
			car.set({ inputMappings: { ...settings.inputMappings, rpm: "chassis|0x288|mo2 bls|" } });
			assertActive(car.tick(), FULL, 100);
			assertStock(car.run(1500), Reason.IGNITION_OFF);
		});

	it("is on while one of its two frames says so", () => {
		class Two extends Car {
			protected override send(): void {
				super.send();
				this.frame(0, 0x570, [0x00]);
			}
		}
		const car = new Two({ mode: FULL });
		car.ignitionOn = true;
		assertActive(car.run(1500), FULL, 100);
	});
});

/** A car one of whose frames repeats itself. */
class FrozenCar extends Car {
	frozenId = 0;
	kept: readonly number[] | undefined;

	override frame(bus: number, id: number, data: readonly number[]): void {
		if (id !== this.frozenId) super.frame(bus, id, data);
		else {
			this.kept ??= data;
			super.frame(bus, id, this.kept);
		}
	}
}

describe("frozen frames", () => {
	for (const [generation, id, reason] of [
		[4, 0x1a0, Reason.NO_SPEED],
		[4, 0x2c0, Reason.NO_FEEDBACK],
		[5, 0x121, Reason.NO_PEDAL],
		[5, 0x118, Reason.NO_FEEDBACK],
	] as const)
		it(`count as missing where the car's counter went before: ${reason}, generation ${generation}`, () => {
			const car = new FrozenCar({ generation, mode: MAP });
			car.count = 0;
			assert.ok(car.run(1500).controlActive);
			car.frozenId = id;
			assertStock(car.run(1200), reason);
			car.frozenId = 0;
			assert.ok(car.run(1000).controlActive);
		});

	it("do not end an intervention, but begin one", () => {
		const car = new FrozenCar({ mode: FULL });
		car.count = 0;
		car.run(1500);
		car.frozenId = 0x1a0;
		assertActive(car.run(100), FULL, 100);
		car.kept = [0x04, ...car.kept!.slice(1)];
		assert.equal(car.run(20).reason, Reason.INTERVENTION);
		assert.ok(car.controller.lockPercent < 100);
		assertStock(car.run(1200), Reason.NO_INTERVENTIONS);
	});

	it("are not seen where a counter never moved or where frames were lost", () => {
		const still = new Car({ mode: MAP });
		assert.ok(still.run(3000).controlActive);
		const lossy = new Car({ mode: MAP });
		lossy.count = 0;
		for (let i = 0; i < 300; i++) {
			lossy.count = (lossy.count + (i % 5)) & 0x0f;
			lossy.tick();
			if (i > 150) assert.ok(lossy.controller.controlActive);
		}
	});
});

describe("sources of the speed that contradict each other", () => {
	for (const generation of [4, 5] as const) {
		it(`are a doubt, whatever the mode, after 1 s, generation ${generation}`, () => {
			const car = new Car({ generation, mode: FULL });
			car.wheelsKmh = car.speedKmh = 50;
			assertActive(car.run(1500), FULL, 100);
			if (generation === 4) car.speedKmh = 0;
			else car.wheelsKmh = 0;
			assertActive(car.run(900), FULL, 100);
			assert.equal(car.run(200).reason, Reason.SPEEDS_CONTRADICT);
			assertStock(car.run(500), Reason.SPEEDS_CONTRADICT);
			car.speedKmh = car.wheelsKmh = 50;
			assertActive(car.run(1500), FULL, 100);
		});

		it(`cause no doubt while wheels slip, generation ${generation}`, () => {
			const car = new Car({ generation, mode: FULL });
			car.speedKmh = 5;
			car.wheelsKmh = 22;
			assertActive(car.run(5000), FULL, 100);
		});

		it(`prevent a calibration if one of them moves, generation ${generation}`, () => {
			const car = new Car({ generation, mode: 0, disableController: true });
			car.speedKmh = car.wheelsKmh = 0;
			car.run(1500);
			assert.equal(car.controller.vehicle.motion, "stands");
			if (generation === 4) car.wheelsKmh = 1;
			else car.speedKmh = 1;
			assert.equal(car.run(50).vehicle.motion, "moves");
			assert.equal(car.controller.startCalibration(), CalibrationProblem.CAR_MOVES);
			car.wheelsKmh = undefined;
			car.sendsBrake = false;
			assert.equal(car.run(1100).vehicle.motion, "unknown");
		});

		for (const lost of ["wheels", "speed"] as const)
			it(`end and prevent a calibration once one of two is lost, the ${lost}, generation ${generation}`, () => {
				const car = new Car({ generation, mode: 0, disableController: true });
				car.speedKmh = car.wheelsKmh = 0;
				car.run(1500);
				assert.equal(car.controller.startCalibration(), undefined);
				assert.ok(car.run(500).calibration.runs);
				if (lost === "wheels") car.wheelsKmh = undefined;
				else car.speedRaw = 0xffff;
				assert.equal(car.run(1100).calibration.runs, false);
				assert.equal(car.controller.vehicle.motion, "unknown");
				assert.notEqual(car.controller.startCalibration(), undefined);
				// other settings make the source no more trusted
				const rpm = generation === 5 ? "chassis|0x107|mo drehzahl 01|unit_minutinvers" : "chassis|0x280|motordrehzahl|u_min";
				car.set({ inputMappings: { ...car.controller.settings.inputMappings, rpm } });
				assert.equal(car.run(1500).vehicle.motion, "unknown");
				car.wheelsKmh = 0;
				car.speedRaw = undefined;
				assert.equal(car.run(100).vehicle.motion, "stands");
			});
	}

	it("let no control begin while they differ, before they are a doubt", () => {
		const car = new Car({ generation: 4, mode: MAP });
		car.wheelsKmh = car.speedKmh = 50;
		assert.equal(car.run(1500).controlActive, true);
		car.speedRaw = 0xffff;
		assertStock(car.run(1500), Reason.NO_SPEED);
		car.speedRaw = undefined;
		car.wheelsKmh = 0;
		assertStock(car.run(900), Reason.SPEEDS_CONTRADICT);
	});

	it("do not exist in a car with a single source, which is enough to know that it stands", () => {
		const car = new Car({ generation: 4, mode: 0, disableController: true });
		car.speedKmh = 0;
		assert.equal(car.run(1500).vehicle.motion, "stands");
	});
});

describe("emergency mode", () => {
	it("yields to another fault, and does not count in standalone operation", () => {
		const faulty = Car.active({ mode: FULL });
		faulty.couplingStatus = 0x14;
		assertActive(faulty.run(1000), FULL, 0, Reason.COUPLING_FAULT);
		const car = new Car({ mode: FULL, standalone: true });
		car.couplingStatus = 0x10;
		assertActive(car.run(3000), FULL, 100);
	});
});

/** Actions of driver and car while something is in doubt. */
const MEANWHILE: Readonly<Record<string, (car: Car) => void>> = {
	"another input is chosen": (car) => {
		const { generation, inputMappings } = car.controller.settings;
		const rpm = generation === 5 ? "chassis|0x107|mo drehzahl 01|unit_minutinvers" : "chassis|0x280|motordrehzahl|u_min";
		car.set({ inputMappings: { ...inputMappings, rpm } });
	},
	"a condition is added": (car) =>
		car.set({ conditions: [condition({ effect: "limit", signal: "chassis|0x366|hazard switch|" })] }),
	"the steering wheel is looked at": (car) =>
		car.set({ steeringGain: { ...car.controller.settings.steeringGain, enabled: true, lostPercent: 100 } }),
	"another coupling of the same car is chosen": (car) => car.controller.settings.generation === 4 && car.set({ generation: 2 }),
	"the car is silent": (car) => {
		const { sendsBrake, sendsEngine, wheelsKmh } = car;
		car.sendsBrake = car.sendsEngine = false;
		car.wheelsKmh = undefined;
		car.chassisAgeMs = 999;
		car.run(1500);
		car.chassisAgeMs = 0;
		Object.assign(car, { sendsBrake, sendsEngine, wheelsKmh });
	},
};

for (const [name, change] of Object.entries(MEANWHILE))
	for (const generation of [4, 5] as const)
		describe(`while ${name}, generation ${generation}`, () => {
			/** The mode stays as it is, and never takes effect. */
			function assertStays(car: Car, reason: Reason): void {
				change(car);
				for (let ms = 0; ms < 3000; ms += 10) assert.equal(car.tick().controlActive, false, `after ${ms} ms`);
				assert.equal(car.controller.reason, reason);
			}

			it("frames that are frozen stay silence", () => {
				const car = new FrozenCar({ generation, mode: MAP });
				car.count = 0;
				assert.ok(car.run(1500).controlActive);
				car.frozenId = generation === 4 ? 0x1a0 : 0x121;
				car.run(1200);
				assertStays(car, generation === 4 ? Reason.NO_SPEED : Reason.NO_PEDAL);
				car.frozenId = 0;
				assert.ok(car.run(1500).controlActive);
			});

			it("sources of the speed that contradict each other stay a doubt", () => {
				const car = new Car({ generation, mode: FULL });
				car.speedKmh = 50;
				car.wheelsKmh = 0;
				for (let ms = 0; ms < 3000; ms += 10) assert.equal(car.tick().controlActive, false, `after ${ms} ms from the start on`);
				assertStays(car, Reason.SPEEDS_CONTRADICT);
				car.wheelsKmh = 50;
				assert.ok(car.run(1500).controlActive);
			});

			it("an ignition that fell silent with the engine stays off", () => {
				const car = new Car({ generation, mode: FULL });
				car.ignitionOn = true;
				car.run(1500);
				car.ignitionOn = undefined;
				car.sendsEngine = false;
				car.run(2500);
				assertStays(car, Reason.IGNITION_OFF);
				car.sendsEngine = true;
				assert.ok(car.run(1500).controlActive);
			});
		});
