/** A drive of the simulated car as a log to replay. */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { importTypeScript } from "../typescript.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Scratch files of the measurements. */
export const FOLDER = `${root}build/bench`;

/**
 * @param {string} name of the files; two that run at once need two names
 * @param {number} generation of the car @param {number} seconds of the drive @param {string} cycle as in tools/vehicle/cycles.ts
 * @returns {Promise<string>} path of the log; it is the same every time
 */
export async function replayedDrive(name, generation, seconds, cycle) {
	mkdirSync(FOLDER, { recursive: true });
	const { writeDriveLog } = await importTypeScript("bench/drive-log.ts", `${name}-drive-log`);
	const log = `${FOLDER}/${name}-drive.log`;
	writeDriveLog(log, generation, seconds, cycle);
	return log;
}
