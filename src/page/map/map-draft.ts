/** The map in force and the driver's changes to it. */

import { MAP_COLUMNS, MAP_ROWS } from "../../lock/tuning.js";
import { get, post } from "../net/request";
import type { LockMap } from "../net/types";
import { Draft } from "../state/draft";
import { T } from "../texts";

async function read(before: number): Promise<LockMap> {
	const { speedBins, throttleBins, lockTable } = await get<LockMap>(`/api/map?before=${before}`);
	return { speedBins, throttleBins, lockTable };
}

/** Saving it is a try: it is in force, and no stored map is touched. */
export const mapDraft = new Draft<LockMap>({
	name: "map",
	revision: "map",
	read: () => read(0),
	write: (map, revision) => post("/api/map", { ...map, revision, try: true }),
	earlier: read,
	fits: ({ speedBins, throttleBins, lockTable }) =>
		speedBins.length === MAP_COLUMNS &&
		throttleBins.length === MAP_ROWS &&
		lockTable.length === MAP_ROWS &&
		lockTable.every((row) => row.length === MAP_COLUMNS),
	written: () => T.map.tried,
});
