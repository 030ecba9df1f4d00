/** The active map and the driver's changes to it: by the tools, and by keys over the selected cells. */

import { useRef } from "preact/hooks";
import { MAP_COLUMNS, MAP_ROWS } from "../../lock/tuning.js";
import { get, post } from "../net/request";
import type { LockMap, Status } from "../net/types";
import { Draft } from "../state/draft";
import { T } from "../texts";
import { type Cells, change, interpolate, smooth } from "./edit";

/** The map, with the name of the stored map that it was made from, "" = none. */
async function read(before: number, name = ""): Promise<LockMap> {
	const { speedBins, throttleBins, lockTable, from = name } = await get<LockMap>(`/api/map?before=${before}`);
	return { speedBins, throttleBins, lockTable, from };
}

/** Applying it touches no stored map. */
export const mapDraft = new Draft<LockMap>({
	name: "map",
	revision: "map",
	read: ({ mapFrom }: Status) => read(0, mapFrom),
	write: (map, revision) => post("/api/map", { ...map, revision, try: true }),
	earlier: read,
	fits: ({ speedBins, throttleBins, lockTable }) =>
		speedBins.length === MAP_COLUMNS &&
		throttleBins.length === MAP_ROWS &&
		lockTable.length === MAP_ROWS &&
		lockTable.every((row) => row.length === MAP_COLUMNS),
	written: () => T.map.tried,
});

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
