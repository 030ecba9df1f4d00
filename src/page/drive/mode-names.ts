/** The controller's modes, what the driver calls them, and which of them they want under the thumb. */

import { USUAL_FAVOURITES } from "../generated/mode-table";
import { status } from "../state/status";
import { useStore } from "../state/store";
import { lookUp, T } from "../texts";

/** All modes, in the order in which they are shown. */
export const MODES: readonly string[] = [
	"STOCK",
	"MAP",
	"SPEED",
	"THROTTLE",
	"RPM",
	"FWD",
	"9010",
	"8020",
	"7030",
	"6040",
	"5050",
];

/** A mode's name for people. */
export function modeLabel(mode: string): string {
	return lookUp(T.modes, mode)?.[0] ?? mode;
}

/** The favourite modes, in the driver's order. */
export function useFavourites(): readonly string[] {
	return (useStore(status)?.controls.favourites ?? USUAL_FAVOURITES).split(" ");
}
