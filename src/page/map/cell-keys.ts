/**
 * What the driver does to the selected cells of the draft, by the tools and by keys: digits, + and -, i and
 * s, Delete; with Ctrl or Cmd, z and y.
 */

import { useRef } from "preact/hooks";
import type { LockMap } from "../net/types";
import { type Cells, change, interpolate, smooth } from "./edit";
import { mapDraft } from "./map-draft";

/** Several in a row to the same cells are one step of undo. @param stepPercent percent */
export function addToCells(map: LockMap, cells: Cells, stepPercent: number): void {
	mapDraft.edit(
		change(map, cells, (now) => now + stepPercent),
		`add ${[...cells].join()}`,
	);
}

/**
 * @param percent 0..100
 * @param group changes with the same name in a row are one step of undo; "" = each by itself
 */
export function setCells(map: LockMap, cells: Cells, percent: number, group = ""): void {
	mapDraft.edit(
		change(map, cells, () => percent),
		group,
	);
}

/** A digit that follows later begins a new number. */
const DIGIT_PAUSE_MS = 1200;

/** @returns what takes the keys that are pressed over cells */
export function useCellKeys(map: LockMap | undefined, cells: Cells): (event: KeyboardEvent) => void {
	const typed = useRef({ digits: "", atMs: 0 });
	return (event) => {
		const { key } = event;
		if (map === undefined) return;
		if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y")) {
			event.preventDefault();
			if (key === "y" || event.shiftKey) mapDraft.redo();
			else void mapDraft.undo();
		} else if (event.ctrlKey || event.metaKey || event.altKey || cells.size === 0) return;
		else if (/^\d$/.test(key)) {
			const again = event.timeStamp - typed.current.atMs < DIGIT_PAUSE_MS ? typed.current.digits : "";
			const digits = Number(again + key) > 100 ? key : again + key;
			typed.current = { digits, atMs: event.timeStamp };
			setCells(map, cells, Number(digits), `type ${[...cells].join()}`);
		} else if (key === "+" || key === "-") addToCells(map, cells, key === "+" ? 1 : -1);
		else if (key === "Delete" || key === "Backspace") setCells(map, cells, 0);
		else if (key === "i") mapDraft.edit(interpolate(map, cells));
		else if (key === "s") mapDraft.edit(smooth(map, cells));
	};
}
