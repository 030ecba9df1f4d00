/**
 * The table as a heat map. On a phone it stands upright (pedal across, speed down), so that each cell is 44 px wide.
 * Selecting: mouse drags, shift and arrows; on a touch screen a touch adds or takes away, and "area" makes dragging select.
 */

import { useEffect, useRef, useState } from "preact/hooks";
import { stale, telemetry } from "../net/live";
import type { LockMap } from "../net/types";
import { samples } from "../state/samples";
import { shownSpeed, speedText, speedUnit } from "../state/speed";
import { useStore } from "../state/store";
import { T } from "../texts";
import { type Axis, type Cells, cellAt, columnOf, differences, rectangle, rowOf } from "./edit";
import { COLUMNS, ROWS } from "./map-draft";
import { place } from "./place";
import { useSecondsPerCell } from "./stays";
import { Trail } from "./trail";

const NARROW = matchMedia("(max-width: 560px)");

function useUpright(): boolean {
	const [upright, setUpright] = useState(NARROW.matches);
	useEffect(() => {
		const changed = (): void => setUpright(NARROW.matches);
		NARROW.addEventListener("change", changed);
		return () => NARROW.removeEventListener("change", changed);
	}, []);
	return upright;
}

interface Props {
	readonly map: LockMap;
	/** Differences to this one are shown. */
	readonly other: LockMap | undefined;
	/** How long the drive has been in each cell is shown. */
	readonly timed: boolean;
	readonly cells: Cells;
	readonly area: boolean;
	readonly onSelect: (cells: Set<number>) => void;
	readonly onAxis: (axis: Axis, index: number) => void;
	/** Digits, signs and the like that are typed over cells. */
	readonly onKey: (event: KeyboardEvent) => void;
}

/** Name of the colour of a lock percentage: eleven steps. */
export function heat(lock: number): string {
	return `heat-${Math.min(10, Math.round(lock / 10))}`;
}

/** A difference, for people. */
export function signed(by: number): string {
	return `${by > 0 ? "+" : "−"}${Math.abs(by)}`;
}

/** A value of an axis in the driver's unit. */
export function shownBin(axis: Axis, bin: number): number {
	return axis === "speedBins" ? shownSpeed(bin) : bin;
}

function withUnit(axis: Axis, bin: number): string {
	return axis === "speedBins" ? speedText(bin) : `${bin} ${T.units.percent}`;
}

export function HeatMap({ map, other, timed, cells, area, onSelect, onAxis, onKey }: Props) {
	const upright = useUpright();
	const seconds = useSecondsPerCell(map, timed);
	const grid = useRef<HTMLDivElement>(null);
	const drag = useRef<number | undefined>(undefined);
	const anchor = useRef(0);
	const [focus, setFocus] = useState(0);
	const lines = upright ? COLUMNS : ROWS;
	const perLine = upright ? ROWS : COLUMNS;
	const apart = other === undefined ? undefined : differences(map, other);
	const cellOf = (line: number, i: number): number => (upright ? cellAt(i, line) : cellAt(line, i));
	const axes: readonly [Axis, Axis] = upright ? ["throttleBins", "speedBins"] : ["speedBins", "throttleBins"];

	const cellUnder = (event: PointerEvent): number | undefined => {
		const under = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>("[data-cell]");
		return under?.dataset["cell"] === undefined ? undefined : Number(under.dataset["cell"]);
	};
	const down = (event: PointerEvent): void => {
		const cell = cellUnder(event);
		if (cell === undefined || event.button !== 0) return;
		setFocus(cell);
		if (event.shiftKey) onSelect(rectangle(anchor.current, cell));
		else if (event.pointerType === "mouse" || area) {
			drag.current = anchor.current = cell;
			onSelect(new Set([cell]));
		}
	};
	const move = (event: PointerEvent): void => {
		if (drag.current === undefined) return;
		const cell = cellUnder(event);
		if (cell !== undefined) onSelect(rectangle(drag.current, cell));
	};
	const up = (): void => {
		drag.current = undefined;
	};
	/** A touch comes as a click, when it was not a scroll. */
	const click = (event: MouseEvent, cell: number): void => {
		if ((event as PointerEvent).pointerType !== "touch" || area) return;
		const next = new Set(cells);
		if (!next.delete(cell)) next.add(cell);
		anchor.current = cell;
		onSelect(next);
	};
	const focusOn = (selector: string): void => grid.current?.querySelector<HTMLElement>(selector)?.focus();
	/** Values of the axes are reached by the arrow keys, from the cells beside them: the grid is one stop for the tab key. */
	const headKey = (event: KeyboardEvent, side: "above" | "beside", at: number): void => {
		const along = side === "above" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
		const to = at + along.indexOf(event.key) * 2 - 1;
		if (event.key === (side === "above" ? "ArrowDown" : "ArrowRight"))
			focusOn(`[data-cell="${side === "above" ? cellOf(0, at) : cellOf(at, 0)}"]`);
		else if (along.includes(event.key)) focusOn(`[data-head="${side} ${to}"]`);
		else return;
		event.preventDefault();
		event.stopPropagation();
	};
	const key = (event: KeyboardEvent): void => {
		const steps: Record<string, readonly [number, number]> = {
			ArrowUp: [-1, 0],
			ArrowDown: [1, 0],
			ArrowLeft: [0, -1],
			ArrowRight: [0, 1],
		};
		const step = steps[event.key];
		if (step === undefined) {
			if (event.key === "a" && (event.ctrlKey || event.metaKey)) {
				event.preventDefault();
				onSelect(rectangle(0, ROWS * COLUMNS - 1));
			} else if (event.key === "Escape") onSelect(new Set());
			else if (event.key === " ") {
				event.preventDefault();
				const next = new Set(cells);
				if (!next.delete(focus)) next.add(focus);
				onSelect(next);
			} else onKey(event);
			return;
		}
		event.preventDefault();
		const [line, i] = upright ? [columnOf(focus), rowOf(focus)] : [rowOf(focus), columnOf(focus)];
		if (!event.shiftKey && (line + step[0] < 0 || i + step[1] < 0)) {
			focusOn(line + step[0] < 0 ? `[data-head="above ${i}"]` : `[data-head="beside ${line}"]`);
			return;
		}
		const [down, right] = upright ? [step[1], step[0]] : step;
		const row = Math.min(ROWS - 1, Math.max(0, rowOf(focus) + down));
		const column = Math.min(COLUMNS - 1, Math.max(0, columnOf(focus) + right));
		const cell = cellAt(row, column);
		setFocus(cell);
		if (!event.shiftKey) anchor.current = cell;
		onSelect(rectangle(anchor.current, cell));
		focusOn(`[data-cell="${cell}"]`);
	};

	return (
		<div class={`heat${area ? " area" : ""}${upright ? " upright" : ""}`}>
			<div
				ref={grid}
				class="heat-grid"
				role="grid"
				aria-label={T.map.grid}
				aria-multiselectable="true"
				style={{ "--per-line": perLine }}
				onPointerDown={down}
				onPointerMove={move}
				onPointerUp={up}
				onPointerCancel={up}
				onPointerLeave={up}
				onKeyDown={key}
			>
				<div role="row" class="heat-row">
					<span role="columnheader" class="heat-corner">
						{(upright ? T.map.cornerUpright : T.map.corner)(speedUnit).map((words) => (
							<span key={words}>{words}</span>
						))}
					</span>
					{map[axes[0]].map((bin, i) => (
						<span key={i} role="columnheader" class="heat-head">
							<button
								type="button"
								tabIndex={-1}
								data-head={`above ${i}`}
								aria-label={T.map.axisValue[axes[0]](withUnit(axes[0], bin))}
								onClick={() => onAxis(axes[0], i)}
								onKeyDown={(event) => headKey(event, "above", i)}
							>
								{shownBin(axes[0], bin)}
							</button>
						</span>
					))}
				</div>
				{Array.from({ length: lines }, (_, line) => (
					<div key={line} role="row" class="heat-row">
						<span role="rowheader" class="heat-head">
							<button
								type="button"
								tabIndex={-1}
								data-head={`beside ${line}`}
								onKeyDown={(event) => headKey(event, "beside", line)}
								aria-label={T.map.axisValue[axes[1]](withUnit(axes[1], map[axes[1]][line]!))}
								onClick={() => onAxis(axes[1], line)}
							>
								{shownBin(axes[1], map[axes[1]][line]!)}
							</button>
						</span>
						{Array.from({ length: perLine }, (_, i) => {
							const cell = cellOf(line, i);
							const lock = map.lockTable[rowOf(cell)]![columnOf(cell)]!;
							const by = apart?.[rowOf(cell)]?.[columnOf(cell)] ?? 0;
							const stay = Math.round(seconds?.[cell] ?? 0);
							const name = T.map.cell(lock, speedText(map.speedBins[columnOf(cell)]!), map.throttleBins[rowOf(cell)]!);
							return (
								<div
									key={cell}
									role="gridcell"
									class={`cell${lock < 35 ? " low" : lock < 65 ? "" : " high"}${by === 0 ? "" : " moved"}`}
									style={{ "--cell": `var(--${heat(lock)})` }}
									data-cell={cell}
									tabIndex={cell === focus ? 0 : -1}
									aria-selected={cells.has(cell)}
									aria-label={stay > 0 ? `${name}, ${T.map.stay(stay)}` : name}
									onClick={(event) => click(event, cell)}
									onFocus={() => setFocus(cell)}
								>
									<b>{lock}</b>
									{stay > 0 && <small class="stay">{`${stay} s`}</small>}
									{by !== 0 && <small>{signed(by)}</small>}
								</div>
							);
						})}
					</div>
				))}
				<LiveTrail map={map} upright={upright} />
				<OperatingPoint map={map} upright={upright} />
			</div>
		</div>
	);
}

/** Where the car has been on the map. */
function LiveTrail({ map, upright }: { map: LockMap; upright: boolean }) {
	useStore(telemetry);
	// one more cell in each direction: the axes
	const [across, along] = upright ? [ROWS + 1, COLUMNS + 1] : [COLUMNS + 1, ROWS + 1];
	return (
		<svg class="heat-trail" viewBox={`0 0 ${across} ${along}`} preserveAspectRatio="none" aria-hidden="true">
			<Trail map={map} drive={samples} untilMs={performance.now()} upright={upright} lead={1} />
		</svg>
	);
}

/** Where the car is on the map now. */
function OperatingPoint({ map, upright }: { map: LockMap; upright: boolean }) {
	const now = useStore(telemetry);
	const old = useStore(stale);
	if (now === undefined || !now.speedValid || !now.throttleValid) return null;
	const column = place(map.speedBins, now.speed);
	const row = place(map.throttleBins, now.throttle);
	const [x, y] = upright ? [row, column] : [column, row];
	const [across, along] = upright ? [ROWS, COLUMNS] : [COLUMNS, ROWS];
	// one more cell in each direction: the axes
	const style = { left: `${((x + 1.5) / (across + 1)) * 100}%`, top: `${((y + 1.5) / (along + 1)) * 100}%` };
	return <span class={`point${old ? " old" : ""}`} style={style} aria-hidden="true" />;
}
