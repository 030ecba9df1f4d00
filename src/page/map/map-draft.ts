/** The map in force and the driver's changes to it. */

import { get, post } from "../net/request";
import type { LockMap } from "../net/types";
import { Draft } from "../state/draft";

export const ROWS = 7;
export const COLUMNS = 9;

export const mapDraft = new Draft<LockMap>({
	name: "map",
	revision: "map",
	read: async () => {
		const { speedBins, throttleBins, lockTable } = await get<LockMap>("/api/map");
		return { speedBins, throttleBins, lockTable };
	},
	write: (map, revision) => post("/api/map", { ...map, revision }),
});
