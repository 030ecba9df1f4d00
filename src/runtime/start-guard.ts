/**
 * Notices a boot loop. Each crash interrupts the forwarding, so what crashes is not run again: the car stays
 * stock, and only what leads out of it is there (app.ts, `inBootLoop` of the routes): an update, or the
 * supply switched off and on. Source: docs/decisions.md 2.
 */

import type { FilePort } from "../../hal/file-port.js";
import { DEFAULT_SETTINGS, type Settings } from "../settings/settings.js";
import type { StorageContext } from "../storage/stored-document.js";
import { readFile, replacingFile, setAside } from "../storage/whole-file.js";
import { atOnce, type Steps } from "../storage/write-queue.js";

/** In a row. Source: docs/decisions.md 34. */
export const CRASHES_MAX = 3;
/**
 * Ends the row. The watchdog needs 8 s, so whatever hangs in the first 22 s is reset before. Source:
 * docs/decisions.md 34.
 */
export const LIVED_MS = 30_000;

/** Holds one digit, their number; there is no such file while all is well. */
const PATH = "crashes";
const ZERO = 0x30;
const NINE = 9;

/**
 * Counts this start; call once, before anything that might crash again. While all is well nothing is written,
 * so how long the start before the first crash has lived is unknown: it counts.
 * @param reason of the start, as `resetReason` of hal/io/board.ts says it
 */
export function isBootLoop(
	{ files, writes, report }: Pick<StorageContext, "files" | "writes" | "report">,
	reason: string,
): boolean {
	try {
		const counted = count(files, report);
		const crashes = reason === "crash" || reason === "watchdog" ? Math.min(counted + 1, NINE) : 0;
		if (crashes > 0) {
			atOnce(replacingFile(files, PATH, Uint8Array.of(ZERO + crashes)));
			// in a boot loop the little that runs proves nothing about the rest
			if (crashes < CRASHES_MAX) writes.later(() => forget(files, report), LIVED_MS);
		} else if (counted > 0) files.delete(PATH);
		return crashes >= CRASHES_MAX;
	} catch (error) {
		report(PATH, `crashes can't be counted: ${(error as Error).message}`);
		return false;
	}
}

/** The car's speed, on which an update depends, and the idle level of the output. All else may crash. */
export function settingsInBootLoop(stored: Settings): Settings {
	const { mode, disableController, generation, inputMappings, pwm, setupDone } = stored;
	const logging = { ...DEFAULT_SETTINGS.logging, file: false, error: false, serial: true };
	return {
		...DEFAULT_SETTINGS,
		mode,
		disableController,
		generation,
		inputMappings,
		pwm,
		setupDone,
		broadcastOverCan: false,
		logging,
	};
}

function count(files: FilePort, report: (path: string, problem: string) => void): number {
	try {
		const digit = (readFile(files, PATH, 1)?.[0] ?? ZERO) - ZERO;
		return digit >= 0 && digit <= NINE ? digit : 0;
	} catch (error) {
		report(PATH, `${PATH} can't be used (${setAside(files, PATH)}): ${(error as Error).message}`);
		return 0;
	}
}

function* forget(files: FilePort, report: (path: string, problem: string) => void): Steps {
	try {
		files.delete(PATH);
	} catch (error) {
		report(PATH, `crashes can't be forgotten: ${(error as Error).message}`);
	}
	yield;
}
