/** The drive's path over a map, fading the older it is. */

import { placeOnAxis } from "../../lock/interpolate.js";
import type { LockMap } from "../net/types";
import { firstSince, runs, type Sample } from "../state/samples";

/** Chosen: a bend or two, with what was before; a longer one covers the map. README.md, "What it does", names it, too. */
const TRAIL_MS = 30_000;
/** Each is drawn in one go, fainter than the one after it. Chosen: 5 s each. Half fades in leaps, twice is drawn twice as often for the same line. */
const STEPS = 6;

interface Props {
	readonly map: LockMap;
	readonly drive: readonly Sample[];
	/** Ends here, and began `TRAIL_MS` before. */
	readonly untilMs: number;
	/** Pedal across, speed down. */
	readonly upright: boolean;
	/** Cells that stand before the first one: those of an axis. */
	readonly lead: number;
}

/** For an `<svg>` in which a cell is 1 x 1. */
export function Trail({ map, drive, untilMs, upright, lead }: Props) {
	const stepMs = TRAIL_MS / STEPS;
	const step = (stepsAgo: number): string => {
		const from = firstSince(drive, untilMs - stepsAgo * stepMs);
		// one sample more: the steps must meet
		const end = Math.min(drive.length, firstSince(drive, untilMs - (stepsAgo - 1) * stepMs) + 1);
		return runs(
			drive.slice(from, end),
			({ speedKmh }) => speedKmh,
			({ pedalPercent }) => pedalPercent,
		)
			.map((run) => `M${run.map((sample) => at(sample)).join("L")}`)
			.join("");
	};
	const at = ({ speedKmh, pedalPercent }: Sample): string => {
		const [x, y] = [placeOnAxis(map.speedBins, speedKmh), placeOnAxis(map.throttleBins, pedalPercent)];
		return (upright ? [y, x] : [x, y]).map((value) => (value + 0.5 + lead).toFixed(3)).join(" ");
	};
	return (
		<>
			{Array.from({ length: STEPS }, (_, i) => STEPS - i).map((stepsAgo) => {
				const d = step(stepsAgo);
				return (
					d !== "" && (
						<g key={stepsAgo} class="trail" opacity={(1 - (stepsAgo - 1) / STEPS) ** 1.5}>
							<path d={d} />
							<path d={d} />
						</g>
					)
				);
			})}
		</>
	);
}
