/** What is kept of the versions that were here: the newest one, so that nobody can go back to one whose faults are known. */

import type { DocumentForm } from "../storage/stored-document.js";
import { isVersion } from "./version.js";

export interface NewestVersion {
	/** "" = none was kept yet. */
	readonly version: string;
}

export const NEWEST_VERSION_DOCUMENT: DocumentForm<NewestVersion> = Object.freeze({
	path: "newest-version.json",
	format: 1,
	maxBytes: 128,
	fallback: Object.freeze({ version: "" }),
	read({ version }) {
		if (typeof version === "string" && (version === "" || isVersion(version))) return { version };
		throw new RangeError(`version ${version} is not allowed; allowed: a version, or nothing`);
	},
	write: (newest) => ({ ...newest }),
} satisfies DocumentForm<NewestVersion>);
