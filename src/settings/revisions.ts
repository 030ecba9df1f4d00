/**
 * What clients edit, told apart by its content: whoever writes sends the revision that the edit began with, and learns if another one is
 * in force. Made of the content alone, so it outlives a restart, and what was changed and changed back is the same again.
 */

import { STOCK } from "../lock/modes.js";
import type { Tuning } from "../lock/tuning.js";
import { textHash } from "../text/characters.js";
import { DEFAULT_SETTINGS, type Settings } from "./settings.js";
import { settingsToStored } from "./stored-settings.js";
import { textOfCurve, textOfMap } from "./tuning-text.js";

/** What has a revision of its own. */
export const REVISED = Object.freeze(["map", "speedCurve", "throttleCurve", "rpmCurve", "settings"] as const);
/** One of them. */
export type Revised = (typeof REVISED)[number];

/** The revisions in force, 0..2^31 - 1 each. */
export class Revisions {
	map = 0;
	speedCurve = 0;
	throttleCurve = 0;
	rpmCurve = 0;
	/** All that POST /api/settings changes. */
	settings = 0;
	/** Rises whenever one of them is another one. */
	changes = 0;
	#seen: Settings | undefined;

	/** True if they are those of this object already, which is replaced with each change and never changed. */
	isOf(settings: Settings): boolean {
		return settings === this.#seen;
	}

	/** Takes a look at what is in force. Costs nothing while it is the same object; allocates if it is not. Never throws. */
	observe(settings: Settings): void {
		const seen = this.#seen;
		if (settings === seen) return;
		this.#seen = settings;
		const { tuning } = settings;
		const old: Partial<Tuning> = seen?.tuning ?? {};
		if (tuning.map !== old.map) this.#set("map", textHash(textOfMap(tuning.map)));
		if (tuning.speedCurve !== old.speedCurve) this.#set("speedCurve", textHash(textOfCurve(tuning.speedCurve)));
		if (tuning.throttleCurve !== old.throttleCurve) this.#set("throttleCurve", textHash(textOfCurve(tuning.throttleCurve)));
		if (tuning.rpmCurve !== old.rpmCurve) this.#set("rpmCurve", textHash(textOfCurve(tuning.rpmCurve)));
		this.#set("settings", ofSettings(settings));
	}

	#set(name: Revised, revision: number): void {
		if (this[name] === revision) return;
		this[name] = revision;
		this.changes++;
	}
}

/** Without what has a revision of its own, is chosen while driving, or is no edit but a switch of its own. */
function ofSettings(settings: Settings): number {
	const { speedCurve, throttleCurve, rpmCurve } = DEFAULT_SETTINGS.tuning;
	const tuning = { ...settings.tuning, speedCurve, throttleCurve, rpmCurve };
	const rest = { ...settings, tuning, mode: STOCK, disableController: false, currentMap: "", analyzerEnabled: false };
	return textHash(JSON.stringify(settingsToStored(rest)));
}
