/**
 * The texts in the driver's language: `texts/english.ts` unless another table was loaded before anything is
 * drawn (`state/language.ts`). Read `T` while drawing, never while a module loads.
 */

import { ENGLISH, type Texts } from "./texts/english";

/** The texts in the language that was chosen. */
export let T: Texts = ENGLISH;

/** From now on the page speaks so; what is drawn already stays. */
export function speak(texts: Texts): void {
	T = texts;
}

/**
 * @returns undefined if the table has none of that name; what every object has, "constructor" for example, is
 * none
 */
export function lookUp<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
	return Object.hasOwn(table, name) ? table[name] : undefined;
}
