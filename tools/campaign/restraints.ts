/**
 * What a mode asks for behind its gates (`docs/control-and-can.md` 1.4, 1.5), and what restrains it: gates and
 * ramps, a condition on the hazard lights (`docs/decisions.md` 23), the steering angle (41), and a calibration
 * (`docs/control-and-can.md` 5.1). Shares no code with `src/`.
 */
import { SIGNAL_MS, type Signal } from "./car-reader.js";
import { blockOf, curve, type Points, type Share } from "./tables.js";

/** A control tick, and what a frame may have been ahead of it. */
export const SLACK_MS = 30;
const NEVER = Number.NEGATIVE_INFINITY;

/** Percent that a preset asks for. */
export const PRESETS: Readonly<Record<string, number>> = { FWD: 0, "5050": 100, "6040": 40, "7030": 30, "8020": 20, "9010": 10 };

/** Curves and map of the driver. */
export interface Tables {
	readonly SPEED: Points;
	readonly THROTTLE: Points;
	readonly RPM: Points;
	/** Rows by pedal, a curve over the speed each. */
	readonly MAP: readonly (readonly [number, Points])[];
}

/** @param cells percent by pedal and speed */
export function mapOf(
	speeds: readonly number[],
	pedals: readonly number[],
	cells: readonly (readonly number[])[],
): Tables["MAP"] {
	return pedals.map((pedal, i) => [pedal, speeds.map((kmh, k) => [kmh, cells[i][k]] as const)] as const);
}

const curveOf = ([, ...points]: readonly string[]): Points =>
	points.map((point) => point.split(":").map(Number) as [number, number]);
const [SPEED, THROTTLE, RPM] = blockOf("curves").slice(1).map(curveOf);
const [[, ...speeds], ...rows] = blockOf("map").map((words) => words.map(Number));
const MAP = mapOf(
	speeds,
	rows.map(([pedal]) => pedal),
	rows.map(([, ...cells]) => cells),
);
/** Those that a controller starts with. */
export const DEFAULT_TABLES: Tables = { SPEED, THROTTLE, RPM, MAP };

/**
 * What a mode asks for behind its gates, without ramps.
 * @param limitKmh presets ask for lock up to this speed; 0: at any
 */
export function targetPercent(
	mode: string,
	tables: Tables,
	limitKmh: number,
	{ speed, pedal, rpm }: Readonly<Record<Signal, number>>,
): number {
	const speedKmh = Math.floor(speed + 0.5);
	if (mode in PRESETS) return limitKmh === 0 || speedKmh <= limitKmh ? PRESETS[mode] : 0;
	const pedalPercent = Math.min(100, pedal);
	if (mode === "SPEED") return curve(tables.SPEED, speedKmh);
	if (mode === "THROTTLE") return curve(tables.THROTTLE, pedalPercent);
	if (mode === "RPM") return curve(tables.RPM, Math.floor(rpm));
	return curve(
		tables.MAP.map(([rowPedal, cells]) => [rowPedal, curve(cells, speedKmh)] as const),
		pedalPercent,
	);
}

/**
 * The most that the controller may still ask for. A value counts until the next one is so old that the
 * controller must have noticed it, and a release takes its time.
 */
export class Envelope {
	mostPercent = 0;
	readonly #holdMs: number;
	readonly #values: { ms: number; percent: number }[] = [];
	#followedMs = 0;

	constructor(holdMs: number) {
		this.#holdMs = holdMs;
	}

	/** Begins anew, at 0. */
	forget(): void {
		this.#values.length = 0;
		this.mostPercent = 0;
	}

	/**
	 * @param percent the value now
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

	/** True if there has been this value alone, for longer than any before it may last. */
	isOnly(ms: number, percent: number): boolean {
		return this.#values.length === 1 && this.#values[0].percent === percent && ms - this.#values[0].ms > this.#holdMs;
	}
}

/** What a condition on the hazard lights does. */
export interface ConditionWish {
	readonly effect: "open" | "limit";
	readonly holdMs: number;
	/** Of `limit`. */
	readonly limitPercent: number;
}

/** From full lock to open. */
const OPEN_MS = 100;

/**
 * Follows a condition. It takes lock away at once, and for its hold time at least. A limit whose signal is lost
 * goes on.
 */
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

	/** @param set undefined: the signal came, and nobody saw which value it had */
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

	/**
	 * Percent that may be asked for once it has had its effect for a while.
	 * @param releaseRate percent per second of the driver's own release, 0: at once
	 */
	mostAfter(sinceMs: number, releaseRate: number): number {
		if (sinceMs <= 0) return 100;
		const { effect, limitPercent } = this.#wish;
		if (effect === "open") return Math.max(0, 100 - (sinceMs * 100) / OPEN_MS);
		return releaseRate === 0 ? limitPercent : Math.max(limitPercent, 100 - (sinceMs * releaseRate) / 1000);
	}
}

/** How the steering angle limits lock. */
export interface SteeringWish {
	readonly startDeg: number;
	readonly fullDeg: number;
	readonly leastPercent: number;
	readonly lostPercent: number;
}

/**
 * A value of its signal counts for this long; one that was lost after so much of it, at a start after more.
 */
const [ANGLE_MS, ANGLE_SETTLE_MS, ANGLE_BOOT_MS] = [200, 500, 1000];
/** Less lock fades in for this long. */
const FADE_MS = 500;

/**
 * What the steering angle may leave of what is asked for: evenly less between two angles, and what was chosen
 * for no angle without one.
 */
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

	/** The controller begins anew: it knows no angle. */
	forget(): void {
		this.#seenMs = NEVER;
		this.#settleMs = ANGLE_BOOT_MS;
		this.#aims.forget();
	}

	/**
	 * At this moment the controller has no angle that is young enough: the clock has jumped forward, or
	 * nothing was received.
	 */
	loses(ms: number): void {
		if (this.#seenMs === NEVER) return;
		if (ms - this.#sinceMs >= this.#settleMs) this.#settleMs = ANGLE_SETTLE_MS;
		this.#sinceMs = ms;
	}

	/** An angle came that counts. */
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

	/** What may be aimed at: around each change both. */
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

	/**
	 * To be told of each moment that counts.
	 * @param looks the script runs: else it goes on with what it had
	 */
	follow(ms: number, looks: boolean): void {
		// what nobody looks at settles nothing
		if (!looks && this.#atMs !== NEVER) this.#sinceMs += Math.max(0, ms - this.#atMs);
		this.#atMs = ms;
		this.#mostPercent = this.#aims.follow(ms, this.#aim(ms));
	}
}

const STEP_MS = 600;
/** The coupling is to be open for this long before the first step. */
const IS_OPEN_MS = 500;
/** A step in which the coupling did not report for this long ends it. */
const SILENT_MS = 100;
const SHARE_PER_PERCENT = 256;
/** The page has to say at least this often that it is there. */
const OPERATOR_MS = 5000;
/** Above this speed the car moves. */
export const MAX_KMH = 3;

/**
 * What a calibration may command: whole factors, one more every 600 ms at most. Once something prevents the
 * calibration, it may command nothing.
 */
export class CalibrationJudge {
	/** When it must be over, and why. */
	endsMs = Number.POSITIVE_INFINITY;
	because = "";
	/** When it last commanded something: what is asked for afterwards returns slowly. */
	lastMs = NEVER;
	readonly #askedMs: number;
	#mayEndMs = Number.POSITIVE_INFINITY;
	/** Undefined: it has not begun. */
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

	/** From now on it may end early, unseen: what is commanded then may be what the mode asks for. */
	mayEnd(ms: number): void {
		this.#mayEndMs = Math.min(ms, this.#mayEndMs);
	}

	get mayHaveEnded(): boolean {
		return this.#mayEndMs < Number.POSITIVE_INFINITY;
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

	/**
	 * @returns false if what was commanded is none of its factors
	 * @param reportedMs when the coupling last did: without reports it may end before it must
	 */
	commands(ms: number, share: Share, reportedMs: number): boolean {
		const factor = Math.ceil(share.least / SHARE_PER_PERCENT);
		if (factor * SHARE_PER_PERCENT > share.most || factor > this.mostAt(ms)) return false;
		// a frame with few bits to tell by fits what the mode asks for, too
		if (this.#heardMs !== undefined && ms - reportedMs < SILENT_MS) this.lastMs = Math.min(ms, this.endsMs, this.#mayEndMs);
		return true;
	}
}
