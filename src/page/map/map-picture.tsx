/** A map as a picture, where the car is on a map, and where it has been. */

import type { ComponentChildren } from "preact";
import { FULL_THROTTLE_PERCENT } from "../../lock/gates.js";
import { placeOnAxis } from "../../lock/interpolate.js";
import { stale, telemetry } from "../net/live";
import type { LockMap } from "../net/types";
import { firstSince, runs, type Sample, samples } from "../state/samples";
import { status } from "../state/status";
import { useBeat, useStore } from "../state/store";
import { columnOf, heat, type Layout, LYING, rowOf } from "./layout";

interface PictureProps {
	readonly map: LockMap;
	readonly label: string;
	readonly layout?: Layout;
	/** Drawn over it, where a cell is 1 x 1. */
	readonly children?: ComponentChildren;
}

/** A rectangle for each cell, in the colour of its lock. */
export function MapPicture({ map: { lockTable }, label, layout: { perLine, lines, cellOf } = LYING, children }: PictureProps) {
	return (
		<svg class="map-picture" viewBox={`0 0 ${perLine} ${lines}`} preserveAspectRatio="none" role="img" aria-label={label}>
			{Array.from({ length: lines * perLine }, (_, i) => {
				const [line, place] = [Math.floor(i / perLine), i % perLine];
				const cell = cellOf(line, place);
				const fill = `var(--${heat(lockTable[rowOf(cell)]![columnOf(cell)]!)})`;
				// wider than the cell: no seam shows
				return <rect key={i} x={place} y={line} width={1.02} height={1.02} style={{ fill }} />;
			})}
			{children}
		</svg>
	);
}

interface Props {
	readonly map: LockMap;
	readonly layout: Layout;
	/** Cells that stand before the first one: those of an axis. */
	readonly lead: 0 | 1;
}

/** The trail follows the point without a visible gap, and is not drawn ten times a second. */
const TRAIL_DRAW_MS = 500;

/** The last 30 s as a fading line. */
export function LiveTrail({ map, layout: { upright, lines, perLine }, lead }: Props) {
	useBeat(TRAIL_DRAW_MS);
	return (
		<svg class="heat-trail" viewBox={`0 0 ${perLine + lead} ${lines + lead}`} preserveAspectRatio="none" aria-hidden="true">
			<Trail map={map} drive={samples} untilMs={performance.now()} upright={upright} lead={lead} />
		</svg>
	);
}

/** The share of the picture, in percent, at which a place on an axis lies. */
const share = (place: number, cells: number, lead: number): string => `${((place + 0.5 + lead) / (cells + lead)) * 100}%`;

/** Hatched where the gate of the map is closed: below its speed, until the pedal is at full throttle. */
export function ClosedGate({ map, layout: { upright, lines, perLine }, lead }: Props) {
	const belowKmh = useStore(status)?.disengageUnderSpeed.map ?? 0;
	if (belowKmh === 0) return null;
	const column = placeOnAxis(map.speedBins, belowKmh);
	const row = placeOnAxis(map.throttleBins, FULL_THROTTLE_PERCENT);
	const [x, y] = upright ? [row, column] : [column, row];
	const [left, top] = [share(-0.5, perLine, lead), share(-0.5, lines, lead)];
	const size = { width: `calc(${share(x, perLine, lead)} - ${left})`, height: `calc(${share(y, lines, lead)} - ${top})` };
	return <span class="closed-gate" style={{ left, top, ...size }} aria-hidden="true" />;
}

/** A mark where speed and pedal are now, dimmed when they are stale; nothing while one is not valid. */
export function OperatingPoint(props: Props) {
	const now = useStore(telemetry);
	const old = useStore(stale);
	if (now === undefined || !now.speedValid || !now.throttleValid) return null;
	return <Point {...props} speedKmh={now.speed} pedalPercent={now.throttle} old={old} />;
}

/** A mark at a speed and a pedal. */
export function Point(props: Props & Pick<Sample, "speedKmh" | "pedalPercent"> & { old?: boolean }) {
	const { map, layout, lead, speedKmh, pedalPercent, old = false } = props;
	const { upright, lines, perLine } = layout;
	const column = placeOnAxis(map.speedBins, speedKmh);
	const row = placeOnAxis(map.throttleBins, pedalPercent);
	const [x, y] = upright ? [row, column] : [column, row];
	const style = { left: share(x, perLine, lead), top: share(y, lines, lead) };
	return <span class={`point${old ? " old" : ""}`} style={style} aria-hidden="true" />;
}

/** How much of the drive the trail shows. */
const TRAIL_MS = 30_000;
/** Each is drawn in one go, fainter than the one after it. */
const STEPS = 6;

/** The trail that ends at `untilMs`, for an `<svg>` in which a cell is 1 x 1. */
export function Trail(props: { map: LockMap; drive: readonly Sample[]; untilMs: number; upright: boolean; lead: number }) {
	const { map, drive, untilMs, upright, lead } = props;
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
