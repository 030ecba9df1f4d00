/** Runs the host program on a log, and says how far it is. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { Read } from "./recording.js";

const PROGRESS_MS = 2000;
/** Some lines of a log. */
const TAIL_BYTES = 256;
/** Of what the program complains about. */
const COMPLAINT_CHARACTERS = 4096;

interface Playing {
	readonly name: string;
	/** The log of what leaves, which the program writes. */
	readonly left: string;
	readonly read: Read;
	readonly progress?: ((line: string) => void) | undefined;
}

/** The time of the last whole line of a log, in seconds; NaN: none yet. */
function lastSeconds(path: string): number {
	try {
		const file = openSync(path, "r");
		const { size } = fstatSync(file);
		const tail = Buffer.alloc(Math.min(TAIL_BYTES, size));
		readSync(file, tail, 0, tail.length, size - tail.length);
		closeSync(file);
		const times = [...tail.toString("latin1").matchAll(/^\((\d+\.\d+)\)/gm)];
		return Number(times.at(-1)?.[1] ?? "NaN");
	} catch {
		return Number.NaN;
	}
}

/** @throws {Error} the program failed, with what it said */
export async function playLog(program: string, args: readonly string[], { name, left, read, progress }: Playing): Promise<void> {
	const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
	let complaint = "";
	child.stderr.on("data", (text) => {
		complaint = (complaint + text).slice(-COMPLAINT_CHARACTERS);
	});
	const timer = setInterval(() => {
		const seconds = lastSeconds(left) - read.beginsAtS;
		if (seconds > 0) progress?.(`played ${seconds.toFixed(0)} of ${read.seconds.toFixed(0)} s`);
	}, PROGRESS_MS);
	try {
		const [code] = await once(child, "close");
		if (code !== 0) throw new Error(`${name}: ${complaint.trim() || `exit code ${code}`}`);
	} catch (error) {
		child.kill();
		throw error;
	} finally {
		clearInterval(timer);
	}
}
