/**
 * Revisions of what clients edit. A client sends the revision that its edit began with, and learns if another
 * one is active. A revision depends on the content alone: it outlives a restart and an undone change.
 */

import type { Tuning } from "../lock/tuning.js";
import { encodeUtf8 } from "../text/bytes.js";
import type { Settings } from "./settings.js";

/** Parts of the settings with a revision of their own. */
export const REVISED = Object.freeze(["map", "speedCurve", "throttleCurve", "rpmCurve", "settings"] as const);
/** Name of a revision. */
export type Revised = (typeof REVISED)[number];

/** The active revisions, 0..2^31 - 1 each. */
export class Revisions {
	map = 0;
	speedCurve = 0;
	throttleCurve = 0;
	rpmCurve = 0;
	/** All that POST /api/settings changes. */
	settings = 0;
	/** Rises with each change of a revision. */
	changes = 0;
	#seen: Settings | undefined;

	/** Looks at what is active; costs nothing while it is the same object. */
	observe(settings: Settings): void {
		const seen = this.#seen;
		if (settings === seen) return;
		this.#seen = settings;
		const { tuning } = settings;
		const old: Partial<Tuning> = seen?.tuning ?? {};
		for (const name of REVISED)
			if (name === "settings") this.#set(name, ofSettings(settings));
			else if (tuning[name] !== old[name]) this.#set(name, hashOf(tuning[name]));
	}

	#set(name: Revised, revision: number): void {
		if (this[name] === revision) return;
		this[name] = revision;
		this.changes++;
	}
}

/** The revision of the settings without what has one of its own, is chosen while driving, or is a switch of its own. */
function ofSettings(settings: Settings): number {
	const none = undefined;
	const tuning = { ...settings.tuning, map: none, speedCurve: none, throttleCurve: none, rpmCurve: none };
	return hashOf({
		...settings,
		tuning,
		mode: none,
		disableController: none,
		currentMap: none,
		mapFrom: none,
		analyzerEnabled: none,
	});
}

/** End of a text, and of a list or object. */
const TEXT_END = 0x100;
const LIST_END = 0x101;

function hashOf(value: object): number {
	return hashWith(0x811c9dc5, value) & 0x7fffffff;
}

function hashWith(hash: number, value: unknown): number {
	if (typeof value === "number") return mixed(mixed(hash, value), (value % 1) * 2 ** 32);
	if (typeof value === "string") {
		let next = hash;
		const bytes = encodeUtf8(value);
		for (let i = 0; i < bytes.length; i += 4)
			next = mixed(next, bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24));
		return mixed(mixed(next, bytes.length), TEXT_END);
	}
	if (typeof value === "object" && value !== null) return mixed(Object.values(value).reduce(hashWith, hash), LIST_END);
	return mixed(hash, Number(value === true));
}

/** Mixes 32 bits into a hash as FNV-1a does a byte: the shift brings the upper bits down. */
function mixed(hash: number, word: number): number {
	const product = Math.imul(hash ^ word, 0x01000193);
	return product ^ (product >>> 15);
}
