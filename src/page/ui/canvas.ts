/** Drawings on a canvas, and drags over them. A chart library would be half as large as the page. */

import { useRef } from "preact/hooks";
import { firstSince, runs, type Sample } from "../state/samples";

/** A line over all samples. */
export interface Line {
	/** NaN = unknown: a gap. */
	readonly value: (sample: Sample) => number;
	/** The value at the upper edge; 0 is at the lower one. */
	readonly largest: number;
	/** Names of CSS variables. */
	readonly colour: string;
	/** Colour of the area below the line. */
	readonly ground?: string;
	readonly widthPx: number;
	/** Lengths of dash and pause, px. */
	readonly dash?: readonly number[];
}

/** Samples from `fromMs` to `toMs`, and one more on each side. */
export interface TimeChart {
	readonly drive: readonly Sample[];
	readonly fromMs: number;
	readonly toMs: number;
	/** The first one gives the values beside the chart. */
	readonly lines: readonly Line[];
	readonly marks: readonly { readonly atMs: number; readonly text: string }[];
	readonly cursorMs?: number | undefined;
}

/** Margins, with space for what is written there: values on the left, times below. */
const LEFT_PX = 26;
const RIGHT_PX = 4;
const BOTTOM_PX = 14;
const TOP_PX = 6;

/** The moment at a place of the chart; what is beside the chart is its edge. */
export function momentAt(canvas: HTMLCanvasElement, { fromMs, toMs }: TimeChart, clientX: number): number {
	const { left, width } = canvas.getBoundingClientRect();
	const share = (clientX - left - LEFT_PX) / (width - LEFT_PX - RIGHT_PX);
	return fromMs + Math.min(1, Math.max(0, share)) * (toMs - fromMs);
}

/** Draws all of it anew, as large as the canvas is on the screen. */
export function drawTimeChart(canvas: HTMLCanvasElement, chart: TimeChart): void {
	const { drive, fromMs, toMs, lines, marks, cursorMs } = chart;
	const scale = devicePixelRatio || 1;
	const { clientWidth: widthPx, clientHeight: heightPx } = canvas;
	if (canvas.width !== Math.round(widthPx * scale) || canvas.height !== Math.round(heightPx * scale)) {
		canvas.width = Math.round(widthPx * scale);
		canvas.height = Math.round(heightPx * scale);
	}
	const pen = canvas.getContext("2d");
	if (pen === null || widthPx === 0) return;
	const style = getComputedStyle(canvas);
	const colour = (name: string): string => style.getPropertyValue(name).trim();
	pen.setTransform(scale, 0, 0, scale, 0, 0);
	pen.clearRect(0, 0, widthPx, heightPx);
	const bottomPx = heightPx - (marks.length > 0 ? BOTTOM_PX : TOP_PX);
	const rightPx = widthPx - RIGHT_PX;
	const x = (atMs: number): number => LEFT_PX + ((atMs - fromMs) / (toMs - fromMs)) * (rightPx - LEFT_PX);
	const y = (share: number): number => bottomPx - Math.min(1, Math.max(0, share)) * (bottomPx - TOP_PX);

	pen.lineWidth = 1;
	pen.strokeStyle = colour("--line");
	pen.fillStyle = colour("--muted");
	pen.font = "11px system-ui, sans-serif";
	pen.textAlign = "right";
	pen.textBaseline = "middle";
	for (const share of [0, 0.5, 1]) {
		pen.beginPath();
		pen.moveTo(LEFT_PX, y(share));
		pen.lineTo(widthPx, y(share));
		pen.stroke();
		pen.fillText(String(share * (lines[0]?.largest ?? 0)), LEFT_PX - 5, y(share));
	}
	pen.textBaseline = "alphabetic";
	for (const { atMs, text } of marks) {
		const halfPx = pen.measureText(text).width / 2;
		pen.textAlign = "center";
		pen.fillText(text, Math.min(widthPx - 2 - halfPx, Math.max(LEFT_PX + halfPx, x(atMs))), heightPx - 2);
	}

	// one more on each side: a line goes on to the edges
	const seen = drive.slice(Math.max(0, firstSince(drive, fromMs) - 1), firstSince(drive, toMs) + 1);
	pen.save();
	pen.beginPath();
	pen.rect(LEFT_PX, 0, rightPx - LEFT_PX, heightPx);
	pen.clip();
	pen.lineJoin = "round";
	for (const { value, largest, ground } of lines) {
		if (ground === undefined) continue;
		pen.fillStyle = colour(ground);
		for (const run of runs(seen, value)) {
			pen.beginPath();
			pen.moveTo(x(run[0]!.atMs), bottomPx);
			for (const sample of run) pen.lineTo(x(sample.atMs), y(value(sample) / largest));
			pen.lineTo(x(run[run.length - 1]!.atMs), bottomPx);
			pen.fill();
		}
	}
	for (const { value, largest, colour: name, widthPx: lineWidthPx, dash } of lines) {
		pen.strokeStyle = colour(name);
		pen.lineWidth = lineWidthPx;
		pen.setLineDash([...(dash ?? [])]);
		for (const run of runs(seen, value)) {
			pen.beginPath();
			for (const sample of run) pen.lineTo(x(sample.atMs), y(value(sample) / largest));
			pen.stroke();
		}
	}
	pen.setLineDash([]);
	if (cursorMs !== undefined) {
		pen.strokeStyle = colour("--text");
		pen.lineWidth = 2;
		pen.beginPath();
		pen.moveTo(x(cursorMs), 0);
		pen.lineTo(x(cursorMs), bottomPx);
		pen.stroke();
	}
	pen.restore();
}

/** Handlers for sideways drags: Chromium takes a quick one for a flick and drops the next tap. */
export function useSideways() {
	const from = useRef<Touch | undefined>(undefined);
	return {
		onTouchStart: ({ touches: [first] }: TouchEvent): void => {
			from.current = first;
		},
		onTouchMove: (event: TouchEvent): void => {
			const [now] = event.touches;
			if (now === undefined || from.current === undefined || !event.cancelable) return;
			const { clientX, clientY } = from.current;
			if (Math.abs(now.clientX - clientX) > Math.abs(now.clientY - clientY)) event.preventDefault();
		},
	};
}
