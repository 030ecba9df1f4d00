/**
 * Recorded drives and what the controller asked for in them. A drive is a folder with the recording (`recording.ts` says in which forms) and,
 * for each way to play it, `NAME.settings.json`, the settings that the controller starts with, and `NAME.asked.log.gz`, what it asked for then.
 */
import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { anonymous } from "./anonymous.js";
import { type BusNames, readRecording } from "./recording.js";

const SETTINGS = ".settings.json";
const ASKED = ".asked.log.gz";
const RECORDING = /\.(log|csv|asc|trc)(\.gz)?$/;
const LINE = /^\((\S+)\) (can[01]) (\w+)#(.*)$/;
/** In place of the data of a frame that was held back. */
const NOT_SENT = "not sent";

/** One way to play one drive. */
export interface Play {
	/** As in "city/gen5-map". */
	readonly name: string;
	readonly recording: string;
	readonly settings: string;
	readonly asked: string;
}

/** A frame to the coupling that is another one now. "as it came": it was forwarded unmodified. */
export interface Difference {
	/** Seconds, as in the recording. */
	readonly time: string;
	readonly id: string;
	readonly stored: string;
	readonly now: string;
}

function recordingIn(drive: string): string {
	const [recording, ...more] = readdirSync(drive).filter((name) => RECORDING.test(name) && !name.endsWith(ASKED));
	if (recording === undefined || more.length > 0)
		throw new Error(
			`${drive}: one recording (.log, .csv, .asc or .trc, also with .gz) is needed, there are ${more.length + (recording ? 1 : 0)}`,
		);
	return join(drive, recording);
}

/** True if something reports on the coupling bus of a recorded drive. */
export const hasReports = ({ recording }: Play): boolean => / can1 /.test(readRecording(recording));

/** @param folder of drives @throws {Error} there is none, or one that is not whole */
export function playsIn(folder: string): Play[] {
	const drives = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
	const plays = drives.flatMap(({ name }) => {
		const drive = join(folder, name);
		const ways = readdirSync(drive).filter((file) => file.endsWith(SETTINGS));
		if (ways.length === 0) throw new Error(`${drive}: no NAME${SETTINGS} says how to play it`);
		return ways.sort().map((file) => {
			const way = file.slice(0, -SETTINGS.length);
			const [recording, settings, asked] = [recordingIn(drive), join(drive, file), join(drive, way + ASKED)];
			return { name: `${name}/${way}`, recording, settings, asked };
		});
	});
	if (plays.length === 0) throw new Error(`${folder}: no drive in it; --add FILE adds one`);
	return plays;
}

/**
 * Adds a drive, without what tells whose car it was.
 * @param mode as in `POST /api/mode` @param names of the buses in the recording @returns the drive, with nothing stored yet
 * @throws {Error} a wrong recording, or another one of this name
 */
export function addDrive(folder: string, file: string, generation: number, mode: string, names: BusNames = {}): Play {
	const kept = anonymous(readRecording(file, names));
	const name = basename(file).replace(RECORDING, "");
	const drive = join(folder, name);
	const way = `gen${generation}-${mode.toLowerCase()}`;
	const settings = join(drive, way + SETTINGS);
	if (existsSync(settings)) throw new Error(`${settings} exists; --accept stores what is asked now`);
	const isNew = !existsSync(drive);
	mkdirSync(drive, { recursive: true });
	const recording = isNew ? join(drive, `${name}.log.gz`) : recordingIn(drive);
	if (isNew) writeFileSync(recording, gzipSync(kept, { level: 9 }));
	else if (readRecording(recording) !== kept) throw new Error(`${recording} is another drive of this name`);
	writeFileSync(settings, `${JSON.stringify({ format: 1, generation, mode })}\n`);
	return { name: `${name}/${way}`, recording, settings, asked: join(drive, way + ASKED) };
}

/** "TIME can1 ID" of each line of a log, and its data. */
function* framesOf(log: string): Generator<[key: string, bus: string, data: string]> {
	for (const line of log.split("\n")) {
		const match = LINE.exec(line);
		if (match) yield [`(${match[1]}) can1 ${match[3]}`, match[2]!, match[4]!];
	}
}

function listed(into: Map<string, string[]>, key: string): string[] {
	const list = into.get(key) ?? [];
	into.set(key, list);
	return list;
}

/** What is not as it came from the chassis: frames rewritten or made, then those held back. @param left what left on the coupling bus */
export function askedFor(recording: string, left: string): string {
	const came = new Map<string, string[]>();
	for (const [key, bus, data] of framesOf(recording)) if (bus === "can0") listed(came, key).push(data);
	let asked = "";
	for (const [key, , data] of framesOf(left)) if (came.get(key)?.shift() !== data) asked += `${key}#${data}\n`;
	for (const [key, list] of came) for (const _ of list) asked += `${key}#${NOT_SENT}\n`;
	return asked;
}

/**
 * Plays a drive as fast as it goes, in virtual time: always the same.
 * @param program the host program @returns what the controller asked for, as lines of a candump log of the coupling bus
 * @throws {Error} a wrong recording, or the program failed
 */
export async function play({ name, recording, settings }: Play, program: string): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), "opencoupling-replay-"));
	try {
		const [log, left, flash] = ["drive.log", "left.log", "flash"].map((file) => join(folder, file)) as [string, string, string];
		const text = readRecording(recording).replace(/^\((\d+)\./gm, (_, seconds) => `(${seconds.padStart(10, "0")}.`);
		writeFileSync(log, text);
		mkdirSync(flash);
		copyFileSync(settings, join(flash, "settings.json"));
		const args = ["--http", `unix:${join(folder, "http")}`, "--flash", flash, "--replay", log, "--record", left, "--pace", "max"];
		await new Promise<void>((resolve, reject) =>
			execFile(program, args, { maxBuffer: 1 << 26 }, (error, _, stderr) =>
				error ? reject(new Error(`${name}: ${stderr.trim() || error.message}`)) : resolve(),
			),
		);
		return askedFor(text, readFileSync(left, "utf8"));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** @returns what is stored of it; undefined: nothing yet */
export function stored({ asked }: Play): string | undefined {
	return existsSync(asked) ? gunzipSync(readFileSync(asked)).toString("utf8") : undefined;
}

export function store({ asked }: Play, log: string): void {
	writeFileSync(asked, gzipSync(log, { level: 9 }));
}

/** @returns the frames of two results that are not the same, in order of time */
export function differences(before: string, now: string): Difference[] {
	const [frames, others] = [new Map<string, string[]>(), new Map<string, string[]>()];
	for (const [key, , data] of framesOf(before)) listed(frames, key).push(data);
	for (const [key, , data] of framesOf(now)) listed(others, key).push(data);
	return [...new Set([...frames.keys(), ...others.keys()])].sort().flatMap((key) => {
		const [a, b] = [frames.get(key) ?? [], others.get(key) ?? []];
		const [time, , id] = key.slice(1).replace(")", "").split(" ") as [string, string, string];
		return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => {
			return { time, id, stored: a[i] ?? "as it came", now: b[i] ?? "as it came" };
		}).filter((one) => one.stored !== one.now);
	});
}

/** @param most rows; how many there are besides is said. @returns the lines of a table */
export function table(rows: readonly Difference[], most: number): string[] {
	const line = ({ time, id, stored, now }: Difference) => `  ${time.padEnd(17)}  ${id.padEnd(8)}  ${stored.padEnd(16)}  ${now}`;
	const lines = [{ time: "time", id: "frame", stored: "stored", now: "now" }, ...rows.slice(0, most)].map(line);
	if (rows.length > most) lines.push(`  ... and ${rows.length - most} more`);
	return lines;
}
