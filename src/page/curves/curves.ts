/** The three curves: what each is over, and changes to its points. */

import { CURVE_X_MAX } from "../../lock/tuning.js";
import { get, post } from "../net/request";
import type { CurveName, CurvePoint } from "../net/types";
import { Draft } from "../state/draft";
import { kmhOf, shownSpeed, speedUnit } from "../state/speed";
import { T } from "../texts";

/** How values across are shown and typed. */
export interface Scale {
	readonly unit: () => string;
	/** Whole. */
	readonly shown: (value: number) => number;
	readonly kept: (shown: number) => number;
}

/** One of the curves. */
export interface Curve {
	readonly name: CurveName;
	readonly scale: Scale;
	readonly largest: number;
	readonly draft: Draft<readonly CurvePoint[]>;
}

function curve(name: CurveName, scale: Scale): Curve {
	const path = `/api/curve/${name}`;
	const read = async (before: number): Promise<readonly CurvePoint[]> =>
		(await get<{ points: CurvePoint[] }>(`${path}?before=${before}`)).points.map(({ x, lock }) => ({ x, lock }));
	return {
		name,
		scale,
		largest: CURVE_X_MAX[name],
		draft: new Draft({
			name,
			revision: `${name}Curve`,
			read: () => read(0),
			earlier: read,
			fits: (points) => points.length > 0,
			write: (points, revision) => post(path, { points, revision }),
		}),
	};
}

const same = (value: number): number => value;

/** The curves, in the order in which they are offered. Values across are kept in km/h, percent and 1/min. */
export const CURVES: readonly Curve[] = [
	curve("speed", { unit: () => speedUnit, shown: shownSpeed, kept: kmhOf }),
	curve("throttle", { unit: () => T.units.percent, shown: same, kept: same }),
	curve("rpm", { unit: () => T.units.rpm, shown: same, kept: same }),
];

/** Its points, for people. */
export function curveText(name: CurveName, points: readonly CurvePoint[]): string {
	const { scale } = CURVES.find((curve) => curve.name === name)!;
	return points.map(({ x, lock }) => `${scale.shown(x)} ${scale.unit()}: ${lock} %`).join(", ");
}

/** Where a point may lie between its neighbours, which are at least 1 away. */
function between(before: CurvePoint | undefined, after: CurvePoint | undefined, largest: number): [least: number, most: number] {
	return [before === undefined ? 0 : before.x + 1, after === undefined ? largest : after.x - 1];
}

const clamped = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, Math.round(value)));

/** The points with one moved, held between its neighbours and within its range. */
export function moved(
	points: readonly CurvePoint[],
	index: number,
	x: number,
	lockPercent: number,
	largest: number,
): CurvePoint[] {
	const [least, most] = between(points[index - 1], points[index + 1], largest);
	return points.map((point, i) =>
		// by the interface its neighbours may be closer: then it stays where it is
		i === index ? { x: least > most ? point.x : clamped(x, least, most), lock: clamped(lockPercent, 0, 100) } : point,
	);
}

/** The points with one more between its neighbours, and its index; undefined: there is no whole number. */
export function withPointAt(
	points: readonly CurvePoint[],
	x: number,
	lockPercent: number,
	largest: number,
): { points: CurvePoint[]; index: number } | undefined {
	const behind = points.findIndex((point) => point.x > x);
	const index = behind < 0 ? points.length : behind;
	const [least, most] = between(points[index - 1], points[index], largest);
	if (least > most) return undefined;
	const added = { x: clamped(x, least, most), lock: clamped(lockPercent, 0, 100) };
	return { points: [...points.slice(0, index), added, ...points.slice(index)], index };
}

/** The points with one more in the widest gap or behind the last; before the first where nothing else fits. */
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
