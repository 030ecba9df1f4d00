/** The controller's modes, and what the driver calls them. */

import { lookUp } from "../look-up";
import { T } from "../texts";

/** In the order in which they are shown. */
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
