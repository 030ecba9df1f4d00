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
/** Those from SPEED on are the dynamic ones. */
export const STOCK = 0;
export const FWD = 1;
export const FIFTY_FIFTY = 2;
export const SPEED = 7;
export const THROTTLE = 8;
export const MAP = 9;
export const RPM = 10;

/** The most that can be asked of a coupling. Source: docs/control-and-can.md 1.1. */
export const FULL_LOCK_PERCENT = 100;

/** While the gates are open; "5050" asks for full lock. Source: docs/control-and-can.md 1.1. */
export const PRESET_LOCK_PERCENT = Object.freeze([0, 0, FULL_LOCK_PERCENT, 40, 30, 20, 10]);

/** Modes by their numbers in OpenHaldex-C6: STOCK, FWD, 5050, 6040, 7525, EXPERT. */
const FORMER_NUMBERS: readonly ModeNumber[] = Object.freeze([STOCK, FWD, FIFTY_FIFTY, 3, 4, MAP]);

/** NO_MODE = unknown. */
export function modeOfFormerNumber(value: unknown): ModeNumber {
	return FORMER_NUMBERS.find((_, number) => number === value) ?? NO_MODE;
}

/** Number of a mode in OpenHaldex-C6, 0..5; -1 = it does not have it. */
export function formerNumberOf(mode: ModeNumber): number {
	return FORMER_NUMBERS.indexOf(mode);
}

/** Lock follows a table: SPEED, THROTTLE, MAP, RPM. */
export function isDynamic(mode: ModeNumber): boolean {
	return mode >= SPEED && mode <= RPM;
}
