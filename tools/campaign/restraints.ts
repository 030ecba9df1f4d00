/**
 * Lock of a mode behind its gates (`docs/control-and-can.md` 1.4, 1.5), and its restraints: gates and
 * ramps, a condition on the hazard lights (`docs/decisions.md` 23), the steering angle (41), and a calibration
 * (`docs/control-and-can.md` 5.1). Shares no code with `src/`.
 */
import { SIGNAL_MS } from "./car-reader.js";
import { curve, type Share } from "./tables.js";

/** A control tick, and what a frame may have been ahead of it. */
export const SLACK_MS = 30;
const NEVER = Number.NEGATIVE_INFINITY;

export const PRESETS: Readonly<Record<string, number>> = { FWD: 0, "5050": 100, "6040": 40, "7030": 30, "8020": 20, "9010": 10 };
/** Curves and map that a controller starts with: each its x, and lock. */
const CURVES = {
	SPEED: [
		[0, 20, 40, 80, 140],
		[50, 45, 35, 20, 0],
	],
	THROTTLE: [
		[0, 10, 25, 50, 80],
		[0, 10, 25, 55, 80],
	],
	RPM: [
		[0, 1000, 2000, 3500, 5000, 6500],
		[0, 10, 30, 55, 80, 100],
	],
} as const;
const MAP_SPEEDS = [0, 5, 10, 20, 40, 60, 80, 100, 140];
const MAP_PEDALS = [0, 5, 10, 20, 40, 60, 80];
const MAP = [
	[0, 0, 0, 0, 0, 0, 0, 0, 0],
	[0, 0, 0, 0, 0, 0, 0, 0, 0],
	[0, 0, 5, 5, 5, 5, 0, 0, 0],
	[0, 5, 10, 15, 15, 10, 5, 0, 0],
	[5, 10, 20, 25, 25, 20, 15, 10, 5],
	[10, 20, 30, 40, 40, 30, 25, 20, 15],
	[20, 30, 45, 60, 60, 50, 40, 30, 20],
];

/**
 * Lock of a mode behind its gates, without ramps.
 * @param limitKmh presets ask for lock up to this speed; 0: at any
 * @param car km/h, percent, 1/min
 */
export function targetPercent(mode: string, limitKmh: number, car: Readonly<Record<"speed" | "pedal" | "rpm", number>>): number {
	const kmh = Math.floor(car.speed + 0.5);
	if (mode in PRESETS) return limitKmh === 0 || kmh <= limitKmh ? PRESETS[mode] : 0;
	const pedal = Math.min(100, car.pedal);
	if (mode in CURVES) {
		const [xs, percents] = CURVES[mode as keyof typeof CURVES];
		return curve(xs, percents, mode === "SPEED" ? kmh : mode === "RPM" ? Math.floor(car.rpm) : pedal);
	}
	const rows = MAP.map((cells) => curve(MAP_SPEEDS, cells, kmh));
	return curve(MAP_PEDALS, rows, pedal);
}

/** The most that may still be commanded: a value counts until the next was noticed. */
export class Envelope {
	mostPercent = 0;
	readonly #holdMs: number;
	readonly #values: { readonly ms: number; readonly percent: number }[] = [];
	#followedMs = 0;

	constructor(holdMs: number) {
		this.#holdMs = holdMs;
	}

	forget(): void {
		this.#values.length = 0;
		this.mostPercent = 0;
	}

	/**
	 * @param percent asked for now
	 * @param releaseRate % per s, 0: at once
	 * @returns the most
	 */
	follow(ms: number, percent: number, releaseRate = 0): number {
		if (this.#values.at(-1)?.percent !== percent) this.#values.push({ ms, percent });
		while (this.#values.length > 1 && ms - this.#values[1].ms > this.#holdMs) this.#values.shift();
		const released = releaseRate === 0 ? 0 : this.mostPercent - ((ms - this.#followedMs) * releaseRate) / 1000;
		this.mostPercent = Math.max(released, ...this.#values.map((one) => one.percent));
		this.#followedMs = ms;
		return this.mostPercent;
	}
}

export interface ConditionWish {
	readonly effect: "open" | "limit";
	readonly holdMs: number;
	/** Of `limit`. */
	readonly limitPercent: number;
}

/** From full lock to open. */
const OPEN_MS = 100;

/** A condition takes lock away at once and for its time at least; a limit whose signal is lost goes on. */
export class ConditionJudge {
	readonly #wish: ConditionWish;
	/** Since when it has its effect for certain; undefined: it may have none. */
	#fromMs: number | undefined;
	#isSet = false;
	#seenMs = NEVER;

	constructor(wish: ConditionWish) {
		this.#wish = wish;
		this.forget();
	}

	/** Nothing is known of the signal: a limit is active. */
	forget(): void {
		this.#seenMs = NEVER;
		this.#isSet = this.#wish.effect === "limit";
		this.#fromMs = this.#isSet ? NEVER : undefined;
	}

	/** @param set undefined: the signal came with an unknown value */
	takes(ms: number, set: boolean | undefined): void {
		this.#follow(ms);
		this.#seenMs = ms;
		if (set === undefined) return;
		this.#isSet = set;
		if (set) this.#fromMs ??= ms;
	}

	#follow(ms: number): void {
		const lostMs = this.#seenMs + SIGNAL_MS;
		if (ms > lostMs && this.#wish.effect === "limit") {
			this.#isSet = true;
			this.#fromMs ??= lostMs;
		}
		if (!this.#isSet && this.#fromMs !== undefined && ms - this.#fromMs >= this.#wish.holdMs - SLACK_MS) this.#fromMs = undefined;
	}

	/** Since when it has its effect at `ms` for certain; Infinity: it may have none. */
	fromAt(ms: number): number {
		this.#follow(ms);
		return this.#fromMs ?? Number.POSITIVE_INFINITY;
	}

	/** Percent that may be asked for after its effect has lasted. @param releaseRate % per s, 0: at once */
	mostAfter(sinceMs: number, releaseRate: number): number {
		if (sinceMs <= 0) return 100;
		const { effect, limitPercent } = this.#wish;
		if (effect === "open") return Math.max(0, 100 - (sinceMs * 100) / OPEN_MS);
		return releaseRate === 0 ? limitPercent : Math.max(limitPercent, 100 - (sinceMs * releaseRate) / 1000);
	}
}

export interface SteeringWish {
	readonly startDeg: number;
	readonly fullDeg: number;
	readonly leastPercent: number;
	readonly lostPercent: number;
}

/** A value counts for this long; after a loss it counts after the second, after a start after the third. */
const [ANGLE_MS, ANGLE_SETTLE_MS, ANGLE_BOOT_MS] = [200, 500, 1000];
/** Less lock fades in for this long. */
const FADE_MS = 500;

/** Less lock between two angles, evenly; without an angle what was chosen for that. */
export class SteeringJudge {
	readonly #wish: SteeringWish;
	readonly #aims = new Envelope(FADE_MS + SLACK_MS);
	#angleDeg = 0;
	#seenMs = NEVER;
	/** Since when angles have come without a break. */
	#sinceMs = Number.POSITIVE_INFINITY;
	#settleMs = ANGLE_BOOT_MS;
	#mostPercent = 100;
	#atMs = NEVER;

	constructor(wish: SteeringWish) {
		this.#wish = wish;
	}

	forget(): void {
		this.#seenMs = NEVER;
		this.#settleMs = ANGLE_BOOT_MS;
		this.#aims.forget();
	}

	/** The controller has no young angle: the clock has jumped, or nothing was received. */
	loses(ms: number): void {
		if (this.#seenMs === NEVER) return;
		if (ms - this.#sinceMs >= this.#settleMs) this.#settleMs = ANGLE_SETTLE_MS;
		this.#sinceMs = ms;
	}

	takes(ms: number, deg: number): void {
		if (!(ms - this.#seenMs <= ANGLE_MS)) {
			if (this.#seenMs !== NEVER && this.#seenMs - this.#sinceMs >= this.#settleMs) this.#settleMs = ANGLE_SETTLE_MS;
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

	/** The share that may be aimed at: around each change the larger of both. */
	#aim(ms: number): number {
		const { lostPercent } = this.#wish;
		const ageMs = ms - this.#seenMs;
		const heldMs = ms - this.#sinceMs - this.#settleMs;
		if (ageMs > ANGLE_MS + SLACK_MS || heldMs < -SLACK_MS) return lostPercent;
		const isSure = ageMs < ANGLE_MS - SLACK_MS && heldMs > SLACK_MS;
		return isSure ? this.#gain : Math.max(lostPercent, this.#gain);
	}

	/** The most that may remain of what is asked for, 0..1; where nothing changes, what remains. */
	get share(): number {
		return this.#mostPercent / 100;
	}

	/** Called at each moment that counts. @param looks the script runs */
	follow(ms: number, looks: boolean): void {
		// time in which the script does not look settles nothing
		if (!looks && this.#atMs !== NEVER) this.#sinceMs += Math.max(0, ms - this.#atMs);
		this.#atMs = ms;
		this.#mostPercent = this.#aims.follow(ms, this.#aim(ms));
	}
}

const STEP_MS = 600;
/** The coupling is to be open for this long before the first step. */
const IS_OPEN_MS = 500;
const SHARE_PER_PERCENT = 256;
/** Its page must be heard of so often. */
const OPERATOR_MS = 5000;
/** The car that was begun in moves above this. */
export const MAX_KMH = 3;

/** A calibration commands whole factors, one more every 600 ms at most, and nothing once it must be over. */
export class CalibrationJudge {
	/** The first reason against it, and since when. */
	because = "";
	endsMs = Number.POSITIVE_INFINITY;
	readonly #askedMs: number;
	#heardMs: number | undefined;

	/** @param ms a client has asked for it: from now on it may run */
	constructor(ms: number) {
		this.#askedMs = ms;
	}

	/** It runs, and its page is there. */
	heard(ms: number): void {
		this.#heardMs = ms;
	}

	/** Something stands against it. */
	end(ms: number, because: string): void {
		if (ms >= this.endsMs) return;
		this.endsMs = ms;
		this.because = because;
	}

	/** When it must be over, as far as it is known at `ms`. */
	endAt(ms: number): number {
		if (this.#heardMs !== undefined && ms - this.#heardMs > OPERATOR_MS)
			this.end(this.#heardMs + OPERATOR_MS, "its page has gone");
		return this.endsMs;
	}

	/** The greatest factor that may be under test, percent. */
	mostAt(ms: number): number {
		return Math.max(0, Math.min(100, Math.ceil((ms - this.#askedMs - IS_OPEN_MS + SLACK_MS) / STEP_MS)));
	}

	/** Whether a share is one of its factors. */
	commands(ms: number, share: Share): boolean {
		const factor = Math.ceil(share.least / SHARE_PER_PERCENT);
		return factor * SHARE_PER_PERCENT <= share.most && factor <= this.mostAt(ms);
	}
}
