/** A map as a small picture: speed across, pedal down. */

import type { ComponentChildren } from "preact";
import type { LockMap } from "../net/types";
import { heat } from "./heat";

/** @param children drawn over it, where a cell is 1 x 1 */
export function MapPicture({ map, label, children }: { map: LockMap; label: string; children?: ComponentChildren }) {
	const [columns, rows] = [map.speedBins.length, map.throttleBins.length];
	return (
		<svg class="map-picture" viewBox={`0 0 ${columns} ${rows}`} preserveAspectRatio="none" role="img" aria-label={label}>
			{map.lockTable.map((line, row) =>
				line.map((lock, column) => (
					// wider than the cell: no seam shows
					<rect
						key={row * columns + column}
						x={column}
						y={row}
						width={1.02}
						height={1.02}
						style={{ fill: `var(--${heat(lock)})` }}
					/>
				)),
			)}
			{children}
		</svg>
	);
}
