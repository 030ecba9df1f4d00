/** A map as a picture: what it asks for, without numbers. */

import type { ComponentChildren } from "preact";
import type { LockMap } from "../net/types";
import { columnOf, type Layout, LYING, rowOf } from "./layout";
import { heat } from "./map-words";

interface Props {
	readonly map: LockMap;
	readonly label: string;
	readonly layout?: Layout;
	/** Drawn over it, where a cell is 1 x 1. */
	readonly children?: ComponentChildren;
}

/** A rectangle for each cell, in the colour of its lock. */
export function MapPicture({ map: { lockTable }, label, layout: { perLine, lines, cellOf } = LYING, children }: Props) {
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
