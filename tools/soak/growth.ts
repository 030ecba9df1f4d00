/** What must not grow however long it runs: heap, names, files, descriptors and memory of the process. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Lockstep } from "../campaign/lockstep.js";

export interface Held {
	readonly slots: number;
	readonly chunkBytes: number;
	readonly names: number;
	readonly youngestNames: readonly string[];
	readonly descriptors: number;
	readonly residentKb: number;
	readonly files: number;
	readonly fileBytes: number;
	readonly longestTurnBytecodes: number;
}

/**
 * What is alive may differ by what happens to be under way, and by lists that a client has filled since:
 * stored maps, conditions, the last job of diagnosis. A slot that each twentieth request kept would be four
 * times as much in an hour of eight clients. Chunks: ten earlier maps (`STATES_MAX`) are 2.5 KB, and as much
 * again as the text of their file.
 */
const MORE = { slots: 400, chunkBytes: 8192, names: 0, descriptors: 1, residentKb: 4096 } as const;
/** docs/api.md: five files of each of three logs, 64 maps, and what is one file each. */
const FILES_MOST = 15 + 64 + 16;
/** STORAGE.md and docs/api.md: logs 3.9 MB; the update slots are not part of the file system. */
const FILE_BYTES_MOST = 15 * 262_144 + 2 * 65_536 + 80 * 8192;

export async function look(lockstep: Lockstep, flash: string): Promise<Held> {
	const { heap, youngestNames, longestTurnBytecodes } = await lockstep.report();
	const process = `/proc/${lockstep.pid}`;
	const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`${process}/status`, "utf8"));
	const { files, bytes } = filesIn(flash);
	return {
		slots: heap.slotsLive,
		chunkBytes: heap.chunksLive,
		names: heap.keys,
		youngestNames,
		descriptors: readdirSync(`${process}/fd`).length,
		residentKb: Number(resident?.[1]),
		files,
		fileBytes: bytes,
		longestTurnBytecodes,
	};
}

function filesIn(folder: string): { files: number; bytes: number } {
	let [files, bytes] = [0, 0];
	if (!existsSync(folder)) return { files, bytes };
	for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
		if (!entry.isFile() || entry.parentPath.includes("partitions")) continue;
		files++;
		bytes += statSync(join(entry.parentPath, entry.name)).size;
	}
	return { files, bytes };
}

/**
 * @param before when everything had been used once
 * @returns complaints
 */
export function growthOf(before: Held, now: Held): string[] {
	const complaints: string[] = [];
	for (const [what, more] of Object.entries(MORE) as [keyof typeof MORE, number][])
		if (now[what] > before[what] + more) complaints.push(`${what}: ${before[what]}, then ${now[what]}`);
	if (now.names > before.names) complaints.push(`the youngest names are ${now.youngestNames.join(", ")}`);
	if (now.files > FILES_MOST) complaints.push(`${now.files} files, ${FILES_MOST} at most`);
	if (now.fileBytes > FILE_BYTES_MOST) complaints.push(`${now.fileBytes} bytes of files, ${FILE_BYTES_MOST} at most`);
	return complaints;
}
