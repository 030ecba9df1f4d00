/**
 * A map as a text that can be sent, printed and typed: `OC1-` and 99 characters of base64url. 9 bits for each
 * speed, 7 for each pedal and each lock, row after row, 5 bits of 0, then 18 bits for a CRC-16 of the
 * characters before. The digit is the format's version: raised when a reader of the old one would
 * misunderstand it.
 */

import { MAP_COLUMNS, MAP_ROWS } from "../../lock/tuning.js";
import type { LockMap } from "../net/types";

const VERSION = 1;
const SPEED_BITS = 9;
const PERCENT_BITS = 7;
const CHARACTER_BITS = 6;
const BODY_CHARACTERS = 96;
const CHECK_CHARACTERS = 3;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** Anywhere in what was pasted: also in the address of a page. */
const CODE = /OC(\d{1,3})-([\w-]*)/;

/** Why a text is no map. "newer": of a version that is not known here. */
type ShareProblem = "none" | "newer" | "damaged";

/** Quantities in the order of the code, with their bits. */
function fields({ speedBins, throttleBins, lockTable }: LockMap): [value: number, bits: number][] {
	return [
		...speedBins.map((speed): [number, number] => [speed, SPEED_BITS]),
		...[...throttleBins, ...lockTable.flat()].map((percent): [number, number] => [percent, PERCENT_BITS]),
	];
}

/** CRC-16/CCITT-FALSE of the characters' numbers. */
function check(characters: readonly number[]): number {
	let crc = 0xffff;
	for (const character of characters) {
		crc ^= character << 8;
		for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
	}
	return crc;
}

function charactersOf(values: readonly (readonly [value: number, bits: number])[], count: number): number[] {
	const bits = values.map(([value, width]) => value.toString(2).padStart(width, "0")).join("");
	const padded = bits.padEnd(count * CHARACTER_BITS, "0");
	return Array.from({ length: count }, (_, i) => Number.parseInt(padded.slice(i * CHARACTER_BITS, (i + 1) * CHARACTER_BITS), 2));
}

const textOf = (characters: readonly number[]): string => characters.map((character) => ALPHABET[character]).join("");

/** Faster does not fit in a code. */
export const SHARED_KMH_MAX = 511;

/** @returns undefined if a value does not fit: a speed above SHARED_KMH_MAX */
export function codeOf(map: LockMap): string | undefined {
	const values = fields(map);
	if (values.some(([value, bits]) => !Number.isInteger(value) || value < 0 || value >= 1 << bits)) return undefined;
	const body = charactersOf(values, BODY_CHARACTERS);
	const crc = charactersOf([[check(body), CHECK_CHARACTERS * CHARACTER_BITS]], CHECK_CHARACTERS);
	return `OC${VERSION}-${textOf([...body, ...crc])}`;
}

/** The map in a text; blanks and line feeds that a mail has put into it don't matter. Never throws. */
export function mapOf(text: string): LockMap | ShareProblem {
	const [, version, characters = ""] = CODE.exec(text.replace(/\s/g, "")) ?? [];
	if (version === undefined) return "none";
	if (Number(version) !== VERSION) return "newer";
	// what follows is the next word of a mail
	const numbers = [...characters.slice(0, BODY_CHARACTERS + CHECK_CHARACTERS)].map((character) => ALPHABET.indexOf(character));
	if (numbers.length !== BODY_CHARACTERS + CHECK_CHARACTERS) return "damaged";
	const body = numbers.slice(0, BODY_CHARACTERS);
	const crc = numbers.slice(BODY_CHARACTERS).reduce((sum, number) => (sum << CHARACTER_BITS) | number, 0);
	if (crc !== check(body)) return "damaged";
	const bits = body.map((number) => number.toString(2).padStart(CHARACTER_BITS, "0")).join("");
	let at = 0;
	const next = (width: number): number => {
		at += width;
		return Number.parseInt(bits.slice(at - width, at), 2);
	};
	const list = (length: number, width: number): number[] => Array.from({ length }, () => next(width));
	const speedBins = list(MAP_COLUMNS, SPEED_BITS);
	const throttleBins = list(MAP_ROWS, PERCENT_BITS);
	const lockTable = Array.from({ length: MAP_ROWS }, () => list(MAP_COLUMNS, PERCENT_BITS));
	const ascend = (bins: readonly number[]): boolean => bins.every((bin, i) => i === 0 || bin > bins[i - 1]!);
	const sound =
		ascend(speedBins) && ascend(throttleBins) && [...throttleBins, ...lockTable.flat()].every((value) => value <= 100);
	return sound ? { speedBins, throttleBins, lockTable } : "damaged";
}
