/**
 * Recorded drives and what the controller asked for in them. A drive is a folder with the recording
 * (`recording.ts` says in which forms) and, for each way to play it, `NAME.settings.json`, the settings that
 * the controller starts with, and `NAME.asked.log.gz`, what it asked for then.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
	closeSync,
	copyFileSync,
	createReadStream,
	createWriteStream,
	existsSync,
	fstatSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	readdirSync,
	readFileSync,
	readSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { mayStay } from "../../src/page/can/identity.js";
import { couplingSends, missingIn } from "./advice.js";
import { type LoggedFrame, together } from "./moments.js";
import { convertRecording, type Read, type Reading } from "./recording.js";
import { openSource } from "./source.js";

const SETTINGS = ".settings.json";
const ASKED = ".asked.log.gz";
const RECORDING = /\.(log|txt|csv|asc|trc|crtd|blf)(\.gz)?$/i;
/** A vehicle identification number: 17 letters and digits, without I, O and Q. */
const IDENTIFICATION_NUMBER = /(?<![0-9A-Za-z])(?=[A-Z0-9]*\d)[A-HJ-NPR-Z0-9]{17}(?![0-9A-Za-z])/i;
/** In place of the data of a frame that was held back. */
const NOT_SENT = "not sent";
const PROGRESS_MS = 2000;
/** Some lines of a log. */
const TAIL_BYTES = 256;
/** Of what the program complains about. */
const COMPLAINT_CHARACTERS = 4096;

/** One way to play one drive. */
interface Play {
	/** As in "city/gen5-map". */
	readonly name: string;
	readonly recording: string;
	readonly settings: string;
	readonly asked: string;
}

/** How a drive is added. */
export interface Adding extends Pick<Reading, "names" | "progress" | "say"> {
	readonly generation: number;
	/** As in `POST /api/mode`. */
	readonly mode: string;
	/** Control also while nothing reports on the coupling bus. */
	readonly withoutFeedback?: boolean;
}

/** Result of a play. */
interface Played {
	readonly read: Read;
	/** Frames that were asked for otherwise than they came. */
	readonly frames: number;
}

/** A frame to the coupling that is another one now. "as it came": it was forwarded unmodified. */
export interface Difference {
	/** Seconds, as it was played. */
	readonly time: string;
	readonly id: string;
	readonly stored: string;
	readonly now: string;
}

/** Gives `act` a folder that lives as long as it. @returns what it returns */
export async function withFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
	const folder = mkdtempSync(join(tmpdir(), "opencoupling-replay-"));
	try {
		return await act(folder);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function recordingIn(drive: string): string {
	const [recording, ...more] = readdirSync(drive).filter((name) => RECORDING.test(name) && !name.endsWith(ASKED));
	if (recording === undefined || more.length > 0)
		throw new Error(`${drive}: one recording is needed, there are ${more.length + (recording ? 1 : 0)}`);
	return join(drive, recording);
}

/** @throws {Error} no drive, or one that is not whole */
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

async function digestOf(recording: string): Promise<string> {
	const hash = createHash("sha256");
	for await (const bytes of openSource(recording).bytes) hash.update(bytes);
	return hash.digest("hex");
}

/**
 * Adds a drive, without what tells whose car it was and when.
 * @returns the drive, with nothing stored yet
 * @throws {Error} a wrong recording, or another one of this name
 */
export async function addDrive(
	folder: string,
	file: string,
	{ generation, mode, withoutFeedback, ...reading }: Adding,
): Promise<Play> {
	const name = basename(file).replace(RECORDING, "");
	if (IDENTIFICATION_NUMBER.test(name)) throw new Error(`${name} may be a vehicle identification number: rename the file`);
	const drive = join(folder, name);
	const way = `gen${generation}-${mode.toLowerCase()}${withoutFeedback ? "-without-feedback" : ""}`;
	const settings = join(drive, way + SETTINGS);
	if (existsSync(settings)) throw new Error(`${settings} exists; --accept stores what is asked now`);
	return withFolder(async (temporary) => {
		const kept = join(temporary, "kept.log");
		const keeps: Reading["keeps"] = ({ id, extended }) => mayStay(id, extended);
		await convertRecording(file, kept, { ...reading, couplingSends: couplingSends(generation), keeps, fromZero: true });
		const isNew = !existsSync(drive);
		mkdirSync(drive, { recursive: true });
		const recording = isNew ? join(drive, `${name}.log.gz`) : recordingIn(drive);
		if (isNew) await pipeline(createReadStream(kept), createGzip({ level: 9 }), createWriteStream(recording));
		else if ((await digestOf(recording)) !== (await digestOf(kept)))
			throw new Error(`${recording} is another drive of this name, or was read otherwise`);
		const choice = withoutFeedback ? { controlWithoutFeedback: true } : {};
		writeFileSync(settings, `${JSON.stringify({ format: 1, generation, mode, ...choice })}\n`);
		return { name: `${name}/${way}`, recording, settings, asked: join(drive, way + ASKED) };
	});
}

/** Takes one that equals it out of the list. */
function takeOut(list: LoggedFrame[], { id, data }: LoggedFrame): boolean {
	const at = list.findIndex((frame) => frame.id === id);
	if (at < 0) return false;
	return list.splice(at, 1)[0]!.data === data;
}

/**
 * All that is not as it came from the chassis: frames rewritten or made, then those held back, at each time.
 * @param came the recording
 * @param left what left on the coupling bus
 * @returns lines of a candump log of the coupling bus
 */
export async function* askedFor(came: AsyncIterable<Buffer>, left: AsyncIterable<Buffer>): AsyncGenerator<string> {
	for await (const [time, before, after] of together(came, left)) {
		const waiting = before.filter(({ bus }) => bus === "can0");
		for (const frame of after) if (!takeOut(waiting, frame)) yield `${time} can1 ${frame.id}#${frame.data}\n`;
		for (const { id } of waiting) yield `${time} can1 ${id}#${NOT_SENT}\n`;
	}
}

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

/**
 * Runs the host program on a log, and says how far it is.
 * @throws {Error} the program failed, with what it said
 */
async function playLog(program: string, args: readonly string[], { name, left, read, progress }: Playing): Promise<void> {
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

/**
 * Plays a drive as fast as it goes, in virtual time: always the same.
 * @param program the host program
 * @param into takes what the controller asked for, as lines of a candump log of the coupling bus
 * @throws {Error} a wrong recording, or the program failed
 */
export async function play(
	{ name, recording, settings }: Play,
	program: string,
	into: string,
	progress?: Reading["progress"],
): Promise<Played> {
	return withFolder(async (temporary) => {
		const at = (file: string): string => join(temporary, file);
		const [log, left, flash] = [at("drive.log"), at("left.log"), at("flash")];
		const { generation } = JSON.parse(readFileSync(settings, "utf8"));
		const read = await convertRecording(recording, log, { couplingSends: couplingSends(generation), progress });
		mkdirSync(flash);
		copyFileSync(settings, join(flash, "settings.json"));
		const files = ["--http", `unix:${at("http")}`, "--flash", flash, "--replay", log, "--record", left];
		await playLog(program, [...files, "--pace", "max"], { name, left, read, progress });
		let frames = 0;
		async function* counted(): AsyncGenerator<string> {
			let block = "";
			for await (const line of askedFor(createReadStream(log), createReadStream(left))) {
				frames++;
				block += line;
				if (block.length < 1 << 16) continue;
				yield block;
				block = "";
			}
			yield block;
		}
		await pipeline(counted, createWriteStream(into));
		return { read, frames };
	});
}

/** Inputs that a recording lacks for the settings that it is played with. */
export function missingFor({ settings }: Play, read: Read): string[] {
	const { generation, controlWithoutFeedback } = JSON.parse(readFileSync(settings, "utf8"));
	return missingIn(read, generation, controlWithoutFeedback === true);
}

/** True if it is known what was asked for before. */
export const isStored = ({ asked }: Play): boolean => existsSync(asked);

/** @param log what was asked for, a file */
export async function store({ asked }: Play, log: string): Promise<void> {
	await pipeline(createReadStream(log), createGzip({ level: 9 }), createWriteStream(asked));
}

/** @returns the frames of two results that are not the same, in order of time, then of identifier */
export async function* differences(before: AsyncIterable<Buffer>, now: AsyncIterable<Buffer>): AsyncGenerator<Difference> {
	for await (const [time, stored, asked] of together(before, now)) {
		const ids = [...new Set([...stored, ...asked].map(({ id }) => id))].sort();
		for (const one of ids) {
			const [a, b] = [stored, asked].map((frames) => frames.filter(({ id }) => id === one).map(({ data }) => data)) as [
				string[],
				string[],
			];
			for (let i = 0; i < Math.max(a.length, b.length); i++)
				if (a[i] !== b[i]) yield { time: time.slice(1, -1), id: one, stored: a[i] ?? "as it came", now: b[i] ?? "as it came" };
		}
	}
}

/** The same of a drive: what is stored, and what is asked now. */
export const differencesOf = ({ asked }: Play, now: string): AsyncGenerator<Difference> =>
	differences(openSource(asked).bytes, createReadStream(now));

/** @returns how many there are, and the lines of a table with `most` of them at most */
export async function table(rows: AsyncIterable<Difference>, most: number): Promise<[count: number, lines: string[]]> {
	const line = ({ time, id, stored, now }: Difference) => `  ${time.padEnd(17)}  ${id.padEnd(8)}  ${stored.padEnd(16)}  ${now}`;
	const lines = [line({ time: "time", id: "frame", stored: "stored", now: "now" })];
	let count = 0;
	for await (const row of rows) if (++count <= most) lines.push(line(row));
	if (count > most) lines.push(`  ... and ${count - most} more`);
	return [count, count === 0 ? [] : lines];
}
