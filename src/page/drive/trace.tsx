/** Lock asked for and engagement over the last seconds. */

import { useEffect, useRef } from "preact/hooks";
import { telemetry } from "../net/live";
import { samples } from "../state/samples";
import { theme } from "../state/theme";
import { T } from "../texts";
import { drawTimeChart, type Line } from "../ui/time-chart";

/** Length of the trace. The text T.drive.trace names it, too. */
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
