/**
 * Checks CRC, DataID lists and steering checksums against the golden vectors of set `checksum`. Pure: runs in
 * Node and on XS.
 */

import { dataIdsOf } from "../../src/can/layouts/mqb.js";
import { crc8, crc8OfBytes, endToEndChecksum, invertedSumOfBytes } from "../support/checksum.js";
import { bytesOf, type Report } from "./report.js";

interface ChecksumSet {
	sequences: Record<string, string>;
	lws2: string[];
	cases: (
		| [kind: "crc8", data: string, crc: number, extra?: unknown]
		| [kind: "frame", sequence: string, frame: string, byte0: number, extra?: unknown]
	)[];
}

/** All parts of the set. The reference's own checksums have the DataID first, and ESP_10 0x05. */
export function checkChecksum(set: ChecksumSet, report: Report): void {
	for (const name of Object.keys(set.sequences)) {
		const got = dataIdsOf(Number.parseInt(name, 16), "reference") ?? [];
		const hex = got.map((id) => id.toString(16).padStart(2, "0")).join("");
		report.check(hex === set.sequences[name], `sequence ${name}: ${hex}`);
	}
	for (const row of set.cases) {
		if (row[0] === "crc8") {
			const got = crc8(bytesOf(row[1]));
			report.check(got === row[2], `crc8 ${row[1]}: ${got}, expected ${row[2]}`);
			continue;
		}
		const ids = dataIdsOf(Number.parseInt(row[1], 16), "reference");
		const got = ids === undefined ? -1 : endToEndChecksum(bytesOf(row[2]), ids, "reference");
		report.row(row[4], got === row[3], `frame ${row[1]} ${row[2]}: ${got}, expected ${row[3]}`);
	}
	for (const hex of set.lws2) {
		const frame = bytesOf(hex);
		// Lenkwinkel_1: byte 6 is a CRC with the identifier's low byte last, byte 7 an inverted sum without
		// byte 4.
		const ok = crc8OfBytes(frame, 0x3f, 0xc2, "autosar") === frame[6] && invertedSumOfBytes(frame, 0x2f) === frame[7];
		report.check(ok, `steering ${hex}`);
	}
}
