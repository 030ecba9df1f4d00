/** What a learned table means: how a coupling follows what is asked of it. Pure. */

/** What a coupling with this table reaches. @param factor 0..100 */
export function reached(table: readonly number[], factor: number): number {
	const low = Math.floor(factor);
	const at = table[low] ?? 0;
	return at + ((table[low + 1] ?? at) - at) * (factor - low);
}

/**
 * The factor that asks for a lock: of a table, the smallest that reaches it or the most; without one the line
 * that is a guess.
 */
export function factorOf(table: readonly number[] | undefined, lockPercent: number): number {
	if (lockPercent <= 0) return 0;
	if (table === undefined) return lockPercent >= 100 ? 100 : 20 + lockPercent / 2;
	const wantedPercent = Math.min(lockPercent, table[table.length - 1] ?? 0);
	const factor = table.findIndex((engagement) => engagement >= wantedPercent);
	if (factor <= 0) return 0;
	const below = table[factor - 1] ?? 0;
	return factor - 1 + (wantedPercent - below) / ((table[factor] ?? 0) - below);
}

/**
 * Reached against asked, 0..100 in steps of 2.
 * @param table what the coupling does
 * @param by what it is asked by, undefined = the guess
 */
export function following(table: readonly number[], by: readonly number[] | undefined): readonly (readonly [number, number])[] {
	return Array.from({ length: 51 }, (_, i) => [2 * i, reached(table, factorOf(by, 2 * i))] as const);
}
