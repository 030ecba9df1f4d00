/**
 * What the controller may make of the car's frames, and what it may generate without a car: the tables of
 * `docs/control-and-can.md` 3.3 to 3.8, which 3.2 explains and which are read here, and its rules 3.9 to 3.14,
 * written anew. Like all of the judge it shares no code with `src/`: what is wrong there must not be wrong
 * here, too.
 */
import { readFileSync } from "node:fs";
import { crc8Autosar, MQB_DATA_IDS } from "../vehicle/integrity.js";
import { MARKS } from "./marks.js";

/** Frame profile. */
export type Profile = "reference" | "corrected";
/** Coupling. */
export type Generation = 1 | 2 | 4 | 5 | 51 | 53;

/** What happens to one byte of a frame. */
export interface Operation {
	readonly kind: ".." | "f" | "K" | "X" | "Y" | "Z" | "a" | "FE-a" | "80+a" | "7F+a" | "c" | "s" | "n" | "set";
	/** The full byte, what is added, or the byte itself. */
	readonly byte: number;
	readonly counter: string;
}

/** A frame that is rewritten or generated. */
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

/** A counter: first value, step, and from what value it wraps to which. */
export interface Counter {
	readonly first: number;
	readonly step: number;
	readonly above: number;
	readonly wrapsTo: number;
}

/** All frames of a coupling in one profile. */
export interface Table {
	readonly profile: Profile;
	readonly rows: readonly Row[];
	readonly counters: Readonly<Record<string, Counter>>;
}

const DOCUMENT = readFileSync(new URL("../../docs/control-and-can.md", import.meta.url), "utf8");

/** The lines of a block of the document in words. The first is its heading. */
export function blockOf(name: string): readonly (readonly string[])[] {
	const [, block = ""] = new RegExp(`^\`\`\`${name}\\n([^\`]+)`, "m").exec(DOCUMENT) ?? [];
	if (block === "") throw new Error(`docs/control-and-can.md has no block "${name}"`);
	return block
		.trim()
		.split("\n")
		.map((line) => line.split(/ +/));
}

const hex = (digits: string): number => Number.parseInt(digits, 16);

/** The lever of generation 1 by mode, and in profile `corrected`. 3.5 */
const LEVERS = Object.fromEntries(blockOf("levers").map(([mode, lever]) => [mode, lever]));
const FALLING_LEVER = LEVERS["corrected"];

/** By unit, or "corrected". 3.3 */
const COUNTERS: Record<string, Record<string, Counter>> = {};
for (const [whose, name, first, step, above, wrapsTo] of blockOf("counters").slice(1)) {
	COUNTERS[whose] ??= {};
	COUNTERS[whose][name] = { first: hex(first), step: hex(step), above: hex(above), wrapsTo: hex(wrapsTo) };
}

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
	if (argument === undefined) return { kind: "set", byte: hex(token), counter: "" };
	if (["a", "FE-a", "80+a", "7F+a"].includes(kind)) return { kind: kind as Operation["kind"], byte: hex(argument), counter: "" };
	const [name, added = "0"] = argument.split("+");
	return { kind: kind as Operation["kind"], byte: hex(added), counter: name };
}

/** A line as it is for one of `rRgG`. */
function rowOf([whose, period, frame, , ...bytes]: readonly string[], kind: string, lever: string): Row {
	const isGenerated = kind === "g" || kind === "G";
	const tokens = bytes.map((byte) => (byte === "L" ? lever : isGenerated && byte === ".." ? "00" : byte));
	const operations = tokens.map(operationOf);
	let needed = 0;
	tokens.forEach((token, i) => {
		if (token === "f") needed = i + 2;
		else if (!["..", "X", "K"].includes(token)) needed = i + 1;
	});
	// in a row that writes all up to it, the checksum belongs to what must fit
	if (tokens[7] === "X" && tokens[6] !== "..") needed = 8;
	return {
		id: hex(frame),
		periodMs: isGenerated ? Number(period) : 0,
		tokens,
		operations,
		needed,
		counters: [...new Set(operations.map((operation) => operation.counter).filter((name) => name !== ""))],
		brake: kind === "R" && whose.includes("b"),
		always8: whose.includes("8"),
		followsMode: bytes.includes("L") && lever !== FALLING_LEVER,
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
	const rows = blockOf(`frames ${generates ? unit : generation}`)
		.slice(1)
		.filter(([whose]) => whose.includes(kind))
		.map((line) => rowOf(line, kind, lever))
		.filter(({ id }) => !off.includes(id) && !(generation === 53 && id === 0x392))
		.map((row) => (ceilingNm !== undefined && row.id === MOTOR_11 ? { ...row, ceilingNm, needed: 8 } : row));
	return { profile, rows, counters: { ...COUNTERS[unit], ...(isCorrected && COUNTERS["corrected"]) } };
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

/** Full bytes. */
export const FULL_SHARE = 25600;
