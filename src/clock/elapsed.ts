/** ms from `thenMs` to `nowMs` of a clock that wraps at 2^31 or 2^32. */
export function elapsedMs(thenMs: number, nowMs: number): number {
	return (nowMs - thenMs) & 0x7fffffff;
}
