import assert from "node:assert/strict";
import { BUS_OFF, ERROR_ACTIVE, STOPPED } from "../../src/can/bus.js";
import { Reason } from "../../src/controller/reason.js";
import { writeStatus } from "../../src/controller/status-broadcast.js";
import { framePlan } from "../../src/coupling/frame-plan.js";
import { PLANS } from "../../src/coupling/plan-table.js";
import { assertActive, assertStock, Car, isActive } from "./car.js";

const FULL = 2;
const MAP = 9;
const LISTENING = 0xffffffff;
/** Speed of the installer's own sensor: a frame that generation 5 does not generate. */
const BENCH = { generation: 5, standalone: true, mode: 2 } as const;

/** A coupling without a car: nothing of the chassis arrives. */
function bench(settings: ConstructorParameters<typeof Car>[0] = BENCH): Car {
	const car = new Car(settings);
	car.sendsBrake = car.sendsEngine = false;
	car.chassisAgeMs = 65535;
	return car;
}

describe("controller in standalone operation", () => {
	it("has an active plan from the start on, open until a mode is active, and asks with the mode's factor then", () => {
		const car = bench();
		const controller = car.run(500);
		assert.deepEqual(
			[controller.planActive, controller.controlActive, controller.factor, controller.groups],
			[true, false, 0, 0xff],
		);
		assert.deepEqual([...(controller.takePlan() ?? [])], [...framePlan(5, "reference", 2, true)]);
		assert.equal(controller.takePlan(), undefined);
		assertActive(car.run(1000), 2, 100);
		assert.deepEqual([controller.planActive, controller.factor], [true, 25600]);
		assert.deepEqual([controller.standaloneGenerating, controller.standaloneDoubt], [true, undefined]);
	});

	it("needs neither frames of a car nor to know of ABS and ESP, but the coupling's report", () => {
		const car = bench();
		assertActive(car.run(1500), 2, 100);
		car.sendsCoupling = false;
		assertStock(car.run(1200), Reason.NO_FEEDBACK);
		assert.equal(car.controller.planActive, true);
	});

	it("takes speed and pedal from mappings only, and is open without those that the mode needs", () => {
		const car = bench({ ...BENCH, mode: 9 });
		car.sendsBrake = car.sendsEngine = true;
		car.chassisAgeMs = 0;
		car.run(1500);
		assert.equal(car.controller.controlActive, true, "by the recommended mappings");
		const own = "chassis|0x555|x|";
		const mapped = bench({ ...BENCH, mode: 9, inputMappings: { speed: own, throttle: own, rpm: own } });
		mapped.sendsBrake = mapped.sendsEngine = true;
		mapped.chassisAgeMs = 0;
		assertStock(mapped.run(3000), Reason.NO_SPEED);
		assert.deepEqual([mapped.controller.planActive, mapped.controller.telemetry.state.speedValid], [true, false]);
	});

	it("is stock while it listens or another sender sends its frames, and names the frame", () => {
		const car = bench();
		car.generating = false;
		car.heard = LISTENING;
		assertStock(car.run(1500), Reason.STANDALONE_WAITS);
		assert.equal(car.controller.standaloneDoubt, Reason.STANDALONE_WAITS);
		assert.equal(car.controller.standaloneHeard, "");
		car.heard = 0x280;
		const controller = car.run(50);
		assert.deepEqual([controller.reason, controller.reasonDetail], [Reason.STANDALONE_HEARD_CAR, "0x280"]);
		car.heard = 0x4000_0280;
		assert.deepEqual([car.run(50).standaloneDoubt, controller.standaloneHeard], [Reason.STANDALONE_HEARD_COUPLING, "0x280"]);
		assert.deepEqual([controller.standaloneGenerating, controller.planActive], [false, true]);
		// 0 = nothing is heard, and the plan is not active yet; identifier 0 may be heard on the coupling bus
		for (const [heard, doubt, identifier] of [
			[0, Reason.STANDALONE_WAITS, ""],
			[1, Reason.STANDALONE_HEARD_CAR, "0x1"],
			[0x4000_0000, Reason.STANDALONE_HEARD_COUPLING, "0x0"],
		] as const) {
			car.heard = heard;
			assert.deepEqual([car.run(50).standaloneDoubt, controller.standaloneHeard], [doubt, identifier]);
		}
		car.generating = true;
		car.heard = 0;
		assertActive(car.run(1000), 2, 100);
	});

	it("drops lock at once when it is silenced, and raises it slowly afterwards", () => {
		const car = bench();
		assertActive(car.run(1500), 2, 100);
		car.generating = false;
		car.heard = 0x0a7;
		const controller = car.run(10);
		assert.deepEqual([controller.lockPercent, controller.factor, controller.controlActive], [0, 0, false]);
		car.generating = true;
		car.heard = 0;
		car.run(10);
		const first = car.controller.lockPercent;
		assert.ok(first > 0 && first <= 5, `${first} %`);
	});

	it("opens for an intervention, and closes again 1 s after its sender falls silent", () => {
		const car = bench();
		car.sendsBrake = true;
		assertActive(car.run(1500), 2, 100);
		car.braking = true;
		assert.equal(car.run(200).factor, 0);
		assert.equal(car.controller.reason, Reason.INTERVENTION);
		car.sendsBrake = false;
		assert.equal(car.run(1000).factor, 0);
		assertActive(car.run(1000), 2, 100);
	});

	it("says which bus does not run, and nothing when it is off", () => {
		const car = bench();
		car.generating = false;
		car.chassisState = STOPPED;
		assert.equal(car.run(50).standaloneDoubt, Reason.CHASSIS_BUS_DOWN);
		assert.equal(car.controller.standaloneHeard, "");
		car.chassisState = ERROR_ACTIVE;
		car.couplingState = BUS_OFF;
		assert.equal(car.run(50).standaloneDoubt, Reason.COUPLING_BUS_DOWN);
		const off = bench({ generation: 5, mode: 2 });
		off.generating = false;
		assert.deepEqual([off.run(50).standaloneDoubt, off.controller.standaloneGenerating], [undefined, false]);
		assert.equal(off.controller.planActive, false);
	});

	it("generates nothing without a generation, in a boot loop or after a fault of ours", () => {
		assert.equal(bench({ ...BENCH, generation: 0 }).run(50).planActive, false);
		const loop = bench();
		loop.controller.setBootLoop();
		assert.equal(loop.run(50).planActive, false);
		const fault = bench();
		fault.run(50).fail();
		assert.equal(fault.controller.planActive, false);
	});

	it("begins and ends with the setting, from stock, and tells displays", () => {
		const car = Car.active({ generation: 5, mode: 2 });
		const { controller } = car;
		const payload = new Uint8Array(8);
		controller.takePlan();
		controller.applySettings({ ...controller.settings, standalone: true });
		assert.equal(controller.vehicle.speedValid, false, "a car says nothing of a coupling without one");
		car.generating = false;
		car.heard = LISTENING;
		car.run(10);
		assert.deepEqual([controller.controlActive, controller.planActive, controller.planStale], [false, true, true]);
		writeStatus(payload, controller);
		assert.equal(payload[1], 1);
		assert.equal(controller.takePlan()?.[8], 1);
		controller.applySettings({ ...controller.settings, standalone: false });
		car.run(10);
		assert.equal(controller.planActive, false);
		writeStatus(payload, controller);
		assert.equal(payload[1], 0);
	});

	it("has generation 1's rows follow the mode, FWD's while it is open", () => {
		const car = bench({ generation: 1, standalone: true, mode: 2 });
		assert.deepEqual([...(car.run(100).takePlan() ?? [])], [...framePlan(1, "reference", 1, true)]);
		car.run(1500);
		assert.deepEqual([...(car.controller.takePlan() ?? [])], [...framePlan(1, "reference", 2, true)]);
	});
});

/** A generation 5 unit in a PQ car: its frames are generated, its inputs are the car's. */
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
});
