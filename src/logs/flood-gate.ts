/**
 * Keeps what repeats itself from filling the log and wearing the flash: of each kind of line (level and tag) at most `BURST_LINES` at once
 * and one more every `REFILL_MS`. The rest is counted.
 */

/*
 * Chosen: whoever repeats itself writes at most 30 lines at once and then 12 a minute, some 1 KB, so that 24 minutes of the worst fit a file
 * of 24 KB, and three kinds wear the flash for ten years (log.ts). Half would cut short what one failure has to say.
 */
const BURST_LINES = 30;
const REFILL_MS = 5000;
/**
 * Kinds told apart; further ones share the last place. Chosen: the firmware writes 28 so far. With half of them kinds that have nothing to do with
 * each other would use up each other's lines; twice would cost nothing, and bound what no kind needs.
 */
const KINDS_MAX = 32;

interface Kind {
	readonly level: string;
	readonly tag: string;
	/** Lines that may still be written at `sinceMs`. */
	allowance: number;
	sinceMs: number;
	suppressed: number;
}

/** Counts kinds of lines; remembers no line. */
export class FloodGate {
	readonly #kinds: Kind[] = [];

	/** @param nowMs uptime @returns false if the line is one too many; it has been counted then */
	admits(level: string, tag: string, nowMs: number): boolean {
		const kind = this.#kind(level, tag, nowMs);
		const refills = Math.floor(Math.max(0, nowMs - kind.sinceMs) / REFILL_MS);
		kind.sinceMs += refills * REFILL_MS;
		kind.allowance = Math.min(BURST_LINES, kind.allowance + refills);
		if (nowMs < kind.sinceMs || kind.allowance === BURST_LINES) kind.sinceMs = nowMs;
		if (kind.allowance === 0) {
			kind.suppressed++;
			return false;
		}
		kind.allowance--;
		return true;
	}

	/** Tells each kind of which lines were suppressed since the last call, and how many. */
	drain(told: (level: string, tag: string, count: number) => void): void {
		for (const kind of this.#kinds) {
			const count = kind.suppressed;
			kind.suppressed = 0;
			if (count > 0) told(kind.level, kind.tag, count);
		}
	}

	#kind(level: string, tag: string, nowMs: number): Kind {
		const found = this.#kinds.find((kind) => kind.level === level && kind.tag === tag);
		if (found !== undefined) return found;
		if (this.#kinds.length === KINDS_MAX) return this.#kinds[KINDS_MAX - 1];
		const kind = { level, tag, allowance: BURST_LINES, sinceMs: nowMs, suppressed: 0 };
		this.#kinds.push(kind);
		return kind;
	}
}
