/** Numbers in foreign texts. */

import { consistsOf, DECIMAL } from "./characters.js";

/**
 * Longest number as text. Chosen: 17 digits, which a double has in full, with sign, point and leading zeros. Half would refuse what clients have
 * computed; twice only lets somebody send more text that is no other number.
 */
const CHARACTERS_MAX = 24;

/** Value of a decimal number such as `-12.5`; NaN for anything else. */
export function decimalOf(text: string): number {
	if (text.length > CHARACTERS_MAX) return Number.NaN;
	const unsigned = text.startsWith("+") || text.startsWith("-") ? text.slice(1) : text;
	const parts = unsigned.split(".");
	const isDecimal = parts.length <= 2 && parts.every((part) => consistsOf(part, DECIMAL));
	return isDecimal ? Number(text) : Number.NaN;
}
