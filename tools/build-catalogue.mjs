/**
 * Builds the firmware's signal catalogue from the DBC files: `node tools/build-catalogue.mjs [--force]`.
 * Parses `src/can/dbc/*.dbc` with candied and writes `modules/frame-text/generated/catalogue_data.c` (not committed). Its format is described
 * in `src/can/catalogue.ts`.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import candied from "candied";
import { writeModule } from "./generated.mjs";

const ROOT = new URL("../", import.meta.url);
const TARGET = new URL("modules/frame-text/generated/catalogue_data.c", ROOT);
const NETWORKS = [
	{ name: "pq", file: "src/can/dbc/pq.dbc" },
	{ name: "mqb", file: "src/can/dbc/mqb.dbc" },
];
/** What we send, as a frame's text, with the units themselves. Source: src/can/layouts/status.ts. */
const STATUS_FRAME =
	"6b0 OpenCoupling_Status|Standalone,8,8|Engagement_Raw,16,8|Lock_Asked,24,8,,1,0,%|Speed,32,8,,1,0,km/h|Mode_Override,40,8|Mode,48,8|Pedal,56,8,,1,0,%|";
const STATUS_ID = 0x6b0;
/** The coupling's report. Source: src/can/layouts/mqb.ts. */
const REPORT_FRAME = "118 Allrad_03|Engagement,16,8,,0.4,0,%|Drive_Profile,24,8|";
/** Frames that the DBC files of the sources do not have, for those that we serve; in the order of NETWORKS. */
const OWN_FRAMES = [[STATUS_FRAME], [REPORT_FRAME, STATUS_FRAME]];
const MODES = "src/lock/modes.ts";
const EXTENDED = 0x80000000; // DBC marks a 29-bit identifier with bit 31
const SAFE_NAME = /^[A-Za-z]\w*$/; // the key rules rely on names without "|", "," and leading underscores
const UNSAFE = '\\"|'; // units are written into JSON as they are
const MULTIPLEX = /^(|M|m\d+)$/;

/** A number without an exponent, which not every reader of DBC files takes. @param {number} number */
const decimal = (number) => (String(number).includes("e") ? number.toFixed(20).replace(/0+$/, "") : String(number));

/** @param {import("candied/lib/dbc/Dbc.js").Signal} signal @param {string[]} units of all signals so far: its own is added */
function signalText(signal, units) {
	const where = `${signal.name}: `;
	if (!SAFE_NAME.test(signal.name)) throw new Error(`${where}name not usable in a signal key`);
	if (signal.multiplex === null || !MULTIPLEX.test(signal.multiplex))
		throw new Error(`${where}multiplexing "${signal.multiplex}" not supported`);
	if (!(signal.length >= 1 && signal.length <= 64)) throw new Error(`${where}length ${signal.length}`);
	if (!Number.isFinite(signal.factor) || signal.factor === 0 || !Number.isFinite(signal.offset))
		throw new Error(`${where}factor or offset`);
	for (const character of signal.unit)
		if (character < " " || character > "~" || UNSAFE.includes(character)) throw new Error(`${where}unit not usable in texts`);
	if (!units.includes(signal.unit)) units.push(signal.unit);
	const flags = (signal.endian === "Motorola" ? "B" : "") + (signal.signed ? "S" : "") + signal.multiplex;
	const fields = [signal.name, signal.startBit, signal.length, flags];
	const plain = signal.factor === 1 && signal.offset === 0 && signal.unit === "";
	if (!plain) fields.push(decimal(signal.factor), decimal(signal.offset), units.indexOf(signal.unit));
	else if (flags === "") fields.pop();
	return fields.join(",");
}

/**
 * One network as strings, one per frame. @throws {Error} naming what the parser lost or the firmware cannot use
 * @param {string} path @param {string[]} units
 */
function frameTexts(path, units) {
	const text = readFileSync(new URL(path, ROOT), "utf8");
	const dbc = new candied.Dbc();
	const messages = [...dbc.load(text, true).messages.values()];
	// candied skips a line that it cannot read without a word (exponents, for one), so what it kept is counted.
	const expected = { frames: text.match(/^BO_ /gm)?.length ?? 0, signals: text.match(/^ SG_ /gm)?.length ?? 0 };
	const kept = messages.reduce((sum, message) => sum + message.signals.size, 0);
	if (messages.length !== expected.frames) throw new Error(`${path}: ${messages.length} of ${expected.frames} frames understood`);
	if (kept !== expected.signals) throw new Error(`${path}: ${kept} of ${expected.signals} signals understood`);
	return messages.map((message) => {
		const extended = message.id >= EXTENDED;
		const id = extended ? message.id - EXTENDED : message.id;
		const signals = [...message.signals.values()].map((signal) => signalText(signal, units));
		return `${id.toString(16)}${extended ? "x" : ""} ${message.name}|${signals.join("|")}|`;
	});
}

/** @param {string} text a frame's, with the units themselves @param {string[]} units @returns {string} with their numbers */
function withUnitNumbers(text, units) {
	return text.replace(/,([^,|\d-][^,|]*)\|/g, (field, unit) => (units.includes(unit) ? `,${units.indexOf(unit)}|` : field));
}

/**
 * All frames of both networks as texts, in the order of their DBC files, and the units that the texts number; frames of our own.
 * @returns {{ units: string[], networks: string[][], own: string[][] }} @throws {Error} a DBC file is missing, or holds something that parser or firmware cannot represent
 */
export function catalogueTexts() {
	const units = [""];
	const networks = NETWORKS.map((network) => frameTexts(network.file, units));
	return { units, networks, own: OWN_FRAMES.map((frames) => frames.map((text) => withUnitNumbers(text, units))) };
}

/** The modes by their numbers, as frame 0x6B0 has them: a line of a DBC file. @throws {Error} there is no list of modes */
export function modeValues() {
	const list = /export const MODES = Object\.freeze\(\[([^\]]*)\]/.exec(readFileSync(new URL(MODES, ROOT), "utf8"))?.[1];
	if (list === undefined) throw new Error(`${MODES}: no list of modes`);
	const values = [...list.matchAll(/"(\w+)"/g)].map(([, name], number) => `${number} "${name}"`);
	return `VAL_ ${STATUS_ID} Mode ${values.join(" ")} ;\n`;
}

/** @param {string} stamp */
function isCurrent(stamp) {
	try {
		return readFileSync(TARGET, "utf8").includes(stamp);
	} catch {
		return false;
	}
}

/**
 * Writes the catalogue unless it is up to date.
 * @param {{ force?: boolean }} [options] force: write it anyway
 * @returns {{ path: string, bytes: number, built: boolean }} bytes: size of all strings, about what it takes of flash
 * @throws {Error} as catalogueTexts
 */
export function buildCatalogue({ force = false } = {}) {
	const hash = createHash("sha256").update(readFileSync(fileURLToPath(import.meta.url)));
	for (const file of [...NETWORKS.map((network) => network.file), MODES]) hash.update(readFileSync(new URL(file, ROOT)));
	const stamp = `Sources: ${hash.digest("hex").slice(0, 16)}`;
	const path = fileURLToPath(TARGET);
	if (!force && isCurrent(stamp)) return { path, bytes: 0, built: false };

	const { units, networks, own } = catalogueTexts();
	/** @param {readonly string[]} strings */
	const list = (strings) => strings.map((string) => `\t${JSON.stringify(string)},\n`).join("");
	let source = `/* Generated by tools/build-catalogue.mjs; do not edit. ${stamp} */\n#include "signal_catalogue.h"\n`;
	source += `\nconst char *const catalogue_units[] = {\n${list(units)}};\nconst unsigned catalogue_unit_count = ${units.length};\n`;
	source += `\nconst char dbc_values[] = ${JSON.stringify(modeValues())};\n`;
	NETWORKS.forEach(({ name, file }, n) => {
		source += `\n/* ${file} */\nstatic const char *const ${name}[] = {\n${list(networks[n])}};\n`;
		source += `static const char *const own_${name}[] = {\n${list(own[n])}};\n`;
	});
	/** @param {string} prefix @param {readonly string[][]} frames */
	const tables = (prefix, frames) => NETWORKS.map(({ name }, n) => `\t{${prefix}${name}, ${frames[n].length}},\n`).join("");
	source += `\nconst struct catalogue catalogues[NETWORKS] = {\n${tables("", networks)}};\n`;
	writeModule(path, `${source}\nconst struct catalogue own_frames[NETWORKS] = {\n${tables("own_", own)}};\n`);
	const bytes = [units, ...networks, ...own].flat().reduce((sum, string) => sum + string.length + 1, 0);
	return { path, bytes, built: true };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const result = buildCatalogue({ force: process.argv.includes("--force") });
	console.log(result.built ? `${result.path}: ${result.bytes} bytes` : `${result.path} is up to date`);
}
