/** Characters of a text. Without regular expressions, for the engine's part for them takes 34 KB of flash. */

import { Text } from "../../modules/text/text.js";

/** Digits, for `consistsOf`. */
export const DECIMAL = "0123456789";
export const LOWER_HEX = "0123456789abcdef";
export const UPPER_HEX = "0123456789ABCDEF";
/** From the blank to the tilde. */
export const PRINTABLE = String.fromCharCode(...Array.from({ length: 95 }, (_, i) => 32 + i));
/** Hexadecimal digits in either case. */
export const HEX = "0123456789abcdefABCDEF";
export const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// the C functions themselves: a function around each would cost as much again
export const {
	/** True if the text is not empty and has these characters only. @param characters ASCII */
	consistsOf,
	/** Letters of ASCII in lower case. The engine's `toLowerCase` brings 11 KB of Unicode's tables along. */
	lowerCase,
	/** Letters of ASCII in upper case. */
	upperCase,
} = Text;

/** Foreign texts are bounded before they are split: each part takes memory. Source: docs/decisions.md 26. */
export function hasAtMost(text: string, separator: string, count: number): boolean {
	let at = -1;
	for (let found = 0; found <= count; found++) {
		at = text.indexOf(separator, at + 1);
		if (at < 0) return true;
	}
	return false;
}

const CHARACTERS_MAX = 24;

/** Value of a decimal number such as `-12.5`; NaN for anything else. */
export function decimalOf(text: string): number {
	if (text.length > CHARACTERS_MAX) return Number.NaN;
	const unsigned = text.startsWith("+") || text.startsWith("-") ? text.slice(1) : text;
	const isDecimal = consistsOf(unsigned.replace(".", ""), DECIMAL) && !unsigned.startsWith(".") && !unsigned.endsWith(".");
	return isDecimal ? Number(text) : Number.NaN;
}
