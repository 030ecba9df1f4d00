/** What the driver calls the active map, and who has applied it. */

import { revisions } from "../net/live";
import { postedAtMs } from "../net/request";
import type { Status } from "../net/types";
import { T } from "../texts";
import { notify } from "../ui/notice";
import { loadStatus } from "./status";

/** "Winter", or "Winter, changed": also for the map that a swap would bring, and for a preset. */
export function mapNameText({ mapName, mapFrom }: Pick<Status["earlier"], "mapName" | "mapFrom">): string {
	return mapName || (mapFrom === "" ? T.map.unnamed : T.map.changed(mapFrom));
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
