/**
 * The signal catalogue: what is known of the frames of the PQ and the MQB network, for mapped inputs, the mode trigger,
 * the dashboard and the CAN view. The DBC files in `dbc/` are the source; `tools/build-catalogue.mjs` makes them one
 * string per frame (they stay in flash), which is searched when somebody asks. Nothing is parsed at load.
 *
 * Format of a frame: `1a0 Bremse_1|NAME,start,length|NAME,start,length,flags|NAME,start,length,flags,factor,offset,unit|`
 * with the identifier in hex ("x" after it: extended), flags B Motorola, S signed, M selector, mN selected by the
 * value N, and the unit's index in UNITS. Left out: no flags, factor 1, offset 0, unit "".
 */

import { MQB_FRAMES, PQ_FRAMES, UNITS } from "./generated/catalogue-data.js";
import type { SignalLayout } from "./signal-layout.js";

/** The network whose signals a generation's vehicle uses. */
export type Network = "pq" | "mqb";

/** `mux` of a signal that is in every frame. */
export const MUX_NONE = -1;
/** `mux` of the signal whose value selects the others. */
export const MUX_SELECTOR = -2;

const EXTENDED_BIT = 0x80000000;

/** One signal of the catalogue. */
export interface CatalogueSignal extends SignalLayout {
	readonly frameId: number;
	/** True for a 29-bit identifier. */
	readonly extended: boolean;
	readonly name: string;
	/** Unit as the DBC file has it, "" for counts and flags. */
	readonly unit: string;
	/** MUX_NONE, MUX_SELECTOR, or the value of the frame's selector with which this signal is present. */
	readonly mux: number;
}

/** A frame of the catalogue without its signals. */
export interface CatalogueFrame {
	readonly frameId: number;
	readonly extended: boolean;
	/** Name in the public network description, or `Frame_<identifier>`. */
	readonly name: string;
}

/** The network of a generation: MQB for 5, else PQ (also for 0, not configured). Never throws. Source: docs/control-and-can.md 2.3. */
export function networkOf(generation: number): Network {
	return generation === 5 ? "mqb" : "pq";
}

function textsOf(network: Network): readonly string[] {
	return network === "mqb" ? MQB_FRAMES : PQ_FRAMES;
}

function parseFrame(text: string): CatalogueFrame {
	const space = text.indexOf(" ");
	const extended = text.charAt(space - 1) === "x";
	return { frameId: Number.parseInt(text, 16), extended, name: text.slice(space + 1, text.indexOf("|")) };
}

function parseSignal(text: string, frameId: number, extended: boolean): CatalogueSignal {
	const fields = text.split(",");
	let littleEndian = true;
	let signed = false;
	let mux = MUX_NONE;
	const flags = fields[3] ?? "";
	for (let index = 0; index < flags.length; index++) {
		const flag = flags.charAt(index);
		if (flag === "B") littleEndian = false;
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
		littleEndian,
		signed,
		factor: Number(fields[4] ?? 1),
		offset: Number(fields[5] ?? 0),
		unit: UNITS[Number(fields[6] ?? 0)],
		mux,
	};
}

/** The frame's text; standard and extended identifiers do not overlap in either network. */
function frameText(network: Network, frameId: number): string | undefined {
	const id = frameId.toString(16);
	const standard = `${id} `;
	const extended = `${id}x `;
	return textsOf(network).find((text) => text.startsWith(standard) || text.startsWith(extended));
}

/** Identifiers of all frames of a network in the order of its DBC file, bit 31 set for 29-bit ones. Allocates. Never throws. */
export function listIdentifiers(network: Network): Uint32Array {
	return Uint32Array.from(textsOf(network), (text) => {
		const frameId = Number.parseInt(text, 16); // ends at the blank or "x"
		return text.charAt(text.indexOf(" ") - 1) === "x" ? frameId + EXTENDED_BIT : frameId;
	});
}

/** Number of signals of each frame, in the same order. Allocates. Never throws. */
export function countSignals(network: Network): Uint8Array {
	return Uint8Array.from(textsOf(network), (text) => text.split("|").length - 2);
}

/** The signals of one frame, parsed one by one as they are asked for: who reads through all of them holds but one. */
export class FrameSignals {
	readonly frameId: number;
	readonly extended: boolean;
	/** How many there are. */
	readonly count: number;
	/** The one whose value selects others, undefined if the frame is not multiplexed. */
	readonly selector: CatalogueSignal | undefined;
	readonly #parts: readonly string[];

	/** @param index of the frame in the order of `listIdentifiers` @throws {TypeError} there is none */
	constructor(network: Network, index: number) {
		const text = textsOf(network)[index];
		const { frameId, extended } = parseFrame(text);
		this.frameId = frameId;
		this.extended = extended;
		this.#parts = text.split("|");
		this.count = this.#parts.length - 2;
		// flags follow a comma, and nothing else there is a letter "m" or "M"
		const selector = text.includes(",m") ? this.#parts.find((part) => part.split(",")[3]?.endsWith("M")) : undefined;
		this.selector = selector === undefined ? undefined : parseSignal(selector, frameId, extended);
	}

	/** `mux` of the n-th signal, without parsing it, if it is selected; else MUX_NONE. */
	mux(n: number): number {
		const part = this.#parts[n + 1];
		const at = part.indexOf("m", part.indexOf(","));
		return at < 0 ? MUX_NONE : Number.parseInt(part.slice(at + 1), 10);
	}

	/** The n-th signal in the order of the DBC file, 0..count - 1. */
	at(n: number): CatalogueSignal {
		return parseSignal(this.#parts[n + 1], this.frameId, this.extended);
	}
}

/** All frames of a network in the order of its DBC file. Allocates. Never throws. */
export function listFrames(network: Network): CatalogueFrame[] {
	return textsOf(network).map(parseFrame);
}

/** A frame by identifier (29-bit ones without bit 31). @returns undefined if the catalogue does not have it. Never throws. */
export function findFrame(network: Network, frameId: number): CatalogueFrame | undefined {
	const text = frameText(network, frameId);
	return text === undefined ? undefined : parseFrame(text);
}

/** The signals of a frame in the order of the DBC file. @returns [] for a frame that the catalogue does not have. Never throws. */
export function listSignals(network: Network, frameId: number): CatalogueSignal[] {
	const text = frameText(network, frameId);
	if (text === undefined) return [];
	const { extended } = parseFrame(text);
	const parts = text.split("|");
	return parts.slice(1, -1).map((part) => parseSignal(part, frameId, extended));
}

/**
 * The signal of a name in the form that keys use: lower case, blanks for underscores (a name with underscores matches nothing).
 * Names are unique within a frame, so that a key's unit decides nothing: a wrong one is forgiven as the reference does.
 * @returns undefined if there is none. Never throws. Source: docs/control-and-can.md 2.3.
 */
export function findSignal(network: Network, frameId: number, keyName: string): CatalogueSignal | undefined {
	const name = keyName.trim().toLowerCase();
	if (name === "" || name.includes("_") || name.includes(",") || name.includes("|")) return undefined;
	const text = frameText(network, frameId);
	if (text === undefined) return undefined;
	const lower = text.toLowerCase();
	const wanted = `|${name.replaceAll(" ", "_")}`;
	for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1)) {
		// A catalogue name's trailing underscores are blanks that trimming has taken off the key.
		let end = at + wanted.length;
		while (lower.charAt(end) === "_") end++;
		if (lower.charAt(end) === ",")
			return parseSignal(text.slice(at + 1, text.indexOf("|", end)), frameId, parseFrame(text).extended);
	}
	return undefined;
}

/** The selector of a multiplexed frame. @returns undefined if the frame has none. Never throws. */
export function findSelector(network: Network, frameId: number): CatalogueSignal | undefined {
	return listSignals(network, frameId).find((signal) => signal.mux === MUX_SELECTOR);
}

/** The name part of a signal's key. Never throws. */
export function keyNameOf(signalName: string): string {
	return signalName.replaceAll("_", " ").trim().toLowerCase();
}
