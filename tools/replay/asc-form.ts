/**
 * Vector's ASC, as CANalyzer, CANoe, python-can, asammdf and can-utils' log2asc write it.
 * Sources: python-can `io/asc.py`, can-utils `log2asc.c`.
 */
import { bytesOf, frameOf, type LeftOut, lengthOf, microseconds, type RecordedFrame, type TextForm } from "./form.js";

const EVENT = /^\s*(-?\d+[.,]\d+)\s+(\S+)\s+(\S+)(?:\s+(.*))?$/;
const CLASSIC = /^(Rx|Tx|TxRq)\s+(\S)\s*(\S*)\s*(.*)$/i;
const FLEXIBLE = /^(Rx|Tx|TxRq)\s+([0-9A-Fa-f]+x?)\s+(?:\S*[^\s01]\S*\s+)?([01])\s+([01])\s+(\S+)\s+(\d+)\s*(.*)$/i;
const HEAD = /^\s*(?:date\s|base\s+(?:hex|dec)|(?:no )?internal events|begin triggerblock|\/\/ version)/i;
/** In the flags behind the data: the frame is one of CAN FD. */
const IS_FLEXIBLE = 0x1000;

function identifier(text: string, base: 10 | 16): [id: number, extended: boolean] {
	const extended = /x$/i.test(text);
	const digits = extended ? text.slice(0, -1) : text;
	if (!(base === 16 ? /^[0-9A-F]{1,8}$/i : /^\d{1,9}$/).test(digits))
		throw new Error(
			`identifier "${text}", a ${base === 16 ? "hexadecimal" : "decimal"} number is allowed: save it without names`,
		);
	return [Number.parseInt(digits, base), extended];
}

function classic(timeUs: number, bus: string, id: string, rest: RegExpExecArray, base: 10 | 16): RecordedFrame | LeftOut {
	const [, direction, kind, length, data] = rest;
	if (direction!.toLowerCase() !== "rx") return "frames marked as sent";
	const [number, extended] = identifier(id, base);
	if (kind!.toLowerCase() === "r") return frameOf(timeUs, bus, number, extended, undefined);
	if (kind!.toLowerCase() !== "d") throw new Error(`a frame of kind "${kind}", d (data) or r (remote) is allowed`);
	const bytes = lengthOf(length);
	if (bytes === "CAN FD frames") return bytes;
	return frameOf(timeUs, bus, number, extended, bytesOf(data!.split(/\s+/), bytes, base));
}

/** `CANFD` also has classic frames, which the flags behind the data tell. */
function flexible(timeUs: number, bus: string, rest: string, base: 10 | 16): RecordedFrame | LeftOut | undefined {
	if (/errorframe/i.test(rest)) return "error frames";
	const match = FLEXIBLE.exec(rest);
	if (match === null) return undefined;
	const [, direction, id, , , , length, data] = match;
	const bytes = Number(length);
	const texts = data!.trim().split(/\s+/);
	const flags = Number.parseInt(texts[bytes + 2] ?? "", 16);
	if (bytes > 8 || Number.isNaN(flags) || flags & IS_FLEXIBLE) return "CAN FD frames";
	if (direction!.toLowerCase() !== "rx") return "frames marked as sent";
	const [number, extended] = identifier(id!, base);
	return frameOf(timeUs, bus, number, extended, bytesOf(texts, bytes, base));
}

export const ASC: TextForm = {
	name: "Vector ASC",
	knows: (line) => HEAD.test(line) || /^\s*\d+[.,]\d+\s+(?:CANFD\s|\d+\s+\S+\s+(?:Rx|Tx)\s)/i.test(line),
	reader: () => {
		let base: 10 | 16 = 16;
		let isRelative = false;
		let lastUs = 0;
		return (line) => {
			const head = /^\s*base\s+(hex|dec)(?:\s+timestamps\s+(absolute|relative))?/i.exec(line);
			if (head) {
				base = head[1]!.toLowerCase() === "dec" ? 10 : 16;
				isRelative = head[2]?.toLowerCase() === "relative";
			}
			const event = EVENT.exec(line);
			if (event === null) return undefined;
			const [, time, channel, id, rest] = event;
			lastUs = microseconds(time!) + (isRelative ? lastUs : 0);
			if (channel === "CANFD") return flexible(lastUs, id!, rest ?? "", base);
			if (!/^\d+$/.test(channel!)) return undefined; // statistics, J1939, start of measurement
			if (/^errorframe$/i.test(id!)) return "error frames";
			const frame = CLASSIC.exec(rest ?? "");
			return frame === null ? undefined : classic(lastUs, channel!, id!, frame, base);
		};
	},
};
