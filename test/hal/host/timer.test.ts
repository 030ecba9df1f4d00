import assert from "node:assert/strict";
import { runScript } from "./host-program.js";

const SETUP = `import Timer from "timer"; import Time from "time";`;

describe("hal/host timers", function () {
	this.retries(2); // they are measured in real time, on a machine that has other things to do
	it("do not drift, however long their callbacks take", async () => {
		const { lines } = await runScript(`${SETUP}
			const start = Time.microseconds;
			let count = 0;
			Timer.repeat((timer) => {
				const busyUntil = Time.microseconds + 4000;
				if (++count === 20) {
					Timer.clear(timer);
					print(String((Time.microseconds - start) / 1000));
				}
				while (Time.microseconds < busyUntil);
			}, 10);
		`);
		const elapsedMs = Number(lines[0]);
		assert.ok(elapsedMs >= 200 && elapsedMs < 230, `20 periods of 10 ms took ${elapsedMs} ms`);
	});

	it("fire once when they are late, skip the other periods they missed, and keep their phase", async () => {
		const { lines } = await runScript(`${SETUP}
			const start = Time.microseconds;
			let count = 0;
			Timer.repeat((timer) => {
				const phase = (Time.microseconds - start) / 1000;
				if (++count === 1) while (Time.microseconds - start < 95000);
				else print(String(phase));
				if (count === 3) Timer.clear(timer);
			}, 20);
		`);
		const [lateMs, nextMs] = lines.map(Number) as [number, number];
		assert.ok(lateMs >= 95 && lateMs < 100, `fired at ${lateMs} ms instead of 95`);
		assert.ok(nextMs >= 100 && nextMs < 118, `fired at ${nextMs} ms instead of 100`);
	});

	it("fire once, or repeat after a first delay, in the order of their times", async () => {
		const { lines } = await runScript(`${SETUP}
			Timer.set(() => print("c"), 30);
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

	it("refuse what is no function or no interval", async () => {
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
