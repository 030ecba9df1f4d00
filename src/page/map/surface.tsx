/** The map as a surface, seen at an angle; dragging or the arrow keys turn it. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { stale, telemetry } from "../net/live";
import type { LockMap } from "../net/types";
import { useStore } from "../state/store";
import { theme } from "../state/theme";
import { T } from "../texts";
import { drawSurface } from "./surface-drawing";

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
		if (canvas.current !== null) drawSurface(canvas.current, map, turn, old ? undefined : now);
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
