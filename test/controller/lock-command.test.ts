import assert from "node:assert/strict";
import { LockCommand } from "../../src/controller/lock-command.js";
import { HeldBy, Reason } from "../../src/controller/reason.js";
import { setGain } from "../../src/lock/lock-core.js";
import { SPEED } from "../../src/lock/modes.js";
import type { Tuning } from "../../src/lock/tuning.js";
import { DEFAULT_TUNING } from "../../src/settings/settings.js";

const FULL = 2;
const HALF = 3;
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
	readonly vehicle = {
		...{ speedKmh: 50, pedalPercent: 50, rpm: 2000, pedalValid: true },
		...{ temperatureProtection: false, couplingFault: false, faultIsEmergency: false },
	};
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

	/** One tick at full lock in which ABS intervenes, or in which the coupling is hot. */
	intervene(): this {
		this.intervention = true;
		this.run("full");
		this.intervention = false;
		return this;
	}
	heat(): this {
		this.vehicle.temperatureProtection = true;
		this.run("full");
		this.vehicle.temperatureProtection = false;
		return this;
	}
	tune(changes: Partial<Tuning>): this {
		this.tuning = { ...DEFAULT_TUNING, ...changes };
		return this;
	}
	get reason(): Reason {
		return this.command.reason;
	}
}

describe("controller/lock-command", () => {
	it("starts in stock, and knows of no intervention, heat or interruption", () => {
		const bench = new Bench();
		assert.deepEqual([bench.command.mode, bench.reason, bench.command.lock.lockPercent], [0, Reason.STARTING, 0]);
		assert.deepEqual([bench.run("full", 1, 0), bench.reason], [100, Reason.ACTIVE]);
	});

	it("goes to stock at once, and comes out of it with the ramp reset", () => {
		const bench = new Bench().tune({ engageRatePercentPerS: 100 });
		assert.equal(bench.run("full", 50), 50);
		assert.deepEqual([bench.run("stock"), bench.command.lock.lockPercent, bench.reason], ["stock", 0, Reason.DISABLED]);
		assert.equal(bench.run("full"), 1);
	});

	it("goes on with the ramp from mode to mode", () => {
		const bench = new Bench();
		bench.run("full");
		bench.tune({ releaseRatePercentPerS: 100 });
		assert.deepEqual([bench.run("forty"), bench.run("forty", 58), bench.run("forty", 2)], [99, 41, 40]);
	});

	describe("while an input is missing", () => {
		it("lowers full lock to 0 within 500 ms, then is stock; with a release at once, or nothing to release, it is stock at once", () => {
			const bench = new Bench();
			assert.equal(bench.run("missing"), "stock");
			bench.run("full");
			assert.deepEqual([bench.run("missing"), bench.command.mode, bench.reason], [98, FULL, Reason.NO_SPEED]);
			assert.deepEqual([bench.run("missing", 48), bench.run("missing"), bench.reason], [2, "stock", Reason.NO_SPEED]);
			bench.run("full");
			assert.equal(bench.tune({ releaseRatePercentPerS: 0 }).run("missing"), "stock");
			const fine = new Bench();
			fine.run("full");
			assert.notEqual(fine.run("missing", 99, 5), "stock");
			assert.equal(fine.run("missing", 1, 5), "stock");
		});

		it("opens within 100 ms for an intervention", () => {
			const bench = new Bench();
			bench.run("full");
			assert.equal(bench.run("missing", 5), 90);
			bench.intervention = true;
			assert.deepEqual([bench.run("missing"), bench.run("missing", 7), bench.run("missing")], [80, 10, "stock"]);
		});

		it("names no gate or table for 0 % while the rest of a ramp is below 0.5 %", () => {
			const bench = new Bench();
			const { command, vehicle, tuning } = bench;
			bench.run("full");
			while (command.lock.lockPercent >= 0.5) bench.run("missing", 1, 1);
			assert.deepEqual([command.mode, command.lock.lockPercent > 0], [FULL, true]);
			assert.equal(command.heldBy(vehicle, tuning), HeldBy.NOTHING);
		});
	});

	describe("while lock is shown as 0 %", () => {
		const heldBy = (bench: Bench): HeldBy => bench.command.heldBy(bench.vehicle, bench.tuning);

		it("names the ramp until 0.5 % are reached, which are shown as 1 %", () => {
			for (const [ratePercentPerS, lockPercent, expected] of [
				[49, 0.49, HeldBy.RAMP],
				[50, 0.5, HeldBy.NOTHING],
			] as const) {
				const bench = new Bench().tune({ engageRatePercentPerS: ratePercentPerS });
				assert.deepEqual([bench.run("full"), heldBy(bench)], [Math.fround(lockPercent), expected]);
			}
		});

		it("names the ramp, the gate, the steering or the table of a dynamic mode", () => {
			const flat = (percent: number) => ({ x: [0], lockPercent: [percent] });
			const rising = new Bench().tune({ engageRatePercentPerS: 40, speedCurve: flat(1) });
			assert.deepEqual([rising.run("speed"), heldBy(rising)], [Math.fround(0.4), HeldBy.RAMP]);
			const slow = new Bench().tune({ disengageUnderKmh: { map: 0, speed: 51, throttle: 0, rpm: 0 } });
			assert.deepEqual([slow.run("speed"), heldBy(slow)], [0, HeldBy.UNDER_SPEED]);
			for (const [tablePercent, gainPercent, expected] of [
				[1, 0, HeldBy.STEERING],
				[0, 0, HeldBy.TABLE],
				[0, 100, HeldBy.TABLE],
			] as const) {
				const bench = new Bench().tune({ speedCurve: flat(tablePercent) });
				setGain(bench.command.lock, gainPercent);
				assert.deepEqual([bench.run("speed"), heldBy(bench)], [0, expected], `${tablePercent} % ${gainPercent} %`);
			}
		});
	});

	describe("for a condition", () => {
		it("opens within 100 ms, also while an input is missing or the coupling is hot, and says so", () => {
			for (const verdict of ["full", "missing"] as const) {
				const bench = new Bench();
				bench.run("full", 100);
				bench.restraint.opens = true;
				bench.vehicle.temperatureProtection = true;
				assert.equal(bench.run(verdict, 9), 10);
				assert.equal(bench.run(verdict), verdict === "full" ? 0 : "stock");
				assert.equal(bench.reason, verdict === "full" ? Reason.OPENED_BY_CONDITION : Reason.NO_SPEED);
			}
			const both = new Bench();
			both.restraint.opens = true;
			assert.equal(both.intervene().reason, Reason.INTERVENTION, "which lasts longer");
		});

		it("lowers lock to a limit by the driver's rates, and says so", () => {
			const bench = new Bench();
			for (const [limitPercent, verdict, lock, reason] of [
				[30, "full", 30, Reason.LIMITED_BY_CONDITION],
				[30, "fwd", 0, Reason.LIMITED_BY_CONDITION],
				[100, "full", 100, Reason.ACTIVE],
				[99, "full", 99, Reason.LIMITED_BY_CONDITION],
			] as const) {
				bench.restraint.limitPercent = limitPercent;
				assert.deepEqual([bench.run(verdict, 100), bench.reason], [lock, reason]);
			}
			bench.restraint.limitPercent = 30;
			assert.equal(Math.round(bench.run("full", 10) as number), 87, "120 % in a second");
		});
	});

	describe("for an intervention", () => {
		it("opens within 100 ms, before heat, and stays active", () => {
			const bench = new Bench();
			bench.run("full");
			bench.intervention = bench.vehicle.temperatureProtection = true;
			assert.deepEqual([bench.run("full"), bench.reason], [90, Reason.INTERVENTION]);
			assert.deepEqual([bench.run("full", 8), bench.run("full"), bench.run("full", 1000)], [10, 0, 0]);
			assert.equal(bench.reason, Reason.INTERVENTION);
			assert.deepEqual([bench.run("stock"), bench.reason], ["stock", Reason.DISABLED]);
		});

		it("stays open until 1 s after the last flag, however the flags come, then rises by 25 % in 100 ms", () => {
			for (const pulse of [1, 10, 99]) {
				const bench = new Bench();
				bench.run("full");
				for (let i = 0; i < 5; i++) {
					bench.intervention = true;
					assert.equal(bench.run("full"), i === 0 ? 90 : Math.max(0, 90 - 10 * i * (pulse + 1)));
					bench.intervention = false;
					bench.run("full", pulse);
				}
				assert.deepEqual([bench.run("full", 100 - pulse), bench.reason], [0, Reason.INTERVENTION], `pulses ${pulse} ticks apart`);
				assert.deepEqual([bench.run("full"), bench.reason], [2.5, Reason.ACTIVE]);
				assert.deepEqual([bench.run("full", 38), bench.run("full")], [97.5, 100]);
				assert.deepEqual([bench.run("forty", 60), bench.run("full")], [40, 100], "at once again");
			}
		});
	});

	describe("on its way back", () => {
		it("rises by 25 % in 100 ms after stock or a missing input as well, and no faster than the engage rate", () => {
			const bench = new Bench().intervene();
			bench.run("stock", 500);
			assert.equal(bench.run("full"), 2.5);
			bench.run("missing", 100);
			assert.equal(bench.run("full"), 2.5);
			assert.equal(bench.tune({ engageRatePercentPerS: 100 }).run("full"), 3.5);
		});

		it("begins again at 0 when lock was taken away meanwhile, even in the last step", () => {
			for (const [ticks, percent, down] of [
				[30, 75, "missing"],
				[30, 75, "stock"],
				[39, 97.5, "fwd"],
			] as const) {
				const bench = new Bench().tune({ releaseRatePercentPerS: 0 });
				bench.command.interrupt();
				assert.equal(bench.run("full", ticks), percent);
				assert.equal(bench.run(down, 100), down === "fwd" ? 0 : "stock");
				assert.deepEqual([bench.run("full"), bench.run("full", 38), bench.run("full")], [2.5, 97.5, 100]);
			}
		});

		it("counts only time in which lock is asked for, however little", () => {
			const little = new Bench().tune({ engageRatePercentPerS: 1 });
			little.command.interrupt();
			const lock = little.run("full", 40);
			assert.ok(lock !== "stock" && lock > 0 && lock < 1, `${lock} %`);
			assert.equal(little.tune({}).run("full"), 100);
			const nothing = new Bench().intervene().tune({ disableSpeedKmh: 40 });
			assert.equal(nothing.run("full", 500), 0);
			nothing.vehicle.speedKmh = 30;
			assert.equal(nothing.tune({}).run("full"), 2.5);
		});

		it("counts 400 ms, and no step of it for more than 20 ms", () => {
			const back = new Bench();
			back.command.interrupt();
			assert.equal(back.run("forty", 399, 1), 40);
			assert.deepEqual([back.run("full", 1, 1), back.run("full", 1, 1)], [40.25, 100]);
			for (const lateMs of [21, 6000]) {
				const bench = new Bench();
				bench.command.interrupt();
				assert.equal(bench.run("full", 1, lateMs), 5, `the first tick, ${lateMs} ms late`);
				assert.equal(bench.run("full", 1, 20), 10);
				assert.equal(bench.run("full", 1, lateMs), 15, `in the middle, ${lateMs} ms late`);
				assert.equal(bench.run("full", 17, lateMs), 100, "not over before 400 ms were counted");
			}
		});
	});

	it("stays open for 1 s after ABS and 10 s after heat, of which no late tick counts for more than 20 ms", () => {
		for (const [lateMs, counted] of [
			[1, 1],
			[20, 20],
			[21, 20],
			[60_000, 20],
		] as const) {
			const bench = new Bench().intervene();
			assert.equal(bench.run("full", 1000 / counted, lateMs), 0, `${lateMs} ms, ABS`);
			assert.equal(bench.run("full", 1, 1), 0.25, `${lateMs} ms, ABS`);
			const hot = new Bench().heat();
			assert.equal(hot.run("full", 10_000 / counted - 1, lateMs), 0, `${lateMs} ms, heat`);
			assert.equal(hot.run("full", 1, lateMs), 100, `${lateMs} ms, heat`);
		}
	});

	it("opens within 500 ms for heat and faults, until there was none for 10 s, and says which it was", () => {
		const bench = new Bench();
		bench.run("full");
		bench.vehicle.couplingFault = true;
		assert.deepEqual([bench.run("full"), bench.reason], [98, Reason.COUPLING_FAULT]);
		bench.vehicle.temperatureProtection = true;
		assert.deepEqual([bench.run("full", 49), bench.reason], [0, Reason.OVERHEATED]);
		bench.vehicle.temperatureProtection = false;
		bench.run("full");
		bench.vehicle.couplingFault = false;
		assert.deepEqual([bench.run("full", 999), bench.reason], [0, Reason.COUPLING_FAULT]);
		assert.deepEqual([bench.run("full"), bench.reason], [100, Reason.ACTIVE]);
	});

	it("restarts the 10 s when the coupling is hot again, and counts them in stock, too", () => {
		const bench = new Bench().heat();
		bench.run("full", 999);
		bench.heat().run("stock", 500);
		assert.deepEqual([bench.run("full", 499), bench.run("full")], [0, 100]);
	});

	it("is opening while it lowers the request, asks for 0 % or rises", () => {
		const bench = new Bench();
		bench.run("full");
		assert.equal(bench.command.opening, false);
		bench.intervention = true;
		assert.deepEqual([bench.run("full"), bench.command.opening], [90, true]);
		bench.intervention = false;
		bench.run("full", 100);
		assert.equal(bench.command.opening, true);
		bench.run("full");
		assert.deepEqual([bench.command.lock.lockPercent < 100, bench.command.opening], [true, true], "on its way up");
		assert.deepEqual([bench.run("full", 40), bench.command.opening], [100, false]);
		assert.deepEqual([bench.run("stock"), bench.command.opening], ["stock", true]);
	});

	it("is opening by a table while it asks for nothing, or nothing is commanded yet, and at no other lock", () => {
		const bench = new Bench();
		/** A curve that asks for the same at each speed. */
		const asks = (percent: number, rates: Partial<Tuning>) =>
			bench.tune({ ...rates, speedCurve: { x: [0], lockPercent: [percent] } });
		asks(50, { engageRatePercentPerS: 100 });
		assert.deepEqual([bench.run("speed", 1, 0), bench.command.opening], [0, true], "on its way, but at 0 yet");
		assert.deepEqual([bench.run("speed"), bench.command.opening], [1, false]);
		asks(1, { releaseRatePercentPerS: 10 });
		assert.deepEqual([bench.run("speed"), bench.command.opening], [1, false]);
		asks(0, { releaseRatePercentPerS: 10 });
		const percent = bench.run("speed") as number;
		assert.deepEqual([percent > 0, bench.command.opening], [true, true], "its ramp still holds something");
	});
});
