/** The map as a surface, seen at an angle. Dragging or the arrow keys turn it. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { placeOnAxis } from "../../lock/interpolate.js";
import { MAP_COLUMNS, MAP_ROWS } from "../../lock/tuning.js";
import { stale, telemetry } from "../net/live";
import type { LockMap, Telemetry } from "../net/types";
import { speedText } from "../state/speed";
import { useStore } from "../state/store";
import { theme } from "../state/theme";
import { T } from "../texts";
import { useSideways } from "../ui/canvas";
import { heat } from "./layout";

/** How far one looks down on it: 0 = from the side, 1 = from above. */
const TILT = 0.5;

/** A place on the canvas, px, and how near it is. */
type Projected = readonly [x: number, y: number, depth: number];
/** Column and row may lie between cells and beside them. */
type Project = (column: number, row: number, lockPercent: number) => Projected;

function projection(widthPx: number, heightPx: number, turnRad: number): Project {
	const sizePx = Math.min(widthPx * 0.66, heightPx * 0.95);
	const [cos, sin] = [Math.cos(turnRad), Math.sin(turnRad)];
	return (column, row, lockPercent) => {
		const x = column / (MAP_COLUMNS - 1) - 0.5;
		const y = 0.5 - row / (MAP_ROWS - 1);
		const across = x * cos - y * sin;
		const depth = x * sin + y * cos;
		return [widthPx / 2 + across * sizePx, heightPx * 0.6 + depth * sizePx * TILT - (lockPercent / 100) * sizePx * 0.55, depth];
	};
}

interface Face {
	readonly corners: readonly Projected[];
	readonly lockPercent: number;
}

/** The faces between four cells each, the hindmost first. */
function facesOf({ lockTable }: LockMap, project: Project): readonly Face[] {
	const faces: Face[] = [];
	for (let row = 0; row < MAP_ROWS - 1; row++)
		for (let column = 0; column < MAP_COLUMNS - 1; column++) {
			const around = [
				[row, column],
				[row, column + 1],
				[row + 1, column + 1],
				[row + 1, column],
			] as const;
			const locksPercent = around.map(([down, right]) => lockTable[down]![right]!);
			faces.push({
				corners: around.map(([down, right], i) => project(right, down, locksPercent[i]!)),
				lockPercent: locksPercent.reduce((sum, percent) => sum + percent) / 4,
			});
		}
	const depth = ({ corners }: Face): number => corners.reduce((sum, corner) => sum + corner[2], 0);
	return faces.sort((a, b) => depth(a) - depth(b));
}

/** @param now where the car is, undefined = unknown */
function drawSurface(canvas: HTMLCanvasElement, map: LockMap, turnRad: number, now: Telemetry | undefined): void {
	const scale = devicePixelRatio || 1;
	const { clientWidth: widthPx, clientHeight: heightPx } = canvas;
	canvas.width = widthPx * scale;
	canvas.height = heightPx * scale;
	const pen = canvas.getContext("2d");
	if (pen === null) return;
	const style = getComputedStyle(canvas);
	const project = projection(widthPx, heightPx, turnRad);
	pen.setTransform(scale, 0, 0, scale, 0, 0);

	const outline = (corners: readonly Projected[]): void => {
		pen.beginPath();
		for (const [x, y] of corners) pen.lineTo(x, y);
		pen.closePath();
	};
	pen.strokeStyle = style.getPropertyValue("--edge");
	pen.lineWidth = 1.5;
	outline([
		project(0, 0, 0),
		project(MAP_COLUMNS - 1, 0, 0),
		project(MAP_COLUMNS - 1, MAP_ROWS - 1, 0),
		project(0, MAP_ROWS - 1, 0),
	]);
	pen.stroke();
	pen.strokeStyle = style.getPropertyValue("--text");
	pen.lineWidth = 0.8;
	for (const { corners, lockPercent } of facesOf(map, project)) {
		outline(corners);
		pen.fillStyle = style.getPropertyValue(`--${heat(lockPercent)}`);
		pen.fill();
		pen.stroke();
	}

	pen.fillStyle = style.getPropertyValue("--text");
	pen.font = "13px system-ui, sans-serif";
	pen.textAlign = "center";
	const label = (text: string, column: number, row: number): void => {
		const [x, y] = project(column, row, 0);
		const halfPx = pen.measureText(text).width / 2 + 2;
		pen.fillText(text, Math.min(widthPx - halfPx, Math.max(halfPx, x)), Math.min(heightPx - 4, y + 14));
	};
	label(speedText(map.speedBins[0]!), 0.4, -0.7);
	label(speedText(map.speedBins[MAP_COLUMNS - 1]!), MAP_COLUMNS - 1.8, -0.7);
	label(`${map.throttleBins[0]} %`, MAP_COLUMNS - 0.3, 0.7);
	label(`${map.throttleBins[MAP_ROWS - 1]} %`, MAP_COLUMNS - 0.3, MAP_ROWS - 1.2);
	if (now?.speedValid && now.throttleValid) {
		const [column, row] = [placeOnAxis(map.speedBins, now.speed), placeOnAxis(map.throttleBins, now.throttle)];
		drawPin(pen, style, project(column, row, 0), project(column, row, now.spec));
	}
}

/** Where the car is, as high as the lock that is asked for. */
function drawPin(
	pen: CanvasRenderingContext2D,
	style: CSSStyleDeclaration,
	[xPx, floorPx]: Projected,
	[, topPx]: Projected,
): void {
	pen.strokeStyle = pen.fillStyle = style.getPropertyValue("--requested");
	pen.lineWidth = 3;
	pen.beginPath();
	pen.moveTo(xPx, floorPx);
	pen.lineTo(xPx, topPx);
	pen.stroke();
	pen.beginPath();
	pen.arc(xPx, topPx, 8, 0, 2 * Math.PI);
	pen.fill();
	pen.lineWidth = 2;
	pen.strokeStyle = style.getPropertyValue("--text");
	pen.stroke();
}

/** The surface on a canvas, with the car's place on it while that is not stale. */
export function Surface({ map }: { map: LockMap }) {
	const canvas = useRef<HTMLCanvasElement>(null);
	const [turnRad, setTurn] = useState(0.6);
	const lastXPx = useRef<number | undefined>(undefined);
	const sideways = useSideways();
	const colours = useStore(theme);
	const now = useStore(telemetry);
	const old = useStore(stale);
	const degrees = ((Math.round((turnRad * 180) / Math.PI) % 360) + 360) % 360;
	// with the change that it shows, not some time after it
	useLayoutEffect(() => {
		if (canvas.current !== null) drawSurface(canvas.current, map, turnRad, old ? undefined : now);
	}, [map, turnRad, colours, now, old]);
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
			{...sideways}
			onPointerDown={(event) => {
				lastXPx.current = event.clientX;
				event.currentTarget.setPointerCapture(event.pointerId);
			}}
			onPointerMove={(event) => {
				if (lastXPx.current === undefined) return;
				setTurn(turnRad + (event.clientX - lastXPx.current) / 150);
				lastXPx.current = event.clientX;
			}}
			onPointerUp={() => {
				lastXPx.current = undefined;
			}}
			onKeyDown={(event) => {
				if (event.key === "ArrowLeft") setTurn(turnRad - 0.15);
				if (event.key === "ArrowRight") setTurn(turnRad + 0.15);
			}}
		/>
	);
}
