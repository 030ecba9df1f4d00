import assert from "node:assert/strict";
import { STEP_MOST_MS, type Steps, WriteQueue } from "../../src/storage/write-queue.js";
import { ManualTime } from "../support/memory-files.js";

/** A queue beside a control loop, and jobs whose steps take some time of its clock. */
function aQueue(leaseLeftMs: () => number = () => Number.POSITIVE_INFINITY) {
	const time = new ManualTime();
	const queue = new WriteQueue(time.later, time, leaseLeftMs);
	const begun: string[] = [];
	function* job(name: string, ...takesMs: number[]): Steps {
		for (const ms of takesMs) {
			begun.push(`${name} ${time.ticks}`);
			time.ticks += ms;
			yield;
		}
	}
	return { time, queue, begun, job };
}

describe("storage/write-queue", () => {
	it("does one job after the other, one step at a time, and lets the flash rest after each for as long as it took", () => {
		const { time, queue, begun, job } = aQueue();
		queue.add(job("settings", 140, 90));
		queue.add(job("log", 140));
		time.pass(10_000);
		// the rest after the last step is over before the job is found to be
		assert.deepEqual(begun, ["settings 0", "settings 280", "log 460"]);
		queue.add(job("later", 90));
		time.pass(10);
		assert.equal(begun[3], "later 10000", "nothing waits for a rest that is long over");
	});

	it("begins a step in the last possible millisecond of the lease", () => {
		const time = new ManualTime();
		const leftMs = [208, 209, 210, 240];
		const askedMs: number[] = [];
		const queue = new WriteQueue(time.later, time, () => {
			askedMs.push(time.ticks);
			return leftMs.shift() ?? 0;
		});
		let steps = 0;
		queue.add(
			(function* (): Steps {
				steps++;
				yield;
			})(),
		);
		time.pass(1);
		assert.deepEqual([askedMs, steps], [[0, 1], 0]);
		time.pass(1);
		assert.deepEqual([askedMs.slice(0, 3), steps, STEP_MOST_MS], [[0, 1, 2], 1, 210]);
	});

	it("gathers until a job is due", () => {
		const { time, queue, begun, job } = aQueue();
		queue.later(() => job("a", 0), 100);
		time.pass(99);
		assert.deepEqual(begun, []);
		time.pass(2);
		assert.deepEqual(begun, ["a 100"]);
	});

	it("says that something waits until its last step is done, also before it is due", () => {
		const { time, queue, job } = aQueue();
		assert.equal(queue.waiting, false);
		queue.later(() => job("a", 100, 100), 50);
		for (const ms of [0, 60, 200]) {
			time.pass(ms);
			assert.equal(queue.waiting, true, `${time.ticks}`);
		}
		time.pass(1000);
		assert.equal(queue.waiting, false);
	});

	it("goes on after a job that throws, and rejects a job if there is no timer", () => {
		const { time, queue, begun, job } = aQueue();
		queue.add(
			(function* (): Steps {
				yield;
				throw new Error("a fault of ours");
			})(),
		);
		queue.add(job("next", 0));
		assert.throws(() => time.pass(100), /a fault of ours/);
		time.pass(100);
		assert.deepEqual([begun.length, queue.waiting], [1, false]);
		const without = new WriteQueue(
			() => {
				throw new Error("no timer");
			},
			time,
			() => 0,
		);
		for (const announce of [() => without.add(job("x", 0)), () => without.later(() => job("x", 0), 5)])
			assert.throws(announce, /no timer/);
		assert.equal(without.waiting, false);
	});

	it("stays there when no timer can be had for a while: the next job sets all of them going", () => {
		const time = new ManualTime();
		const { begun, job } = aQueue();
		let hasTimers = true;
		const later = (callback: () => void, delayMs: number): void => {
			if (!hasTimers) throw new Error("no timer");
			time.later(callback, delayMs);
		};
		let leaseLeftMs = Number.POSITIVE_INFINITY;
		const queue = new WriteQueue(later, time, () => leaseLeftMs);
		const withoutTimersFor = (ms: number): void => {
			hasTimers = false;
			time.pass(ms);
			hasTimers = true;
			time.pass(1000);
		};
		// between two steps, while it waits for the lease, and when a job is due
		queue.add(job("a", 0, 0));
		withoutTimersFor(5);
		assert.deepEqual([begun.length, queue.waiting], [1, true]);
		queue.add(job("b", 0));
		leaseLeftMs = 0;
		withoutTimersFor(5);
		leaseLeftMs = Number.POSITIVE_INFINITY;
		assert.deepEqual([begun.length, queue.waiting], [1, true]);
		queue.later(() => job("c", 0), 1);
		withoutTimersFor(5);
		assert.deepEqual([begun.length, queue.waiting], [1, true]);
		hasTimers = false;
		assert.throws(() => queue.add(job("none", 0)), /no timer/);
		hasTimers = true;
		queue.add(job("d", 0));
		time.pass(1000);
		assert.deepEqual(
			begun.map((line) => line.slice(0, 1)),
			["a", "a", "b", "c", "d"],
		);
		assert.equal(queue.waiting, false);
	});
});
