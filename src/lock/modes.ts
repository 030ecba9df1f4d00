/**
 * The driver's modes: names, numbers, aliases and what a preset asks for.
 * Numbers are what byte 6 of the status broadcast and stored settings carry. Source: docs/control-and-can.md 1.1.
 */

/** Canonical mode names; the index is the mode's number. */
export const MODES = Object.freeze([
	"STOCK",
	"FWD",
	"5050",
	"6040",
	"7030",
	"8020",
	"9010",
	"SPEED",
	"THROTTLE",
	"MAP",
	"RPM",
] as const);

export type Mode = (typeof MODES)[number];
/** 0..10, index into `MODES`. */
export type ModeNumber = number;

/** In the place of a mode: none. */
export const NO_MODE = -1;
export const STOCK = 0;
export const FWD = 1;
export const SPEED = 7;
export const THROTTLE = 8;
export const MAP = 9;
export const RPM = 10;

/** Lock percentage of modes 0..6 while their gates are open. "5050" asks for full lock. */
export const PRESET_LOCK_PERCENT = Object.freeze([0, 0, 100, 40, 30, 20, 10]);

/** Pairs, not members of an object: looking a client's text up among members would make a name of the engine of it, which stays. */
const ALIASES: readonly (readonly [string, ModeNumber])[] = Object.freeze([
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

/** Number of the mode that `name` means, by canonical name or alias, any letter case, blanks around it ignored; -1 if none. Never throws. */
export function parseMode(name: string): ModeNumber {
	const token = name.trim().toUpperCase();
	const index = (MODES as readonly string[]).indexOf(token);
	return index >= 0 ? index : (ALIASES.find((alias) => alias[0] === token)?.[1] ?? -1);
}

/** Number of the mode that a JSON value means, -1 if none. Numbers mean the preset of that name (5050), never a mode number. Never throws. */
export function modeOf(value: unknown): ModeNumber {
	if (typeof value === "number") return Number.isInteger(value) ? parseMode(String(value)) : -1;
	return typeof value === "string" ? parseMode(value) : -1;
}

/** The driver's favourites: so many. */
export const FAVOURITES_MIN = 2;
export const FAVOURITES_MAX = 6;
/** Longer than any list of them. */
const FAVOURITES_LENGTH_MAX = 80;

/** Canonical names, with one blank between two, of favourites by name or alias; "" if these are none: too few, too many, one twice. Never throws. */
export function favouritesOf(text: string): string {
	if (text.length > FAVOURITES_LENGTH_MAX) return "";
	const modes = text.trim().split(" ").map(parseMode);
	const fits = modes.length >= FAVOURITES_MIN && modes.length <= FAVOURITES_MAX && !modes.includes(-1);
	return fits && modes.every((mode, index) => modes.indexOf(mode) === index) ? modes.map((mode) => MODES[mode]).join(" ") : "";
}

/** Modes by their numbers in OpenHaldex-C6: STOCK, FWD, 5050, 6040, 7525, EXPERT. */
const FORMER_NUMBERS: readonly ModeNumber[] = Object.freeze([STOCK, FWD, 2, 3, 4, MAP]);

/** Number of the mode that OpenHaldex-C6 counts as `value`, -1 if it is none of 0..5. Never throws. */
export function modeOfFormerNumber(value: unknown): ModeNumber {
	return FORMER_NUMBERS.find((_, number) => number === value) ?? -1;
}

/** How OpenHaldex-C6 counts a mode, 0..5; -1 for a mode that it does not have. */
export function formerNumberOf(mode: ModeNumber): number {
	return FORMER_NUMBERS.indexOf(mode);
}

/** True for the four modes whose lock comes from a table: MAP, SPEED, THROTTLE, RPM. */
export function isDynamic(mode: ModeNumber): boolean {
	return mode >= SPEED && mode <= RPM;
}
