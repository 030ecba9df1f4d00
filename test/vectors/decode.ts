/** Checks bits, catalogue, signal keys and DataIDs against the golden vectors of the sets `decode` and `checksum`. */

import { readPhysical, readRaw } from "../../src/can/bits.js";
import { findSelector, findSignal, parseSignalKey, resolveSignalKey } from "../../src/can/catalogue.js";
import { dataIdsOf } from "../../src/can/layouts/mqb.js";
import { networkOf } from "../../src/coupling/couplings/couplings.js";
import { bugsOf, bytesOf, hexOf, type Report } from "./report.js";

type Extra = { referenceBug?: string } | undefined;

interface SignalCase {
	id: string;
	table: "pq" | "mqb";
	index: number;
	key: string;
	frameId: number;
	name: string;
	unit: string;
	start: number;
	length: number;
	littleEndian: number;
	signed: number;
	factor: number;
	offset: number;
	mux: number;
	rows: [payload: string, raw: number, value: number, muxOk: number, extra: Extra][];
}

export interface DecodeSet {
	cases: SignalCase[];
	synthetic: [number, number, number, number, number, number, string, string, number, Extra][];
	keys: [generation: number, key: string, index: number | null, bus: string][];
}

/**
 * Signals of the catalogue that facts of cars and the maker's table contradict (docs/control-and-can.md 2.2,
 * 7.2): those rows do not bind. What the reference calls the rear clutch is a temperature, torques count 7 Nm
 * a step, and Brake_Info is two lamps.
 */
const CORRECTED: readonly string[] = [
	...["Rear_Clutch_Stiffness_Actual", "Center_Clutch_Stiffness_Actual", "Unit_of_Clutch_Stiffness"],
	...["ABS_Setpoint_Center_Clutch", "Unit_Clutch_Stiffness", "Reserved_Brake_4_1", "Brake_Info"],
];
/** Frames of theirs, whose signals are others than the reference's. */
export const CORRECTED_FRAMES: readonly number[] = [0x2c0, 0x320];

/** All parts of the set. */
export function checkDecode(set: DecodeSet, report: Report): void {
	for (const signal of set.cases) checkSignal(signal, report);
	for (const row of set.synthetic) checkSynthetic(row, report);
	checkKeys(set, report);
}

/**
 * The catalogue has each signal with exactly this layout, finds it by its key, and decodes each payload as
 * the reference.
 */
function checkSignal(expected: SignalCase, report: Report): void {
	if (expected.table === "pq" && CORRECTED.includes(expected.name)) {
		report.skip("signals that facts of cars contradict");
		return;
	}
	const signal = findSignal(expected.table, expected.frameId, expected.name.replaceAll("_", " ").trim());
	const selector = expected.mux >= 0 ? findSelector(expected.table, expected.frameId) : undefined;
	const same =
		signal !== undefined &&
		signal.name === expected.name &&
		signal.unit === expected.unit &&
		signal.start === expected.start &&
		signal.length === expected.length &&
		signal.motorola === (expected.littleEndian === 0) &&
		signal.signed === (expected.signed === 1) &&
		signal.factor === expected.factor &&
		signal.offset === expected.offset &&
		signal.mux === expected.mux &&
		signal.extended === expected.frameId > 0x7ff &&
		resolveSignalKey(expected.table, expected.key)?.signal.name === expected.name;
	report.check(same, `${expected.id} ${expected.key}: catalogue has ${JSON.stringify(signal)}`);
	if (signal === undefined) return;
	for (const [payload, raw, value, muxOk, extra] of expected.rows) {
		const data = bytesOf(payload);
		const gotRaw = readRaw(data, 0, 8, signal);
		const gotValue = readPhysical(data, 0, 8, signal);
		const gotMux = expected.mux < 0 || (selector !== undefined && readRaw(data, 0, 8, selector) === expected.mux);
		report.row(
			extra,
			gotRaw === raw && gotValue === Math.fround(value) && gotMux === (muxOk === 1),
			`${expected.id} ${expected.name} ${payload}: ${gotRaw} ${gotValue} ${gotMux}, expected ${raw} ${value} ${muxOk}`,
		);
	}
}

function checkSynthetic(row: DecodeSet["synthetic"][number], report: Report): void {
	const [start, length, littleEndian, signed, factor, offset, payload, rawHex, value, extra] = row;
	if (bugsOf(extra) !== "") {
		report.skip(bugsOf(extra));
		return;
	}
	if (length > 32) {
		report.skip("more than 32 bits, which the catalogue rejects");
		return;
	}
	const layout = { start, length, motorola: littleEndian === 0, signed: signed === 1, factor, offset };
	const data = bytesOf(payload);
	const raw = readRaw(data, 0, 8, layout);
	if (Number.isNaN(raw)) {
		// Motorola layouts that run off the end of a frame: the reference walks the other way and reads
		// something, we reject.
		report.skip("Motorola layout beyond the frame");
		return;
	}
	const got = readPhysical(data, 0, 8, layout);
	report.check(
		BigInt.asUintN(length, BigInt(raw)) === BigInt(`0x${rawHex}`) && got === Math.fround(value),
		`synthetic ${JSON.stringify(row)}: ${raw} ${got}`,
	);
}

function checkKeys(set: DecodeSet, report: Report): void {
	for (const [generation, key, index, bus] of set.keys) {
		const network = networkOf(generation);
		if (index !== null && CORRECTED.includes(set.cases.find((one) => one.table === network && one.index === index)?.name ?? "")) {
			report.skip("keys of signals that facts of cars contradict");
			continue;
		}
		const expected = index === null ? undefined : set.cases.find((one) => one.table === network && one.index === index);
		const resolved = resolveSignalKey(network, key);
		const sameSignal = resolved?.signal.name === expected?.name && resolved?.signal.frameId === expected?.frameId;
		report.check(
			sameSignal && parseSignalKey(key).bus === bus,
			`key ${generation} "${key}": ${resolved?.signal.name} ${parseSignalKey(key).bus}, expected ${expected?.name} ${bus}`,
		);
	}
}

/** The reference's own lists of DataIDs. Its checksums of whole frames are in the sets `mutate-gen5` and `standalone-gen5`. */
export function checkDataIds({ sequences }: { sequences: Record<string, string> }, report: Report): void {
	for (const [name, expected] of Object.entries(sequences)) {
		const got = hexOf(Uint8Array.from(dataIdsOf(Number.parseInt(name, 16), "reference") ?? []));
		report.check(got === expected, `sequence ${name}: ${got}`);
	}
}
