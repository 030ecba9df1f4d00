/** How the coupling follows what is asked of it, as a drawing: asked across, reached upwards. */

import type { LearnTable } from "../net/types";
import { T } from "../texts";
import { following } from "./following";

const SIZE = 480;
const LEFT = 64;
const BOTTOM = 64;
const TOP = 24;
const RIGHT = 24;
const MARKS = [0, 25, 50, 75, 100];
const x = (percent: number): number => LEFT + (percent / 100) * (SIZE - LEFT - RIGHT);
const y = (percent: number): number => TOP + (1 - percent / 100) * (SIZE - TOP - BOTTOM);
const line = (points: readonly (readonly [number, number])[]): string =>
	points.map(([asked, reached], i) => `${i === 0 ? "M" : "L"}${x(asked).toFixed(1)} ${y(reached).toFixed(1)}`).join("");

/** @param before the table before this one, undefined = the guess; drawn as a broken line */
export function FollowingChart({ learned: { table }, before }: { learned: LearnTable; before: readonly number[] | undefined }) {
	const C = T.calibration;
	return (
		<figure class="following">
			<svg class="chart" viewBox={`0 0 ${SIZE} ${SIZE}`} role="img" aria-label={C.chart(table[100] ?? 0)}>
				{MARKS.map((percent) => (
					<g key={percent}>
						<path class="chart-line" d={`M${LEFT} ${y(percent)}H${SIZE - RIGHT}M${x(percent)} ${TOP}V${SIZE - BOTTOM}`} />
						<text x={LEFT - 10} y={y(percent) + 5} text-anchor="end">
							{percent}
						</text>
						<text x={x(percent)} y={SIZE - BOTTOM + 24} text-anchor="middle">
							{percent}
						</text>
					</g>
				))}
				<text x={(LEFT + SIZE - RIGHT) / 2} y={SIZE - 8} text-anchor="middle">
					{C.asked}
				</text>
				<text transform={`translate(16 ${(TOP + SIZE - BOTTOM) / 2}) rotate(-90)`} text-anchor="middle">
					{C.reached}
				</text>
				<path class="chart-stored" d={line(following(table, before))} />
				<path class="chart-curve" d={line(following(table, table))} />
			</svg>
			<figcaption class="muted">{before === undefined ? C.beforeGuess : C.beforeTable}</figcaption>
		</figure>
	);
}
