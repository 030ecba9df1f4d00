/** The controller's words in the driver's language. */

import { T } from "./texts";

/** What it names behind them, in brackets or after a colon, stays: a map, a file. */
export function inOurWords(said: string): string {
	const whole = T.said[said];
	if (whole !== undefined) return whole;
	for (const mark of [" (", ": "]) {
		const at = said.indexOf(mark);
		const known = at < 0 ? undefined : T.said[said.slice(0, at)];
		if (known !== undefined) return known + said.slice(at);
	}
	return said;
}
