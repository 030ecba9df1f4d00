/**
 * All writes to flash while the car is controlled, one step after the other. On a board a step holds up the
 * control loop, by 45 ms for each sector that is erased, and the lease of a frame plan lasts 240 ms. So a
 * step changes one thing on flash, it begins only while the lease lasts longer than the longest step, and
 * after it the flash rests for as long as it took.
 */

import { elapsedMs } from "../clock/elapsed.js";

/** Between two `yield`s at most one file is written, moved or deleted. */
export type Steps<T = void> = Generator<void, T, void>;

/** Takes all steps at once: before control begins, or where they are known to be short. */
export function atOnce<T>(work: Steps<T>): T {
	for (;;) {
		const { done, value } = work.next();
		if (done) return value;
	}
}

/** Two sectors of a file and two of littlefs' own are erased, 45 ms each, and 6 KB written in 20 ms. */
export const STEP_MOST_MS = 210;
/** Between two looks whether the lease has been renewed. */
const LOOK_MS = 1;

/** One for the whole flash. The oldest job goes first. */
export class WriteQueue {
	readonly #later: (callback: () => void, delayMs: number) => void;
	readonly #clock: { readonly ticks: number };
	readonly #leaseLeftMs: () => number;
	readonly #jobs: Steps[] = [];
	/** The next step is due, or under way. */
	#goesOn = false;
	#announced = 0;
	#endedMs = 0;
	#restMs = 0;

	/** @param leaseLeftMs Infinity while nothing is controlled */
	constructor(
		later: (callback: () => void, delayMs: number) => void,
		clock: { readonly ticks: number },
		leaseLeftMs: () => number,
	) {
		this.#later = later;
		this.#clock = clock;
		this.#leaseLeftMs = leaseLeftMs;
	}

	/** True while something is not on flash yet that a power cut would lose. */
	get waiting(): boolean {
		return this.#announced > 0 || this.#jobs.length > 0;
	}

	/** Adds a job. @throws what `later` throws; nothing is added then */
	add(job: Steps): void {
		const jobs = this.#jobs;
		jobs.push(job);
		if (this.#goesOn) return;
		try {
			this.#stepIn(this.#restLeftMs);
		} catch (error) {
			jobs.pop();
			throw error;
		}
	}

	/** Adds a job in `delayMs`. @throws what `later` throws */
	later(job: () => Steps, delayMs: number): void {
		this.#later(() => {
			this.#announced--;
			this.#jobs.push(job());
			if (!this.#goesOn) this.#goOn(this.#restLeftMs);
		}, delayMs);
		this.#announced++;
	}

	get #restLeftMs(): number {
		return Math.max(0, this.#restMs - elapsedMs(this.#endedMs, this.#clock.ticks));
	}

	/** Steps again later. Without a timer all jobs stay until the next one is added, whose caller is told. */
	#goOn(delayMs: number): void {
		try {
			this.#stepIn(delayMs);
		} catch {}
	}

	#stepIn(delayMs: number): void {
		this.#goesOn = true;
		try {
			this.#later(this.#step, delayMs);
		} catch (error) {
			this.#goesOn = false;
			throw error;
		}
	}

	readonly #step = (): void => {
		if (this.#leaseLeftMs() < STEP_MOST_MS) {
			this.#goOn(LOOK_MS);
			return;
		}
		const jobs = this.#jobs;
		const fromMs = this.#clock.ticks;
		let isOver = true;
		try {
			isOver = jobs[0].next().done === true;
		} finally {
			this.#endedMs = this.#clock.ticks;
			this.#restMs = elapsedMs(fromMs, this.#endedMs);
			if (isOver) jobs.shift();
			if (jobs.length > 0) this.#goOn(this.#restLeftMs);
			else this.#goesOn = false;
		}
	};
}
