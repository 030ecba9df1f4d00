/** Names of maps, and notices of maps that were applied. */

import { modeState, revisions } from "../net/live";
import { postedAtMs } from "../net/request";
import type { Status } from "../net/types";
import { T } from "../texts";
import { notify } from "../ui/notice";
import { loadStatus } from "./status";
import { useStore } from "./store";

/** "Winter", or "Winter, changed": also for the map that a swap would bring, and for a preset. */
export function mapNameText({ mapName, mapFrom }: Pick<Status["earlier"], "mapName" | "mapFrom">): string {
	return mapName || (mapFrom === "" ? T.map.unnamed : T.map.changed(mapFrom));
}

/** Name of the stored map under a path of the controller. */
export function nameOfPath(path: string): string {
	return path.replace(/^.*\//, "").replace(/\.\w+$/, "");
}

/** Where the stored map under a path of the controller is to be had, as JSON. */
export function mapAddress(path: string): string {
	return `/api/maps/export?path=${encodeURIComponent(path)}&format=json`;
}

/** The name under which the controller stores a map: as `pathForName` of `src/maps/map-path.ts`, by a test. */
export function storedName(text: string): string {
	// each byte of a character that is not kept becomes one "_"
	const bytesOf = (character: string): number => new TextEncoder().encode(character).length;
	return text
		.replace(/^ +| +$/g, "")
		.replace(/[^\w .-]/gu, (character) => "_".repeat(bytesOf(character)))
		.replace(/\.json$/, "");
}

function ruledText(path = ""): string {
	return path && T.map.ruled(nameOfPath(path));
}

/** Says that a condition has put another map in place of the driver's; "" = none has. */
export function useRuledText(): string {
	return ruledText(useStore(modeState)?.conditionMap);
}

/** Says that a map was applied, and whether it is in effect now. */
export function appliedText(name: string): string {
	return [T.map.applied(name), ruledText(modeState.value?.conditionMap)].filter(Boolean).join(". ");
}

/** The event of this page's own change comes within a second of its answer, also on bad Wi-Fi. */
const MINE_MS = 3000;

/** Says which map another device has applied. Call once. */
export function tellOfOtherMap(): void {
	let known = revisions.value?.map;
	revisions.follow(async () => {
		const before = known;
		known = revisions.value?.map ?? known;
		if (before === undefined || before === known || performance.now() - postedAtMs() < MINE_MS) return;
		const snapshot = await loadStatus().catch(() => undefined);
		if (snapshot !== undefined) notify("good", T.map.appliedElsewhere(mapNameText(snapshot)));
	});
}
