/**
 * Notices a boot loop: starts that come one after another because the controller crashed. A crash that comes from what is asked for
 * must not interrupt the forwarding again and again: then the car stays stock. Source: decision 2.
 */

import type { FilePort } from "../../hal/file-port.js";
import { readFile, replaceFile } from "../storage/whole-file.js";

/** Such starts in a row that are a boot loop. */
export const CRASHES_MAX = 3;
/** A start that lives so long ends the row. */
export const LIVED_MS = 60_000;

/** Holds how many there were, one digit; there is no such file while all is well. */
const PATH = "crashes";
const ZERO = 0x30;
const NINE = 9;

/**
 * Counts this start. Call once, before anything that might crash again. Never throws.
 * @param reason of the start, as `reset-reason` says it @param report told if the count can't be kept
 * @returns true in a boot loop
 */
export function isBootLoop(
	files: FilePort,
	reason: string,
	later: (callback: () => void, delayMs: number) => void,
	report: (path: string, problem: string) => void,
): boolean {
	try {
		const counted = count(files);
		const crashes = reason === "crash" || reason === "watchdog" ? Math.min(counted + 1, NINE) : 0;
		if (crashes > 0) {
			replaceFile(files, PATH, Uint8Array.of(ZERO + crashes));
			later(() => forget(files, report), LIVED_MS);
		} else if (counted > 0) files.delete(PATH);
		return crashes >= CRASHES_MAX;
	} catch (error) {
		report(PATH, `crashes can't be counted: ${(error as Error).message}`);
		return false;
	}
}

function count(files: FilePort): number {
	const digit = (readFile(files, PATH, 1)?.[0] ?? ZERO) - ZERO;
	return digit >= 0 && digit <= NINE ? digit : 0;
}

function forget(files: FilePort, report: (path: string, problem: string) => void): void {
	try {
		files.delete(PATH);
	} catch (error) {
		report(PATH, `crashes can't be forgotten: ${(error as Error).message}`);
	}
}
