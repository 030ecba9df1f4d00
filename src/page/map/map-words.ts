/** How values of maps are shown, and names of stored ones. Pure. */

import { shownSpeed, speedText } from "../state/speed";
import { T } from "../texts";
import type { Axis } from "./layout";

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

/** Name of a lock percentage's colour among the CSS variables: eleven steps. @param lockPercent 0..100 */
export function heat(lockPercent: number): string {
	return `heat-${Math.min(10, Math.round(lockPercent / 10))}`;
}

/**
 * As `pathForName` of the controller's `map-path.ts` has it, which the page can't import: a test compares the
 * two.
 */
export function storedName(text: string): string {
	// each byte of a character that is not kept becomes one "_"
	const bytesOf = (character: string): number => new TextEncoder().encode(character).length;
	return text
		.replace(/^ +| +$/g, "")
		.replace(/[^\w .-]/gu, (character) => "_".repeat(bytesOf(character)))
		.replace(/\.json$/, "");
}
