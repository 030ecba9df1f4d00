/** A drive of the simulated car as a log to replay. */
import { mkdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

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
	const outfile = `${FOLDER}/${name}-drive-log.mjs`;
	await build({
		entryPoints: [`${root}tools/bench/drive-log.ts`],
		outfile,
		bundle: true,
		platform: "node",
		format: "esm",
		logLevel: "warning",
	});
	const { writeDriveLog } = await import(pathToFileURL(outfile).href);
	const log = `${FOLDER}/${name}-drive.log`;
	writeDriveLog(log, generation, seconds, cycle);
	return log;
}
