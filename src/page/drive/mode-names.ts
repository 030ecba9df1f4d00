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

/** Of the C6 board's LED, by mode: those of src/controls/led.ts, four times as bright. */
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
