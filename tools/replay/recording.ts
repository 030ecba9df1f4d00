/**
 * A recorded drive, read from the forms that loggers write: a candump log (`candump -L`), SavvyCAN's CSV ("GVRET") and Vector's ASC. Each
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

const BUSES = ["can0", "can1"];
const CANDUMP_BUSES = ["can0 can1", "vcan0 vcan1", "chassis coupling"].map((names) => names.split(" "));
const CANDUMP = /^\((\d{1,12})\.(\d{6})\) (\S+) ([0-9A-Fa-f]{3}|[0-9A-Fa-f]{8})#(?:(R)\d?|((?:[0-9A-Fa-f]{2}){0,8}))( [RT])?$/;
const ASC_FRAME = /^\s*(\d+\.\d+)\s+(\d+)\s+([0-9A-Fa-f]+)(x?)\s+(Rx|Tx|TxRq)\s+(.*)$/;
const ASC_EVENT = /^\s*(\d+\.\d+)\s/;
const ASC_FLEXIBLE_RATE = /^\s*\d+\.\d+\s+CANFD\s/;

function busOf(number: number, first: number, text: string): string {
	const bus = BUSES[number - first];
	if (bus === undefined) throw new Error(`bus ${text}, ${first} (chassis) or ${first + 1} (coupling) is allowed`);
	return bus;
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

function candumpFrame(line: string): RecordedFrame | undefined {
	const match = CANDUMP.exec(line);
	if (match === null) throw new Error("not like (1436509052.249713) can0 1A0#0041");
	const [, seconds, micros, name, id, remote, data, direction] = match;
	if (direction === " T") return undefined;
	const number = CANDUMP_BUSES.map((names) => names.indexOf(name!)).find((at) => at >= 0);
	if (number === undefined) throw new Error(`interface ${name}, can0 (chassis) or can1 (coupling) is allowed`);
	const timeUs = Number(seconds) * 1e6 + Number(micros);
	const rtr = remote !== undefined;
	const bytes = Uint8Array.from(Buffer.from(data ?? "", "hex"));
	return checked({ timeUs, bus: BUSES[number]!, id: Number.parseInt(id!, 16), extended: id!.length === 8, rtr, data: bytes });
}

/** The first line names the columns: older versions of SavvyCAN have no direction. */
function csvReader(head: string): LineReader {
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
		if (!/^\d+$/.test(fields[time!] ?? "")) throw new Error(`time stamp "${fields[time!]}", microseconds are allowed`);
		if (!/^[0-9A-Fa-f]{1,8}$/.test(fields[id!] ?? "")) throw new Error(`identifier "${fields[id!]}"`);
		const bytes = bytesOf(fields.slice(data, data! + lengthOf(fields[length!])), 16);
		if (bytes.length < Number(fields[length!])) throw new Error("less data than its length says");
		return checked({
			timeUs: Number(fields[time!]),
			bus: busOf(Number(fields[bus!]), 0, fields[bus!] ?? ""),
			id: Number.parseInt(fields[id!]!, 16),
			extended: /^(true|1)$/i.test(fields[extended!] ?? ""),
			rtr: false,
			data: bytes,
		});
	};
}

function ascReader(): LineReader {
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
			bus: busOf(Number(channel), 1, channel!),
			id: Number.parseInt(id!, base),
			extended: extended === "x",
			rtr: kind === "r",
			data: bytes,
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
 * @param path of a file that ends with .log (candump), .csv (SavvyCAN) or .asc (Vector), each also with .gz behind it
 * @returns a candump log of what the car sent @throws {Error} with file and line: no such form, or what is wrong with it
 */
export function readRecording(path: string): string {
	const form = /\.(log|csv|asc)(\.gz)?$/.exec(path)?.[1];
	if (form === undefined) throw new Error(`${path}: .log (candump), .csv (SavvyCAN) or .asc (Vector) is allowed, also with .gz`);
	const lines = textOf(path).split(/\r?\n/);
	let number = 0;
	try {
		const read = form === "log" ? candumpFrame : form === "asc" ? ascReader() : csvReader(lines[0]!);
		const frames: RecordedFrame[] = [];
		for (number = form === "csv" ? 1 : 0; number < lines.length; number++) {
			const frame = lines[number] === "" ? undefined : read(lines[number]!);
			if (frame) frames.push(frame);
		}
		if (frames.length === 0) throw new Error("no frame that the car sent");
		frames.sort((a, b) => a.timeUs - b.timeUs); // loggers write two buses side by side
		return frames.map((frame) => candumpLine(frame.timeUs, frame.bus, frame)).join("");
	} catch (error) {
		throw new Error(`${path} line ${Math.min(number + 1, lines.length)}: ${(error as Error).message}`);
	}
}
