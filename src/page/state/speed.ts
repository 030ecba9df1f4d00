/** The unit in which speeds are shown and typed, chosen in this browser. All that is kept is in km/h. */

import { recall, remember } from "./cache";

/** The units, as they stand behind a number. */
export const SPEED_UNITS = ["km/h", "mph"] as const;
/** One of these, miles per hour being 1.609344 km/h. */
export type SpeedUnit = (typeof SPEED_UNITS)[number];

/** By definition. */
const KMH_PER_MPH = 1.609344;

/** Stays for as long as the page is loaded. */
export const speedUnit: SpeedUnit = recall("speedUnit") === "mph" ? "mph" : "km/h";
const kmhPerUnit = speedUnit === "mph" ? KMH_PER_MPH : 1;

/** Draws the whole page anew; drafts outlive it. */
export function chooseSpeedUnit(unit: SpeedUnit): void {
	remember("speedUnit", unit);
	location.reload();
}

/** The speed as it is shown: whole, in the unit. */
export function shownSpeed(kmh: number): number {
	return Math.round(kmh / kmhPerUnit);
}

/** The typed speed in whole km/h, which the controller wants. */
export function kmhOf(shown: number): number {
	return Math.round(shown * kmhPerUnit);
}

/** The speed for people: "40 km/h" or "25 mph". */
export function speedText(kmh: number): string {
	return `${shownSpeed(kmh)} ${speedUnit}`;
}
