/** The controller's words in the driver's language. */

import { lookUp } from "./look-up";
import { T } from "./texts";

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
