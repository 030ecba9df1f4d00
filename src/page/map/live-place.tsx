/** Where the car is on the map, and where it has been: drawn over the heat map. */

import { placeOnAxis } from "../../lock/interpolate.js";
import { stale, telemetry } from "../net/live";
import type { LockMap } from "../net/types";
import { samples } from "../state/samples";
import { useStore } from "../state/store";
import type { Layout } from "./heat-layout";
import { Trail } from "./trail";

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
