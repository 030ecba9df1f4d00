/**
 * The texts in the driver's language: `texts/english.ts` unless `state/language.ts` loads another table before
 * anything is drawn. Read `T` while drawing, never while a module loads. What the controller says is translated
 * here: reasons by their value, everything else by its words.
 */

import { ENGLISH, type Texts } from "./texts/english";

/** The texts in the language that was chosen. */
export let T: Texts = ENGLISH;

/** From now on the page speaks so; what is drawn already stays. */
export function speak(texts: Texts): void {
	T = texts;
}

/** @returns undefined for a name that the table does not have itself, "constructor" for example */
export function lookUp<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
	return Object.hasOwn(table, name) ? table[name] : undefined;
}

/**
 * A value of newer firmware, which this page does not know, stays in the controller's words.
 * @param said the controller's words for it
 */
export function valueInOurWords(value: string, said: string, detail = ""): string {
	const words = lookUp<string>(T.reasons, value);
	if (words === undefined) return inOurWords(said);
	if (detail === "") return words;
	return words.includes("*") ? words.replace("*", () => detail) : `${words} (${detail})`;
}

/** Says which value is not allowed. The value is the driver's own, or a count of the controller's: "10 columns". */
export function wrongValue(field: string, value: string, allowed: string): string {
	const isCount = /^(more than )?\d+ \w+$/.test(value);
	return T.link.allowed(inOurWords(field), isCount ? inOurWords(value) : value, inOurWords(allowed));
}

/** Words in brackets or after a colon are translated likewise, or stay: a map, a file. */
export function inOurWords(said: string): string {
	const whole = lookUp(T.said, said);
	if (whole !== undefined) return whole;
	const [, field, value = "", allowed = ""] = /^(\S+|line \d+) is "?(.*?)"?; allowed: (.*)$/.exec(said) ?? [];
	if (field !== undefined) return wrongValue(field, value, allowed);
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
