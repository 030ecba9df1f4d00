/** From readings of a sweep to a table that can be used: the best rising line through them. Pure. Source: docs/control-and-can.md 5.1. */

/** Readings that rise by less than this, percent, tell nothing about the coupling. Source: docs/control-and-can.md 5.1. */
export const SPAN_MIN_PERCENT = 50;

/** No coupling reports finer, and a stored table is the shorter. */
const TENTHS = 10;

/** A percentage of a table. */
export function inTenths(percent: number): number {
	return Math.round(percent * TENTHS) / TENTHS;
}

/** The median of `values[0, count)`, which it sorts. Allocates nothing. @param count 1 or more */
export function medianOf(values: Float64Array, count: number): number {
	for (let i = 1; i < count; i++) {
		const value = values[i];
		let at = i;
		for (; at > 0 && values[at - 1] > value; at--) values[at] = values[at - 1];
		values[at] = value;
	}
	const middle = count >> 1;
	return (count & 1) === 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/**
 * Isotonic regression: the non-decreasing values with the least squared distance from the readings. Neighbours that fall are
 * pooled at their mean until none does.
 */
export function risingFit(readings: ArrayLike<number>): number[] {
	const means: number[] = [];
	const counts: number[] = [];
	for (let i = 0; i < readings.length; i++) {
		let mean = readings[i];
		let count = 1;
		while (means.length > 0 && means[means.length - 1] > mean) {
			const before = counts.pop() as number;
			mean = ((means.pop() as number) * before + mean * count) / (before + count);
			count += before;
		}
		means.push(mean);
		counts.push(count);
	}
	return means.flatMap((mean, pool) => new Array<number>(counts[pool]).fill(mean));
}

/**
 * The table of a sweep. @param readings engagement percent for each factor 0..100
 * @returns 101 values 0..100 in tenths that never fall, undefined if their span is below `SPAN_MIN_PERCENT`
 */
export function tableOf(readings: ArrayLike<number>): readonly number[] | undefined {
	const table = risingFit(readings).map((percent) => inTenths(Math.min(100, Math.max(0, percent))));
	return table[table.length - 1] - table[0] < SPAN_MIN_PERCENT ? undefined : table;
}
