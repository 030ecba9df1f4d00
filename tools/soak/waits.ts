/**
 * What each control tick waits for, in instructions of the JavaScript thread: the turn of the event loop that
 * is under way when it becomes due, natives and collections of garbage included. Counted by callgrind, turn
 * by turn (`hal/host/turns.h`).
 */
import { TURN_INSTRUCTIONS } from "../bench/limits.mjs";
import type { Turn } from "../bench/turn-log.mjs";

const TICK = "timer10";
/** The application starts before anything is due, and `report()` collects by our own wish. */
const OURS = new Set(["start", "collection"]);

export interface Waits {
	/** Ticks, and how many of them came right after another turn than a tick. */
	ticks: number;
	behindOthers: number;
	/** Instructions of the slowest turn before a tick, and what it was. */
	longest: number;
	behind: string;
}

export const noWaits = (): Waits => ({ ticks: 0, behindOthers: 0, longest: 0, behind: "" });

/**
 * Takes further turns into account, in their order.
 * @param before the last turn that was taken
 * @returns complaints
 */
export function takeWaits(waits: Waits, turns: readonly Turn[], before: Turn | undefined): string[] {
	const complaints: string[] = [];
	let last = before;
	for (const turn of turns) {
		if (turn.kind === TICK) {
			waits.ticks++;
			if (last !== undefined && !OURS.has(last.kind)) {
				if (last.kind !== TICK) waits.behindOthers++;
				if (last.instructions > waits.longest) [waits.longest, waits.behind] = [last.instructions, last.kind];
				if (last.instructions > TURN_INSTRUCTIONS)
					complaints.push(`a control tick may have waited for a ${last.kind} of ${last.instructions} instructions`);
			}
		}
		last = turn;
	}
	return complaints;
}
