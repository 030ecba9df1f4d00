/** What the driver does to the selected cells of the draft, by the tools and by keys. */

import type { LockMap } from "../net/types";
import { type Cells, change } from "./edit";
import { mapDraft } from "./map-draft";

/** Several in a row to the same cells are one step of undo. @param stepPercent percent */
export function addToCells(map: LockMap, cells: Cells, stepPercent: number): void {
	mapDraft.edit(
		change(map, cells, (now) => now + stepPercent),
		`add ${[...cells].join()}`,
	);
}

/** @param percent 0..100 @param group changes with the same name in a row are one step of undo; "" = each by itself */
export function setCells(map: LockMap, cells: Cells, percent: number, group = ""): void {
	mapDraft.edit(
		change(map, cells, () => percent),
		group,
	);
}
