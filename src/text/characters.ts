/**
 * What characters a text has. A regular expression would say it as well: the engine's part for them is 34 KB of flash, which is left out
 * where no code has one.
 */

export const DECIMAL = "0123456789";
export const LOWER_HEX = "0123456789abcdef";
export const UPPER_HEX = "0123456789ABCDEF";
export const HEX = "0123456789abcdefABCDEF";

/** True if the text is not empty and has these characters only. */
export function consistsOf(text: string, characters: string): boolean {
	for (let i = 0; i < text.length; i++) if (!characters.includes(text.charAt(i))) return false;
	return text !== "";
}
