/**
 * The modes that the driver wants under the thumb, in the controller: its buttons go through the same ones. Whether the swap of maps is
 * beside them, which is no mode, is kept in this browser.
 */

import { inWords, post } from "../net/request";
import { notify } from "../ui/notice";
import { recall, remember } from "./cache";
import { loadStatus, status } from "./status";
import { Store, useStore } from "./store";

/** As many as the controller takes: src/settings/mode-names.ts. */
export const FAVOURITES_MIN = 2;
export const FAVOURITES_MAX = 6;
const AT_FIRST = "STOCK MAP 8020 5050";

const swaps = new Store(recall<unknown>("swapIsFavourite") === true);

/** @param swap name of the swap's button */
export function useFavourites(swap: string): readonly string[] {
	const modes = useStore(status)?.controls.favourites ?? AT_FIRST;
	const withSwap = useStore(swaps);
	return withSwap ? [...modes.split(" "), swap] : modes.split(" ");
}

/** @param chosen all of them @param swap name of the swap's button */
export async function chooseFavourites(chosen: readonly string[], swap: string): Promise<void> {
	const withSwap = chosen.includes(swap);
	remember("swapIsFavourite", withSwap);
	swaps.set(withSwap);
	const favourites = chosen.filter((mode) => mode !== swap).join(" ");
	if (favourites === status.value?.controls.favourites) return;
	try {
		await post("/api/settings", { controls: { favourites } });
		await loadStatus();
	} catch (error) {
		notify("bad", inWords(error));
	}
}
