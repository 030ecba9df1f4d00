/**
 * The signal catalogue of the PQ and the MQB network, and the keys by which settings and clients name its
 * signals. `tools/build-catalogue.mjs` makes of the DBC files in `dbc/` one text per frame in C
 * (`modules/frame-text`), packed to two thirds.
 * Format of a frame: `1a0
 * Bremse_1|NAME,start,length|NAME,start,length,flags|NAME,start,length,flags,factor,offset,unit|` with the
 * identifier in hex ("x" after it: extended), flags B Motorola, S signed, M selector, mN selected by the
 * value N, at the end K codes known, and the unit's number. Left out: no flags, factor 1, offset 0, unit "".
 * The layout tables know ranges and quality bits of some signals.
 */

import { Catalogue } from "../../modules/frame-text/catalogue.js";
import { consistsOf, DECIMAL, LOWER_HEX, lowerCase } from "../text/characters.js";
import { MQB_SIGNALS } from "./layouts/mqb.js";
import { PQ_SIGNALS } from "./layouts/pq.js";
import type { RawRow, SignalLayout, SignalPlace } from "./signal-layout.js";

/** The platform of a car: it decides which frames its buses carry. */
export type Network = "pq" | "mqb";

/** `mux` of a signal in every frame. */
export const MUX_NONE = -1;
/** `mux` of the selector. */
export const MUX_SELECTOR = -2;

const LARGEST_ID = 0x1fffffff;

/** One signal of the catalogue. */
export interface CatalogueSignal extends SignalLayout {
	readonly frameId: number;
	readonly extended: boolean;
	readonly name: string;
	/** The unit of the DBC file, "" for counts and flags. */
	readonly unit: string;
	/** MUX_NONE, MUX_SELECTOR, or the selector's value. */
	readonly mux: number;
	/** A row of the layout tables says which values are codes, or it has one bit. */
	readonly codesKnown: boolean;
}

/** The network's number in C. */
export const networkNumber = (network: Network): number => (network === "mqb" ? 1 : 0);

/** Identifiers of both types do not overlap. */
function frameHead(network: Network, frameId: number): string | undefined {
	return frameId >= 0 && frameId <= LARGEST_ID ? Catalogue.frame(networkNumber(network), frameId) : undefined;
}

/** Whether the frame has a 29-bit identifier. @param text of a frame, see above */
export function isExtended(text: string): boolean {
	return text.charAt(text.indexOf(" ") - 1) === "x";
}

/** @param text of a signal, see above */
export function parseSignal(text: string, frameId: number, extended: boolean): CatalogueSignal {
	const fields = text.split(",");
	let motorola = false;
	let signed = false;
	let mux = MUX_NONE;
	let flags = fields[3] ?? "";
	const isKnown = flags.endsWith("K");
	if (isKnown) flags = flags.slice(0, -1);
	for (let index = 0; index < flags.length; index++) {
		const flag = flags.charAt(index);
		if (flag === "B") motorola = true;
		else if (flag === "S") signed = true;
		else if (flag === "M") mux = MUX_SELECTOR;
		else {
			mux = Number(flags.slice(index + 1));
			break;
		}
	}
	return {
		frameId,
		extended,
		name: fields[0],
		start: Number(fields[1]),
		length: Number(fields[2]),
		motorola,
		signed,
		factor: Number(fields[4] ?? 1),
		offset: Number(fields[5] ?? 0),
		unit: Catalogue.unit(Number(fields[6] ?? 0)),
		mux,
		codesKnown: isKnown || fields[2] === "1",
	};
}

/**
 * A signal by its name in keys: lower case, blanks for underscores, with which it matches nothing. A key's
 * unit decides nothing, as in the reference. Source: docs/control-and-can.md 2.3.
 */
export function findSignal(network: Network, frameId: number, keyName: string): CatalogueSignal | undefined {
	const name = lowerCase(keyName.trim());
	if (name === "" || name.includes("_") || name.includes(",") || name.includes("|")) return undefined;
	const head = frameHead(network, frameId);
	if (head === undefined) return undefined;
	const text = Catalogue.signal(networkNumber(network), frameId, name.replaceAll(" ", "_"));
	return text === undefined ? undefined : parseSignal(text, frameId, isExtended(head));
}

/** undefined if the frame is not multiplexed. */
export function findSelector(network: Network, frameId: number): CatalogueSignal | undefined {
	const head = frameHead(network, frameId);
	if (head === undefined) return undefined;
	const text = Catalogue.selector(networkNumber(network), frameId);
	return text === undefined ? undefined : parseSignal(text, frameId, isExtended(head));
}

const ROWS: Readonly<Record<Network, readonly RawRow[]>> = Object.freeze({
	pq: Object.freeze(Object.values(PQ_SIGNALS).map((row) => Object.freeze(row))),
	mqb: Object.freeze(Object.values(MQB_SIGNALS).map((row) => Object.freeze(row))),
});

/** The row of the same bits. */
export function knownRow(network: Network, { frameId, start, length }: CatalogueSignal): RawRow | undefined {
	const rows = ROWS[network];
	// settings look for up to 13 signals in a turn: `find`, which calls a function for each row, takes more
	for (let i = 0; i < rows.length; i++) {
		const row = rows[i];
		if (row.id === frameId && row.start === start && row.length === length) return row;
	}
	return undefined;
}

/**
 * The frame has a value, neither a code nor one with a quality bit.
 * @param rawOf reads a place in the frame; NaN: the frame is too short
 * @param row of the signal, if there is one
 */
export function hasValue(signal: SignalPlace, row: RawRow | undefined, rawOf: (place: SignalPlace) => number): boolean {
	if (row === undefined) return true;
	const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, qualityBit, qualityBits = 1 } = row;
	const raw = rawOf(signal);
	if (!(raw >= min && raw <= max)) return false;
	return qualityBit === undefined || rawOf({ start: qualityBit, length: qualityBits }) === 0;
}

/** A key taken apart: `bus|0xID|signal name|unit`. Source: docs/control-and-can.md 2.3. */
interface SignalKey {
	/** Where the frame is expected; "unknown" makes the key unusable. */
	readonly bus: "any" | "chassis" | "haldex" | "unknown";
	/** Identifier, or -1 if it is not a number. */
	readonly frameId: number;
	readonly name: string;
	readonly unit: string;
}

/** Characters of a key that count; the rest is cut off. Source: docs/control-and-can.md 2.3. */
export const KEY_LENGTH_MAX = 160;
const OCTAL = "01234567";

function parseBus(text: string): SignalKey["bus"] {
	switch (text) {
		case "":
		case "all":
			return "any";
		case "chassis":
		case "chs":
			return "chassis";
		case "haldex":
		case "hdx":
			return "haldex";
		default:
			return "unknown";
	}
}

/** A number as C reads it with automatic base: 0x hex, leading 0 octal, else decimal; -1 for another text. */
function parseId(text: string): number {
	const digits = text.startsWith("+") ? text.slice(1) : text;
	if (digits.startsWith("0x")) return consistsOf(digits.slice(2), LOWER_HEX) ? Number.parseInt(digits.slice(2), 16) : -1;
	if (digits.startsWith("0")) return consistsOf(digits, OCTAL) ? Number.parseInt(digits, 8) : -1;
	return consistsOf(digits, DECIMAL) ? Number.parseInt(digits, 10) : -1;
}

/** Takes a key apart, which is foreign text. One with fewer than three bars has bus "unknown". */
export function parseSignalKey(key: string): SignalKey {
	const text = lowerCase(key.trim()).slice(0, KEY_LENGTH_MAX);
	const parts = text.split("|");
	if (parts.length < 4) return { bus: "unknown", frameId: -1, name: "", unit: "" };
	// Everything after the third bar belongs to the unit.
	const unit = parts.slice(3).join("|").trim();
	return { bus: parseBus(parts[0].trim()), frameId: parseId(parts[1].trim()), name: parts[2].trim(), unit };
}

/** A key that names a signal of the catalogue. */
export interface ResolvedKey {
	readonly bus: Exclude<SignalKey["bus"], "unknown">;
	readonly signal: CatalogueSignal;
}

/** The signal that a key names; undefined if the key is unusable or names none. */
export function resolveSignalKey(network: Network, key: string): ResolvedKey | undefined {
	const { bus, frameId, name } = parseSignalKey(key);
	if (bus === "unknown" || frameId < 0) return undefined;
	const signal = findSignal(network, frameId, name);
	return signal === undefined ? undefined : { bus, signal };
}
