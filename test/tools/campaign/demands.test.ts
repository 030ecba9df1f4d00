/**
 * The judge of commands: what it demands of the controller while a car does this and that.
 * docs/decisions.md 2, 4, 5, 17 to 20, 22.
 */
import assert from "node:assert/strict";
import { REPORT_IDS } from "../../../tools/campaign/car-reader.js";
import { Demands, type Wishes } from "../../../tools/campaign/demands.js";
import { HostileCar } from "../../../tools/campaign/hostile-car.js";
import type { Generation } from "../../../tools/campaign/tables.js";

/** A car of generation 4 in mode 5050, driven for `ms`. */
class Ride {
	readonly car: HostileCar;
	readonly demands: Demands;
	ms = 0;

	constructor(wishes: Partial<Wishes> = {}, generation: Generation = 4) {
		this.car = new HostileCar(generation);
		this.demands = new Demands({ generation: 4, mode: "5050", disableSpeedKmh: 60, releaseRate: 100, ...wishes });
	}

	drive(ms: number): this {
		for (const end = this.ms + ms; this.ms < end; this.ms++)
			this.car.step(this.ms, (bus, frame) => this.demands.arrives(this.ms, bus, frame));
		return this;
	}

	get most(): number | undefined {
		return this.demands.demandAt(this.ms).most;
	}
}

describe("tools/campaign/demands", () => {
	it("demands stock until all has been valid for 1 s, and then allows what the mode asks for", () => {
		const ride = new Ride();
		ride.demands.boot(0);
		assert.equal(ride.drive(900).most, undefined);
		assert.equal(ride.drive(150).most, 100);
	});

	it("allows the share that the steering angle leaves, and the chosen one without an angle", () => {
		const ride = new Ride({ releaseRate: 0, steering: { startDeg: 90, fullDeg: 290, leastPercent: 20, lostPercent: 50 } });
		ride.demands.boot(0);
		ride.car.steeringDeg = 400;
		assert.equal(ride.drive(3000).most, 20);
		ride.car.steeringDeg = -190;
		assert.equal(Math.round(ride.drive(100).most as number), 60);
		ride.car.meddling.set(0x0c2, () => undefined);
		assert.equal(Math.round(ride.drive(150).most as number), 60);
		assert.equal(ride.drive(1000).most, 50);
		ride.car.meddling.clear();
		ride.car.steeringDeg = 0;
		assert.equal(ride.drive(450).most, 50);
		assert.equal(ride.drive(350).most, 100);
		ride.car.steeringDeg = 400;
		assert.equal(ride.drive(900).most, 20);
		const data = Uint8Array.of(0, 0, 0xa0, 0x0f, 0, 0, 0, 0); // 400 degrees, to the left
		const mqb = new Demands({ ...ride.demands.wishes, generation: 5 });
		for (let ms = 0; ms < 3000; ms++) {
			mqb.arrives(ms, 0, { id: 0x086, flags: 0, data });
			mqb.closedAt(ms);
		}
		assert.equal(mqb.targetPercent, 20);
	});

	for (const [what, fault, generation, allowedMs, stockMs] of [
		["frames that stand still", "frozen-speed", 4, 250, 900],
		["frames that stand still", "frozen-speed", 5, 250, 900],
		["a counter that stands", "counter-stands", 5, 250, 900],
		["checksums that are wrong", "wrong-checksum", 5, 250, 950],
		["sources of the speed that contradict each other", "speeds-disagree", 2, 1100, 1660],
		["sources of the speed that contradict each other", "speeds-disagree", 5, 1100, 1660],
		["an ignition that is off", "ignition-off", 4, 900, 1700],
	] as const)
		it(`demands stock for ${what}, generation ${generation} (${fault})`, () => {
			const ride = new Ride({ generation, disableSpeedKmh: 0 }, generation);
			ride.demands.boot(0);
			ride.drive(3000).car.fault(fault, true);
			assert.equal(ride.drive(allowedMs).most, 100);
			assert.equal(ride.drive(stockMs - allowedMs).most, undefined);
			ride.car.fault(fault, false);
			assert.equal(ride.drive(1600).most, 100);
		});

	it("believes what the controller has not been shown to be kept", () => {
		const ride = new Ride({ generation: 5, disableSpeedKmh: 0 }, 5);
		ride.car.fault("counter-stands", true);
		ride.car.fault("wrong-checksum", true);
		ride.demands.boot(0);
		assert.equal(ride.drive(3000).most, 100);
	});

	it("demands open within 130 ms of a flag and until 1 s after the last, then 25 % in 100 ms", () => {
		const ride = new Ride().drive(2000);
		ride.car.abs = (ms) => (ms - 2000) % 320 < 20;
		assert.equal(ride.drive(145).most, 0);
		assert.equal(ride.drive(2000).most, 0);
		ride.car.abs = () => true;
		ride.drive(50).car.abs = undefined;
		assert.equal(ride.drive(900).most, 0);
		const most = ride.drive(250).most as number;
		assert.ok(most > 0 && most <= 60, `${most}`);
		assert.equal(ride.drive(400).most, 100);
	});

	it("demands nothing of a script that stalls until its lease ends, then stock, and open once it can have seen a flag", () => {
		const ride = new Ride().drive(2000);
		ride.car.abs = () => true;
		ride.demands.stall(ride.ms, 700);
		assert.equal(ride.drive(200).most, 100);
		assert.equal(ride.drive(400).most, undefined);
		assert.equal(ride.drive(250).most, 0);
	});

	it("demands a ramp, then stock, where flags, feedback or a needed input are missing, and 0.5 s of it again", () => {
		for (const [id, limitMs] of [
			[0x1a0, 300],
			[REPORT_IDS[4], 500],
		] as const) {
			const ride = new Ride().drive(2000);
			ride.car.meddling.set(id, () => undefined);
			assert.equal(ride.drive(limitMs - 20).most, 100);
			const most = ride.drive(280).most as number;
			assert.ok(most > 40 && most < 70, `${most}`);
			assert.equal(ride.drive(400).most, undefined);
			ride.car.meddling.clear();
			assert.equal(ride.drive(400).most, undefined);
			assert.equal(ride.drive(150).most, 100);
		}
	});

	it("demands stock while a bus is down and until it is back for 0.5 s, then 25 % in 100 ms", () => {
		const ride = new Ride().drive(2000);
		ride.demands.busDown(1, ride.ms);
		assert.equal(ride.drive(200).most, undefined);
		ride.demands.busUp(1, ride.ms);
		assert.equal(ride.drive(450).most, undefined);
		const most = ride.drive(200).most as number;
		assert.ok(most > 0 && most < 60, `${most}`);
	});

	it("follows the release behind a gate that has closed", () => {
		const ride = new Ride().drive(2000);
		ride.car.speedKmh = 80;
		assert.equal(ride.drive(200).most, 100);
		const most = ride.drive(500).most as number;
		assert.ok(most > 40 && most < 80, `${most}`);
		assert.equal(ride.drive(1000).most, 0);
		assert.equal(ride.demands.closedAt(ride.ms), true);
	});

	it("demands stock in mode STOCK, for what stands above the mode, and for a script that is stalled", () => {
		const ride = new Ride().drive(2000);
		ride.demands.stall(ride.ms, 500);
		assert.equal(ride.drive(240).most, 100);
		assert.equal(ride.drive(40).most, undefined);
		assert.equal(ride.drive(300).most, 100);
		ride.demands.standing.add("capture");
		assert.equal(ride.most, undefined);
		ride.demands.standing.clear();
		ride.demands.wishes = { ...ride.demands.wishes, mode: "STOCK" };
		assert.equal(ride.most, undefined);
	});

	it("demands 0.5 s of an input that the script saw missing, and nothing of one that was away only in a stall", () => {
		const ride = new Ride().drive(2000);
		const away = (beforeMs: number, ms: number): Ride => {
			ride.car.meddling.set(0x1a0, () => undefined);
			assert.notEqual(ride.drive(beforeMs).most, undefined);
			ride.demands.stall(ride.ms, 700);
			ride.drive(ms).car.meddling.clear();
			return ride;
		};
		assert.equal(away(0, 650).drive(60).most, 100, "it came back in the stall");
		assert.equal(away(0, 720).drive(400).most, undefined, "it came back after the stall");
		assert.equal(ride.drive(150).most, 100);
		assert.equal(away(350, 650).drive(400).most, undefined, "it was missing before the stall");
	});

	it("begins anew with another generation", () => {
		const ride = new Ride().drive(2000);
		ride.demands.changeGeneration({ ...ride.demands.wishes, generation: 5 }, ride.ms);
		assert.equal(ride.drive(1500).most, undefined, "frames of the former generation count for nothing");
	});

	it("demands open within 130 ms of a condition's signal and for its time, and stock where the signal is lost or never came", () => {
		const ride = new Ride({ condition: { effect: "open", holdMs: 300, limitPercent: 50 } });
		ride.car.hazardLights = () => undefined;
		assert.equal(ride.drive(2000).most, undefined, "it never came");
		ride.car.hazardLights = () => false;
		assert.equal(ride.drive(1200).most, 100);
		const fromMs = ride.ms;
		ride.car.hazardLights = (ms) => (ms - fromMs) % 400 < 100;
		assert.equal(ride.drive(150).most, 0);
		assert.equal(ride.drive(110).most, 0, "it has been off for a while, but its time is not over");
		assert.equal(ride.drive(130).most, 100, "it may have let go");
		assert.equal(ride.drive(160).most, 0, "it is on again");
		ride.car.hazardLights = () => true;
		ride.drive(500).car.hazardLights = () => undefined;
		assert.equal(ride.drive(1600).most, 0);
		assert.equal(ride.drive(600).most, undefined);
	});

	it("demands that a limit is kept at once, by the driver's own release, and without its signal", () => {
		const ride = new Ride({ releaseRate: 120, condition: { effect: "limit", holdMs: 300, limitPercent: 40 } });
		assert.equal(ride.drive(2000).most, 100, "the car's own frame says that they are off");
		ride.car.hazardLights = () => true;
		const most = ride.drive(150).most as number;
		assert.ok(most > 80 && most < 90, `${most}`);
		assert.equal(ride.drive(600).most, 40);
		ride.car.hazardLights = () => undefined;
		assert.equal(ride.drive(3000).most, 40);
		ride.car.hazardLights = () => false;
		assert.equal(ride.drive(40).most, 100);
		ride.car.hazardLights = () => undefined;
		assert.equal(ride.drive(1400).most, 100);
		assert.equal(ride.drive(800).most, 40, "it is lost");
	});

	it("allows each factor of a calibration for 600 ms, and none once a doubt stands against it", () => {
		const exactly = (factor: number) => ({ least: factor * 256, most: factor * 256 });
		const begun = (): Ride => {
			const ride = new Ride({ mode: "STOCK" });
			ride.car.speedKmh = 0;
			ride.drive(2000).demands.calibrate(ride.ms).heard(ride.ms);
			return ride.drive(1050);
		};
		const ride = begun();
		const takes = (factor: number): boolean => ride.demands.isOfCalibration(ride.ms, exactly(factor));
		assert.deepEqual([0, 1, 2, 50].map(takes), [true, true, false, false]);
		assert.equal(ride.demands.isOfCalibration(ride.ms, { least: 10, most: 200 }), false, "no whole factor");
		assert.equal(ride.most, 1);
		ride.drive(3900);
		assert.equal(takes(8), true);
		ride.drive(100);
		assert.equal(takes(8), false, "its page has gone");
		assert.equal(ride.most, undefined);
		for (const happens of [
			({ car }: Ride) => (car.speedKmh = 5),
			({ car }: Ride) => (car.abs = () => true),
			({ car }: Ride) => car.fault("too-hot", true),
			({ demands, ms }: Ride) => demands.busDown(0, ms),
			({ demands, ms }: Ride) => demands.stall(ms - 300, 700),
			({ car }: Ride) => (car.silent = true),
		]) {
			const ended = begun();
			happens(ended);
			assert.equal(ended.drive(600).demands.isOfCalibration(ended.ms, exactly(1)), false, String(happens));
			assert.equal(ended.most, undefined);
		}
		const hot = new Ride({ mode: "STOCK" });
		hot.car.fault("too-hot", true);
		hot.drive(2000).car.fault("too-hot", false);
		assert.match(hot.drive(9900).demands.whyNoCalibration(hot.ms), /cooled/);
		assert.equal(hot.drive(200).demands.whyNoCalibration(hot.ms), "");
	});

	for (const generation of [4, 5] as const)
		it(`demands the end of a calibration within 50 ms in a car that begins to move, generation ${generation}`, () => {
			const ride = new Ride({ generation, mode: "STOCK" }, generation);
			ride.car.speedKmh = 0;
			ride.drive(2000).demands.calibrate(ride.ms).heard(ride.ms);
			const isAllowed = () => ride.demands.isOfCalibration(ride.ms, { least: 256, most: 256 });
			ride.drive(1050).car.speedKmh = 5;
			assert.equal(isAllowed(), true);
			ride.drive(50);
			assert.equal(isAllowed(), false);
		});

	it("lets what the mode asks for return slowly after a calibration", () => {
		const ride = new Ride();
		ride.car.speedKmh = 0;
		const calibration = ride.drive(2000).demands.calibrate(ride.ms);
		calibration.heard(ride.ms);
		assert.equal(ride.drive(900).demands.isOfCalibration(ride.ms, { least: 0, most: 1000 }), true);
		calibration.end(ride.ms, "it was given up");
		const most = ride.drive(100).most as number;
		assert.ok(most > 25 && most < 40, `${most}`);
		assert.equal(ride.drive(400).most, 100);
	});
});
