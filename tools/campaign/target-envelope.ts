/** What a mode has asked for of late: a gate, a trigger or the next tick may still be at any of it, and a release takes its time. */
export class TargetEnvelope {
	/** For how long a target that has been left may still be in force. */
	readonly #holdMs: number;
	/** Targets of late, each since when. */
	readonly #targets: { ms: number; percent: number }[] = [];
	#mostPercent = 0;
	#followedMs = 0;

	constructor(holdMs: number) {
		this.#holdMs = holdMs;
	}

	/** The highest that may be commanded. */
	get mostPercent(): number {
		return this.#mostPercent;
	}

	/** Nothing was asked for before. */
	forget(): void {
		this.#targets.length = 0;
		this.#mostPercent = 0;
	}

	/** @param percent what is asked for now @param releaseRate % per s, 0: at once */
	follow(ms: number, percent: number, releaseRate: number): void {
		if (this.#targets.at(-1)?.percent !== percent) this.#targets.push({ ms, percent });
		while (this.#targets.length > 1 && ms - this.#targets[1].ms > this.#holdMs) this.#targets.shift();
		const highest = Math.max(...this.#targets.map((target) => target.percent));
		const released = releaseRate === 0 ? 0 : this.#mostPercent - ((ms - this.#followedMs) * releaseRate) / 1000;
		this.#mostPercent = Math.max(highest, released);
		this.#followedMs = ms;
	}

	/** True if nothing but 0 % has been asked for, and for longer than anything before may last. */
	isClosedAt(ms: number): boolean {
		return this.#targets.length === 1 && this.#targets[0].percent === 0 && ms - this.#targets[0].ms > this.#holdMs;
	}
}
