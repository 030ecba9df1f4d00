/**
 * Whatever is written to flash while the car is controlled, one step after the other. On a board a step holds
 * up the control loop, by 45 ms for every sector that is erased, and the lease of a frame plan lasts 240 ms.
 * So a step changes one thing on flash, it begins only while the lease lasts longer than it is expected to
 * take, and after it the flash rests for as long as it took: half of the time is the loop's.
 */

import { elapsedMs } from "../clock/elapsed.js";

/**
 * Up to each `yield`, and after the last one, at most one file is written, moved or deleted, or one folder
 * made.
 */
export type Steps<T = void> = Generator<void, T, void>;

/** Does all of it at once: before control begins, or where it is known to be little. */
export function atOnce<T>(work: Steps<T>): T {
	for (;;) {
		const { done, value } = work.next();
		if (done) return value;
	}
}

/** Two sectors of a file and two of littlefs' own are erased, 45 ms each, and 6 KB written in 20 ms. */
export const STEP_MOST_MS = 210;
/** Until it is looked again whether the lease has been renewed. */
const LOOK_MS = 1;

/** One for the whole flash. The job that has waited longest goes first. */
export class WriteQueue {
	readonly #later: (callback: () => void, delayMs: number) => void;
	readonly #clock: { readonly ticks: number };
	readonly #leaseLeftMs: () => number;
	/** The one under way first. */
	readonly #jobs: Steps[] = [];
	/** The next step is due, or under way. */
	#goesOn = false;
	#announced = 0;
	#endedMs = 0;
	#restMs = 0;

	/** @param leaseLeftMs until control ends unless it is renewed; Infinity while nothing is controlled */
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

	/**
	 * Has a job done after those that were added before.
	 * @throws what `later` throws; nothing is added then
	 */
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

	/** Adds a job in `delayMs`; until then it gathers what it is to write. @throws what `later` throws */
	later(job: () => Steps, delayMs: number): void {
		this.#later(() => {
			this.#announced--;
			this.#jobs.push(job());
			if (!this.#goesOn) this.#goOn(this.#restLeftMs);
		}, delayMs);
		this.#announced++;
	}

	/** ms until the flash has rested. */
	get #restLeftMs(): number {
		return Math.max(0, this.#restMs - elapsedMs(this.#endedMs, this.#clock.ticks));
	}

	/** Where no timer can be had all jobs stay, and go on with the next one that is added. */
	#goOn(delayMs: number): void {
		try {
			this.#stepIn(delayMs);
		} catch {
			// no caller to tell: the caller of the next job is told
		}
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
