/** The map in force and the driver's changes to it. */

import { get, post } from "../net/request";
import type { LockMap } from "../net/types";
import { Draft } from "../state/draft";
import { T } from "../texts";

/** Of a map: pedals. */
export const ROWS = 7;
/** Of a map: speeds. */
export const COLUMNS = 9;

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
		speedBins.length === COLUMNS &&
		throttleBins.length === ROWS &&
		lockTable.length === ROWS &&
		lockTable.every((row) => row.length === COLUMNS),
	written: () => T.map.tried,
});
