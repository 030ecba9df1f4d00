/** Which cells does this road use? Seconds per cell of the drive that the page remembers, counted anew each second. */

import type { LockMap } from "../net/types";
import { GAP_MS, samples } from "../state/samples";
import { useBeat } from "../ui/beat";
import { secondsPerCell } from "./place";

/** What is shown is in whole seconds. */
const PERIOD_MS = 1000;

/** @returns undefined while it is not wanted */
export function useSecondsPerCell(map: LockMap, wanted: boolean): readonly number[] | undefined {
	useBeat(PERIOD_MS, wanted);
	return wanted ? secondsPerCell(map, samples, GAP_MS) : undefined;
}
