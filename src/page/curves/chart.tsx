/** A curve as a drawing: its points are dragged, or moved with the arrow keys. */

import { useRef } from "preact/hooks";
import { stale, telemetry } from "../net/live";
import type { CurveName, CurvePoint } from "../net/types";
import { useStore } from "../state/store";
import { T } from "../texts";
import type { Scale } from "./curves-page";

const WIDTH = 640;
const HEIGHT = 360;
const LEFT = 64;
const BOTTOM = 72;
const TOP = 44;
const RIGHT = 30;
/** Room for one more point, on a round number. */
const STEPS = [10, 20, 50, 100, 200, 500, 1000, 2000];

interface Props {
	readonly points: readonly CurvePoint[];
	/** Drawn thinly behind, if it differs. */
	readonly stored: readonly CurvePoint[] | undefined;
	readonly scale: Scale;
	readonly largest: number;
	/** Of the curve: tells where the car is on the axis now. */
	readonly name: CurveName;
	readonly onChange: (points: readonly CurvePoint[], group: string) => void;
}

/** The point moved, held between its neighbours and within its range. */
export function moved(points: readonly CurvePoint[], index: number, x: number, lock: number, largest: number): CurvePoint[] {
	const least = index === 0 ? 0 : points[index - 1]!.x + 1;
	const most = index === points.length - 1 ? largest : points[index + 1]!.x - 1;
	const held = { x: Math.min(most, Math.max(least, Math.round(x))), lock: Math.min(100, Math.max(0, Math.round(lock))) };
	return points.map((point, i) => (i === index ? held : point));
}

export function Chart({ points, stored, scale, largest, name, onChange }: Props) {
	const unit = scale.unit();
	const svg = useRef<SVGSVGElement>(null);
	const drag = useRef<{ index: number; span: number } | undefined>(undefined);
	const last = points[points.length - 1]?.x ?? 0;
	// while a point is dragged the scale must not move under it
	const wanted = Math.min(largest, Math.max(last * 1.15, largest * 0.3));
	const step = STEPS.find((size) => wanted / size <= 8) ?? 2000;
	const span = drag.current?.span ?? Math.min(largest, Math.ceil(wanted / step) * step);
	const x = (value: number): number => LEFT + (Math.min(value, span) / span) * (WIDTH - LEFT - RIGHT);
	const y = (lock: number): number => TOP + (1 - lock / 100) * (HEIGHT - TOP - BOTTOM);
	const line = (all: readonly CurvePoint[]): string => {
		const first = all[0];
		const end = all[all.length - 1];
		if (first === undefined || end === undefined) return "";
		const middle = all.map((point) => `L${x(point.x)} ${y(point.lock)}`).join("");
		return `M${x(0)} ${y(first.lock)}${middle}L${x(span)} ${y(end.lock)}`;
	};
	const move = (event: PointerEvent): void => {
		if (drag.current === undefined || svg.current === null) return;
		const box = svg.current.getBoundingClientRect();
		const across = ((event.clientX - box.left) / box.width) * WIDTH;
		const down = ((event.clientY - box.top) / box.height) * HEIGHT;
		const value = ((across - LEFT) / (WIDTH - LEFT - RIGHT)) * span;
		const lock = (1 - (down - TOP) / (HEIGHT - TOP - BOTTOM)) * 100;
		onChange(moved(points, drag.current.index, value, lock, largest), `drag ${drag.current.index}`);
	};
	const key = (event: KeyboardEvent, index: number): void => {
		const point = points[index]!;
		const size = event.shiftKey ? 10 : 1;
		const unitStep = largest > 1000 ? 50 : 1;
		const by: Record<string, readonly [number, number]> = {
			ArrowLeft: [-unitStep * size, 0],
			ArrowRight: [unitStep * size, 0],
			ArrowUp: [0, size],
			ArrowDown: [0, -size],
		};
		const step = by[event.key];
		if (step === undefined) return;
		event.preventDefault();
		onChange(moved(points, index, point.x + step[0], point.lock + step[1], largest), `key ${index}`);
	};
	const ticks = Array.from({ length: Math.floor(scale.shown(span) / step) + 1 }, (_, i) => scale.kept(i * step));
	return (
		<svg
			ref={svg}
			class="chart"
			viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
			role="group"
			aria-label={T.curves.chart}
			onPointerMove={move}
			onPointerUp={() => {
				drag.current = undefined;
			}}
			onPointerCancel={() => {
				drag.current = undefined;
			}}
		>
			{[0, 25, 50, 75, 100].map((lock) => (
				<g key={lock}>
					<path class="chart-line" d={`M${LEFT} ${y(lock)}H${WIDTH - RIGHT}`} />
					<text x={LEFT - 20} y={y(lock) + 5} text-anchor="end">
						{lock}
					</text>
				</g>
			))}
			{ticks.map((tick) => (
				<g key={tick}>
					<path class="chart-line" d={`M${x(tick)} ${TOP}V${HEIGHT - BOTTOM}`} />
					<text x={x(tick)} y={HEIGHT - BOTTOM + 26} text-anchor="middle">
						{scale.shown(tick)}
					</text>
				</g>
			))}
			<text x={LEFT - 50} y={TOP - 20}>
				{T.curves.lock}
			</text>
			<text x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 8} text-anchor="middle">
				{T.curves.axis(T.curves.names[name], unit)}
			</text>
			{stored !== undefined && <path class="chart-stored" d={line(stored)} />}
			<path class="chart-curve" d={line(points)} />
			<LiveLine name={name} x={x} />
			{points.map((point, index) => (
				<g
					key={index}
					class="chart-point"
					role="slider"
					tabindex={0}
					aria-label={T.curves.point(index + 1, scale.shown(point.x), unit)}
					aria-valuemin={0}
					aria-valuemax={100}
					aria-valuenow={point.lock}
					aria-valuetext={T.curves.value(scale.shown(point.x), unit, point.lock)}
					data-point={index}
					onKeyDown={(event) => key(event, index)}
					// `touch-action` means nothing to a part of a drawing: without this the page would scroll away under the point
					onTouchStart={(event) => event.preventDefault()}
					onPointerDown={(event) => {
						drag.current = { index, span };
						event.currentTarget.focus();
						svg.current?.setPointerCapture(event.pointerId);
					}}
				>
					<circle class="chart-touch" cx={x(point.x)} cy={y(point.lock)} r={42} />
					<circle class="chart-dot" cx={x(point.x)} cy={y(point.lock)} r={11} />
				</g>
			))}
		</svg>
	);
}

/** Where the car is now. By itself, since it is drawn ten times a second. */
function LiveLine({ name, x }: { name: CurveName; x: (value: number) => number }) {
	const now = useStore(telemetry);
	const old = useStore(stale);
	const valid = { speed: now?.speedValid, throttle: now?.throttleValid, rpm: now?.rpmValid }[name] ?? false;
	if (!valid || now === undefined) return null;
	return <path class={`chart-live${old ? " old" : ""}`} d={`M${x(now[name])} ${TOP}V${HEIGHT - BOTTOM}`} />;
}
