/**
 * Signal keys, `bus|0xID|signal name|unit`: how settings and clients name a signal of the catalogue. Keys are
 * foreign text: anything that does not parse resolves to nothing and never throws. Source:
 * docs/control-and-can.md 2.3 and the `keys` rows of the decode vectors.
 */

import { consistsOf, DECIMAL, LOWER_HEX, lowerCase } from "../text/characters.js";
import { type CatalogueSignal, findSignal, type Network } from "./catalogue.js";

/** Where a key's frame is expected; "unknown" makes the key unusable. */
type KeyBus = "any" | "chassis" | "haldex" | "unknown";

/** A key taken apart. */
export interface SignalKey {
	readonly bus: KeyBus;
	/** Identifier, or -1 if it is not a number. */
	readonly frameId: number;
	readonly name: string;
	readonly unit: string;
}

/** A key that names a signal of the catalogue. */
interface ResolvedKey {
	readonly bus: "any" | "chassis" | "haldex";
	readonly signal: CatalogueSignal;
}

/** Characters of a key that count; the rest is cut off. Source: docs/control-and-can.md 2.3. */
export const KEY_LENGTH_MAX = 160;
const OCTAL = "01234567";

function parseBus(text: string): KeyBus {
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

/** Takes a key apart. A key with fewer than three bars has bus "unknown". */
export function parseSignalKey(key: string): SignalKey {
	const text = lowerCase(key.trim()).slice(0, KEY_LENGTH_MAX);
	const parts = text.split("|");
	if (parts.length < 4) return { bus: "unknown", frameId: -1, name: "", unit: "" };
	// Everything after the third bar belongs to the unit.
	const unit = parts.slice(3).join("|").trim();
	return { bus: parseBus(parts[0].trim()), frameId: parseId(parts[1].trim()), name: parts[2].trim(), unit };
}

/** The signal that a key names; undefined if the key is unusable or names none. */
export function resolveSignalKey(network: Network, key: string): ResolvedKey | undefined {
	const { bus, frameId, name } = parseSignalKey(key);
	if (bus === "unknown" || frameId < 0) return undefined;
	const signal = findSignal(network, frameId, name);
	return signal === undefined ? undefined : { bus, signal };
}
