/** What the driver calls the active map. */

import type { Status } from "../net/types";
import { T } from "../texts";

/** "Winter", or "Winter, changed": also for the map that a swap would bring, and for a preset. */
export function mapNameText({ mapName, mapFrom }: Pick<Status["earlier"], "mapName" | "mapFrom">): string {
	return mapName || (mapFrom === "" ? T.map.unnamed : T.map.changed(mapFrom));
}
