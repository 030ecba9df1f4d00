/** A curve as a drawing: its points are dragged, or moved with the arrow keys. */

import { useRef } from "preact/hooks";
import { LiveLine } from "../drive/look";
import type { CurveName, CurvePoint } from "../net/types";
import { T } from "../texts";
import { acrossOf, BOTTOM, downOf, HEIGHT, LEFT, pathOf, RIGHT, reachOf, TOP, valuesAt, WIDTH } from "./chart-frame";
import type { Curve, Scale } from "./curves";
import { moved } from "./edit";

/** Steps of the arrow keys: across, and in lock. */
const ARROWS: ReadonlyMap<string, readonly [across: number, up: number]> = new Map([
	["ArrowLeft", [-1, 0]],
	["ArrowRight", [1, 0]],
	["ArrowUp", [0, 1]],
	["ArrowDown", [0, -1]],
]);

interface Props {
	readonly curve: Curve;
	readonly points: readonly CurvePoint[];
	/** Drawn thinly behind, if it differs. */
	readonly stored: readonly CurvePoint[] | undefined;
	readonly onChange: (points: readonly CurvePoint[], group: string) => void;
}

/**
 * Draws the points, the stored ones behind, and where the car is. A point that is dragged or moved by keys,
 * ten steps with Shift, is told at once; `group` is the same for all of one movement, which so becomes one
 * step of undo.
 */
export function Chart({ curve: { name, scale, largest }, points, stored, onChange }: Props) {
	const svg = useRef<SVGSVGElement>(null);
	const drag = useRef<{ index: number; span: number; finger: number } | undefined>(undefined);
	const reach = reachOf(points, largest);
	// while a point is dragged the scale must not move under it
	const span = drag.current?.span ?? reach.span;
	const move = (event: PointerEvent): void => {
		if (drag.current?.finger !== event.pointerId || svg.current === null) return;
		const { index } = drag.current;
		const box = svg.current.getBoundingClientRect();
		const across = ((event.clientX - box.left) / box.width) * WIDTH;
		const down = ((event.clientY - box.top) / box.height) * HEIGHT;
		const [value, lockPercent] = valuesAt(across, down, span);
		onChange(moved(points, index, value, lockPercent, largest), `drag ${index}`);
	};
	const key = (event: KeyboardEvent, index: number): void => {
		const arrow = ARROWS.get(event.key);
		if (arrow === undefined) return;
		event.preventDefault();
		const { x, lock } = points[index]!;
		const [across, up] = arrow;
		const times = event.shiftKey ? 10 : 1;
		const step = largest > 1000 ? 50 : 1;
		onChange(moved(points, index, x + across * step * times, lock + up * times, largest), `key ${index}`);
	};
	const end = (event: PointerEvent): void => {
		if (drag.current?.finger === event.pointerId) drag.current = undefined;
	};
	return (
		<svg
			ref={svg}
			class="chart"
			viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
			role="group"
			aria-label={T.curves.chart}
			onPointerMove={move}
			onPointerUp={end}
			onPointerCancel={end}
		>
			<Axes name={name} scale={scale} span={span} step={reach.step} />
			{stored !== undefined && <path class="chart-stored" d={pathOf(stored, span)} />}
			<path class="chart-curve" d={pathOf(points, span)} />
			<LiveLine name={name} span={span} />
			{points.map((point, index) => (
				<Point
					key={index}
					number={index + 1}
					point={point}
					scale={scale}
					span={span}
					onKey={(event) => key(event, index)}
					onGrasp={(event) => {
						drag.current ??= { index, span, finger: event.pointerId };
						svg.current?.setPointerCapture(event.pointerId);
					}}
				/>
			))}
		</svg>
	);
}

interface AxesProps {
	readonly name: CurveName;
	readonly scale: Scale;
	readonly span: number;
	readonly step: number;
}

function Axes({ name, scale, span, step }: AxesProps) {
	const ticks = Array.from({ length: Math.floor(scale.shown(span) / step) + 1 }, (_, i) => scale.kept(i * step));
	return (
		<>
			{[0, 25, 50, 75, 100].map((lockPercent) => (
				<g key={lockPercent}>
					<path class="chart-line" d={`M${LEFT} ${downOf(lockPercent)}H${RIGHT}`} />
					<text x={LEFT - 20} y={downOf(lockPercent) + 5} text-anchor="end">
						{lockPercent}
					</text>
				</g>
			))}
			{ticks.map((tick) => (
				<g key={tick}>
					<path class="chart-line" d={`M${acrossOf(tick, span)} ${TOP}V${BOTTOM}`} />
					<text x={acrossOf(tick, span)} y={BOTTOM + 26} text-anchor="middle">
						{scale.shown(tick)}
					</text>
				</g>
			))}
			<text x={LEFT - 50} y={TOP - 20}>
				{T.curves.lock}
			</text>
			<text x={(LEFT + RIGHT) / 2} y={HEIGHT - 8} text-anchor="middle">
				{T.curves.axis(T.curves.names[name], scale.unit())}
			</text>
		</>
	);
}

interface PointProps {
	/** From 1 on. */
	readonly number: number;
	readonly point: CurvePoint;
	readonly scale: Scale;
	readonly span: number;
	readonly onKey: (event: KeyboardEvent) => void;
	/** It is dragged from now on. */
	readonly onGrasp: (event: PointerEvent) => void;
}

function Point({ number, point: { x, lock }, scale, span, onKey, onGrasp }: PointProps) {
	const [across, down] = [acrossOf(x, span), downOf(lock)];
	const shown = scale.shown(x);
	const unit = scale.unit();
	return (
		<g
			class="chart-point"
			role="slider"
			tabindex={0}
			aria-label={T.curves.point(number, shown, unit)}
			aria-valuemin={0}
			aria-valuemax={100}
			aria-valuenow={lock}
			aria-valuetext={T.curves.value(shown, unit, lock)}
			data-point={number - 1}
			onKeyDown={onKey}
			// `touch-action` means nothing to a part of a drawing: without this the page would scroll away
			// under the point
			onTouchStart={(event) => event.preventDefault()}
			onPointerDown={(event) => {
				event.currentTarget.focus();
				onGrasp(event);
			}}
		>
			<circle class="chart-touch" cx={across} cy={down} r={44} />
			<circle class="chart-dot" cx={across} cy={down} r={11} />
		</g>
	);
}
