/** The map as a surface, seen at an angle; dragging or the arrow keys turn it. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { stale, telemetry } from "../net/live";
import type { LockMap } from "../net/types";
import { useStore } from "../state/store";
import { theme } from "../state/theme";
import { T } from "../texts";
import { drawSurface } from "./surface-drawing";

/** The surface on a canvas, with the car's place on it while that is not stale. It turns by 0.15 rad for each key. */
export function Surface({ map }: { map: LockMap }) {
	const canvas = useRef<HTMLCanvasElement>(null);
	const [turnRad, setTurn] = useState(0.6);
	const lastXPx = useRef<number | undefined>(undefined);
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
