/** The active map and the driver's changes to it. */

import { MAP_COLUMNS, MAP_ROWS } from "../../lock/tuning.js";
import { get, post } from "../net/request";
import type { LockMap, Status } from "../net/types";
import { Draft } from "../state/draft";
import { T } from "../texts";

/** With the name of the stored map that it was made from, "" = of none. */
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
