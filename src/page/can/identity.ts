/**
 * What may be shared of a dump, a log or a recording without telling whose car it is: a list of what stays. Frames stay that the controller
 * reads or rewrites; vehicle identification number, immobiliser, odometer, date and diagnosis travel in others. Which frame is which depends on
 * the network: 0x65D is ESP_20 in an MQB car, and the odometer in a PQ one. Sources: src/coupling, by test/page/identity.test.ts.
 */

/** Of the car. */
export type CarNetwork = "pq" | "mqb";

/** Identifiers that stay, by network. Without Diagnose_01, Kombi_02 and Systeminfo_01 of MQB, which profile `reference` rewrites. */
const MAY_STAY: Readonly<Record<CarNetwork, readonly number[]>> = {
	pq: [0x0c2, 0x1a0, 0x280, 0x288, 0x2a0, 0x2c0, 0x320, 0x380, 0x390, 0x440, 0x480, 0x4a0, 0x4a8, 0x570, 0x572, 0x5a0, 0x6b0],
	mqb: [
		0x086, 0x08a, 0x0a7, 0x0a8, 0x0ad, 0x0b2, 0x0fd, 0x101, 0x104, 0x106, 0x107, 0x116, 0x118, 0x121, 0x18c, 0x30b, 0x366, 0x385,
		0x392, 0x3be, 0x3c0, 0x3c8, 0x3db, 0x54b, 0x5be, 0x640, 0x641, 0x65d, 0x6b0,
	],
};

/** Of the log: what they tell is about the controller. Not: Wi-Fi, requests, updates, storage, which name networks, addresses and files. */
const TAGS = ["boot", "button", "can", "capture", "control", "fault", "learn", "loop", "mode", "settings", "sleep"];

/** @returns true if a frame with this identifier may stay */
export function mayStay(id: number, extended: boolean, network: CarNetwork): boolean {
	return !extended && MAY_STAY[network].includes(id);
}

/** Where a line has its identifier, in each of our forms: candump, SavvyCAN, the text form and the log. 8 digits: extended. */
const FORMS = [
	/^\(\d+\.\d+\) \S+ ([0-9A-F]+)#/,
	/^\d+,([0-9A-F]{8}),(true|false),/,
	/^\d+\t\w+\t\w+\t\S+\t0x([0-9A-Fa-f]+)\t/,
	/^\d+\tCAN\t\w+\t\w+\t\S+\t0x([0-9A-Fa-f]+)\t/,
];
const HEAD = /^(Time Stamp,|OpenHaldex CAN dump|window_ms=|ts_ms\t)/;
const LOG_LINE = /^\d+\t[A-Z]+\t(\w+)\t/;

function lineMayStay(line: string, network: CarNetwork): boolean {
	for (const form of FORMS) {
		const match = form.exec(line);
		if (match === null) continue;
		const [, digits = "", extended] = match;
		const isExtended = extended === undefined ? digits.length === 8 : extended === "true";
		return mayStay(Number.parseInt(digits, 16), isExtended, network);
	}
	return HEAD.test(line) || TAGS.includes(LOG_LINE.exec(line)?.[1] ?? "");
}

/** @param text a dump or a log of the controller @returns the lines that may be shared, each with its end */
export function withoutIdentity(text: string, network: CarNetwork): string {
	const kept = text.split("\n").filter((line) => lineMayStay(line, network));
	return kept.map((line) => `${line}\n`).join("");
}
