/** Time between two readings of a clock that wraps. */

/** The rest of the range stays for what is long ago, up to 24 days. */
const STEP_BACK_MS = 60_000;

/**
 * ms from `thenMs` to `nowMs` of a clock that wraps at 2^31 or 2^32, 0..2^31 - 60,001. 0 if the clock stepped
 * back by a minute at most: the bare difference would be 24 days, which ends every wait.
 */
export function elapsedMs(thenMs: number, nowMs: number): number {
	const ms = (nowMs - thenMs) & 0x7fffffff;
	return ms > 0x7fffffff - STEP_BACK_MS ? 0 : ms;
}
