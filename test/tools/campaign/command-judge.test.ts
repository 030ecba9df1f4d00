/** The judge of commands: what it demands of the controller while a car does this and that. docs/decisions.md 2, 4, 5, 17 to 20, 22. */
import assert from "node:assert/strict";
import { CommandJudge } from "../../../tools/campaign/command-judge.js";
import { HostileCar, STATUS_IDS } from "../../../tools/campaign/hostile-car.js";

/** A car of generation 4 in mode 5050, driven for `ms`. */
class Ride {
	readonly car = new HostileCar(4);
	readonly judge = new CommandJudge({ generation: 4, mode: "5050", disableSpeedKmh: 60, releaseRate: 100 });
	ms = 0;

	drive(ms: number): this {
		for (const end = this.ms + ms; this.ms < end; this.ms++)
			this.car.step(this.ms, (bus, frame) => this.judge.arrives(this.ms, bus, frame));
		return this;
	}

	get most(): number | undefined {
		return this.judge.demandAt(this.ms).most;
	}
}

describe("tools/campaign/command-judge", () => {
	it("demands stock until all has been valid for 1 s, and then allows what the mode asks for", () => {
		const ride = new Ride();
		ride.judge.boot(0);
		assert.equal(ride.drive(900).most, undefined);
		assert.equal(ride.drive(150).most, 100);
	});

	it("reads the speed of generation 5 from either of its frames", () => {
		const judge = new CommandJudge({ generation: 5, mode: "5050", disableSpeedKmh: 60, releaseRate: 100 });
		judge.arrives(0, 0, { id: 0x0fd, flags: 0, data: Uint8Array.of(0, 0, 0, 0, 0x58, 0x1b, 0, 0) });
		assert.equal(judge.targetPercent, 0);
		judge.arrives(10, 0, { id: 0x0fd, flags: 0, data: Uint8Array.of(0, 0, 0, 0, 0x88, 0x13, 0, 0) });
		assert.equal(judge.targetPercent, 100);
	});

	it("demands open within 130 ms of a flag and until 1 s after the last, then 25 % in 100 ms", () => {
		const ride = new Ride().drive(2000);
		ride.car.startPulse(20, 300, ride.ms);
		assert.equal(ride.drive(145).most, 0);
		assert.equal(ride.drive(2000).most, 0);
		ride.car.startPulse(1, 0, ride.ms);
		ride.drive(50).car.pulse = undefined;
		assert.equal(ride.drive(900).most, 0);
		const most = ride.drive(250).most as number;
		assert.ok(most > 0 && most <= 60, `${most}`);
		assert.equal(ride.drive(400).most, 100);
	});

	it("demands of a script that stalls what it saw of a flag before, until its lease ends", () => {
		for (const [beforeMs, most] of [
			[0, 100],
			[145, 0],
		]) {
			const ride = new Ride().drive(2000);
			ride.car.startPulse(1, 0, ride.ms);
			ride.drive(beforeMs).judge.stall(ride.ms, 700);
			assert.equal(ride.drive(200).most, most);
			assert.equal(ride.drive(400).most, undefined);
			assert.equal(ride.drive(200).most, 0);
		}
	});

	it("demands a ramp, then stock, where flags, feedback or a needed input are missing, and 0.5 s of it again", () => {
		for (const [id, limitMs] of [
			[0x1a0, 300],
			[STATUS_IDS[4], 500],
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
		ride.judge.busDown(1, ride.ms);
		assert.equal(ride.drive(200).most, undefined);
		ride.judge.busUp(1, ride.ms);
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
		assert.equal(ride.judge.closedAt(ride.ms), true);
	});

	it("demands stock in mode STOCK, for what stands above the mode, and for a script that is stalled", () => {
		const ride = new Ride().drive(2000);
		ride.judge.stall(ride.ms, 500);
		assert.equal(ride.drive(240).most, 100);
		assert.equal(ride.drive(40).most, undefined);
		assert.equal(ride.drive(300).most, 100);
		ride.judge.standing.add("capture");
		assert.equal(ride.most, undefined);
		ride.judge.standing.clear();
		ride.judge.wishes = { ...ride.judge.wishes, mode: "STOCK" };
		assert.equal(ride.most, undefined);
	});

	it("allows the ramp of a lease after a stall in which an input was away, and demands 0.5 s of what the script saw missing", () => {
		const ride = new Ride().drive(2000);
		assert.equal(ride.most, 100);
		ride.car.meddling.set(0x1a0, () => undefined);
		ride.judge.stall(ride.ms, 700);
		assert.equal(ride.drive(650).most, undefined);
		ride.car.meddling.clear();
		assert.equal(ride.drive(49).most, undefined, "the lease has run out");
		const most = ride.drive(101).most as number;
		assert.ok(most > 25 && most < 35, `${most}`);
		assert.equal(ride.drive(400).most, 100);

		ride.car.meddling.set(0x1a0, () => undefined);
		ride.judge.stall(ride.ms, 700);
		ride.drive(720).car.meddling.clear();
		assert.equal(ride.drive(400).most, undefined, "it came back after the stall");
		assert.equal(ride.drive(150).most, 100);

		ride.car.meddling.set(0x1a0, () => undefined);
		ride.drive(350).judge.stall(ride.ms, 700);
		ride.drive(650).car.meddling.clear();
		assert.equal(ride.drive(400).most, undefined, "it was missing before the stall");
	});

	it("begins anew with another generation", () => {
		const ride = new Ride().drive(2000);
		ride.judge.regenerate({ ...ride.judge.wishes, generation: 5 }, ride.ms);
		assert.equal(ride.drive(1500).most, undefined, "frames of the former generation count for nothing");
	});
});
