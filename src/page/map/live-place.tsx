/** Where the car is on a map, and where it has been: drawn over the heat map or a picture of the map. */

import { placeOnAxis } from "../../lock/interpolate.js";
import { stale, telemetry } from "../net/live";
import type { LockMap } from "../net/types";
import { firstSince, runs, type Sample, samples } from "../state/samples";
import { useStore } from "../state/store";
import type { Layout } from "./heat-selection";

interface Props {
	readonly map: LockMap;
	readonly layout: Layout;
}

/** The last 30 s as a fading line, drawn anew with each telemetry. */
export function LiveTrail({ map, layout: { upright, lines, perLine } }: Props) {
	useStore(telemetry);
	return (
		// one more cell in each direction: the axes
		<svg class="heat-trail" viewBox={`0 0 ${perLine + 1} ${lines + 1}`} preserveAspectRatio="none" aria-hidden="true">
			<Trail map={map} drive={samples} untilMs={performance.now()} upright={upright} lead={1} />
		</svg>
	);
}

/** A mark where speed and pedal are now, dimmed when they are stale; nothing while one of them is not valid. */
export function OperatingPoint({ map, layout: { upright, lines, perLine } }: Props) {
	const now = useStore(telemetry);
	const old = useStore(stale);
	if (now === undefined || !now.speedValid || !now.throttleValid) return null;
	const column = placeOnAxis(map.speedBins, now.speed);
	const row = placeOnAxis(map.throttleBins, now.throttle);
	const [x, y] = upright ? [row, column] : [column, row];
	// one more cell in each direction: the axes
	const style = { left: `${((x + 1.5) / (perLine + 1)) * 100}%`, top: `${((y + 1.5) / (lines + 1)) * 100}%` };
	return <span class={`point${old ? " old" : ""}`} style={style} aria-hidden="true" />;
}

/** Chosen: a bend or two, with what was before; a longer one covers the map. README.md, "What it does", names it, too. */
const TRAIL_MS = 30_000;
/** Each is drawn in one go, fainter than the one after it. Chosen: 5 s each. Half fades in leaps, twice is drawn twice as often for the same line. */
const STEPS = 6;

interface TrailProps {
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
export function Trail({ map, drive, untilMs, upright, lead }: TrailProps) {
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
