/** Names of the modes in requests and files. Source: docs/control-and-can.md 1.1. */

import { FWD, MAP, MODES, type ModeNumber, STOCK } from "../lock/modes.js";
import { upperCase } from "../text/characters.js";

/** Pairs: a client's text that is looked up among members would stay as a name of the engine. */
export const MODE_ALIASES: readonly (readonly [string, ModeNumber])[] = Object.freeze([
	["PASSTHRU", STOCK],
	["100:0", FWD],
	["50:50", 2],
	["LOCK", 2],
	["60:40", 3],
	["70:30", 4],
	["7525", 4],
	["75:25", 4],
	["80:20", 5],
	["90:10", 6],
	["EXPERT", MAP],
]);

/** Number of the mode of that name or alias, in any letter case, with blanks around it; -1 = unknown. */
export function parseMode(name: string): ModeNumber {
	const token = upperCase(name.trim());
	const index = (MODES as readonly string[]).indexOf(token);
	return index >= 0 ? index : (MODE_ALIASES.find((alias) => alias[0] === token)?.[1] ?? -1);
}

/** The mode of a JSON value, -1 = unknown. A number means the preset of that name, as 5050. */
export function modeOf(value: unknown): ModeNumber {
	if (typeof value === "number") return Number.isInteger(value) ? parseMode(String(value)) : -1;
	return typeof value === "string" ? parseMode(value) : -1;
}

/** Favourites of a driver. */
export const FAVOURITES_MIN = 2;
export const FAVOURITES_MAX = 6;
const FAVOURITES_LENGTH_MAX = 80;

/** Canonical names with one blank between two; "" if they are too few, too many, or one is there twice. */
export function favouritesOf(text: string): string {
	if (text.length > FAVOURITES_LENGTH_MAX) return "";
	const modes = text.trim().split(" ").map(parseMode);
	const fits = modes.length >= FAVOURITES_MIN && modes.length <= FAVOURITES_MAX && !modes.includes(-1);
	return fits && modes.every((mode, index) => modes.indexOf(mode) === index) ? modes.map((mode) => MODES[mode]).join(" ") : "";
}
