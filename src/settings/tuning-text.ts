/** Map and curves as short texts: how earlier states lie on flash. The same text is the same content. */

import type { LockCurve, LockMap } from "../lock/tuning.js";

/** `speeds pedals cells`, each with commas between its numbers. Pure. */
export function textOfMap({ speedBinsKmh, pedalBinsPercent, cells }: LockMap): string {
	return `${speedBinsKmh} ${pedalBinsPercent} ${cells}`;
}

/** `x lock`, each with commas between its numbers. Pure. */
export function textOfCurve({ x, lockPercent }: LockCurve): string {
	return `${x} ${lockPercent}`;
}
