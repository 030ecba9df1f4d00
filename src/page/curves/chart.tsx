/** A curve as a drawing: its points are dragged, moved with the arrow keys, and added by a tap. */

import { useEffect, useRef, useState } from "preact/hooks";
import { CURVE_POINTS_MAX } from "../../lock/tuning.js";
import { LiveLine } from "../drive/look";
import type { CurveName, CurvePoint } from "../net/types";
import { T } from "../texts";
import { notify } from "../ui/notice";
import {
	acrossOf,
	BOTTOM,
	downOf,
	HEIGHT,
	isInside,
	LEFT,
	type Place,
	pathOf,
	pointAt,
	RIGHT,
	reachOf,
	TOP,
	valuesAt,
	WIDTH,
} from "./chart-frame";
import { type Curve, moved, type Scale, withPointAt } from "./curves";

/** Steps of the arrow keys: across, and in lock. */
const ARROWS: ReadonlyMap<string, readonly [across: number, up: number]> = new Map([
	["ArrowLeft", [-1, 0]],
	["ArrowRight", [1, 0]],
	["ArrowUp", [0, 1]],
	["ArrowDown", [0, -1]],
]);

/** How far from a point a touch still means it; a mouse is more exact. CSS pixels. */
const GRASP_PX = { touch: 24, mouse: 14 };
/** A finger that moves further has not tapped. */
const TAP_PX = 10;
/** Distance from the finger's middle to the number, and the number's height. */
const ASIDE_PX = 40;
const NUMBER_PX = 46;

/** A point that is moved: whose number is shown, and where. */
interface Held {
	readonly index: number;
	/** Where the finger is; a key has none, and moves the point itself. */
	readonly at?: Place;
}

/** A finger on a point. */
interface Drag {
	readonly index: number;
	readonly span: number;
	readonly finger: number;
	/** The way from the finger to the point: the point does not jump under the finger. */
	readonly aside: Place;
	readonly group: string;
}

interface Props {
	readonly curve: Curve;
	readonly points: readonly CurvePoint[];
	readonly stored: readonly CurvePoint[] | undefined;
	/** Told of each step of a movement; `group` is the same for all of one. */
	readonly onChange: (points: readonly CurvePoint[], group: string) => void;
}

/** A point is dragged, or moved by keys, ten steps with Shift. A tap on an empty place adds one. */
export function Chart({ curve: { name, scale, largest }, points, stored, onChange }: Props) {
	const svg = useRef<SVGSVGElement>(null);
	const drag = useRef<Drag | undefined>(undefined);
	const drags = useRef(0);
	const down = useRef<PointerEvent | undefined>(undefined);
	const added = useRef<number | undefined>(undefined);
	const [held, setHeld] = useState<Held>();
	/** Whole steps of keys, which a finger keeps, too. */
	const step = largest > 1000 ? 50 : 1;
	const inSteps = (value: number): number => Math.round(value / step) * step;
	const reach = reachOf(points, largest);
	// while a point is dragged the scale must not move under it
	const span = drag.current?.span ?? reach.span;
	const placeOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Place => {
		const { left, top, width, height } = svg.current!.getBoundingClientRect();
		return { across: ((clientX - left) / width) * WIDTH, down: ((clientY - top) / height) * HEIGHT };
	};
	const meant = (place: Place, byMouse: boolean): number =>
		pointAt(points, span, place, (GRASP_PX[byMouse ? "mouse" : "touch"] * WIDTH) / svg.current!.getBoundingClientRect().width);
	const focus = (index: number): void =>
		svg.current?.querySelector<SVGElement>(`[data-point="${index}"]`)?.focus({ preventScroll: true });

	const begin = (event: PointerEvent): void => {
		down.current = undefined;
		if (drag.current !== undefined || event.button !== 0) return;
		const at = placeOf(event);
		const index = meant(at, event.pointerType === "mouse");
		const point = points[index];
		if (point === undefined) {
			down.current = event.isPrimary ? event : undefined;
			return;
		}
		const aside = { across: acrossOf(point.x, span) - at.across, down: downOf(point.lock) - at.down };
		drag.current = { index, span, finger: event.pointerId, aside, group: `drag ${++drags.current}` };
		svg.current?.setPointerCapture(event.pointerId);
		focus(index);
		setHeld({ index, at });
	};
	const move = (event: PointerEvent): void => {
		if (drag.current?.finger !== event.pointerId) return;
		const { index, aside, group } = drag.current;
		// another client's curve may have come meanwhile, with fewer points
		if (index >= points.length) return;
		const at = placeOf(event);
		const [value, lockPercent] = valuesAt({ across: at.across + aside.across, down: at.down + aside.down }, span);
		setHeld({ index, at });
		onChange(moved(points, index, inSteps(value), lockPercent, largest), group);
	};
	const end = (event: PointerEvent): void => {
		if (drag.current?.finger !== event.pointerId) return;
		drag.current = undefined;
		setHeld(undefined);
	};
	const tap = (event: MouseEvent): void => {
		const from = down.current;
		down.current = undefined;
		if (from === undefined || Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) > TAP_PX) return;
		const at = placeOf(event);
		if (!isInside(at)) return;
		if (points.length >= CURVE_POINTS_MAX) {
			notify("bad", T.curves.full(CURVE_POINTS_MAX));
			return;
		}
		const [value, lockPercent] = valuesAt(at, span);
		const more = withPointAt(points, inSteps(value), lockPercent, largest);
		if (more === undefined) {
			notify("bad", T.curves.noRoom);
			return;
		}
		added.current = more.index;
		onChange(more.points, "");
	};
	useEffect(() => {
		if (added.current === undefined) return;
		focus(added.current);
		setHeld({ index: added.current });
		added.current = undefined;
	}, [points]);
	const key = (event: KeyboardEvent, index: number): void => {
		const arrow = ARROWS.get(event.key);
		if (arrow === undefined) return;
		event.preventDefault();
		const { x, lock } = points[index]!;
		const [across, up] = arrow;
		const times = event.shiftKey ? 10 : 1;
		setHeld({ index });
		onChange(moved(points, index, x + across * step * times, lock + up * times, largest), `key ${index}`);
	};
	const shown = held && points[held.index];
	return (
		<div class="chart-frame">
			<svg
				ref={svg}
				class="chart"
				viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
				role="group"
				aria-label={T.curves.chart}
				// `touch-action` means nothing to a part of a drawing: without this the page would scroll away
				// under the point
				onTouchStart={(event) => {
					const [touch] = event.changedTouches;
					if (touch !== undefined && (drag.current !== undefined || meant(placeOf(touch), false) >= 0)) event.preventDefault();
				}}
				onPointerDown={begin}
				onPointerMove={move}
				onPointerUp={end}
				onPointerCancel={end}
				onClick={tap}
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
						onLeave={() => setHeld((now) => (now?.index === index && drag.current === undefined ? undefined : now))}
					/>
				))}
			</svg>
			{shown && (
				<Value
					place={held.at ?? { across: acrossOf(shown.x, span), down: downOf(shown.lock) }}
					chart={svg.current}
					shown={shown}
					scale={scale}
				/>
			)}
		</div>
	);
}

function Axes({ name, scale, span, step }: { name: CurveName; scale: Scale; span: number; step: number }) {
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

/** A point's number, above the finger at `place`; near the upper edge beside it. */
function Value(props: { chart: SVGSVGElement | null; place: Place; shown: CurvePoint; scale: Scale }) {
	const { chart, scale } = props;
	const { across, down } = props.place;
	const { x, lock } = props.shown;
	const top = (down / HEIGHT) * (chart?.getBoundingClientRect().height ?? HEIGHT);
	const above = top > ASIDE_PX + NUMBER_PX;
	const side = above ? "above" : across > (LEFT + RIGHT) / 2 ? "left" : "right";
	const share = Math.min(1, Math.max(0, across / WIDTH));
	return (
		// the slider says the same
		<output class={`chart-value ${side}`} style={`--across: ${share * 100}%; --down: ${top}px`} aria-hidden="true">
			<b>{`${lock} %`}</b>
			<small>{`${scale.shown(x)} ${scale.unit()}`}</small>
		</output>
	);
}

interface PointProps {
	/** Its number, from 1 on. */
	readonly number: number;
	readonly point: CurvePoint;
	readonly scale: Scale;
	readonly span: number;
	readonly onKey: (event: KeyboardEvent) => void;
	readonly onLeave: () => void;
}

function Point({ number, point: { x, lock }, scale, span, onKey, onLeave }: PointProps) {
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
			onBlur={onLeave}
		>
			<circle class="chart-touch" cx={across} cy={down} r={44} />
			<circle class="chart-dot" cx={across} cy={down} r={11} />
		</g>
	);
}
