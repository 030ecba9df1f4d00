/** Frames of a recording, whatever its form, and lines that are left out. */
import type { CanFrame } from "../vehicle/frame.js";

/** A frame with the time and the name of the bus as the recording has them; `timeUs` may be negative. */
export interface RecordedFrame extends CanFrame {
	readonly timeUs: number;
	readonly bus: string;
}

/** Why a line is not played, in the words of the summary. */
export type LeftOut =
	| "error frames"
	| "frames marked as sent"
	| "CAN FD frames"
	| "lines before the first frame"
	| "cut last lines";

/** Reads one line; undefined: it holds no frame at all. Throws what is wrong with it and what is allowed. */
export type LineReader = (line: string) => RecordedFrame | LeftOut | undefined;

/** One form of text. */
export interface TextForm {
	/** Program and form, as a person knows them. */
	readonly name: string;
	/** True if a line of this form looks so. Only the first line that any form knows decides. */
	knows(line: string): boolean;
	/** @param sample the first lines of the file, for what only several of them tell */
	reader(sample: readonly string[]): LineReader;
}

const DATA_BYTES = 8;
/** Lengths of CAN FD above 8. */
const FLEXIBLE_LENGTHS = [12, 16, 20, 24, 32, 48, 64];

/** @returns 0 to 8. @throws {Error} */
export function lengthOf(text: string | undefined): number | "CAN FD frames" {
	const length = /^\d{1,2}$/.test(text ?? "") ? Number(text) : Number.NaN;
	if (FLEXIBLE_LENGTHS.includes(length)) return "CAN FD frames";
	if (!(length >= 0 && length <= DATA_BYTES)) throw new Error(`length "${text ?? ""}", 0 to 8 is allowed`);
	return length;
}

/** @throws {Error} fewer than `length`, or one is no byte */
export function bytesOf(texts: readonly string[], length: number, base: 2 | 10 | 16 = 16): Uint8Array {
	const digits = base === 16 ? /^[0-9A-Fa-f]{1,2}$/ : base === 10 ? /^\d{1,3}$/ : /^[01]{8}$/;
	const bytes = new Uint8Array(length);
	for (let i = 0; i < length; i++) {
		const text = texts[i] ?? "";
		const byte = digits.test(text) ? Number.parseInt(text, base) : 256;
		if (byte > 255) throw new Error(text === "" ? `${i} data bytes, its length says ${length}` : `data byte "${text}"`);
		bytes[i] = byte;
	}
	return bytes;
}

const NO_DATA = new Uint8Array(0);

/**
 * A frame that is one.
 * @param data undefined: a remote frame.
 * @throws {Error} time or identifier can't be
 */
export function frameOf(timeUs: number, bus: string, id: number, extended: boolean, data: Uint8Array | undefined): RecordedFrame {
	if (!Number.isSafeInteger(timeUs)) throw new Error("the time is no number");
	if (!(id >= 0 && id <= (extended ? 0x1fff_ffff : 0x7ff)))
		throw new Error(`identifier ${id.toString(16)} is too large, 7ff or 1fffffff (extended) is the largest`);
	return { timeUs, bus, id, extended, rtr: data === undefined, data: data ?? NO_DATA };
}

/** "12.345678" as microseconds, exactly; also with a decimal comma, more digits or none. */
export function microseconds(seconds: string): number {
	const match = /^(-?)(\d{1,12})(?:[.,](\d*))?$/.exec(seconds);
	if (match === null) return Number.isFinite(Number(seconds)) && seconds !== "" ? Math.round(Number(seconds) * 1e6) : Number.NaN;
	const us = Number(match[2]) * 1e6 + Number((match[3] ?? "").slice(0, 6).padEnd(6, "0"));
	return match[1] === "-" ? -us : us;
}
