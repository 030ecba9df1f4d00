/** Map and curves as short texts: how earlier states lie on flash. The same text is the same content. */

import type { LockCurve, LockMap } from "../lock/tuning.js";
import { ofWholeNumbers } from "../text/numbers.js";

/** `speeds pedals cells`, each with commas between its numbers. Pure. */
export function textOfMap({ speedBinsKmh, pedalBinsPercent, cells }: LockMap): string {
	return `${textOf(speedBinsKmh)} ${textOf(pedalBinsPercent)} ${textOf(cells)}`;
}

/** `x lock`, each with commas between its numbers. Pure. */
export function textOfCurve({ x, lockPercent }: LockCurve): string {
	return `${textOf(x)} ${textOf(lockPercent)}`;
}

function textOf(numbers: readonly number[]): string {
	return ofWholeNumbers(numbers) ?? `${numbers}`;
}
