/**
 * What is wrong with the files on flash now, for the status: one entry for each file, the youngest last. A
 * file that was set aside stays in it until the first start after another was written, one that could not be
 * written until it was.
 */

/** One file, and what is wrong with it. */
export interface StorageProblem {
	/** Relative to the flash's root; `logs` stands for all logs. */
	readonly path: string;
	/** In a sentence. */
	readonly problem: string;
}

/** The oldest is dropped for a further one. */
export const STORAGE_PROBLEMS_MAX = 4;
/** Longer sentences are cut: an entry must fit a piece of an answer. */
const CHARACTERS_MAX = 160;

/** Never throws, and never grows beyond STORAGE_PROBLEMS_MAX. */
export class StorageProblems {
	readonly entries: StorageProblem[] = [];

	/** @param problem "" = it is over */
	note(path: string, problem: string): void {
		const { entries } = this;
		const known = entries.findIndex((entry) => entry.path === path);
		if (known >= 0) entries.splice(known, 1);
		if (problem === "") return;
		if (entries.length === STORAGE_PROBLEMS_MAX) entries.shift();
		entries.push({ path, problem: problem.slice(0, CHARACTERS_MAX) });
	}
}
