/**
 * CRTD, as OVMS and SavvyCAN write it: `1320745424.002 1R11 402 FA 01 C3`. R received, T sent, C a comment or
 * a command; the digit before is the bus, 1 if there is none. Sources: OVMS "CRTD CAN Log Format", SavvyCAN
 * `framefileio.cpp`.
 */
import { bytesOf, frameOf, microseconds, type TextForm } from "./form.js";

const FRAME = /^\s*(\d+(?:\.\d*)?)\s+(\d?)([RT])(11|29)\s+([0-9A-Fa-f]+)((?:\s+[0-9A-Fa-f]+)*)\s*$/;
const OTHER = /^\s*\d+(?:\.\d*)?\s+\d?[A-Z]{2,3}\b/;
/** CAN FD has more. */
const MOST_BYTES = 8;

export const CRTD: TextForm = {
	name: "CRTD",
	knows: (line) => FRAME.test(line) || OTHER.test(line),
	reader: () => (line) => {
		const match = FRAME.exec(line);
		if (match === null) {
			if (OTHER.test(line) || line.trim() === "") return undefined;
			throw new Error("not like 1320745424.002 1R11 402 FA 01 C3");
		}
		const [, time, bus, direction, kind, id, data] = match;
		if (direction === "T") return "frames marked as sent";
		const texts = data!.trim() === "" ? [] : data!.trim().split(/\s+/);
		if (texts.length > MOST_BYTES) return "CAN FD frames";
		// without a point they are microseconds
		const timeUs = time!.includes(".") ? microseconds(time!) : Number(time);
		return frameOf(timeUs, bus || "1", Number.parseInt(id!, 16), kind === "29", bytesOf(texts, texts.length));
	},
};
