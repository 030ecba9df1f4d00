/** The modes that the driver wants under the thumb: four to six, kept in this browser. */

import { recall, remember } from "./cache";
import { Store } from "./store";

export const FAVOURITES_MIN = 4;
export const FAVOURITES_MAX = 6;
const AT_FIRST: readonly string[] = ["STOCK", "MAP", "8020", "5050"];

function kept(): readonly string[] {
	const names = recall<unknown>("favourites");
	const fits = Array.isArray(names) && names.length >= FAVOURITES_MIN && names.length <= FAVOURITES_MAX;
	return fits && names.every((name) => typeof name === "string") ? names : AT_FIRST;
}

export const favourites = new Store<readonly string[]>(kept());

/** Adds or takes away a mode. @returns false if there would be too few or too many */
export function toggleFavourite(mode: string): boolean {
	const others = favourites.value.filter((name) => name !== mode);
	const next = others.length < favourites.value.length ? others : [...others, mode];
	if (next.length < FAVOURITES_MIN || next.length > FAVOURITES_MAX) return false;
	remember("favourites", next);
	favourites.set(next);
	return true;
}
