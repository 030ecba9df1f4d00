/**
 * What the controller may make of the car's frames, and what it may generate without a car: the tables of
 * `docs/control-and-can.md` 3.3 to 3.13, read anew. Like all of the judge it shares no code with `src/`: what
 * is wrong there must not be wrong here, too.
 *
 * A line is the period in ms (`-`: when the car sends the frame), the identifier and the bytes: `..` as
 * received, `1F` constant, `a:FE` scaled, `FE-a:E8` falling with lock, `80+a:7E` 00 without lock, else 80 and
 * more, `7F+a:37` 7F and more, `c:NAME` a counter, `s:NAME+CA` a scaled counter with a constant added,
 * `n:NAME` 00 and a step of the counter without its wrap, `f` and the byte behind it a wheel speed to which
 * a(CA) is added, `L` the lever of generation 1, `K` the CRC, `X` the XOR of all other bytes, `Y` and `Z` the
 * two checksums of the steering angle. `always8` marks a frame that leaves with eight bytes whatever came.
 */

import { crc8Autosar, MQB_DATA_IDS } from "../vehicle/integrity.js";
import { MARKS } from "./marks.js";

export type Profile = "reference" | "corrected";
export type Generation = 1 | 2 | 4 | 5 | 51 | 53;

export interface Operation {
	readonly kind: ".." | "f" | "K" | "X" | "Y" | "Z" | "a" | "FE-a" | "80+a" | "7F+a" | "c" | "s" | "n" | "set";
	/** The full byte, what is added, or the byte itself. */
	readonly byte: number;
	readonly counter: string;
}

export interface Row {
	readonly id: number;
	/** 0: the row rewrites a frame of the car. */
	readonly periodMs: number;
	readonly tokens: readonly string[];
	readonly operations: readonly Operation[];
	readonly counters: readonly string[];
	/** Least length of a frame that is rewritten. */
	readonly needed: number;
	/** A frame of the brake system: passes as it is during an intervention. */
	readonly brake: boolean;
	readonly always8: boolean;
	/** Differs from mode to mode, so it alone tells whose rows are active. */
	readonly followsMode: boolean;
	/** All but bytes 0 and 1 are the torques of 3.14 with this ceiling, Nm; undefined: they are `operations`. */
	readonly ceilingNm?: number | undefined;
}

/** The one frame of its own on the chassis bus (4.3). */
export const STATUS_ID = 0x6b0;
/** Of the chassis, requests of diagnosis alone pass while frames are generated (4.1). */
export const DIAGNOSIS: ReadonlySet<number> = new Set([0x764, 0x200, 0x710, 0x71d, 0x70f]);

/** Whether frames are generated for the coupling: it has no car, or one that sends none of its frames. */
export const isGenerated = (generation: Generation, isAlone: boolean): boolean => isAlone || generation === 53;

/** What the driver has chosen of the frames. */
export interface FrameChoice {
	/** 0x0A7 carries the torques of 3.14 up to this, Nm. */
	readonly ceilingNm?: number | undefined;
	/** Identifiers of frames that are left alone. */
	readonly off?: readonly number[];
}

export interface Counter {
	readonly first: number;
	readonly step: number;
	readonly above: number;
	readonly wrapsTo: number;
}

export interface Table {
	readonly profile: Profile;
	readonly rows: readonly Row[];
	readonly counters: Readonly<Record<string, Counter>>;
}

/**
 * By unit. `r` and `g` are what is rewritten in a car and what is generated in profile `reference`, `R` and `G`
 * the same in `corrected` (3.12). As received (`..`) is 00 where nothing is received.
 */
const LINES: Readonly<Record<1 | 2 | 4 | 5 | 51, string>> = {
	1: `
	rgG 20 280 00 a:FE 21 a:4E a:FE a:FE L 00
	R - 280 .. a:FE .. a:4E .. .. L ..
	r - 380 .. .. a:FE .. .. .. .. a:FE
	gG 20 380 00 50 00 00 00 00 00 FE
	r - 1A0 .. 00 00 a:0A .. .. .. ..
	gG 20 1A0 80 00 00 0A FE FE 00 c:BRAKES1
	rRgG 20 4A0 a:FE 0A a:FE 0A 00 0A 00 0A`,
	2: `
	r - 280 .. a:FE 21 a:4E .. .. a:FE ..
	R - 280 .. a:FE .. a:4E .. .. a:FE ..
	r - 380 .. .. a:FE .. .. .. .. a:01
	r - 1A0 a:80 a:41 a:FE 0A .. .. .. ..
	r - 5A0 .. .. .. .. a:7F a:FE .. ..
	gG 10 1A0 00 41 00 FE FE FE 00 c:BRAKES1
	g 10 5A0 7F AE 3D c:BRAKES2 a:7F a:FE 5E 2B
	G 20 5A0 7F AE 3D c:BRAKES2 a:7F a:FE 5E 2B
	rRgG 10 4A0 a:FE 0A a:FE 0A 00 0A 00 0A
	g 10 2A0 00 00 00 00 00 00 c:BRAKES4 c:BRAKES4
	G 10 2A0 00 00 00 00 00 00 c:BRAKES4 X
	g 10 4A8 FE 7F 03 00 00 00 c:BRAKES5A c:BRAKES5B
	G 20 4A8 FE 7F 03 00 00 00 c:BRAKES5 X
	g 10 0AE c:BRAKES9A c:BRAKES9B 00 00 00 00 02 00
	G 10 0AE X c:BRAKES9 00 00 00 00 02 00
	gG 10 0C2 20 00 00 00 80 c:LW1 00 Z
	g 20 280 08 FA 20 a:4E FA FA a:20 FA
	G 10 280 08 FA 20 a:4E FA FA a:20 FA
	gG 20 288 00 30 00 0A 0A 10 FE FE
	g 20 480 FE 00 00 00 00 00 00 n:BRAKES1
	G 20 480 FE 00 00 00 00 00 00 X
	g 20 3A0 A6 c:BRAKES10 75 D4 51 47 1D 0F
	G 20 3A0 X c:BRAKES10 75 D4 51 47 1D 0F
	gG 25 320 00 02 00 00 36 00 00 00`,
	4: `
	rg 10 0C2 22 00 00 00 80 c:LW1 Y Z
	G 10 0C2 22 00 00 00 80 c:LW1 00 Z
	rRgG 10 280 .. a:FE a:20 a:4E a:FE a:FE a:16 a:FE
	r - 1A0 20 40 .. .. a:FE a:FE .. ..
	gG 10 1A0 20 40 F0 07 a:FE a:FE 00 c:BRAKES1
	r - 5A0 .. .. .. .. a:7F .. .. ..
	gG 20 5A0 80 7A 05 c:BRAKES2 a:7F CA 1B AB
	rRgG 10 4A0 a:B6 07 a:CC 07 a:D2 07 a:D2 07
	rg 10 2A0 a:FE 00 00 64 00 00 c:BRAKES4 X
	R - 2A0 80+a:7E .. .. .. .. .. .. X
	G 10 2A0 80+a:7E 00 00 00 00 00 c:BRAKES4 X
	g 10 0AE c:BRAKES9A c:BRAKES9B 00 00 00 00 03 00
	G 10 0AE X c:BRAKES9 00 00 00 00 03 00
	gG 25 320 24 00 1D B9 07 42 09 81
	gG 25 520 60 43 01 10 66 F1 03 02
	g 200 520 A6 87 01 10 66 F2 03 02
	gG 100 390 03 11 58 00 40 00 01 08
	gG 100 392 09 01 00 A1 00 00 00 00
	gG 100 5D0 C0 03 50 BF 37 56
	gG 100 5DC F7 42 70 3F 1C 08 00 C8
	gG 100 5B7 00 C0 00 00 00 00 00 00
	gG 200 420 4C 86 85 00 00 30 FF 04
	gG 200 720 04 03 01 00 02 00 00
	gG 1000 7D0 26 F2 03 12 70 19 25 c:DIAGNOSE1`,
	51: `
	r - 0C2 22 00 00 00 80 c:LW1 Y Z
	r - 280 00 a:FE a:20 a:4E a:FE a:FE a:16 a:FE
	rR - 4A0 a:B6 07 a:CC 07 a:D2 07 a:D2 07
	r - 2A0 80+a:7E 00 00 64 00 00 c:BRAKES4 X
	R - 280 .. a:FE a:20 a:4E a:FE a:FE a:16 a:FE
	R - 2A0 80+a:7E .. .. .. .. .. .. X`,
	5: `
	R - 0B2 .. .. .. .. f .. f ..
	R - 0A7 K .. .. 7F+a:37 .. .. .. ..
	R - 08A K .. .. .. .. .. .. a:FA
	gG 10 135 00 C0 00 00 00 00 00 00
	rgG 10 0B2 s:LO s:HI s:LO s:HI s:LO+CA s:HI s:LO+CA s:HI
	g 10 0AD K c:GETRIEBE_11 00 FE 00 00 00 00
	G 50 0AD K c:GETRIEBE_11 00 FE 00 00 00 00
	rg 10 0A8 K c:MOTOR_12 00 00 00 64 0F s:MOTOR_12
	G 10 0A8 K c:MOTOR_12 00 00 00 64 0F 00
	rg 10 0A7 K c:MOTOR_11 FA FA 00 FA a:FA a:FA
	G 10 0A7 K c:MOTOR_11 5F 7F+a:37 FD F5 77 3E
	rg 10 08A K c:ESP_14 00 00 00 00 00 a:FE
	G 1000 08A K c:ESP_14 00 00 00 00 00 a:FA
	gG 10 086 K c:LWI_01 01 00 00 00 00 00
	gG 20 121 K c:MOTOR_20 40 40 19 59 7E FE
	rg 20 116 K c:ESP_10 01 04 00 40 00 s:ESP_10 always8
	G 20 116 K c:ESP_10 01 04 00 40 00 00
	rgG 20 106 K c:ESP_05 64 C0 00 00 FD 00 always8
	rg 25 30B 10 20 02 00 0C 00 00 24
	G 50 30B 10 c:KOMBI_01 02 00 0C 00 00 24
	rg 100 5BE K c:ESP_23 BF 7F 00 00 7C 78
	G 1000 5BE 00 B0 BF 7F 00 00 7C 78
	rgG 100 54B 00 00 00 00 00 00 00 24
	rgG 100 3DB 50 80 00 00 05 10 01 78
	rgG 100 3C8 00 00 54 24 00 60 01 51
	rgG 100 3BE K c:MOTOR_14 E6 01 C8 80 00 80
	rgG 100 392 K c:ESP_07 00 00 00 00 00 00
	rgG 100 18C 00 20 59 00 00 00 00 00
	rgG 1000 640 A0 5A 56 A3 80 A0 59 01
	rgG 1000 385 00 00 22 02 02 20 02 02
	rgG 1000 585 84 3C 00 7F 14 00 00 00
	rgG 1000 641 K c:MOTOR_CODE_01 2B 53 14 14 D7 24
	rgG 1000 65D K c:ESP_20 2B 10 00 00 E2 79
	rgG 1000 6B2 30 4D 58 A2 89 85 3F 30
	rgG 1000 6B7 4D 58 F2 EE 04 2B 00 78`,
};
/** Of the brake system: in profile `corrected` their frames pass as they are during an intervention. */
const BRAKES: ReadonlySet<number> = new Set([0x4a0, 0x2a0, 0x0b2, 0x08a]);

/** The lever of generation 1 by mode (3.5), `reference` only. */
const LEVERS: Readonly<Record<string, string>> = {
	FWD: "FE-a:FE",
	"5050": "a:16",
	"6040": "a:22",
	"7030": "a:50",
	"8020": "a:50",
	"9010": "a:50",
};
const FALLING_LEVER = "FE-a:E8";

const counter = (first: number, step: number, above: number, wrapsTo: number): Counter => ({ first, step, above, wrapsTo });
/** Four bits below or above bits of payload. */
const low = (payload = 0): Counter => counter(payload, 1, payload + 15, payload);
const high = (payload = 0): Counter => counter(payload, 0x10, 0xf0 + payload, payload);

/** Of 3.3. */
const COUNTERS: Readonly<Record<1 | 2 | 4 | 5, Readonly<Record<string, Counter>>>> = {
	1: { BRAKES1: counter(10, 1, 0x0f, 0) },
	2: {
		BRAKES1: counter(10, 1, 0x0f, 0),
		BRAKES2: counter(0, 10, 0xf7, 7),
		BRAKES4: counter(0, 10, 0xf0, 0),
		BRAKES5A: counter(4, 10, 0xf0, 0),
		BRAKES5B: counter(3, 10, 0xf3, 3),
		BRAKES9A: counter(3, 10, 0xf1, 0x11),
		BRAKES9B: counter(0, 10, 0xf0, 0),
		BRAKES10: low(),
		LW1: counter(0, 0x10, 0xef, 0),
	},
	4: {
		LW1: high(),
		BRAKES1: counter(10, 1, 0x1f, 10),
		BRAKES2: high(),
		BRAKES4: high(),
		BRAKES9A: high(3),
		BRAKES9B: high(),
		DIAGNOSE1: counter(0, 1, 0x1f, 0),
	},
	5: {
		HI: counter(0x20, 1, 0x1a, 0x01),
		LO: counter(0x00, 1, 0x0e, 0x00),
		MOTOR_12: low(0x70),
		MOTOR_11: low(0x40),
		ESP_14: low(0x10),
		ESP_10: low(),
		ESP_05: low(0x80),
		ESP_23: counter(0x00, 1, 0x1f, 0x00),
		MOTOR_14: low(0x10),
		ESP_07: counter(0x20, 1, 0x1f, 0x00),
		MOTOR_CODE_01: low(0x10),
		ESP_20: low(0x30),
		GETRIEBE_11: low(),
		LWI_01: low(0x10),
		MOTOR_20: low(),
	},
};
const CORRECTED_COUNTERS: Readonly<Record<string, Counter>> = {
	BRAKES1: low(),
	BRAKES2: high(),
	BRAKES4: high(),
	BRAKES5: high(4),
	BRAKES9: high(),
	BRAKES10: low(),
	LW1: high(),
	DIAGNOSE1: low(),
	HI: counter(1, 1, 0x1a, 1),
	LO: counter(0, 1, 0x0e, 0),
	KOMBI_01: low(0x20),
	ESP_07: low(),
	MOTOR_11: low(0xd0),
};

/** DataIDs of 3.10, of the simulated car; cars send ESP_23 without. */
const DATA_IDS: Readonly<Record<number, string>> = { ...MQB_DATA_IDS, 1470: "C9216F63D2426A774A3DB0629F38CD5C" };

/**
 * Byte 0 of a protected frame; bytes beyond its length are 0. The reference has another DataID for 0x116, and
 * puts them first.
 */
export function protection(id: number, profile: Profile, data: Uint8Array): number {
	const rest = [...data.subarray(1), 0, 0, 0, 0, 0, 0, 0].slice(0, 7);
	const isReference = profile === "reference";
	const list = Buffer.from(DATA_IDS[id], "hex");
	const dataId = isReference && id === 0x116 ? 0x05 : list[list.length === 1 ? 0 : data[1] & 0x0f];
	return crc8Autosar(isReference ? [dataId, ...rest] : [...rest, dataId]);
}

/** The last byte of a steering angle of PQ. 3.4 */
export const steeringSum = (data: Uint8Array): number => (0xff - (data[0] + data[1] + data[2] + data[3] + data[5])) & 0xff;

function operationOf(token: string): Operation {
	if (["..", "f", "K", "X", "Y", "Z"].includes(token)) return { kind: token as Operation["kind"], byte: 0, counter: "" };
	const [kind, argument] = token.split(":");
	if (argument === undefined) return { kind: "set", byte: Number.parseInt(token, 16), counter: "" };
	if (["a", "FE-a", "80+a", "7F+a"].includes(kind))
		return { kind: kind as Operation["kind"], byte: Number.parseInt(argument, 16), counter: "" };
	const [name, added = "0"] = argument.split("+");
	return { kind: kind as Operation["kind"], byte: Number.parseInt(added, 16), counter: name };
}

/** A line as it is for one of `rRgG`. */
function rowOf(line: string, kind: string, lever: string): Row {
	const [, period, hex, ...words] = line.trim().split(" ");
	const id = Number.parseInt(hex, 16);
	const isGenerated = kind === "g" || kind === "G";
	const tokens = words
		.filter((word) => word !== "always8")
		.map((word) => (word === "L" ? lever : isGenerated && word === ".." ? "00" : word));
	const operations = tokens.map(operationOf);
	let needed = 0;
	tokens.forEach((token, i) => {
		if (token === "f") needed = i + 2;
		else if (!["..", "X", "K"].includes(token)) needed = i + 1;
	});
	// in a row that writes all up to it, the checksum belongs to what must fit
	if (tokens[7] === "X" && tokens[6] !== "..") needed = 8;
	return {
		id,
		periodMs: isGenerated ? Number(period) : 0,
		tokens,
		operations,
		needed,
		counters: [...new Set(operations.map((operation) => operation.counter).filter((name) => name !== ""))],
		brake: kind === "R" && BRAKES.has(id),
		always8: words.includes("always8"),
		followsMode: words.includes("L") && lever !== FALLING_LEVER,
	};
}

/**
 * What may be sent.
 * @param isAlone without a car: all of it is generated
 * @param mode matters for generation 1 in profile `reference` only
 */
export function tableOf(
	generation: Generation,
	profile: Profile,
	isAlone: boolean,
	mode: string,
	{ ceilingNm, off = [] }: FrameChoice = {},
): Table {
	const isCorrected = profile === "corrected";
	const generates = isGenerated(generation, isAlone);
	const kind = generates ? (isCorrected ? "G" : "g") : isCorrected ? "R" : "r";
	const ofAlone = mode === "STOCK" ? LEVERS["FWD"] : FALLING_LEVER;
	const lever = isCorrected ? FALLING_LEVER : (LEVERS[mode] ?? (isAlone ? ofAlone : ".."));
	const unit = generation === 51 ? 4 : generation === 53 ? 5 : generation;
	const rows = LINES[generation === 51 && !generates ? 51 : unit]
		.trim()
		.split("\n")
		.filter((line) => line.trim().split(" ")[0].includes(kind))
		.map((line) => rowOf(line, kind, lever))
		.filter(({ id }) => !off.includes(id) && !(generation === 53 && id === 0x392))
		.map((row) => (ceilingNm !== undefined && row.id === MOTOR_11 ? { ...row, ceilingNm, needed: 8 } : row));
	return { profile, rows, counters: { ...COUNTERS[unit], ...(isCorrected ? CORRECTED_COUNTERS : {}) } };
}

const MOTOR_11 = 0x0a7;
/** First bit and length of the fields of 3.14. */
const TORQUES = {
	requested: [12, 10],
	actual: [22, 10],
	inertia: [32, 10],
	filtered: [42, 10],
	overrun: [52, 9],
	status: [61, 1],
	cars: [62, 2],
} as const;
/** What a frame says of the engine's torques, raw. */
export type Torques = Readonly<Record<keyof typeof TORQUES, number>>;

/** @param data eight bytes */
export function torquesOf(data: Uint8Array): Torques {
	const bits = data.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
	const raw = ([first, length]: readonly [number, number]): number =>
		Number((bits >> BigInt(first)) & ((1n << BigInt(length)) - 1n));
	const entries = Object.entries(TORQUES).map(([name, field]) => [name, raw(field)] as const);
	return Object.fromEntries(entries) as unknown as Torques;
}

/** Of 3.14: 10 Nm, the most that is a torque, 0 Nm, overrun; Nm of change a frame. */
export const OPEN_RAW = 519;
const TORQUE_RAW_MAX = 1018;
const [INERTIA_RAW, OVERRUN_RAW] = [509, 487];
const [ACTUAL_STEP, FILTERED_STEP] = [8, 32];

/**
 * @param last what the frame before said; undefined: nobody knows
 * @returns what is wrong, "" = nothing
 */
export function wrongTorque(sent: Torques, received: Torques | undefined, last: Torques | undefined, ceilingNm: number): string {
	const { requested, actual, filtered, inertia, overrun, status, cars } = sent;
	if (inertia !== INERTIA_RAW || overrun !== OVERRUN_RAW || status !== 1)
		return "inertia, overrun or status are not those of 3.14";
	if (cars !== (received?.cars ?? 0)) return "bits 62 and 63 are not the car's";
	if (requested === OPEN_RAW) return actual === OPEN_RAW && filtered === OPEN_RAW ? "" : "open, a torque is above 10 Nm";
	const most = OPEN_RAW + ceilingNm - 10;
	const isWrong = (now: number, before: number | undefined, step: number): boolean =>
		before === undefined ? now > most : now !== before + Math.max(-step, Math.min(step, requested - before));
	if (isWrong(actual, last?.actual, ACTUAL_STEP))
		return `the actual torque goes from ${last?.actual} to ${actual} for ${requested}`;
	if (isWrong(filtered, last?.filtered, FILTERED_STEP))
		return `the filtered torque goes from ${last?.filtered} to ${filtered} for ${requested}`;
	return "";
}

/** Whether the car marks something as invalid that the row would overwrite. */
export function isInvalid({ id, tokens, ceilingNm }: Row, data: Uint8Array): boolean {
	if (ceilingNm !== undefined && data.length === 8) {
		const { requested, actual, filtered, cars } = torquesOf(data);
		return cars > 1 || [requested, actual, filtered].some((raw) => raw > TORQUE_RAW_MAX);
	}
	const isWritten = (at: number): boolean => tokens[at] !== ".." || tokens[at - 1] === "f";
	return (MARKS[id] ?? []).some(([from, to, isMarked]) => (isWritten(from) || isWritten(to)) && isMarked(data));
}

/**
 * Least and most lock percentage that a share of the full bytes can mean; undefined if none.
 * docs/decisions.md 39.
 */
export function lockOf(share: Share, profile: Profile): { least: number; most: number } | undefined {
	if (profile === "corrected") {
		if (share.most < 0) return undefined;
		return { least: curve(CORRECTED_LOCK, share.least / 256), most: curve(CORRECTED_LOCK, share.most / 256) };
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

/** Lock by factor, percent. */
const CORRECTED_LOCK: Points = [
	[0, 0],
	[22.5, 5],
	[67.5, 95],
	[100, 100],
];

/** A curve: x and percent, ascending. */
export type Points = readonly (readonly [number, number])[];

/** Linear between points, constant outside. */
export function curve(points: Points, x: number): number {
	if (x <= points[0][0]) return points[0][1];
	for (let i = 1; i < points.length; i++) {
		const [[x0, y0], [x1, y1]] = [points[i - 1], points[i]];
		if (x <= x1) return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
	}
	return points[points.length - 1][1];
}

/** A share of the full bytes in 1/256 percent, 0..25600: least and most that fit what was seen. */
export interface Share {
	readonly least: number;
	readonly most: number;
}

export const FULL_SHARE = 25600;
