/**
 * A recorded drive, read from the forms that loggers write: a candump log (`candump -L`), SavvyCAN's CSV ("GVRET"), Vector's ASC and
 * PCAN-View's TRC 1.1, which has one bus. Each
 * becomes the candump log that the host program replays: what the car sent, `can0` chassis, `can1` coupling, in order of time.
 * Sources: can-utils, SavvyCAN's `framefileio.cpp`, python-can's `io/asc.py`.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { candumpLine } from "../vehicle/frame.js";

interface RecordedFrame {
	readonly timeUs: number;
	readonly bus: string;
	readonly id: number;
	readonly extended: boolean;
	readonly rtr: boolean;
	readonly data: Uint8Array;
}

/** Reads line after line; undefined: this line is no frame that the car sent. Throws what is wrong with the line. */
type LineReader = (line: string) => RecordedFrame | undefined;

/** What a recording calls the two buses; absent: as loggers name them. */
export interface BusNames {
	readonly chassis?: string | undefined;
	readonly coupling?: string | undefined;
}

/** `candump -e` marks error frames so. */
const ERROR_FLAG = 0x2000_0000;
const BUSES = ["can0", "can1"];
const CANDUMP_BUSES = ["can0 can1", "vcan0 vcan1", "chassis coupling"].map((names) => names.split(" "));
const CANDUMP = /^\((\d{1,12})\.(\d{6})\) (\S+) ([0-9A-Fa-f]{3}|[0-9A-Fa-f]{8})#(?:(R)\d?|((?:[0-9A-Fa-f]{2}){0,8}))( [RT])?$/;
const ASC_FRAME = /^\s*(\d+\.\d+)\s+(\d+)\s+([0-9A-Fa-f]+)(x?)\s+(Rx|Tx|TxRq)\s+(.*)$/;
const TRC_FRAME = /^\s*\d+\)\s+(\d+\.\d+)\s+Rx\s+([0-9A-Fa-f]{4}|[0-9A-Fa-f]{8})\s+(\d)\s*(.*)$/;
const ASC_EVENT = /^\s*(\d+\.\d+)\s/;
const ASC_FLEXIBLE_RATE = /^\s*\d+\.\d+\s+CANFD\s/;

const SAY_WHICH = "--chassis NAME and --coupling NAME say which is which";

/** @param known of each bus what it is called unless `names` says; @throws {Error} neither of them */
function busOf(name: string, { chassis, coupling }: BusNames, known: readonly (readonly string[])[], what: string): string {
	if (chassis !== undefined || coupling !== undefined) {
		const at = [chassis, coupling].indexOf(name);
		if (at < 0) throw new Error(`${what} ${name} is neither --chassis nor --coupling`);
		return BUSES[at]!;
	}
	const at = known.map((names) => names.indexOf(name)).find((index) => index >= 0);
	if (at === undefined)
		throw new Error(`${what} ${name}, ${known[0]![0]} (chassis) or ${known[0]![1]} (coupling) is allowed; ${SAY_WHICH}`);
	return BUSES[at]!;
}

function bytesOf(texts: readonly string[], base: number): Uint8Array {
	return Uint8Array.from(texts, (text) => {
		const byte = Number.parseInt(text, base);
		if (!(byte >= 0 && byte <= 255)) throw new Error(`data byte "${text}"`);
		return byte;
	});
}

function lengthOf(text: string | undefined): number {
	const length = Number(text);
	if (!(Number.isInteger(length) && length >= 0 && length <= 8)) throw new Error(`length "${text}", 0 to 8 is allowed`);
	return length;
}

function checked(frame: RecordedFrame): RecordedFrame {
	if (frame.id > (frame.extended ? 0x1fff_ffff : 0x7ff)) throw new Error(`identifier ${frame.id.toString(16)} is too large`);
	if (!Number.isFinite(frame.timeUs)) throw new Error("time stamp is no number");
	return frame;
}

function candumpFrame(line: string, names: BusNames): RecordedFrame | undefined {
	const match = CANDUMP.exec(line);
	if (match === null) throw new Error("not like (1436509052.249713) can0 1A0#0041");
	const [, seconds, micros, name, id, remote, data, direction] = match;
	if (direction === " T" || (id!.length === 8 && Number.parseInt(id!, 16) & ERROR_FLAG)) return undefined;
	const bus = busOf(name!, names, CANDUMP_BUSES, "interface");
	const timeUs = Number(seconds) * 1e6 + Number(micros);
	const rtr = remote !== undefined;
	const bytes = Uint8Array.from(Buffer.from(data ?? "", "hex"));
	return checked({ timeUs, bus, id: Number.parseInt(id!, 16), extended: id!.length === 8, rtr, data: bytes });
}

/** The first line names the columns: older versions of SavvyCAN have no direction. */
function csvReader(head: string, names: BusNames): LineReader {
	const columns = head.split(",").map((name) => name.trim().toLowerCase());
	const column = (name: string) => {
		const at = columns.indexOf(name);
		if (at < 0) throw new Error(`no column "${name}", expected SavvyCAN's "Time Stamp,ID,Extended,Dir,Bus,LEN,D1,..."`);
		return at;
	};
	const [time, id, extended, bus, length, data] = ["time stamp", "id", "extended", "bus", "len", "d1"].map(column);
	const direction = columns.indexOf("dir");
	return (line) => {
		const fields = line.split(",").map((field) => field.trim());
		if (direction >= 0 && fields[direction]!.toLowerCase() === "tx") return undefined;
		// some versions of SavvyCAN save times of the system's clock as negative numbers
		if (!/^-?\d+$/.test(fields[time!] ?? "")) throw new Error(`time stamp "${fields[time!]}", microseconds are allowed`);
		if (!/^[0-9A-Fa-f]{1,8}$/.test(fields[id!] ?? "")) throw new Error(`identifier "${fields[id!]}"`);
		const bytes = bytesOf(fields.slice(data, data! + lengthOf(fields[length!])), 16);
		if (bytes.length < Number(fields[length!])) throw new Error("less data than its length says");
		return checked({
			timeUs: Number(fields[time!]),
			bus: busOf(fields[bus!] ?? "", names, [["0", "1"]], "bus"),
			id: Number.parseInt(fields[id!]!, 16),
			extended: /^(true|1)$/i.test(fields[extended!] ?? ""),
			rtr: false,
			data: bytes,
		});
	};
}

function ascReader(names: BusNames): LineReader {
	let base = 16;
	let isRelative = false;
	let lastUs = 0;
	return (line) => {
		const head = /^base\s+(hex|dec)\s+timestamps\s+(absolute|relative)/.exec(line);
		if (head) {
			base = head[1] === "dec" ? 10 : 16;
			isRelative = head[2] === "relative";
		}
		const event = ASC_EVENT.exec(line);
		if (event === null) return undefined;
		lastUs = Math.round(Number(event[1]) * 1e6) + (isRelative ? lastUs : 0);
		if (ASC_FLEXIBLE_RATE.test(line)) throw new Error("a CAN FD frame, classic ones are allowed");
		const match = ASC_FRAME.exec(line);
		if (match === null) return undefined; // errors, statistics, start of measurement
		const [, , channel, id, extended, direction, rest] = match;
		if (direction !== "Rx") return undefined;
		const [kind, length, ...data] = rest!.trim().split(/\s+/);
		if (kind !== "d" && kind !== "r") throw new Error(`frame of kind "${kind}", d (data) or r (remote) is allowed`);
		const bytes = kind === "d" ? bytesOf(data.slice(0, lengthOf(length)), base) : new Uint8Array(0);
		if (kind === "d" && bytes.length < Number(length)) throw new Error("less data than its length says");
		return checked({
			timeUs: lastUs,
			bus: busOf(channel!, names, [["1", "2"]], "bus"),
			id: Number.parseInt(id!, base),
			extended: extended === "x",
			rtr: kind === "r",
			data: bytes,
		});
	};
}

/** Version 1.1: number, ms, kind, identifier, length, bytes. What is no received frame, such as an error, is left out. */
function trcReader(names: BusNames): LineReader {
	return (line) => {
		const version = /^;\$FILEVERSION=(.*)$/.exec(line);
		if (version && version[1] !== "1.1") throw new Error(`version ${version[1]} of TRC, 1.1 is allowed`);
		const match = TRC_FRAME.exec(line);
		if (match === null) return undefined;
		const [, ms, id, length, data] = match;
		const isRemote = data!.startsWith("RTR");
		return checked({
			timeUs: Math.round(Number(ms) * 1000),
			bus: names.coupling === undefined ? BUSES[0]! : BUSES[1]!,
			id: Number.parseInt(id!, 16),
			extended: id!.length > 4,
			rtr: isRemote,
			data: isRemote ? new Uint8Array(0) : bytesOf(data!.trim().split(/\s+/).slice(0, lengthOf(length)), 16),
		});
	};
}

/** @throws {Error} with the file: it can't be read, or is not compressed as its name says */
function textOf(path: string): string {
	try {
		const bytes = readFileSync(path);
		return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
	} catch (error) {
		throw new Error(`${path}: ${(error as Error).message}`);
	}
}

/**
 * @param path of a file that ends with .log (candump), .csv (SavvyCAN), .asc (Vector) or .trc (PCAN-View), each also with .gz behind it
 * @returns a candump log of what the car sent @throws {Error} with file and line: no such form, or what is wrong with it
 */
export function readRecording(path: string, names: BusNames = {}): string {
	const form = /\.(log|csv|asc|trc)(\.gz)?$/.exec(path)?.[1];
	if (form === undefined)
		throw new Error(`${path}: .log (candump), .csv (SavvyCAN), .asc (Vector) or .trc (PCAN-View) is allowed, also with .gz`);
	const lines = textOf(path).split(/\r?\n/);
	let number = 0;
	try {
		const readers: Record<string, () => LineReader> = {
			log: () => (line) => candumpFrame(line, names),
			csv: () => csvReader(lines[0]!, names),
			asc: () => ascReader(names),
			trc: () => trcReader(names),
		};
		const read = readers[form]!();
		const frames: RecordedFrame[] = [];
		for (number = form === "csv" ? 1 : 0; number < lines.length; number++) {
			const frame = lines[number] === "" ? undefined : read(lines[number]!);
			if (frame) frames.push(frame);
		}
		if (frames.length === 0) throw new Error("no frame that the car sent");
		frames.sort((a, b) => a.timeUs - b.timeUs); // loggers write two buses side by side
		const fromUs = Math.min(0, frames[0]!.timeUs);
		return frames.map((frame) => candumpLine(frame.timeUs - fromUs, frame.bus, frame)).join("");
	} catch (error) {
		throw new Error(`${path} line ${Math.min(number + 1, lines.length)}: ${(error as Error).message}`);
	}
}
