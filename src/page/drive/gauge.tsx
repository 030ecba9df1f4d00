/** Lock asked for and engagement, as a gauge and over the last seconds. */

import { useEffect, useRef } from "preact/hooks";
import { telemetry } from "../net/live";
import { samples } from "../state/samples";
import { theme } from "../state/theme";
import { T } from "../texts";
import { drawTimeChart, type Line } from "../ui/time-chart";

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

/** Chosen: a bend or an overtaking, seen whole; three marks of 5 s fit below it on a phone. The text T.drive.trace names it, too. */
const TRACE_MS = 15_000;

const LINES: readonly Line[] = [
	{ value: ({ engagedPercent }) => engagedPercent, largest: 100, colour: "--engaged", ground: "--engaged-soft", widthPx: 2 },
	{ value: ({ requestedPercent }) => requestedPercent, largest: 100, colour: "--requested", widthPx: 2.5 },
];

function draw(canvas: HTMLCanvasElement): void {
	const toMs = performance.now();
	const marks = [15, 10, 5].map((seconds) => ({ atMs: toMs - seconds * 1000, text: `-${seconds} ${T.units.seconds}` }));
	const now = { atMs: toMs, text: T.drive.traceNow };
	drawTimeChart(canvas, { drive: samples, fromMs: toMs - TRACE_MS, toMs, lines: LINES, marks: [...marks, now] });
}

/** A canvas of these 15 s, drawn anew with each telemetry, and twice a second without any. */
export function Trace() {
	const canvas = useRef<HTMLCanvasElement>(null);
	useEffect(() => {
		let asked = 0;
		const ask = (): void => {
			asked ||= requestAnimationFrame(() => {
				asked = 0;
				if (canvas.current !== null) draw(canvas.current);
			});
		};
		ask();
		const ends = [telemetry.follow(ask), theme.follow(ask)];
		// without news the trace moves on, and shows the gap
		const timer = setInterval(ask, 500);
		addEventListener("resize", ask);
		return () => {
			for (const end of ends) end();
			clearInterval(timer);
			removeEventListener("resize", ask);
			cancelAnimationFrame(asked);
		};
	}, []);
	return <canvas class="trace" ref={canvas} role="img" aria-label={T.drive.trace} />;
}
