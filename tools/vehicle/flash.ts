/** Prepares the folder that stands for the controller's flash: an empty one gets settings. */
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isGeneration } from "../../src/coupling/couplings/couplings.js";
import type { Generation } from "./chassis.js";

const DEMO_GENERATION: Generation = 5;
const DEMO_MODE = "MAP";

/**
 * Writes `settings.json` if there is none; an existing one changes only in what is given.
 * @param withoutFeedback true: control also while nothing reports; false changes nothing
 * @returns the generation that the vehicle has to play
 * @throws {Error} the folder can't be written
 */
export function provisionFlash(dir: string, generation: Generation | undefined, withoutFeedback = false): Generation {
	mkdirSync(dir, { recursive: true });
	const path = join(dir, "settings.json");
	const stored = readStored(path);
	const given = { ...(generation && { generation }), ...(withoutFeedback && { controlWithoutFeedback: true }) };
	if (stored === undefined) {
		writeWhole(path, { format: 1, generation: DEMO_GENERATION, mode: DEMO_MODE, ...given });
		return generation ?? DEMO_GENERATION;
	}
	if (stored === null) return generation ?? DEMO_GENERATION;
	if (Object.entries(given).some(([name, value]) => stored[name] !== value)) writeWhole(path, { ...stored, ...given });
	else closeSync(openSync(path, "r+")); // an unwritable flash is better known now than at the first save
	const played = generation ?? stored["generation"];
	// A controller without a generation forwards only; any car will do for that.
	return isGeneration(played) ? played : DEMO_GENERATION;
}

// undefined: no file. null: no JSON object; it is left to the controller, which sets it aside and reports it.
function readStored(path: string): Record<string, unknown> | null | undefined {
	let text: string;
	try {
		text = readFileSync(path, "utf8");
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
		throw error;
	}
	try {
		const parsed: unknown = JSON.parse(text);
		return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? (parsed as Record<string, unknown>) : null;
	} catch {
		return null;
	}
}

function writeWhole(path: string, settings: object): void {
	writeFileSync(`${path}.new`, JSON.stringify(settings), { flush: true });
	renameSync(`${path}.new`, path);
}
