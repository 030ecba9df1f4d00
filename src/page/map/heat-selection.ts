/**
 * Where the arrow keys lead on the table, and how cells are selected. A mouse drags, shift and arrows extend,
 * on a touch screen a touch adds or takes away, and with "area" a finger drags. The grid is one stop for the
 * tab key: values of the axes are reached by the arrow keys, from the cells beside them.
 */

import { useRef, useState } from "preact/hooks";
import { MAP_COLUMNS, MAP_ROWS } from "../../lock/tuning.js";
import { type Cells, rectangle } from "./edit";
import type { Layout } from "./layout";

/** A place in the grid. Line -1 has the values of the axis above, place -1 those of the axis beside. */
export type Spot = readonly [line: number, place: number];

const ARROWS: ReadonlyMap<string, Spot> = new Map([
	["ArrowUp", [-1, 0]],
	["ArrowDown", [1, 0]],
	["ArrowLeft", [0, -1]],
	["ArrowRight", [0, 1]],
]);

/**
 * Where a key leads from a spot; at an edge it stays.
 * @param least 0 if it is to stay among cells, -1 if it may go on to an axis
 * @returns undefined if it is no arrow key
 */
export function arrowFrom([line, place]: Spot, key: string, { lines, perLine }: Layout, least: 0 | -1): Spot | undefined {
	const arrow = ARROWS.get(key);
	if (arrow === undefined) return undefined;
	const held = (value: number, most: number): number => Math.min(most, Math.max(least, value));
	const [down, right] = [held(line + arrow[0], lines - 1), held(place + arrow[1], perLine - 1)];
	// there is nothing in the corner
	return down + right === -2 ? [line, place] : [down, right];
}

interface Options {
	readonly layout: Layout;
	readonly cells: Cells;
	readonly area: boolean;
	readonly onSelect: (cells: Set<number>) => void;
	/** Keys that select nothing. */
	readonly onKey: (event: KeyboardEvent) => void;
}

interface Marks {
	readonly focus: number;
	readonly setFocus: (cell: number) => void;
	readonly anchor: { current: number };
}

/** For elements with `data-cell`, the number of a cell, or `data-head`, the spot of a value of an axis. */
export function useSelection(options: Options) {
	const [focus, setFocus] = useState(0);
	const marks = { focus, setFocus, anchor: useRef(0) };
	return { focus, setFocus, ...usePointer(options, marks), ...useKeys(options, marks) };
}

function toggled(cells: Cells, cell: number): Set<number> {
	const next = new Set(cells);
	if (!next.delete(cell)) next.add(cell);
	return next;
}

function cellUnder(event: PointerEvent): number | undefined {
	const under = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>("[data-cell]");
	return under?.dataset["cell"] === undefined ? undefined : Number(under.dataset["cell"]);
}

function usePointer({ cells, area, onSelect }: Options, { setFocus, anchor }: Marks) {
	const drag = useRef<number | undefined>(undefined);
	const onPointerDown = (event: PointerEvent): void => {
		const cell = cellUnder(event);
		if (cell === undefined || event.button !== 0) return;
		setFocus(cell);
		if (event.shiftKey) onSelect(rectangle(anchor.current, cell));
		else if (event.pointerType === "mouse" || area) {
			drag.current = anchor.current = cell;
			onSelect(new Set([cell]));
		}
	};
	const onPointerMove = (event: PointerEvent): void => {
		if (drag.current === undefined) return;
		const cell = cellUnder(event);
		if (cell !== undefined) onSelect(rectangle(drag.current, cell));
	};
	/** Else it would be a flick, which takes the next tap: see `useSideways`. */
	const onTouchMove = (event: TouchEvent): void => {
		if (drag.current !== undefined) event.preventDefault();
	};
	const end = (): void => {
		drag.current = undefined;
	};
	/** A touch comes as a click, when it was not a scroll. */
	const onCellClick = (event: MouseEvent, cell: number): void => {
		if ((event as PointerEvent).pointerType !== "touch" || area) return;
		anchor.current = cell;
		onSelect(toggled(cells, cell));
	};
	const pointer = { onTouchMove, onPointerDown, onPointerMove, onPointerUp: end, onPointerCancel: end, onPointerLeave: end };
	return { pointer, onCellClick };
}

function useKeys({ layout, cells, onSelect, onKey }: Options, { focus, setFocus, anchor }: Marks) {
	const grid = useRef<HTMLDivElement>(null);
	const focusOn = (selector: string): void => grid.current?.querySelector<HTMLElement>(selector)?.focus();
	const goTo = ([line, place]: Spot, fromCell: boolean, extend: boolean): void => {
		if (line < 0 || place < 0) {
			focusOn(`[data-head="${line} ${place}"]`);
			return;
		}
		const cell = layout.cellOf(line, place);
		if (fromCell) {
			setFocus(cell);
			if (!extend) anchor.current = cell;
			onSelect(rectangle(anchor.current, cell));
		}
		focusOn(`[data-cell="${cell}"]`);
	};
	const onKeyDown = (event: KeyboardEvent): void => {
		const head = (event.target as HTMLElement).dataset["head"]?.split(" ").map(Number) as Spot | undefined;
		const from = head ?? [layout.lineOf(focus), layout.placeOf(focus)];
		const next = arrowFrom(from, event.key, layout, event.shiftKey && head === undefined ? 0 : -1);
		if (next !== undefined) goTo(next, head === undefined, event.shiftKey);
		else if (event.key === "a" && (event.ctrlKey || event.metaKey)) onSelect(rectangle(0, MAP_ROWS * MAP_COLUMNS - 1));
		else if (event.key === " " && head === undefined) onSelect(toggled(cells, focus));
		else {
			if (event.key === "Escape") onSelect(new Set());
			else onKey(event);
			return;
		}
		event.preventDefault();
	};
	return { grid, onKeyDown };
}
