/** Changes to a curve: pure functions of its points, which ascend. */

import type { CurvePoint } from "../net/types";

/** @returns with one point moved, held between its neighbours and within its range */
export function moved(
	points: readonly CurvePoint[],
	index: number,
	x: number,
	lockPercent: number,
	largest: number,
): CurvePoint[] {
	const least = index === 0 ? 0 : points[index - 1]!.x + 1;
	const most = index === points.length - 1 ? largest : points[index + 1]!.x - 1;
	const held = { x: Math.min(most, Math.max(least, Math.round(x))), lock: Math.min(100, Math.max(0, Math.round(lockPercent))) };
	return points.map((point, i) => (i === index ? held : point));
}

/**
 * @param points one to eleven
 * @returns with one more point in the widest gap, on the line, or behind the last; in front of the first
 * where nothing else has room
 */
export function withOneMore(points: readonly CurvePoint[], largest: number): CurvePoint[] {
	const last = points[points.length - 1]!;
	const behind = Math.min(largest - last.x, largest / 5);
	// in front of the first, unless there is another place
	let at = 0;
	let added: CurvePoint = { x: Math.round(Math.max(0, points[0]!.x - largest / 5)), lock: points[0]!.lock };
	// points that are more than 1 apart have a whole number between them
	let widest = 1;
	if (behind >= 1) {
		at = points.length;
		added = { x: Math.round(last.x + behind), lock: last.lock };
		widest = behind;
	}
	for (let i = 1; i < points.length; i++) {
		const [before, after] = [points[i - 1]!, points[i]!];
		if (after.x - before.x <= widest) continue;
		widest = after.x - before.x;
		at = i;
		added = { x: Math.round((before.x + after.x) / 2), lock: Math.round((before.lock + after.lock) / 2) };
	}
	return [...points.slice(0, at), added, ...points.slice(at)];
}
