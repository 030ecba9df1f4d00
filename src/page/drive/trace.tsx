/**
 * The last 15 s of lock requested and engaged, drawn on a canvas: two lines with a fixed scale, so no chart library is carried.
 */

import { useEffect, useRef } from "preact/hooks";
import { type Sample, samples, TRACE_MS, telemetry } from "../net/live";
import { theme } from "../state/theme";
import { T } from "../texts";

/** A longer pause between samples is shown as a gap: nobody knows what was. */
const GAP_MS = 1500;
const PAD_LEFT = 26;
const PAD_BOTTOM = 14;

function draw(canvas: HTMLCanvasElement): void {
	const scale = devicePixelRatio || 1;
	const { clientWidth: width, clientHeight: height } = canvas;
	if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
		canvas.width = Math.round(width * scale);
		canvas.height = Math.round(height * scale);
	}
	const pen = canvas.getContext("2d");
	if (pen === null || width === 0) return;
	const style = getComputedStyle(canvas);
	const colour = (name: string): string => style.getPropertyValue(name).trim();
	pen.setTransform(scale, 0, 0, scale, 0, 0);
	pen.clearRect(0, 0, width, height);
	const bottom = height - PAD_BOTTOM;
	const top = 6;
	const nowMs = performance.now();
	const x = (atMs: number): number => PAD_LEFT + (1 - (nowMs - atMs) / TRACE_MS) * (width - PAD_LEFT - 4);
	const y = (percent: number): number => bottom - (Math.min(100, Math.max(0, percent)) / 100) * (bottom - top);

	pen.lineWidth = 1;
	pen.strokeStyle = colour("--line");
	pen.fillStyle = colour("--muted");
	pen.font = "11px system-ui, sans-serif";
	pen.textAlign = "right";
	pen.textBaseline = "middle";
	for (const percent of [0, 50, 100]) {
		pen.beginPath();
		pen.moveTo(PAD_LEFT, y(percent));
		pen.lineTo(width, y(percent));
		pen.stroke();
		pen.fillText(String(percent), PAD_LEFT - 5, y(percent));
	}
	pen.textBaseline = "alphabetic";
	for (const seconds of [15, 10, 5]) {
		pen.textAlign = seconds === 15 ? "left" : "center";
		pen.fillText(`-${seconds} s`, x(nowMs - seconds * 1000), height - 2);
	}
	pen.textAlign = "right";
	pen.fillText(T.drive.traceNow, width - 2, height - 2);

	const seen = samples.filter(({ atMs }) => nowMs - atMs <= TRACE_MS);
	const engaged = (sample: Sample): number => sample.engaged;
	const requested = (sample: Sample): number => sample.requested;
	pen.lineJoin = "round";
	pen.fillStyle = colour("--engaged-soft");
	for (const run of runs(seen, engaged)) {
		pen.beginPath();
		pen.moveTo(x(run[0]!.atMs), bottom);
		for (const sample of run) pen.lineTo(x(sample.atMs), y(sample.engaged));
		pen.lineTo(x(run[run.length - 1]!.atMs), bottom);
		pen.fill();
	}
	for (const [value, name, lineWidth] of [
		[engaged, "--engaged", 2],
		[requested, "--requested", 2.5],
	] as const) {
		pen.strokeStyle = colour(name);
		pen.lineWidth = lineWidth;
		for (const run of runs(seen, value)) {
			pen.beginPath();
			for (const sample of run) pen.lineTo(x(sample.atMs), y(value(sample)));
			pen.stroke();
		}
	}
}

/** Samples without a gap between them and with a value. */
function runs(all: readonly Sample[], value: (sample: Sample) => number): Sample[][] {
	const found: Sample[][] = [];
	let last: Sample | undefined;
	for (const sample of all) {
		if (Number.isNaN(value(sample))) last = undefined;
		else {
			if (last === undefined || sample.atMs - last.atMs > GAP_MS) found.push([]);
			found[found.length - 1]!.push(sample);
			last = sample;
		}
	}
	return found;
}

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
