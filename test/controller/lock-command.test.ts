import assert from "node:assert/strict";
import { LockCommand } from "../../src/controller/lock-command.js";
import { HeldBy, Reason } from "../../src/controller/reason.js";
import { SPEED } from "../../src/lock/modes.js";
import type { Tuning } from "../../src/lock/tuning.js";
import { DEFAULT_TUNING } from "../../src/settings/settings.js";

const FULL = 2;
const HALF = 3;
const INPUTS = { speedKmh: 50, pedalPercent: 50, rpm: 2000, pedalValid: true };
const VERDICTS = {
	full: { mode: FULL, reason: Reason.ACTIVE, inputMissing: false },
	fwd: { mode: 1, reason: Reason.ACTIVE, inputMissing: false },
	forty: { mode: HALF, reason: Reason.ACTIVE, inputMissing: false },
	speed: { mode: SPEED, reason: Reason.ACTIVE, inputMissing: false },
	missing: { mode: FULL, reason: Reason.NO_SPEED, inputMissing: true },
	stock: { mode: 0, reason: Reason.DISABLED, inputMissing: false },
};

/** A lock command on ticks of 10 ms. */
class Bench {
	readonly command = new LockCommand();
	intervention = false;
	readonly vehicle = { ...INPUTS, temperatureProtection: false, couplingFault: false, faultIsEmergency: false };
	tuning: Tuning = DEFAULT_TUNING;
	readonly restraint = { opens: false, limitPercent: 100 };

	/** @returns lock after `ticks`, or "stock" */
	run(verdict: keyof typeof VERDICTS, ticks = 1, tickMs = 10): number | "stock" {
		let active = false;
		for (let i = 0; i < ticks; i++)
			active = this.command.step(VERDICTS[verdict], this.intervention, this.vehicle, this.tuning, tickMs, this.restraint);
		assert.equal(active, this.command.mode !== 0);
		return active ? this.command.lock.lockPercent : "stock";
	}
}

describe("controller/lock-command", () => {
	it("starts in stock", () => {
		const { command } = new Bench();
		assert.deepEqual([command.mode, command.reason, command.lock.lockPercent], [0, Reason.STARTING, 0]);
	});

	it("knows of no intervention, heat or interruption at its start, in which no time has passed", () => {
		const bench = new Bench();
		assert.equal(bench.run("full", 1, 0), 100);
		assert.equal(bench.command.reason, Reason.ACTIVE);
	});

	it("says nothing of the mode while an input is missing, although the last of the lock is too little to be shown", () => {
		const bench = new Bench();
		const { command, vehicle, tuning } = bench;
		bench.run("full");
		while (command.lock.lockPercent >= 0.5) bench.run("missing", 1, 1);
		assert.deepEqual([command.mode, command.lock.lockPercent > 0], [FULL, true]);
		assert.equal(command.heldBy(vehicle, tuning), HeldBy.NOTHING);
	});

	it("opens within 100 ms for a condition, also while an input is missing or the coupling is hot, and says so", () => {
		for (const verdict of ["full", "missing"] as const) {
			const bench = new Bench();
			bench.run("full", 100);
			bench.restraint.opens = true;
			bench.vehicle.temperatureProtection = true;
			assert.equal(bench.run(verdict, 9), 10);
			assert.equal(bench.run(verdict), verdict === "full" ? 0 : "stock");
			assert.equal(bench.command.reason, verdict === "full" ? Reason.OPENED_BY_CONDITION : Reason.NO_SPEED);
		}
		const both = new Bench();
		both.restraint.opens = both.intervention = true;
		both.run("full");
		assert.equal(both.command.reason, Reason.INTERVENTION, "which lasts longer");
	});

	it("lowers lock to a condition's limit by the driver's rates, and says so", () => {
		const bench = new Bench();
		bench.restraint.limitPercent = 30;
		assert.deepEqual([bench.run("full"), bench.command.reason], [30, Reason.LIMITED_BY_CONDITION]);
		assert.deepEqual([bench.run("fwd", 100), bench.command.reason], [0, Reason.LIMITED_BY_CONDITION]);
		bench.restraint.limitPercent = 100;
		assert.deepEqual([bench.run("full"), bench.command.reason], [100, Reason.ACTIVE]);
		bench.restraint.limitPercent = 99;
		assert.deepEqual([bench.run("full"), bench.command.reason], [99, Reason.LIMITED_BY_CONDITION]);
		bench.restraint.limitPercent = 30;
		assert.equal(Math.round(bench.run("full", 10) as number), 87, "120 % in a second");
	});

	it("counts its times to the millisecond", () => {
		const bench = new Bench();
		bench.intervention = true;
		bench.run("full");
		bench.intervention = false;
		assert.equal(bench.run("full", 100), 0);
		assert.equal(bench.run("full", 1, 1), 0.25, "1 s after the last flag");

		const hot = new Bench();
		hot.vehicle.temperatureProtection = true;
		hot.run("full");
		hot.vehicle.temperatureProtection = false;
		assert.equal(hot.run("full", 9999, 1), 0);
		assert.equal(hot.run("full", 1, 1), 100, "10 s after the last report of heat");

		const back = new Bench();
		back.command.interrupt();
		assert.equal(back.run("forty", 399, 1), 40);
		assert.equal(back.run("full", 1, 1), 40.25, "the last of the 400 ms in which it rises slowly");
		assert.equal(back.run("full", 1, 1), 100);

		const missing = new Bench();
		missing.run("full", 1);
		assert.notEqual(missing.run("missing", 99, 5), "stock");
		assert.equal(missing.run("missing", 1, 5), "stock", "500 ms after an input went missing");
	});

	it("goes to stock at once, and comes out of it with the ramp reset", () => {
		const bench = new Bench();
		bench.tuning = { ...DEFAULT_TUNING, engageRatePercentPerS: 100 };
		assert.equal(bench.run("full", 50), 50);
		assert.equal(bench.run("stock"), "stock");
		assert.equal(bench.command.lock.lockPercent, 0);
		assert.equal(bench.command.reason, Reason.DISABLED);
		assert.equal(bench.run("full"), 1);
	});

	it("goes on with the ramp from mode to mode", () => {
		const bench = new Bench();
		bench.run("full");
		bench.tuning = { ...DEFAULT_TUNING, releaseRatePercentPerS: 100 };
		assert.equal(bench.run("forty"), 99);
		assert.equal(bench.run("forty", 58), 41);
		assert.equal(bench.run("forty", 2), 40);
	});

	it("lowers full lock to 0 within 500 ms when an input goes missing, then is stock", () => {
		const bench = new Bench();
		bench.run("full");
		assert.equal(bench.run("missing"), 98);
		assert.deepEqual([bench.command.mode, bench.command.reason], [FULL, Reason.NO_SPEED]);
		assert.equal(bench.run("missing", 48), 2);
		assert.equal(bench.run("missing"), "stock");
		assert.equal(bench.command.reason, Reason.NO_SPEED);
	});

	it("needs no ramp when nothing is asked for", () => {
		const bench = new Bench();
		assert.equal(bench.run("missing"), "stock");
		bench.run("full");
		bench.tuning = { ...DEFAULT_TUNING, releaseRatePercentPerS: 0 };
		assert.equal(bench.run("missing"), "stock");
	});

	it("opens within 100 ms for an intervention and stays active", () => {
		const bench = new Bench();
		bench.run("full");
		bench.intervention = true;
		assert.equal(bench.run("full"), 90);
		assert.equal(bench.command.reason, Reason.INTERVENTION);
		assert.equal(bench.run("full", 8), 10);
		assert.equal(bench.run("full"), 0);
		assert.equal(bench.run("full", 1000), 0);
		assert.equal(bench.command.reason, Reason.INTERVENTION);
	});

	it("stays open until 1 s after the last flag, however the flags come, then rises by 25 % in 100 ms", () => {
		for (const pulse of [1, 2, 10, 50, 99]) {
			const bench = new Bench();
			bench.run("full");
			for (let i = 0; i < 5; i++) {
				bench.intervention = true;
				const opening = bench.run("full");
				assert.equal(opening, i === 0 ? 90 : Math.max(0, 90 - 10 * i * (pulse + 1)));
				bench.intervention = false;
				bench.run("full", pulse);
			}
			assert.equal(bench.run("full", 100 - pulse), 0, `pulses ${pulse} ticks apart`);
			assert.equal(bench.command.reason, Reason.INTERVENTION);
			assert.equal(bench.run("full"), 2.5);
			assert.equal(bench.command.reason, Reason.ACTIVE);
			assert.equal(bench.run("full", 38), 97.5);
			assert.equal(bench.run("full"), 100);
			assert.equal(bench.run("forty", 60), 40);
			assert.equal(bench.run("full"), 100, "at once again");
		}
	});

	it("returns slowly whatever else happened meanwhile, and no faster than the engage rate", () => {
		const bench = new Bench();
		bench.run("full");
		bench.intervention = true;
		bench.run("full");
		bench.intervention = false;
		bench.run("stock", 500);
		assert.equal(bench.run("full"), 2.5);
		bench.run("missing", 100);
		assert.equal(bench.run("full"), 2.5);
		bench.tuning = { ...DEFAULT_TUNING, engageRatePercentPerS: 100 };
		assert.equal(bench.run("full"), 3.5);
	});

	it("begins its way back anew when it was taken down in the middle of it", () => {
		for (const down of ["missing", "stock"] as const) {
			const bench = new Bench();
			bench.tuning = { ...DEFAULT_TUNING, releaseRatePercentPerS: 0 };
			bench.command.interrupt();
			assert.equal(bench.run("full", 30), 75);
			assert.equal(bench.run(down, 100), "stock");
			assert.equal(bench.run("full", 39), 97.5);
			assert.equal(bench.run("full"), 100);
		}
	});

	it("begins its way back anew when it was taken down at the very end of it", () => {
		const bench = new Bench();
		bench.tuning = { ...DEFAULT_TUNING, releaseRatePercentPerS: 0 };
		bench.command.interrupt();
		assert.equal(bench.run("full", 39), 97.5);
		assert.equal(bench.run("fwd"), 0);
		assert.equal(bench.run("full"), 2.5);
	});

	it("counts for the way back the time in which hardly anything is asked for", () => {
		const bench = new Bench();
		bench.tuning = { ...DEFAULT_TUNING, engageRatePercentPerS: 1 };
		bench.command.interrupt();
		const lock = bench.run("full", 40);
		assert.ok(lock !== "stock" && lock > 0 && lock < 1, `${lock} %`);
		bench.tuning = DEFAULT_TUNING;
		assert.equal(bench.run("full"), 100);
	});

	it("counts for the way back only the time in which something is asked for", () => {
		const bench = new Bench();
		bench.intervention = true;
		bench.run("full");
		bench.intervention = false;
		bench.tuning = { ...DEFAULT_TUNING, disableSpeedKmh: 40 };
		assert.equal(bench.run("full", 500), 0);
		bench.tuning = DEFAULT_TUNING;
		bench.vehicle.speedKmh = 30;
		assert.equal(bench.run("full"), 2.5);
	});

	it("counts no step of the way back for more than 20 ms: a late tick is a ramp, too", () => {
		for (const lateMs of [21, 100, 700, 6000]) {
			const bench = new Bench();
			bench.command.interrupt();
			assert.equal(bench.run("full", 1, lateMs), 5, `the first tick, ${lateMs} ms late`);
			assert.equal(bench.run("full", 1, 20), 10);
			assert.equal(bench.run("full", 1, lateMs), 15, `in the middle, ${lateMs} ms late`);
			assert.equal(bench.run("full", 17, lateMs), 100, "not over before 400 ms were counted");
		}
	});

	it("counts no step of the time that it stays open for more than 20 ms, after ABS and after heat", () => {
		for (const lateMs of [20, 21, 700, 60_000]) {
			const bench = new Bench();
			bench.intervention = true;
			bench.run("full");
			bench.intervention = false;
			assert.equal(bench.run("full", 50, lateMs), 0, `${lateMs} ms, ABS`);
			assert.equal(bench.run("full", 1, 1), 0.25, `${lateMs} ms, ABS`);

			const hot = new Bench();
			hot.vehicle.temperatureProtection = true;
			hot.run("full");
			hot.vehicle.temperatureProtection = false;
			assert.equal(hot.run("full", 499, lateMs), 0, `${lateMs} ms, heat`);
			assert.equal(hot.run("full", 1, lateMs), 100, `${lateMs} ms, heat`);
		}
	});

	it("opens within 100 ms for an intervention while an input is missing, too", () => {
		const bench = new Bench();
		bench.run("full");
		assert.equal(bench.run("missing", 5), 90);
		bench.intervention = true;
		assert.equal(bench.run("missing"), 80);
		assert.equal(bench.run("missing", 7), 10);
		assert.equal(bench.run("missing"), "stock");
	});

	it("opens within 500 ms when the coupling is too hot, until it has not been so for 10 s", () => {
		const bench = new Bench();
		bench.run("full");
		bench.vehicle.temperatureProtection = true;
		assert.equal(bench.run("full"), 98);
		assert.equal(bench.command.reason, Reason.OVERHEATED);
		assert.equal(bench.run("full", 49), 0);
		bench.vehicle.temperatureProtection = false;
		assert.equal(bench.run("full", 999), 0);
		assert.equal(bench.command.reason, Reason.OVERHEATED);
		assert.equal(bench.run("full"), 100);
		assert.equal(bench.command.reason, Reason.ACTIVE);
	});

	it("counts the 10 s anew when the coupling is hot again, and in stock too", () => {
		const bench = new Bench();
		bench.vehicle.temperatureProtection = true;
		bench.run("full");
		bench.vehicle.temperatureProtection = false;
		bench.run("full", 999);
		bench.vehicle.temperatureProtection = true;
		bench.run("full");
		bench.vehicle.temperatureProtection = false;
		bench.run("stock", 500);
		assert.equal(bench.run("full", 499), 0);
		assert.equal(bench.run("full"), 100);
	});

	it("opens for a fault of the coupling as it does for heat, and says which it was", () => {
		const bench = new Bench();
		bench.run("full");
		bench.vehicle.couplingFault = true;
		assert.equal(bench.run("full"), 98);
		assert.equal(bench.command.reason, Reason.COUPLING_FAULT);
		bench.vehicle.temperatureProtection = true;
		assert.equal(bench.run("full", 49), 0);
		assert.equal(bench.command.reason, Reason.OVERHEATED);
		bench.vehicle.temperatureProtection = false;
		bench.run("full");
		bench.vehicle.couplingFault = false;
		assert.equal(bench.run("full", 999), 0);
		assert.equal(bench.command.reason, Reason.COUPLING_FAULT);
		assert.equal(bench.run("full"), 100);
	});

	it("is opening while it lowers the request or asks for 0 %", () => {
		const bench = new Bench();
		bench.run("full");
		assert.equal(bench.command.opening, false);
		bench.intervention = true;
		assert.equal(bench.run("full"), 90);
		assert.equal(bench.command.opening, true);
		bench.intervention = false;
		bench.run("full", 100);
		assert.equal(bench.command.opening, true);
		bench.run("full");
		assert.deepEqual([bench.command.lock.lockPercent < 100, bench.command.opening], [true, true], "on its way up");
		bench.run("full", 40);
		assert.deepEqual([bench.command.lock.lockPercent, bench.command.opening], [100, false]);
		bench.run("stock");
		assert.equal(bench.command.opening, true);
		const atRest = new Bench();
		atRest.vehicle.speedKmh = 200;
		assert.equal(atRest.run("speed"), 0);
		assert.equal(atRest.command.opening, true, "a table that asks for nothing here");
	});

	it("is opening by a table while it asks for nothing, or nothing is commanded yet, and at no other lock", () => {
		const bench = new Bench();
		/** A curve that asks for the same at each speed. */
		const asks = (percent: number, rates: Partial<Tuning>): void => {
			bench.tuning = { ...DEFAULT_TUNING, ...rates, speedCurve: { x: [0], lockPercent: [percent] } };
		};
		asks(50, { engageRatePercentPerS: 100 });
		assert.deepEqual([bench.run("speed", 1, 0), bench.command.opening], [0, true], "on its way, but at 0 yet");
		assert.deepEqual([bench.run("speed"), bench.command.opening], [1, false]);
		asks(1, { releaseRatePercentPerS: 10 });
		assert.deepEqual([bench.run("speed"), bench.command.opening], [1, false]);
		asks(0, { releaseRatePercentPerS: 10 });
		const percent = bench.run("speed") as number;
		assert.deepEqual([percent > 0, bench.command.opening], [true, true], "its ramp still holds something");
	});

	it("opens for an intervention before heat", () => {
		const bench = new Bench();
		bench.run("full");
		bench.vehicle.temperatureProtection = true;
		bench.intervention = true;
		assert.equal(bench.run("full"), 90);
		assert.equal(bench.command.reason, Reason.INTERVENTION);
	});

	it("is stock in STOCK during heat and interventions", () => {
		const bench = new Bench();
		bench.vehicle.temperatureProtection = true;
		bench.intervention = true;
		assert.equal(bench.run("stock"), "stock");
		assert.equal(bench.command.reason, Reason.DISABLED);
	});
});
