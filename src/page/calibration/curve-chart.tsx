/** A calibration's curves as a square drawing with percent on both axes, and a sweep that runs. */

import type { ComponentChildren } from "preact";
import { useAwake } from "../full/full-page";
import type { Learn } from "../net/types";
import { T } from "../texts";

const SIZE = 480;
const LEFT = 64;
const BOTTOM = 64;
const TOP = 24;
const RIGHT = 24;
const MARKS = [0, 25, 50, 75, 100];
const x = (percent: number): number => LEFT + (percent / 100) * (SIZE - LEFT - RIGHT);
const y = (percent: number): number => TOP + (1 - percent / 100) * (SIZE - TOP - BOTTOM);

type Points = readonly (readonly [across: number, up: number])[];
const line = (points: Points): string =>
	points.map(([across, up], i) => `${i === 0 ? "M" : "L"}${x(across).toFixed(1)} ${y(up).toFixed(1)}`).join("");

/** @param props across: words for the axis; behind: a broken line behind the curve; children stand below it */
export function CurveChart(props: {
	label: string;
	across: string;
	points: Points;
	behind?: Points;
	children?: ComponentChildren;
}) {
	const { label, across, points, behind = [], children } = props;
	return (
		<figure class="following">
			<svg class="chart" viewBox={`0 0 ${SIZE} ${SIZE}`} role="img" aria-label={label}>
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
					{across}
				</text>
				<text transform={`translate(16 ${(TOP + SIZE - BOTTOM) / 2}) rotate(-90)`} text-anchor="middle">
					{T.calibration.reached}
				</text>
				<path class="chart-stored" d={line(behind)} />
				<path class="chart-curve" d={line(points)} />
			</svg>
			{children !== undefined && <figcaption class="muted">{children}</figcaption>}
		</figure>
	);
}

/** @param props state undefined: nothing was told yet */
export function Progress({ state, onCancel }: { state: Learn | undefined; onCancel: () => void }) {
	useAwake();
	const C = T.calibration;
	const { progress = 0, currentEng = 0, measured = [] } = state ?? {};
	return (
		<>
			<progress aria-label={C.progress} value={progress} max={100} />
			<p role="status">{C.step(progress, currentEng)}</p>
			<button type="button" onClick={onCancel}>
				{C.cancel}
			</button>
			<CurveChart
				label={C.growing(measured.length)}
				across={C.sent}
				points={measured.map((percent, factor) => [factor, percent] as const)}
			/>
			<p class="muted">{C.stay}</p>
		</>
	);
}
