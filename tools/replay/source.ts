/**
 * The bytes of a recording, plain or gzip, piece after piece: a file of any size takes the same memory. A
 * compressed file whose end is missing gives what there is.
 */
import { closeSync, createReadStream, openSync, readSync, statSync } from "node:fs";
import { TextDecoder } from "node:util";
import { constants, createGunzip } from "node:zlib";

/** Longer than any line of a recording. A file without lines is no text, and must not fill the memory. */
const LINE_CHARACTERS = 4096;

/** A recording that is being read. */
export interface Source {
	/** Share of the file that was read, 0 to 1. */
	done(): number;
	readonly bytes: AsyncIterable<Buffer>;
}

function isCompressed(path: string): boolean {
	const file = openSync(path, "r");
	try {
		const magic = Buffer.alloc(2);
		return readSync(file, magic, 0, 2, 0) === 2 && magic[0] === 0x1f && magic[1] === 0x8b;
	} finally {
		closeSync(file);
	}
}

async function* unpacked(unzip: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
	try {
		yield* unzip;
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		if (!code?.startsWith("Z_")) throw error;
		throw new Error(`its compression is damaged (${message}): "gzip -dc" gives what can be read`);
	}
}

/** @throws {Error} there is no such file, or it is a folder */
export function openSource(path: string): Source {
	const stat = statSync(path, { throwIfNoEntry: false });
	if (stat === undefined) throw new Error("there is no such file");
	if (!stat.isFile()) throw new Error("a file is allowed");
	if (stat.size === 0) throw new Error("the file is empty");
	const compressed = isCompressed(path);
	const file = createReadStream(path, { highWaterMark: 1 << 18 });
	let bytes: AsyncIterable<Buffer> = file;
	if (compressed) {
		const unzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
		file.on("error", (error) => unzip.destroy(error));
		unzip.on("close", () => file.destroy());
		bytes = unpacked(file.pipe(unzip));
	}
	return { done: () => Math.min(1, file.bytesRead / stat.size), bytes };
}

/** First bytes of files that hold a recording in a form that is not read. */
const OTHERS: readonly (readonly [begin: string, name: string])[] = [
	["PK\x03\x04", "a ZIP archive or a spreadsheet: unpack it, or save the sheet as CSV"],
	["7z\xbc\xaf", "packed with 7-Zip: unpack it"],
	["Rar!", "packed with RAR: unpack it"],
	["BZh", "packed with bzip2: unpack it"],
	["\xfd7zXZ", "packed with xz: unpack it"],
	["\x28\xb5\x2f\xfd", "packed with Zstandard: unpack it"],
	["\x1f\x8b", "packed with gzip twice: unpack it"],
	["MDF ", "a measurement in MDF: save it as ASC"],
];

/** @throws {Error} the file is one of `OTHERS`; it says which, and what to do */
export function checkOpen(first: Buffer): void {
	const text = first.toString("latin1", 0, 8);
	const other = OTHERS.find(([begin]) => text.startsWith(begin));
	if (other !== undefined) throw new Error(other[1]);
}

/** @returns the first piece, and all of them, the first again */
export async function peek(bytes: AsyncIterable<Buffer>): Promise<[first: Buffer, all: AsyncIterable<Buffer>]> {
	const chunks = bytes[Symbol.asyncIterator]();
	const { value, done } = await chunks.next();
	const first = done ? Buffer.alloc(0) : value;
	async function* all(): AsyncGenerator<Buffer> {
		try {
			yield first;
			for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
		} finally {
			await chunks.return?.();
		}
	}
	return [first, all()];
}

/** Windows also writes UTF-16, mostly with a mark before it; without one a zero stands beside the first letter. */
function decoderOf(first: Buffer): TextDecoder {
	const [one = 0, two = 0] = first;
	if ((one === 0xff && two === 0xfe) || (one >= 0x20 && one < 0x7f && two === 0)) return new TextDecoder("utf-16le");
	if ((one === 0xfe && two === 0xff) || (one === 0 && two >= 0x20 && two < 0x7f)) return new TextDecoder("utf-16be");
	return new TextDecoder("utf-8");
}

/** Some lines without their ends. */
interface Lines {
	readonly lines: readonly string[];
	/** The last of them has no end: the file ends there. */
	readonly isCut: boolean;
}

/** @throws {RangeError} a line is too long. Ends of lines are LF or CRLF; a byte order mark is left out. */
export async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Lines> {
	let decoder: TextDecoder | undefined;
	let rest = "";
	for await (const chunk of bytes) {
		decoder ??= decoderOf(chunk);
		const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
		rest = lines.pop()!;
		yield { lines: lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)), isCut: false };
		if (rest.length > LINE_CHARACTERS) break;
	}
	// a card that lost its power has zeros at the end
	rest = rest.replace(/[\0\r]+$/, "");
	if (rest !== "") yield { lines: [rest], isCut: true };
}

/** @returns a line as a message shows it */
export function shown(line: string): string {
	const most = 80;
	const text = line.replace(/[^\x20-\x7e\u00c0-\u024f]/g, "?");
	return text.length > most ? `${text.slice(0, most)}...` : text;
}
