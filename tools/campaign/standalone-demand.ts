/** How much lock a coupling without a car may be asked for at most at each moment: `docs/decisions.md` 2, 4, 5, 19 and 20. */
import { PRESETS } from "./mode-targets.js";

const SLACK_MS = 30;
const FEEDBACK_MS = 500;
const RAMP_MS = 500;
const BOOT_SETTLE_MS = 1000;
const SETTLE_MS = 500;
const COOL_DOWN_MS = 10_000;
const RISE_PER_MS = 0.25;
/** Release of a mode that asks for less. */
const RELEASE_PER_MS = 0.12;

export class StandaloneDemand {
	/** What stands against any lock until it is taken away. */
	readonly standing = new Set<string>();
	#mode: string;
	#wished: string | undefined;
	#released = { percent: 0, ms: Number.NEGATIVE_INFINITY };
	#bootMs = 0;
	#goodMs = Number.NEGATIVE_INFINITY;
	#sinceMs = Number.POSITIVE_INFINITY;
	#resumedMs = Number.NEGATIVE_INFINITY;
	#hotFromMs = Number.NEGATIVE_INFINITY;
	#hotMs = Number.NEGATIVE_INFINITY;

	constructor(mode: string) {
		this.#mode = mode;
	}

	get mode(): string {
		return this.#mode;
	}

	/** Those that may be in force. */
	get modes(): readonly string[] {
		return this.#wished === undefined ? [this.#mode] : [this.#mode, this.#wished];
	}

	/** A client asks for a mode: until it is answered either may be in force. */
	wish(mode: string): void {
		this.#wished = mode;
	}

	/** The answer: which mode is in force now. */
	choose(mode: string, ms: number): void {
		this.#released = { percent: this.targetPercent, ms };
		this.#wished = undefined;
		this.#mode = mode;
	}

	boot(ms: number): void {
		this.#bootMs = ms;
		this.#goodMs = this.#resumedMs = this.#hotFromMs = this.#hotMs = Number.NEGATIVE_INFINITY;
		this.#sinceMs = Number.POSITIVE_INFINITY;
	}

	/** Frames are generated again, after they had asked for lock. */
	resume(ms: number): void {
		this.#resumedMs = ms;
	}

	/** The coupling reports. @param isHot too hot, or a fault */
	reports(ms: number, isHot: boolean): void {
		if (ms - this.#goodMs > FEEDBACK_MS) this.#sinceMs = ms;
		this.#goodMs = ms;
		if (!isHot) return;
		if (ms - this.#hotMs > COOL_DOWN_MS) this.#hotFromMs = ms;
		this.#hotMs = ms;
	}

	/** Percent, behind what stands against it; modes that need an input have none here. */
	get targetPercent(): number {
		return this.standing.size > 0 ? 0 : (PRESETS[this.#mode] ?? 0);
	}

	/** @returns percent at most, and why */
	at(ms: number): { readonly most: number; readonly because: string } {
		if (this.standing.size > 0) return { most: 0, because: [...this.standing].join() };
		if (this.#wished !== undefined) return { most: 100, because: "the mode is being changed" };
		if (this.#mode === "STOCK") return { most: 0, because: "stock mode is selected" };
		const settleMs = this.#sinceMs - this.#bootMs < BOOT_SETTLE_MS ? BOOT_SETTLE_MS : SETTLE_MS;
		if (!(ms - this.#sinceMs >= settleMs - SLACK_MS)) return { most: 0, because: "the coupling has just begun to report" };
		const missingMs = ms - this.#goodMs - FEEDBACK_MS;
		if (missingMs > RAMP_MS + SLACK_MS) return { most: 0, because: "the coupling does not report" };
		if (ms - this.#hotMs < COOL_DOWN_MS - SLACK_MS && ms - this.#hotFromMs > RAMP_MS + SLACK_MS)
			return { most: 0, because: "the coupling is too hot" };
		const released = this.#released.percent - (ms - this.#released.ms - SLACK_MS) * RELEASE_PER_MS;
		const bounds = [
			{ most: Math.max(this.targetPercent, released), because: `mode ${this.#mode}` },
			{ most: 100 - (missingMs - SLACK_MS) / 5, because: "the coupling does not report" },
			{ most: (ms - this.#resumedMs + SLACK_MS) * RISE_PER_MS, because: "frames have just begun to be generated again" },
		];
		return bounds.reduce((least, bound) => (bound.most < least.most ? bound : least));
	}
}
