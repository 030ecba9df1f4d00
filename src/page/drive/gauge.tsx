/** Lock requested against lock engaged, 0..100 %, on an arc of 240 degrees. */

import { T } from "../texts";

const START_DEG = 150;
const SWEEP_DEG = 240;
const RADIUS = 84;

function point(percent: number, radius: number): string {
	const angleRad = ((START_DEG + (percent / 100) * SWEEP_DEG) * Math.PI) / 180;
	return `${(100 + radius * Math.cos(angleRad)).toFixed(2)} ${(100 + radius * Math.sin(angleRad)).toFixed(2)}`;
}

function arc(fromPercent: number, toPercent: number, radius: number): string {
	const large = ((toPercent - fromPercent) / 100) * SWEEP_DEG > 180 ? 1 : 0;
	return `M${point(fromPercent, radius)}A${radius} ${radius} 0 ${large} 1 ${point(toPercent, radius)}`;
}

interface Props {
	readonly requestedPercent: number | undefined;
	/** Undefined if the coupling doesn't report it. */
	readonly engagedPercent: number | undefined;
}

/** A dial of 0 to 100 %: an arc of what is engaged, a needle at what is asked for, and both as numbers. */
export function Gauge({ requestedPercent, engagedPercent }: Props) {
	const needlePercent = requestedPercent === undefined ? undefined : Math.min(100, Math.max(0, requestedPercent));
	const arcPercent = engagedPercent === undefined ? undefined : Math.min(100, Math.max(0, engagedPercent));
	const askText = needlePercent === undefined ? "–" : String(Math.round(needlePercent));
	const isText = arcPercent === undefined ? "–" : String(Math.round(arcPercent));
	return (
		<svg class="gauge" viewBox="0 0 200 158" role="img" aria-label={T.drive.gauge(askText, isText)}>
			<path class="gauge-track" d={arc(0, 100, RADIUS)} />
			{arcPercent !== undefined && arcPercent > 0 && <path class="gauge-engaged" d={arc(0, arcPercent, RADIUS)} />}
			{[0, 25, 50, 75, 100].map((percent) => (
				<path key={percent} class="gauge-tick" d={`M${point(percent, 70)}L${point(percent, 66)}`} />
			))}
			{needlePercent !== undefined && (
				<path class="gauge-requested" d={`M${point(needlePercent, 97)}L${point(needlePercent, 71)}`} />
			)}
			<text class="gauge-value" x="100" y="96" text-anchor="middle">
				{askText}
				<tspan class="gauge-unit" dx="2">
					%
				</tspan>
			</text>
			<text class="gauge-label" x="100" y="114" text-anchor="middle">
				{T.drive.requested}
			</text>
			<text class="gauge-second" x="100" y="146" text-anchor="middle">
				{`${T.drive.engaged} ${isText} %`}
			</text>
		</svg>
	);
}
