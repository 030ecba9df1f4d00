/** The language of the page: what was chosen here, else the browser's, else English. */

import { speak } from "../texts";
import type { Texts } from "../texts/english";
import { recall, remember } from "./cache";

/** The languages, each in its own words. */
export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
/** Codes of ISO 639-1. */
export type Language = keyof typeof LANGUAGES;

/** Texts that the page does not carry from the start. */
const LOADED: Partial<Record<Language, () => Promise<Texts>>> = {
	de: async () => (await import("../texts/german")).GERMAN,
};

function isKnown(name: string): name is Language {
	return Object.hasOwn(LANGUAGES, name);
}

const wanted = recall<string>("language") ?? navigator.language.slice(0, 2);
/** Stays for as long as the page is loaded. */
export const language: Language = isKnown(wanted) ? wanted : "en";

/** On a bad radio a file takes a second; a driver without a page waits no longer than for a light. */
const WAIT_MS = 5000;

/** Call once, before anything is drawn. If the texts don't arrive, the page speaks English. Never throws. */
export async function speakLanguage(): Promise<void> {
	const late = new Promise<undefined>((resolve) => setTimeout(resolve, WAIT_MS));
	const texts = await Promise.race([LOADED[language]?.().catch(() => undefined), late]);
	if (texts === undefined) return;
	speak(texts);
	document.documentElement.lang = language;
}

/** Draws the whole page anew; drafts outlive it. */
export function chooseLanguage(name: Language): void {
	remember("language", name);
	location.reload();
}
