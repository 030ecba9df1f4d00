/** The controller's modes, what the driver calls them, and which of them they want under the thumb. */

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

/** The colour of the C6 board's LED by mode: those of src/controls/led.ts, four times as bright. */
export const LED_COLOURS: Readonly<Record<string, string>> = {
	STOCK: "#ff0000",
	FWD: "#00ff00",
	"5050": "#0000ff",
	"6040": "#ff10f0",
	"7030": "#00ffff",
	"8020": "#ffc000",
	"9010": "#80ff00",
	SPEED: "#ff5000",
	THROTTLE: "#8000ff",
	MAP: "#ffffff",
	RPM: "#00ff60",
};

/** A mode's name for people. */
export function modeLabel(mode: string): string {
	return lookUp(T.modes, mode)?.[0] ?? mode;
}

const AT_FIRST = "STOCK MAP 8020 5050";

/** The favourite modes, in the driver's order. */
export function useFavourites(): readonly string[] {
	return (useStore(status)?.controls.favourites ?? AT_FIRST).split(" ");
}
