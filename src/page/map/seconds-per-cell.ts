/** Which cells does this road use? Seconds per cell of the drive that the page remembers, counted anew each second. */

import { useEffect, useState } from "preact/hooks";
import type { LockMap } from "../net/types";
import { GAP_MS, samples } from "../state/samples";
import { secondsPerCell } from "./place";

const PERIOD_MS = 1000;

/** @returns undefined while it is not wanted */
export function useSecondsPerCell(map: LockMap, wanted: boolean): readonly number[] | undefined {
	const [, redraw] = useState(0);
	useEffect(() => {
		if (!wanted) return;
		const timer = setInterval(() => redraw((count) => count + 1), PERIOD_MS);
		return () => clearInterval(timer);
	}, [wanted]);
	return wanted ? secondsPerCell(map, samples, GAP_MS) : undefined;
}
