/**
 * What the steering angle may leave of what is asked for (`docs/decisions.md` P27; `src/api/API.md`, "Steering gain"): evenly less between two
 * angles, what the driver chose while no angle is valid, and no quicker than 20 % in 100 ms while lock is asked for. Shares no code with `src/`.
 */

export interface SteeringWish {
	readonly startDeg: number;
	readonly fullDeg: number;
	readonly leastPercent: number;
	readonly lostPercent: number;
}

/** A value of its signal counts for so long; one that was lost after so much of it, at a start after more. */
const SIGNAL_MS = 200;
const SETTLE_MS = 500;
const BOOT_SETTLE_MS = 1000;
const FADE_PER_MS = 0.2;
const NEVER = Number.NEGATIVE_INFINITY;

export class SteeringJudge {
	readonly #wish: SteeringWish;
	readonly #slackMs: number;
	#angleDeg = 0;
	#seenMs = NEVER;
	/** Since when angles have come without a break. */
	#sinceMs = Number.POSITIVE_INFINITY;
	#settleMs = BOOT_SETTLE_MS;
	/** What may have been aimed at of late. */
	#aims: { ms: number; percent: number }[] = [];
	#most = 100;
	#atMs = NEVER;
	#stockMs = NEVER;

	constructor(wish: SteeringWish, slackMs: number) {
		this.#wish = wish;
		this.#slackMs = slackMs;
	}

	/** Nothing is known of the angle. */
	forget(): void {
		this.#seenMs = NEVER;
		this.#settleMs = BOOT_SETTLE_MS;
		this.#most = 100;
	}

	/** At this moment the controller has no angle that is young enough: the clock has jumped, or nothing was received. */
	loses(ms: number): void {
		if (this.#seenMs === NEVER) return;
		if (ms - this.#sinceMs >= this.#settleMs) this.#settleMs = SETTLE_MS;
		this.#sinceMs = ms;
	}

	/** A frame has left as it came: in stock nobody feels the gain, and it follows at once. */
	leavesStock(ms: number): void {
		this.#stockMs = ms;
	}

	/** A valid angle. */
	takes(ms: number, deg: number): void {
		if (!(ms - this.#seenMs <= SIGNAL_MS)) {
			if (this.#seenMs !== NEVER && this.#seenMs - this.#sinceMs >= this.#settleMs) this.#settleMs = SETTLE_MS;
			this.#sinceMs = ms;
		}
		this.#seenMs = ms;
		this.#angleDeg = deg;
	}

	get #gain(): number {
		const { startDeg, fullDeg, leastPercent } = this.#wish;
		const share = Math.min(1, Math.max(0, (this.#angleDeg - startDeg) / (fullDeg - startDeg)));
		return 100 - share * (100 - leastPercent);
	}

	/** What may be aimed at: around each change both. */
	#aim(ms: number): number {
		const { lostPercent } = this.#wish;
		const ageMs = ms - this.#seenMs;
		if (ageMs > SIGNAL_MS + this.#slackMs) return lostPercent;
		const heldMs = ms - this.#sinceMs - this.#settleMs;
		if (heldMs < -this.#slackMs) return lostPercent;
		const isSure = ageMs < SIGNAL_MS - this.#slackMs && heldMs > this.#slackMs;
		return isSure ? this.#gain : Math.max(lostPercent, this.#gain);
	}

	/** The most that may remain of what is asked for, 0..1; where nothing changes, what remains. */
	get share(): number {
		return this.#most / 100;
	}

	/** To be told of each moment that counts. @param looks the script runs: else it goes on with what it had */
	follow(ms: number, looks: boolean): void {
		const percent = this.#aim(ms);
		if (this.#aims.at(-1)?.percent !== percent) this.#aims.push({ ms, percent });
		// an aim counts until the next one is so old that it has been noticed
		while (this.#aims.length > 1 && ms - this.#aims[1].ms > this.#slackMs) this.#aims.shift();
		const aim = Math.max(...this.#aims.map((one) => one.percent));
		const passedMs = Math.max(0, ms - this.#atMs);
		const step = passedMs * FADE_PER_MS;
		this.#atMs = ms;
		// what nobody looks at settles nothing
		if (!looks && passedMs < Number.POSITIVE_INFINITY) this.#sinceMs += passedMs;
		if (aim > this.#most) this.#most = ms - this.#stockMs <= this.#slackMs ? aim : Math.min(aim, this.#most + step);
		else if (looks) this.#most = Math.max(aim, this.#most - step);
	}
}
