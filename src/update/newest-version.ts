/**
 * What is kept of the versions that were here, and of those that were announced: the newest ones, so that nobody can go back to one whose
 * faults are known, or hide a newer one behind an old announcement.
 */

import type { DocumentForm } from "../storage/stored-document.js";
import { isVersion } from "./version.js";

/** Versions as `1.2.3`, see `version.ts`. */
export interface NewestVersion {
	/** "" = none was kept yet. */
	readonly version: string;
	/** By a manifest that the key has signed, for this board; "" = none was. */
	readonly announced: string;
}

const orNothing = (version: unknown): string => {
	if (typeof version === "string" && (version === "" || isVersion(version))) return version;
	throw new RangeError(`version ${version} is not allowed; allowed: a version, or nothing`);
};

/** Its file. */
export const NEWEST_VERSION_DOCUMENT: DocumentForm<NewestVersion> = Object.freeze({
	path: "newest-version.json",
	format: 1,
	maxBytes: 128,
	fallback: Object.freeze({ version: "", announced: "" }),
	read: ({ version, announced = "" }) => ({ version: orNothing(version), announced: orNothing(announced) }),
	write: (newest) => ({ ...newest }),
} satisfies DocumentForm<NewestVersion>);
