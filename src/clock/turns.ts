/**
 * Work that is done in several turns of the event loop, between which control has its own: up to each `yield`, and after the last one, it takes
 * well below what one turn may (`tools/bench/limits.mjs`).
 */
export type Turns<T = void> = Generator<void, T, void>;

/** Does all of it at once: before control begins, or where it is known to be little. @throws what the work throws */
export function atOnce<T>(work: Turns<T>): T {
	for (;;) {
		const { done, value } = work.next();
		if (done) return value;
	}
}
