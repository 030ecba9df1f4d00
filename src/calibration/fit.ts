/** From readings of a sweep to a table that can be used. Pure. Source: docs/control-and-can.md 5.1. */

/**
 * Readings that rise by less than this, percent, tell nothing about the coupling.
 * Source: docs/control-and-can.md 5.1.
 */
export const SPAN_MIN_PERCENT = 50;

/** No coupling reports finer, and a stored table is the shorter. */
const TENTHS = 10;

/** A percentage of a table. */
export function inTenths(percent: number): number {
	// not Math.round: on XS it leaves the smallest numbers, such as 1e-310, as they are
	return Math.floor(percent * TENTHS + 0.5) / TENTHS;
}

/** The lower median of an even number of values, which it sorts. Allocates nothing. */
export function lowerMedianOf(values: Float64Array): number {
	for (let i = 1; i < values.length; i++) {
		const value = values[i];
		let at = i;
		for (; at > 0 && values[at - 1] > value; at--) values[at] = values[at - 1];
		values[at] = value;
	}
	return values[values.length / 2 - 1];
}

/**
 * A line that goes on in even steps to 100 % at full factor, over what the coupling could not report: it says
 * only that it is engaged by as much as its report can say, or more. A flat end would have full lock ask for
 * the factor at which the report ends.
 * @param line through the readings below that @param steps how many follow
 */
export function toTheEnd(line: readonly number[], steps: number): readonly number[] {
	const last = line.length === 0 ? 0 : line[line.length - 1];
	// cut to tenths, not rounded: 100 % belongs to full factor alone
	const cut = (percent: number): number => Math.floor(percent * TENTHS) / TENTHS;
	return [
		...line,
		...Array.from({ length: steps }, (_, step) => Math.max(last, cut(last + ((100 - last) * (step + 1)) / steps))),
	];
}

/**
 * The table of a sweep. @param line through its readings: engagement percent for each factor 0..100, which
 * never falls
 * @returns 101 values 0..100 in tenths that never fall, undefined if their span is below `SPAN_MIN_PERCENT`
 */
export function tableOf(line: readonly number[]): readonly number[] | undefined {
	const table = line.map((percent) => inTenths(Math.min(100, Math.max(0, percent))));
	return table[table.length - 1] - table[0] < SPAN_MIN_PERCENT ? undefined : table;
}
