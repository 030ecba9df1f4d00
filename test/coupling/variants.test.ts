/**
 * Couplings that owners drive in other cars than those they were made for: 0AY 907 554 in a PQ car, with the
 * reports of the bench recordings, and a generation 5 unit in a PQ car.
 */
import assert from "node:assert/strict";
import { Reason } from "../../src/controller/reason.js";
import { PLANS } from "../../src/coupling/plan-table.js";
import { engagementNm } from "../../src/vehicle/coupling-status.js";
import { PQ_FRAMES } from "../../tools/vehicle/frames.js";
import { Car } from "../controller/car.js";

const FULL = 2;

describe("0AY 907 554 in a PQ car", () => {
	it("has the corrected and the standalone frames of generation 4", () => {
		for (const profile of ["reference", "corrected"] as const)
			assert.equal(PLANS[51].standalone[profile](FULL), PLANS[4].standalone[profile](FULL));
		assert.equal(PLANS[51].inline.corrected(FULL), PLANS[4].inline.corrected(FULL));
	});

	/** Reports as the unit on a bench sent them; the frames that closed it are not recorded. */
	class Unit extends Car {
		state = 0x18;
		torque = 0x80;
		temperature = 0x54;
		counter = 0;
		stands = false;

		protected override send(): void {
			this.sendsCoupling = false;
			super.send();
			if (!this.stands) this.counter = (this.counter + 1) & 0x0f;
			this.frame(1, 0x2c0, [this.state, this.torque, 0, 0, this.temperature, 0xc0, 0xfe, (this.counter << 4) | 3]);
		}
	}

	it("is controlled standalone although its report says emergency mode, and tells torque and temperature", () => {
		const unit = new Unit({ generation: 51, standalone: true, mode: FULL });
		unit.run(1500);
		const { vehicle } = unit.controller;
		const told = () => [
			vehicle.engagementPercent,
			engagementNm(vehicle, 51),
			vehicle.clutchTemperatureC,
			vehicle.engagementSaturated,
		];
		assert.deepEqual([...told(), unit.controller.controlActive], [0, 0, 24, false, true]);
		for (const [torque, temperature, ...expected] of [
			[0xb6, 0x54, 42, 378, 24, false],
			[0xc1, 0x55, 51, 455, 25, false],
			[0xfe, 0x56, 100, 882, 26, true],
		] as const) {
			Object.assign(unit, { state: 0x10, torque, temperature });
			unit.run(100);
			assert.deepEqual(told(), expected);
			assert.deepEqual([vehicle.couplingFault, unit.controller.controlActive], [false, true]);
		}
		unit.stands = true;
		unit.run(600);
		assert.equal(vehicle.engagementValid, false, "a frozen report");
	});

	it("opens in a car while its report says so", () => {
		const unit = new Unit({ generation: 51, mode: FULL });
		unit.run(1500);
		assert.deepEqual([unit.controller.reason, unit.controller.factor], [Reason.EMERGENCY_MODE, 0]);
	});
});

describe("a generation 5 unit in a PQ car", () => {
	it("gets the frames of standalone operation, except those that a PQ car sends", () => {
		const own = new Set(PQ_FRAMES.map(({ id }) => id));
		for (const profile of ["reference", "corrected"] as const) {
			const { frames } = PLANS[53].inline[profile](FULL);
			const others = PLANS[5].standalone[profile](FULL).frames.filter(({ id }) => id !== 0x392);
			assert.deepEqual(frames, others);
			assert.deepEqual(
				frames.filter(({ id }) => own.has(id)),
				[],
			);
		}
	});
});
