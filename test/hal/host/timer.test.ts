import assert from "node:assert/strict";
import { runScript } from "./host-program.js";

const SETUP = `import Timer from "timer"; import Time from "time";`;

describe("hal/host timers", () => {
	it("do not drift, however long their callbacks take", async () => {
		// a machine that pauses makes a distance longer, and the next shorter: only a timer that counts from
		// the end or the begin of its callback never has one below 14 ms
		const { lines } = await runScript(`${SETUP}
			let [count, last] = [0, 0];
			Timer.repeat((timer) => {
				const now = Time.microseconds;
				const isOnTime = count > 0 && now - last < 12000;
				if (isOnTime || ++count === 500) {
					Timer.clear(timer);
					print(isOnTime ? "on time" : "late each time");
				}
				last = now;
				while (Time.microseconds < now + 4000);
			}, 10);
		`);
		assert.deepEqual(lines, ["on time"]);
	});

	it("fire once when they are late, skip the other periods they missed, and keep their phase", async () => {
		const { lines } = await runScript(`${SETUP}
			const before = Time.microseconds;
			let [count, late] = [0, 0];
			const timer = Timer.repeat(() => {
				const now = Time.microseconds;
				if (++count % 3 === 1) while (Time.microseconds - now < 75000);
				else if (count % 3 === 2) late = now;
				else {
					const due = before + 20000 * (1 + Math.floor((late - after) / 20000));
					if (now < due - 1000) print("a missed period was caught up");
					const isInPhase = now - late < 18000;
					if (isInPhase || count === 300) {
						print(isInPhase ? "phase kept" : "phase lost each time");
						Timer.clear(timer);
					}
				}
			}, 20);
			const after = Time.microseconds;
		`);
		assert.deepEqual(lines, ["phase kept"]);
	});

	it("fire once, or repeat after a first delay, in the order of their times", async () => {
		const { lines } = await runScript(`${SETUP}
			Timer.set(() => print("c"), 1000);
			Timer.set(() => print("a"), 5);
			let count = 0;
			Timer.set((timer) => { print("b" + ++count); if (count === 2) Timer.clear(timer); }, 10, 5);
		`);
		assert.deepEqual(lines, ["a", "b1", "b2", "c"]);
	});

	it("can be cleared twice, from their own callback, and before they fire", async () => {
		const { code, lines } = await runScript(`${SETUP}
			const never = Timer.set(() => print("never"), 5);
			Timer.clear(never); Timer.clear(never); Timer.clear(undefined);
			Timer.set((timer) => { Timer.clear(timer); Timer.clear(timer); print("self"); }, 5);
			Timer.set((timer) => Timer.schedule(timer, 5, 5), 1);
			let count = 0;
			const sleeping = Timer.repeat(() => { if (++count === 2) { print("woken"); exit(0); } }, 1000);
			Timer.schedule(sleeping);
			Timer.set(() => Timer.schedule(sleeping, 1, 1), 10);
		`);
		assert.equal(code, 0);
		assert.deepEqual(lines, ["self", "woken"]);
	});

	it("stay alive while nothing but the loop refers to them", async () => {
		const { lines } = await runScript(`${SETUP}
			import Instrumentation from "instrumentation";
			{ const text = "kept " + Time.ticks * 0; Timer.set(() => print(text), 10); }
			Timer.set(() => Instrumentation.collect(), 1);
		`);
		assert.deepEqual(lines, ["kept 0"]);
	});

	it("reject 1 as a callback, and intervals of -1 and NaN", async () => {
		const { lines } = await runScript(`${SETUP}
			for (const make of [() => Timer.set(1 as never), () => Timer.set(() => {}, -1), () => Timer.repeat(() => {}, NaN)])
				try { make(); print("made"); } catch (error) { print((error as Error).name); }
		`);
		assert.deepEqual(lines, ["TypeError", "RangeError", "RangeError"]);
	});

	it("measure differences of wrapping ticks", async () => {
		const { lines } = await runScript(`${SETUP} print(String(Time.delta(0x7FFFFFFE, 3)) + " " + Time.delta(5, 9))`);
		assert.deepEqual(lines, ["5 4"]);
	});
});
