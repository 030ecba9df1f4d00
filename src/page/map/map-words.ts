/** Values of maps, for people. */

import { shownSpeed, speedText } from "../state/speed";
import { T } from "../texts";
import type { Axis } from "./edit";

/** A difference, with its sign. */
export function signed(by: number): string {
	return `${by > 0 ? "+" : "−"}${Math.abs(by)}`;
}

/** A value of an axis in the driver's unit. */
export function shownBin(axis: Axis, bin: number): number {
	return axis === "speedBins" ? shownSpeed(bin) : bin;
}

/** The same with its unit. */
export function binText(axis: Axis, bin: number): string {
	return axis === "speedBins" ? speedText(bin) : `${bin} ${T.units.percent}`;
}
