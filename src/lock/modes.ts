/**
 * The driver's modes. Numbers are those of byte 6 of the status broadcast and of stored settings.
 * Source: docs/control-and-can.md 1.1.
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

/** A canonical name. */
export type Mode = (typeof MODES)[number];
/** 0..10, index into `MODES`. */
export type ModeNumber = number;

/** No mode. */
export const NO_MODE = -1;
/** Frames leave as they came. */
export const STOCK = 0;
/** The coupling is commanded to 0 %. */
export const FWD = 1;
/** The first preset: full lock while its gates are open. */
export const FIFTY_FIFTY = 2;
/** The first of the dynamic modes, whose lock follows a table. */
export const SPEED = 7;
export const THROTTLE = 8;
export const MAP = 9;
export const RPM = 10;

/** The most that can be asked of a coupling. Source: docs/control-and-can.md 1.1. */
export const FULL_LOCK_PERCENT = 100;

/** Percent that a mode up to 9010 asks for while its gates are open. Source: docs/control-and-can.md 1.1. */
export const PRESET_LOCK_PERCENT = Object.freeze([0, 0, FULL_LOCK_PERCENT, 40, 30, 20, 10]);

/** Modes by their numbers in OpenHaldex-C6: STOCK, FWD, 5050, 6040, 7525, EXPERT. */
const FORMER_NUMBERS: readonly ModeNumber[] = Object.freeze([STOCK, FWD, FIFTY_FIFTY, 3, 4, MAP]);

/** @param value of a request: 0..5 mean a mode of OpenHaldex-C6. @returns NO_MODE for anything else */
export function modeOfFormerNumber(value: unknown): ModeNumber {
	return FORMER_NUMBERS.find((_, number) => number === value) ?? NO_MODE;
}

/** Number of a mode in OpenHaldex-C6, 0..5; -1 = it does not have it. */
export function formerNumberOf(mode: ModeNumber): number {
	return FORMER_NUMBERS.indexOf(mode);
}

/** True for SPEED, THROTTLE, MAP and RPM: lock follows a table. */
export function isDynamic(mode: ModeNumber): boolean {
	return mode >= SPEED && mode <= RPM;
}
