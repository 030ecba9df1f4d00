/** For each bus: since when it is down, or back. */
import type { Bus } from "./lockstep.js";

export class KnownBuses {
	/** When it came back last. */
	readonly upMs = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
	/** Undefined while it is up. */
	readonly downMs: (number | undefined)[] = [undefined, undefined];
	/** Since when the controller tries to get back onto a bus that it was off. */
	readonly #recoveringMs: (number | undefined)[] = [undefined, undefined];

	down(bus: Bus, ms: number): void {
		this.downMs[bus] ??= ms;
	}

	/** @param isUnseen true: the controller can't know that it was down since then */
	up(bus: Bus, ms: number, isUnseen: (downMs: number) => boolean): void {
		const downMs = this.downMs[bus];
		if (downMs === undefined) return;
		this.downMs[bus] = this.#recoveringMs[bus] = undefined;
		if (!isUnseen(downMs)) this.upMs[bus] = ms;
	}

	/** What keeps the controller off a bus is over: the first frame that passes says when it is back. */
	recovers(bus: Bus, ms: number): void {
		if (this.downMs[bus] !== undefined) this.#recoveringMs[bus] = ms;
	}

	/** True if a frame that came at `arrivedMs`, and passes, says that its bus is back. */
	isShownBy(bus: Bus, arrivedMs: number): boolean {
		const sinceMs = this.#recoveringMs[bus];
		return sinceMs !== undefined && arrivedMs >= sinceMs;
	}

	/** The controller starts: it is on each bus that it was getting back onto. */
	boot(): void {
		this.upMs.fill(Number.NEGATIVE_INFINITY);
		for (const bus of [0, 1]) if (this.#recoveringMs[bus] !== undefined) this.downMs[bus] = this.#recoveringMs[bus] = undefined;
	}
}
