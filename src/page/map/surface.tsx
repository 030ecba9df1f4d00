/** The map as a surface, seen at an angle; dragging or the arrow keys turn it. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { stale, telemetry } from "../net/live";
import type { LockMap, Telemetry } from "../net/types";
import { speedText } from "../state/speed";
import { useStore } from "../state/store";
import { theme } from "../state/theme";
import { T } from "../texts";
import { heat } from "./heat";
import { COLUMNS, ROWS } from "./map-draft";
import { place } from "./place";

const TILT = 0.5;

export function Surface({ map }: { map: LockMap }) {
	const canvas = useRef<HTMLCanvasElement>(null);
	const [turn, setTurn] = useState(0.6);
	const last = useRef<number | undefined>(undefined);
	const colours = useStore(theme);
	const now = useStore(telemetry);
	const old = useStore(stale);
	const degrees = ((Math.round((turn * 180) / Math.PI) % 360) + 360) % 360;
	// with the change that it shows, not some time after it
	useLayoutEffect(() => {
		if (canvas.current !== null) draw(canvas.current, map, turn, old ? undefined : now);
	}, [map, turn, colours, now, old]);
	return (
		<canvas
			ref={canvas}
			class="surface"
			role="slider"
			tabIndex={0}
			aria-label={T.map.surfaceLabel}
			aria-valuemin={0}
			aria-valuemax={359}
			aria-valuenow={degrees}
			aria-valuetext={`${degrees}°`}
			onPointerDown={(event) => {
				last.current = event.clientX;
				event.currentTarget.setPointerCapture(event.pointerId);
			}}
			onPointerMove={(event) => {
				if (last.current === undefined) return;
				setTurn(turn + (event.clientX - last.current) / 150);
				last.current = event.clientX;
			}}
			onPointerUp={() => {
				last.current = undefined;
			}}
			onKeyDown={(event) => {
				if (event.key === "ArrowLeft") setTurn(turn - 0.15);
				if (event.key === "ArrowRight") setTurn(turn + 0.15);
			}}
		/>
	);
}

/** @param now where the car is, undefined = unknown */
function draw(canvas: HTMLCanvasElement, map: LockMap, turn: number, now: Telemetry | undefined): void {
	const scale = devicePixelRatio || 1;
	const { clientWidth: width, clientHeight: height } = canvas;
	canvas.width = width * scale;
	canvas.height = height * scale;
	const pen = canvas.getContext("2d");
	if (pen === null) return;
	const style = getComputedStyle(canvas);
	pen.setTransform(scale, 0, 0, scale, 0, 0);
	const size = Math.min(width * 0.66, height * 0.95);
	const cos = Math.cos(turn);
	const sin = Math.sin(turn);
	const project = (column: number, row: number, lock: number): [number, number, number] => {
		const x = column / (COLUMNS - 1) - 0.5;
		const y = 0.5 - row / (ROWS - 1);
		const across = x * cos - y * sin;
		const depth = x * sin + y * cos;
		return [width / 2 + across * size, height * 0.6 + depth * size * TILT - (lock / 100) * size * 0.55, depth];
	};
	const faces: { corners: [number, number, number][]; mean: number; depth: number }[] = [];
	for (let row = 0; row < ROWS - 1; row++)
		for (let column = 0; column < COLUMNS - 1; column++) {
			const at = (r: number, c: number): number => map.lockTable[r]![c]!;
			const corners = [
				project(column, row, at(row, column)),
				project(column + 1, row, at(row, column + 1)),
				project(column + 1, row + 1, at(row + 1, column + 1)),
				project(column, row + 1, at(row + 1, column)),
			];
			const mean = (at(row, column) + at(row, column + 1) + at(row + 1, column) + at(row + 1, column + 1)) / 4;
			faces.push({ corners, mean, depth: corners.reduce((sum, corner) => sum + corner[2], 0) });
		}
	faces.sort((a, b) => a.depth - b.depth);
	const outline = [project(0, 0, 0), project(COLUMNS - 1, 0, 0), project(COLUMNS - 1, ROWS - 1, 0), project(0, ROWS - 1, 0)];
	pen.strokeStyle = style.getPropertyValue("--edge");
	pen.lineWidth = 1.5;
	pen.beginPath();
	for (const [x, y] of outline) pen.lineTo(x, y);
	pen.closePath();
	pen.stroke();
	pen.strokeStyle = style.getPropertyValue("--text");
	pen.lineWidth = 0.8;
	for (const { corners, mean } of faces) {
		pen.beginPath();
		for (const [x, y] of corners) pen.lineTo(x, y);
		pen.closePath();
		pen.fillStyle = style.getPropertyValue(`--${heat(mean)}`);
		pen.fill();
		pen.stroke();
	}
	pen.fillStyle = style.getPropertyValue("--text");
	pen.font = "13px system-ui, sans-serif";
	pen.textAlign = "center";
	const label = (text: string, column: number, row: number): void => {
		const [x, y] = project(column, row, 0);
		const half = pen.measureText(text).width / 2 + 2;
		pen.fillText(text, Math.min(width - half, Math.max(half, x)), Math.min(height - 4, y + 14));
	};
	label(speedText(map.speedBins[0]!), 0.4, -0.7);
	label(speedText(map.speedBins[COLUMNS - 1]!), COLUMNS - 1.8, -0.7);
	label(`${map.throttleBins[0]} %`, COLUMNS - 0.3, 0.7);
	label(`${map.throttleBins[ROWS - 1]} %`, COLUMNS - 0.3, ROWS - 1.2);
	if (now?.speedValid && now.throttleValid) {
		const [column, row] = [place(map.speedBins, now.speed), place(map.throttleBins, now.throttle)];
		const [x, floor] = project(column, row, 0);
		const [, top] = project(column, row, now.spec);
		pen.strokeStyle = pen.fillStyle = style.getPropertyValue("--requested");
		pen.lineWidth = 3;
		pen.beginPath();
		pen.moveTo(x, floor);
		pen.lineTo(x, top);
		pen.stroke();
		pen.beginPath();
		pen.arc(x, top, 8, 0, 2 * Math.PI);
		pen.fill();
		pen.lineWidth = 2;
		pen.strokeStyle = style.getPropertyValue("--text");
		pen.stroke();
	}
}
