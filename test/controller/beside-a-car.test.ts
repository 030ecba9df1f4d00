/** A generation 5 unit in a PQ car: its frames are generated, its inputs are the car's. */
import assert from "node:assert/strict";
import { Reason } from "../../src/controller/reason.js";
import { PLANS } from "../../src/coupling/plan-table.js";
import { Car, isActive } from "./car.js";

const FULL = 2;
const MAP = 9;

describe("controller: frames that are generated beside a car", () => {
	/** A PQ car whose coupling reports in 0x118. */
	class Swap extends Car {
		/** The counter of its report stands still. */
		reportStands = false;
		#report = 0;

		protected override send(): void {
			const { sendsCoupling } = this;
			this.sendsCoupling = false;
			super.send();
			this.sendsCoupling = sendsCoupling;
			if (!this.reportStands) this.#report = (this.#report + 1) & 0x0f;
			if (sendsCoupling) this.frame(1, 0x118, [0, this.#report, this.engagementRaw ?? 127, 0x12]);
		}
	}

	it("is controlled by the PQ car's frames, and opens while its ABS intervenes", () => {
		const swap = new Swap({ generation: 53, mode: MAP });
		swap.run(1500);
		const { controller } = swap;
		const { speedKmh, pedalPercent, engagementPercent } = controller.vehicle;
		assert.deepEqual([controller.controlActive, speedKmh, pedalPercent, engagementPercent], [true, 50, 50, 50]);
		assert.ok(controller.factor > 0);
		swap.braking = true;
		swap.run(100);
		assert.equal(controller.factor, 0);
		swap.braking = false;
		swap.run(3000);
		assert.ok(controller.factor > 0);
		swap.sendsBrake = false;
		swap.run(1500);
		assert.equal(controller.controlActive, false);
	});

	it("waits while another sender sends one of its frames, and names it", () => {
		const swap = new Swap({ generation: 53, mode: FULL });
		swap.generating = false;
		swap.heard = 0x392;
		swap.run(1500);
		const { controller } = swap;
		assert.deepEqual([controller.reason, controller.reasonDetail], [Reason.STANDALONE_HEARD_CAR, "0x392"]);
		swap.generating = true;
		swap.heard = 0;
		swap.until(isActive);
	});

	it("leaves all frames to a coupling that reports otherwise: a wrong choice must not cut it off", () => {
		const swap = new Swap({ generation: 53, mode: FULL });
		swap.sendsCoupling = false;
		swap.run(1500);
		const { controller } = swap;
		assert.deepEqual([controller.planActive, controller.reason], [false, Reason.NO_FEEDBACK]);
		swap.sendsCoupling = true;
		swap.until(isActive);
		assert.equal(controller.planActive, true);
		swap.sendsCoupling = false;
		swap.run(1500);
		assert.deepEqual([controller.planActive, controller.reason], [false, Reason.NO_FEEDBACK]);
		swap.set({ controlWithoutFeedback: true });
		swap.run(3000);
		assert.deepEqual([controller.planActive, controller.reason], [false, Reason.NO_FEEDBACK], "nor may the driver");
	});

	it("keeps back no frame of the car while all of its own are off", () => {
		const ids = PLANS[53].inline.reference(FULL).frames.map(({ id }) => id);
		const framesOff = [...new Set(ids)].map((id) => `0x${id.toString(16).toUpperCase().padStart(3, "0")}`).join(" ");
		const swap = new Swap({ generation: 53, mode: FULL, framesOff });
		swap.run(1500);
		const { controller } = swap;
		assert.deepEqual([controller.planActive, controller.reason], [false, Reason.NO_FRAMES]);
	});

	it("leaves all frames to a coupling whose report hangs: its counter stands still", () => {
		const swap = new Swap({ generation: 53, mode: FULL });
		swap.run(1500);
		assert.equal(swap.controller.planActive, true);
		swap.reportStands = true;
		swap.run(1500);
		assert.deepEqual([swap.controller.planActive, swap.controller.reason], [false, Reason.NO_FEEDBACK]);
	});

	it("is stock with nothing on the chassis bus", () => {
		const swap = new Swap({ generation: 53, mode: FULL });
		swap.run(1500);
		assert.equal(swap.controller.controlActive, true);
		swap.chassisAgeMs = 0xffff;
		swap.run(1500);
		assert.equal(swap.controller.controlActive, false);
	});
});
