/**
 * The clutch: follows what the control unit wants, as late and as fast as one was measured in a car
 * (test/cars/mqb.json), and sticks as its curve says. Of PQ nobody has measured it, so it is taken to be the
 * same.
 */
import type { Wanted } from "./coupling-inputs.js";

/** How it answers what is wanted. No two are alike. */
export interface ClutchCurve {
	/** Engagement in percent at rest. @param share 0..1 of what can be wanted */
	readonly reaches: (share: number) => number;
	/** Nothing moves before the wanted engagement is so far away, percent. */
	readonly frictionPercent: number;
}

export const STRAIGHT: ClutchCurve = Object.freeze({ reaches: (share: number) => 100 * share, frictionPercent: 0 });

/**
 * For calibration to find out: nothing up to 22 %, steep behind that, never more than 92 %, and it sticks.
 */
export const BENT: ClutchCurve = Object.freeze({
	reaches: (share: number) => Math.min(92, 118 * Math.max(0, share - 0.22) ** 0.8),
	frictionPercent: 0.5,
});

const DELAY_MS = 40;
const HOLD_MS = 150;
const RISE_PER_MS = 0.5;
const FALL_PER_MS = 0.14;

export class Clutch {
	/** How far it is closed, percent. */
	percent = 0;
	readonly #curve: ClutchCurve;
	readonly #asked: number[] = [];
	#drawn = 0;
	#holdLeftMs = 0;

	constructor(curve: ClutchCurve) {
		this.#curve = curve;
	}

	/** Advances by 1 ms. @param wanted 0..100; undefined = it opens in one step */
	step(wanted: Wanted): void {
		if (wanted === undefined) {
			this.#asked.length = 0;
			this.percent = this.#drawn = this.#holdLeftMs = 0;
			return;
		}
		const { reaches, frictionPercent } = this.#curve;
		this.#asked.push(reaches(wanted / 100));
		const target = this.#asked.length > DELAY_MS ? (this.#asked.shift() as number) : 0;
		this.#drawn = Math.max(0, Math.min(target + frictionPercent, Math.max(target - frictionPercent, this.#drawn)));
		if (this.#drawn >= this.percent) {
			this.percent = Math.min(this.#drawn, this.percent + RISE_PER_MS);
			this.#holdLeftMs = HOLD_MS;
		} else if (this.#holdLeftMs > 0) this.#holdLeftMs -= 1;
		else this.percent = Math.max(this.#drawn, this.percent - FALL_PER_MS);
	}
}
