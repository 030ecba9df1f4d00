/**
 * What the controller says, in the driver's language: reasons by their value, everything else by its words.
 */

import type { ModeState } from "./net/types";
import { lookUp, T } from "./texts";

/** A value that this page does not know, of newer firmware, is said in the controller's words. */
export function reasonInOurWords({
	reason,
	reasonCode,
	reasonDetail,
}: Pick<ModeState, "reason" | "reasonCode" | "reasonDetail">): string {
	return valueInOurWords(reasonCode, reason, reasonDetail);
}

/**
 * The same of any value that has a text.
 * @param said the controller's words for it
 * @param detail what belongs to it
 */
export function valueInOurWords(value: string, said: string, detail = ""): string {
	const words = lookUp<string>(T.reasons, value);
	if (words === undefined) return inOurWords(said);
	if (detail === "") return words;
	return words.includes("*") ? words.replace("*", () => detail) : `${words} (${detail})`;
}

/** What it names behind them, in brackets or after a colon, is said likewise, or stays: a map, a file. */
export function inOurWords(said: string): string {
	const whole = lookUp(T.said, said);
	if (whole !== undefined) return whole;
	for (const mark of [" (", ": "]) {
		const at = said.indexOf(mark);
		const known = at < 0 ? undefined : phrase(said.slice(0, at));
		if (known !== undefined) return known + mark + inOurWords(said.slice(at + mark.length));
	}
	return phrase(said) ?? said;
}

/** A star stands for what the controller names: a file, a number. */
function phrase(said: string): string | undefined {
	const whole = lookUp(T.said, said);
	if (whole !== undefined) return whole;
	for (const [theirs, ours] of Object.entries(T.said)) {
		const [before = "", after] = theirs.split("*");
		if (after !== undefined && said.startsWith(before) && said.endsWith(after))
			return ours.replace("*", () => said.slice(before.length, said.length - after.length));
	}
	return undefined;
}
