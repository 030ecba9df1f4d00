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

/** @returns with one more point in the widest gap, on the line, or behind the last */
export function withOneMore(points: readonly CurvePoint[], largest: number): CurvePoint[] {
	const last = points[points.length - 1]!;
	let at = points.length;
	let widest = Math.min(largest - last.x, largest / 5);
	let added: CurvePoint = { x: Math.round(last.x + widest), lock: last.lock };
	for (let i = 1; i < points.length; i++) {
		const [before, after] = [points[i - 1]!, points[i]!];
		if (after.x - before.x <= widest) continue;
		widest = after.x - before.x;
		at = i;
		added = { x: Math.round((before.x + after.x) / 2), lock: Math.round((before.lock + after.lock) / 2) };
	}
	return [...points.slice(0, at), added, ...points.slice(at)];
}
