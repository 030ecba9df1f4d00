/** The three curves: what each is over, and the driver's changes to it. */

import { get, post } from "../net/request";
import type { CurveName, CurvePoint } from "../net/types";
import { Draft } from "../state/draft";
import { kmhOf, shownSpeed, speedUnit } from "../state/speed";
import { T } from "../texts";
import { LARGEST } from "./chart-frame";

/** How values across are shown and typed. */
export interface Scale {
	readonly unit: () => string;
	/** Whole. */
	readonly shown: (value: number) => number;
	readonly kept: (shown: number) => number;
}

/** What the page knows of one of the curves. */
export interface Curve {
	readonly name: CurveName;
	readonly scale: Scale;
	/** Of the values across, as they are kept. */
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
		largest: LARGEST[name],
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

/** In the order in which they are offered. Values across are kept in km/h, percent and 1/min. */
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
