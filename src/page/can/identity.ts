/**
 * Lines of a dump, a log or a recording that do not tell whose car it is: a list of those that stay.
 * Frames stay that the controller reads or rewrites; vehicle identification number, immobiliser, odometer,
 * date and diagnosis travel in others. Sources: src/coupling, by test/page/can.test.ts.
 */

/**
 * Identifiers that stay, PQ and MQB. Not Diagnose_01, Kombi_02 and Systeminfo_01 of MQB, which profile
 * `reference` rewrites, and not ESP_20: on the comfort bus of a PQ car 0x65D is the odometer.
 */
const MAY_STAY: readonly number[] = [
	0x086, 0x08a, 0x0a7, 0x0a8, 0x0ad, 0x0b2, 0x0c2, 0x0fd, 0x101, 0x104, 0x106, 0x107, 0x116, 0x118, 0x121, 0x18c, 0x1a0, 0x280,
	0x288, 0x2a0, 0x2c0, 0x30b, 0x320, 0x366, 0x380, 0x385, 0x390, 0x392, 0x3be, 0x3c0, 0x3c8, 0x3db, 0x440, 0x480, 0x4a0, 0x4a8,
	0x54b, 0x570, 0x572, 0x5a0, 0x5be, 0x640, 0x641, 0x6b0,
];

/** Tags of the log. Those of Wi-Fi, requests, updates and storage name networks, addresses and files. */
const TAGS = ["boot", "button", "can", "capture", "control", "fault", "learn", "loop", "mode", "settings", "sleep"];

/** @returns true if a frame with this identifier may stay */
export function mayStay(id: number, extended: boolean): boolean {
	return !extended && MAY_STAY.includes(id);
}

/** A line's identifier in candump, SavvyCAN, the text form and the log. 8 digits: extended. */
const FORMS = [
	/^\(\d+\.\d+\) \S+ ([0-9A-F]+)#/,
	/^\d+,([0-9A-F]{8}),(true|false),/,
	/^\d+\t\w+\t\w+\t\S+\t0x([0-9A-Fa-f]+)\t/,
	/^\d+\tCAN\t\w+\t\w+\t\S+\t0x([0-9A-Fa-f]+)\t/,
];
const HEAD = /^(Time Stamp,|OpenHaldex CAN dump|window_ms=|ts_ms\t)/;
const LOG_LINE = /^\d+\t[A-Z]+\t(\w+)\t/;

function lineMayStay(line: string): boolean {
	for (const form of FORMS) {
		const match = form.exec(line);
		if (match === null) continue;
		const [, digits = "", extended] = match;
		const isExtended = extended === undefined ? digits.length === 8 : extended === "true";
		return mayStay(Number.parseInt(digits, 16), isExtended);
	}
	return HEAD.test(line) || TAGS.includes(LOG_LINE.exec(line)?.[1] ?? "");
}

/** The lines that may be shared. @param text a dump or a log of the controller */
export function withoutIdentity(text: string): string {
	const kept = text.split("\n").filter(lineMayStay);
	return kept.map((line) => `${line}\n`).join("");
}
