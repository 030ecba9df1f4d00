/**
 * What candump writes: log files (`-l`, `-L`), and what it shows (with `-t a|A|d|z` or no time, `-x`, `-a`,
 * `-i`, `-8`, `-c`, `-e`). Source: can-utils `candump.c`, `lib.c`; tried with can-utils 2020.11 and
 * python-can 4.6.1, which adds the letter of the direction.
 */
import { bytesOf, frameOf, type LeftOut, lengthOf, microseconds, type RecordedFrame, type TextForm } from "./form.js";

const LOG = /^\(([^)]*)\) +(\S+) +([0-9A-Fa-f]{3}|[0-9A-Fa-f]{8})#(#?)([^ ]*)(?: +([RTrt]))?\s*$/;
const SHOWN =
	/^\s*(?:\(([^)]*)\)\s+)?(\S+)\s+(?:(RX|TX)\s+\S\s+\S\s+)?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{8})\s+(?:\[(\d{1,2})\]|\{([0-9A-F])\})(.*)$/;
/** Lines of candump without a frame, and the continuation of an error frame. */
const SAID = /^(\t|DROPCOUNT|\s*$)/;
/** Colours of `-c`. */
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");
const LOG_DATA = /^(?:R[0-8]?(?:_[9A-Fa-f])?|((?:[0-9A-Fa-f]{2}\.?){0,8})(?:_[9A-Fa-f])?)$/;
const DATE = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)\.(\d+)$/;
/** candump marks error frames so. */
const ERROR_FLAG = 0x2000_0000;
/** From this share of times that run back in the first lines on, they are differences (`-t d`). */
const DIFFERENCES = 0.1;

function timeOf(text: string | undefined): number {
	const date = DATE.exec(text ?? "");
	if (date !== null) return Date.parse(`${date[1]}T${date[2]}Z`) * 1000 + microseconds(`0.${date[3]}`);
	return text === undefined ? 0 : microseconds(text.trim());
}

/** @param timeUs of the line */
function logFrame(match: RegExpExecArray, timeUs: number): RecordedFrame | LeftOut {
	const [, , bus, id, flexible, data, direction] = match;
	if (flexible !== "") return "CAN FD frames";
	if (direction?.toUpperCase() === "T") return "frames marked as sent";
	const extended = id!.length === 8;
	const number = Number.parseInt(id!, 16);
	if (extended && number & ERROR_FLAG) return "error frames";
	const bytes = LOG_DATA.exec(data!);
	if (bytes === null) throw new Error(`data "${data}", up to 8 bytes in hexadecimal or R is allowed`);
	const isRemote = bytes[1] === undefined;
	return frameOf(timeUs, bus!, number, extended, isRemote ? undefined : Buffer.from(bytes[1]!.replaceAll(".", ""), "hex"));
}

function shownFrame(match: RegExpExecArray, timeUs: number): RecordedFrame | LeftOut {
	const [, , bus, direction, id, length, raw, rest] = match;
	if (direction === "TX") return "frames marked as sent";
	const extended = id!.length === 8;
	const number = Number.parseInt(id!, 16);
	if (extended && number & ERROR_FLAG) return "error frames";
	if (length?.length === 2) return "CAN FD frames";
	if (rest!.includes("remote request")) return frameOf(timeUs, bus!, number, extended, undefined);
	if (rest!.includes("`")) throw new Error("bytes in reverse order (candump -S), the order of the bus is allowed");
	const bytes = raw === undefined ? (lengthOf(length) as number) : Math.min(8, Number.parseInt(raw, 16));
	const texts = rest!.trim().split(/\s+/, bytes);
	return frameOf(timeUs, bus!, number, extended, bytesOf(texts, bytes, texts[0]?.length === 8 ? 2 : 16));
}

/** @param at makes the time of play of that in the line. @returns undefined: it is no frame */
function frameIn(line: string, at: (timeUs: number) => number): RecordedFrame | LeftOut | undefined {
	const text = line.includes("\u001b") ? line.replace(COLOURS, "") : line;
	const log = LOG.exec(text);
	if (log !== null) return logFrame(log, at(timeOf(log[1])));
	const shown = SHOWN.exec(text);
	return shown === null ? undefined : shownFrame(shown, at(timeOf(shown[1])));
}

/** True if the times of the first lines are differences. */
function areDifferences(sample: readonly string[]): boolean {
	let [last, back, frames] = [Number.NaN, 0, 0];
	for (const line of sample) {
		const time = /^\s*\((\d{3}\.\d+)\)/.exec(line)?.[1]; // absolute ones have ten digits
		if (time === undefined) continue;
		const us = microseconds(time);
		if (us < last) back++;
		last = us;
		frames++;
	}
	return back > frames * DIFFERENCES;
}

export const CANDUMP: TextForm = {
	name: "candump",
	knows: (line) => {
		const text = line.replace(COLOURS, "");
		return LOG.test(text) || SHOWN.test(text);
	},
	reader: (sample) => {
		let begun = false;
		let totalUs = 0;
		const isDifference = areDifferences(sample);
		// also to what is left out
		const at = (timeUs: number): number => {
			totalUs = isDifference ? totalUs + timeUs : timeUs;
			return totalUs;
		};
		return (line) => {
			const read = frameIn(line, at);
			if (read !== undefined) begun = true;
			if (read !== undefined || SAID.test(line)) return read;
			// a prompt, or a line whose begin was cut off
			if (!begun) return "lines before the first frame";
			throw new Error("not like (1436509052.249713) can0 1A0#0041, nor like can0  1A0   [2]  00 41");
		};
	},
};
