/**
 * What the controller may make of the car's frames: the tables of `docs/control-and-can.md` 3.3 to 3.12, read anew.
 * Like all of the judge it shares no code with `src/`: what is wrong there must not be wrong here, too.
 */

export type Profile = "reference" | "corrected";
export type Generation = 1 | 2 | 4 | 5;

/**
 * Bytes in the notation of 3.2, with ASCII: `..` as received, `1F` constant, `a:FE` scaled, `FE-a:E8` falling with lock, `80+a:7E` 00
 * without lock, else 80 and more, `7F+a:37` 7F and more, `c:NAME` a counter, `s:NAME` a scaled counter, `s:NAME+CA` the same with a
 * constant added, `f` and the byte behind it a wheel speed to which a(CA) is added, `K` the CRC, `X` the XOR of bytes 0 to 6, `Y` and `Z`
 * the two checksums of the steering angle.
 */
export interface Row {
	readonly id: number;
	readonly bytes: readonly string[];
	/** DataIDs of the CRC, by the low nibble of byte 1. */
	readonly dataIds?: readonly number[] | undefined;
	/** The DataID comes first, or last as E2E profile 2 has it. */
	readonly dataIdFirst?: boolean;
	/** Sent with eight bytes whatever came. */
	readonly always8?: boolean;
	/** A frame of the brake system: passes as it is during an intervention. */
	readonly brake?: boolean;
	/** Differs from mode to mode, so it alone tells whose rows are in force. */
	readonly followsMode?: boolean;
	/** Passes as it is if its own checksum does not verify. */
	readonly verified?: boolean;
}

export interface Counter {
	readonly first: number;
	readonly step: number;
	readonly above: number;
	readonly wrapsTo: number;
}

const counter = (first: number, step: number, above: number, wrapsTo: number): Counter => ({ first, step, above, wrapsTo });

/** Counters of 3.3 that the car's frames get. */
export const COUNTERS: Readonly<Record<string, Counter>> = {
	LW1: counter(0x00, 0x10, 0xf0, 0x00),
	BRAKES4: counter(0x00, 0x10, 0xf0, 0x00),
	HI: counter(0x20, 1, 0x1a, 0x01),
	LO: counter(0x00, 1, 0x0e, 0x00),
	MOTOR_12: counter(0x70, 1, 0x7f, 0x70),
	MOTOR_11: counter(0x40, 1, 0x4f, 0x40),
	ESP_14: counter(0x10, 1, 0x1f, 0x10),
	ESP_10: counter(0x00, 1, 0x0f, 0x00),
	ESP_05: counter(0x80, 1, 0x8f, 0x80),
	ESP_23: counter(0x00, 1, 0x1f, 0x00),
	MOTOR_14: counter(0x10, 1, 0x1f, 0x10),
	ESP_07: counter(0x20, 1, 0x1f, 0x00),
	MOTOR_CODE_01: counter(0x10, 1, 0x1f, 0x10),
	ESP_20: counter(0x30, 1, 0x3f, 0x30),
};

const list = (hex: string): number[] => hex.split(" ").map((byte) => Number.parseInt(byte, 16));
const same = (byte: number): number[] => Array.from({ length: 16 }, () => byte);

/** DataIDs of 3.10. */
const DATA_IDS: Readonly<Record<number, readonly number[]>> = {
	168: list("52 8C 50 EE 4F A6 CC CF 7D 2F 98 6B 27 41 9F 93"),
	167: list("D2 3D CD 28 4C 14 22 4B 24 AC FA 55 66 80 0D 6C"),
	1470: list("C9 21 6F 63 D2 42 6A 77 4A 3D B0 62 9F 38 CD 5C"),
	958: list("1F 28 C6 85 E6 F8 B0 19 5B 64 35 21 E4 F7 9C 24"),
	1629: list("AC B3 AB EB 7A E1 3B F7 73 BA 7C 9E 06 5F 02 D9"),
	138: same(0xd4),
	262: same(0x07),
	914: same(0x91),
	1601: same(0x47),
	278: same(0x05), // of the reference; nobody verified it
};

const row = (id: number, text: string, more: Partial<Row> = {}): Row => ({ id, bytes: text.split(" "), ...more });
const mqb = (id: number, text: string, more: Partial<Row> = {}): Row =>
	row(id, text, { dataIds: DATA_IDS[id], dataIdFirst: true, ...more });
const protectedLast = (id: number, text: string, more: Partial<Row> = {}): Row =>
	row(id, text, { dataIds: DATA_IDS[id], dataIdFirst: false, verified: true, ...more });

/** The lever of generation 1 by mode (3.5); a mode that is not here leaves it to the car. */
const LEVERS: Readonly<Record<string, string>> = {
	FWD: "FE-a:FE",
	"5050": "a:16",
	"6040": "a:22",
	"7030": "a:50",
	"8020": "a:50",
	"9010": "a:50",
};

const REFERENCE: Readonly<Record<Generation, (mode: string) => readonly Row[]>> = {
	1: (mode) => [
		row(0x280, `00 a:FE 21 a:4E a:FE a:FE ${LEVERS[mode] ?? ".."} 00`, { followsMode: true }),
		row(0x380, ".. .. a:FE .. .. .. .. a:FE"),
		row(0x1a0, ".. 00 00 a:0A .. .. .. .."),
		row(0x4a0, "a:FE 0A a:FE 0A 00 0A 00 0A"),
	],
	2: () => [
		row(0x280, ".. a:FE 21 a:4E .. .. a:FE .."),
		row(0x380, ".. .. a:FE .. .. .. .. a:01"),
		row(0x1a0, "a:80 a:41 a:FE 0A .. .. .. .."),
		row(0x5a0, ".. .. .. .. a:7F a:FE .. .."),
		row(0x4a0, "a:FE 0A a:FE 0A 00 0A 00 0A"),
	],
	4: () => [
		row(0x0c2, "22 00 00 00 80 c:LW1 Y Z"),
		row(0x280, ".. a:FE a:20 a:4E a:FE a:FE a:16 a:FE"),
		row(0x1a0, "20 40 .. .. a:FE a:FE .. .."),
		row(0x5a0, ".. .. .. .. a:7F .. .. .."),
		row(0x4a0, "a:B6 07 a:CC 07 a:D2 07 a:D2 07"),
		row(0x2a0, "a:FE 00 00 64 00 00 c:BRAKES4 X"),
	],
	5: () => [
		row(0x0b2, "s:LO s:HI s:LO s:HI s:LO+CA s:HI s:LO+CA s:HI"),
		mqb(0x0a8, "K c:MOTOR_12 00 00 00 64 0F s:MOTOR_12"),
		mqb(0x0a7, "K c:MOTOR_11 FA FA 00 FA a:FA a:FA"),
		mqb(0x08a, "K c:ESP_14 00 00 00 00 00 a:FE"),
		mqb(0x116, "K c:ESP_10 01 04 00 40 00 s:ESP_10", { always8: true }),
		mqb(0x106, "K c:ESP_05 64 C0 00 00 FD 00", { always8: true }),
		row(0x30b, "10 20 02 00 0C 00 00 24"),
		mqb(0x5be, "K c:ESP_23 BF 7F 00 00 7C 78"),
		row(0x54b, "00 00 00 00 00 00 00 24"),
		row(0x3db, "50 80 00 00 05 10 01 78"),
		row(0x3c8, "00 00 54 24 00 60 01 51"),
		mqb(0x3be, "K c:MOTOR_14 E6 01 C8 80 00 80"),
		mqb(0x392, "K c:ESP_07 00 00 00 00 00 00"),
		row(0x18c, "00 20 59 00 00 00 00 00"),
		row(0x640, "A0 5A 56 A3 80 A0 59 01"),
		row(0x385, "00 00 22 02 02 20 02 02"),
		row(0x585, "84 3C 00 7F 14 00 00 00"),
		mqb(0x641, "K c:MOTOR_CODE_01 2B 53 14 14 D7 24"),
		mqb(0x65d, "K c:ESP_20 2B 10 00 00 E2 79"),
		row(0x6b2, "30 4D 58 A2 89 85 3F 30"),
		row(0x6b7, "4D 58 F2 EE 04 2B 00 78"),
	],
};

const CORRECTED: Readonly<Record<Generation, readonly Row[]>> = {
	1: [row(0x280, ".. a:FE .. a:4E .. .. FE-a:E8 .."), row(0x4a0, "a:FE 0A a:FE 0A 00 0A 00 0A", { brake: true })],
	2: [row(0x280, ".. a:FE .. a:4E .. .. a:FE .."), row(0x4a0, "a:FE 0A a:FE 0A 00 0A 00 0A", { brake: true })],
	4: [
		row(0x280, ".. a:FE a:20 a:4E a:FE a:FE a:16 a:FE"),
		row(0x4a0, "a:B6 07 a:CC 07 a:D2 07 a:D2 07", { brake: true }),
		row(0x2a0, "80+a:7E .. .. .. .. .. .. X", { brake: true }),
	],
	5: [
		row(0x0b2, ".. .. .. .. f .. f ..", { brake: true }),
		protectedLast(0x0a7, "K .. .. 7F+a:37 .. .. .. .."),
		protectedLast(0x08a, "K .. .. .. .. .. .. a:FA", { brake: true }),
	],
};

/** What is rewritten. @param mode matters for generation 1 in profile `reference` only */
export function rowsOf(generation: Generation, profile: Profile, mode: string): readonly Row[] {
	return profile === "reference" ? REFERENCE[generation](mode) : CORRECTED[generation];
}

/** CRC-8/AUTOSAR (3.10). */
export function crc8(bytes: Iterable<number>): number {
	let crc = 0xff;
	for (const byte of bytes) {
		crc ^= byte;
		for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 0x2f) & 0xff : (crc << 1) & 0xff;
	}
	return crc ^ 0xff;
}

/** Byte 0 of a protected frame of eight bytes; those beyond its length are 0. */
export function protection(row: Row, data: Uint8Array): number {
	const rest = [...data.subarray(1), 0, 0, 0, 0, 0, 0, 0].slice(0, 7);
	const dataId = (row.dataIds as readonly number[])[data[1] & 0x0f];
	return crc8(row.dataIdFirst ? [dataId, ...rest] : [...rest, dataId]);
}

/** Lock percentages, least and most, that a share of the full bytes can stand for; undefined if no lock is said so. 1.6, P19. */
export function lockOf(share: Share, profile: Profile): { least: number; most: number } | undefined {
	if (profile === "corrected") {
		if (share.most < 0) return undefined;
		return { least: lockOfFactor(share.least), most: lockOfFactor(share.most) };
	}
	let least: number | undefined;
	let most = 0;
	for (const percent of REFERENCE_FACTORS) {
		if (percent * 256 < share.least || percent * 256 > share.most) continue;
		least ??= percent === 0 ? 0 : percent === 100 ? 99.5 : (percent - 20) * 2;
		most = percent === 0 ? 0 : percent === 100 ? 100 : (percent - 20) * 2 + 2;
	}
	return least === undefined ? undefined : { least, most };
}

/** Without a calibration: none, 20 % to 69 % in whole percent, full. */
const REFERENCE_FACTORS = [0, ...Array.from({ length: 50 }, (_, i) => 20 + i), 100];

const POINTS = [
	[0, 0],
	[22.5, 5],
	[67.5, 95],
	[100, 100],
] as const;

function lockOfFactor(factor: number): number {
	const percent = factor / 256;
	for (let i = 1; i < POINTS.length; i++) {
		const [[x0, y0], [x1, y1]] = [POINTS[i - 1], POINTS[i]];
		if (percent <= x1) return y0 + ((y1 - y0) * (percent - x0)) / (x1 - x0);
	}
	return 100;
}

/** A share of the full bytes in 1/256 percent, 0..25600: least and most that fit what was seen. */
export interface Share {
	readonly least: number;
	readonly most: number;
}

export const FULL_SHARE = 25600;
