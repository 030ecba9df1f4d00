/**
 * The modes that the driver wants under the thumb. The controller keeps them, and its buttons go through the
 * same ones.
 */

import { status } from "./status";
import { useStore } from "./store";

/** As many as the controller takes: src/settings/mode-names.ts. */
export const FAVOURITES_MIN = 2;
export const FAVOURITES_MAX = 6;
const AT_FIRST = "STOCK MAP 8020 5050";

/** In the driver's order. */
export function useFavourites(): readonly string[] {
	return (useStore(status)?.controls.favourites ?? AT_FIRST).split(" ");
}
