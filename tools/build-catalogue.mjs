/**
 * Builds the firmware's signal catalogue from the DBC files, and the reports of the couplings for C.
 * Parses `src/can/dbc/*.dbc` with candied, takes frames that are not in them from `src/can/layouts` and
 * reports from `src/coupling/couplings`, and writes `modules/frame-text/generated/catalogue_data.c` (not
 * committed). The catalogue's format is described in `src/can/catalogue.ts`.
 */

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import candied from "candied";
import { buildSync } from "esbuild";
import { writeModule } from "./generated.mjs";

const ROOT = new URL("../", import.meta.url);
const TARGET = new URL("modules/frame-text/generated/catalogue_data.c", ROOT);
const NETWORKS = [
	{ name: "pq", file: "src/can/dbc/pq.dbc" },
	{ name: "mqb", file: "src/can/dbc/mqb.dbc" },
];
const TABLES = `
	export { MQB_SIGNALS } from "./src/can/layouts/mqb.ts";
	export { PQ_SIGNALS } from "./src/can/layouts/pq.ts";
	export { STATUS_BYTES, STATUS_FRAME } from "./src/can/layouts/status.ts";
	export { COUPLINGS, UNCONFIGURED } from "./src/coupling/couplings/couplings.ts";
	export { MODES } from "./src/lock/modes.ts";
`;
const EXTENDED = 0x80000000; // DBC marks a 29-bit identifier with bit 31
const SAFE_NAME = /^[A-Za-z]\w*$/; // the key rules rely on names without "|", "," and leading underscores
const UNSAFE = '\\"|'; // units are written into JSON as they are
const MULTIPLEX = /^(|M|m\d+)$/;

/** A number without an exponent, which not every reader of DBC files takes. @param {number} number */
const decimal = (number) => (String(number).includes("e") ? number.toFixed(20).replace(/0+$/, "") : String(number));

/**
 * @param {import("candied/lib/dbc/Dbc.js").Signal} signal
 * @param {string[]} units of all signals so far: its own is added
 * @param {boolean} [isKnown] the layout tables say which of its raw values are codes
 */
function signalText(signal, units, isKnown = false) {
	const where = `${signal.name}: `;
	if (!SAFE_NAME.test(signal.name)) throw new Error(`${where}name not usable in a signal key`);
	if (signal.multiplex === null || !MULTIPLEX.test(signal.multiplex))
		throw new Error(`${where}multiplexing "${signal.multiplex}" not supported`);
	if (!(signal.length >= 1 && signal.length <= 32)) throw new Error(`${where}length ${signal.length}, must be 1 to 32 bits`);
	if (!Number.isFinite(signal.factor) || signal.factor === 0 || !Number.isFinite(signal.offset))
		throw new Error(`${where}factor or offset`);
	for (const character of signal.unit)
		if (character < " " || character > "~" || UNSAFE.includes(character)) throw new Error(`${where}unit not usable in texts`);
	if (!units.includes(signal.unit)) units.push(signal.unit);
	const flags = (signal.endian === "Motorola" ? "B" : "") + (signal.signed ? "S" : "") + signal.multiplex + (isKnown ? "K" : "");
	const fields = [signal.name, signal.startBit, signal.length, flags];
	const plain = signal.factor === 1 && signal.offset === 0 && signal.unit === "";
	if (!plain) fields.push(decimal(signal.factor), decimal(signal.offset), units.indexOf(signal.unit));
	else if (flags === "") fields.pop();
	return fields.join(",");
}

/**
 * One network as strings, one per frame.
 * @throws {Error} naming what the parser lost or the firmware cannot use
 * @param {string} path
 * @param {string[]} units
 * @param {Signals} known
 */
function frameTexts(path, units, known) {
	const text = readFileSync(new URL(path, ROOT), "utf8");
	const dbc = new candied.Dbc();
	const messages = [...dbc.load(text, true).messages.values()];
	// candied skips a line that it cannot read without a word (exponents, for one), so what it kept is
	// counted.
	const expected = { frames: text.match(/^BO_ /gm)?.length ?? 0, signals: text.match(/^ SG_ /gm)?.length ?? 0 };
	const kept = messages.reduce((sum, message) => sum + message.signals.size, 0);
	if (messages.length !== expected.frames) throw new Error(`${path}: ${messages.length} of ${expected.frames} frames understood`);
	if (kept !== expected.signals) throw new Error(`${path}: ${kept} of ${expected.signals} signals understood`);
	return messages.map((message) => {
		const extended = message.id >= EXTENDED;
		const id = extended ? message.id - EXTENDED : message.id;
		/** @param {import("candied/lib/dbc/Dbc.js").Signal} signal */
		const isKnown = ({ startBit, length }) =>
			Object.values(known).some((row) => row.id === id && row.start === startBit && row.length === length);
		const signals = [...message.signals.values()].map((signal) => signalText(signal, units, isKnown(signal)));
		return `${id.toString(16)}${extended ? "x" : ""} ${message.name}|${signals.join("|")}|`;
	});
}

/**
 * Frames of a DBC file with fewer than 8 bytes.
 * @param {string} path
 * @returns {[id: number, bytes: number][]}
 */
export function shortFrames(path) {
	const lines = readFileSync(new URL(path, ROOT), "utf8").matchAll(/^BO_ (\d+) \w+: ([1-7]) /gm);
	return [...lines].map(([, id, bytes]) => [Number(id), Number(bytes)]);
}

/**
 * The rows of src/can/signal-layout.ts and src/coupling/coupling.ts, as far as they are needed here.
 * @typedef {{ start: number, length: number, factor?: number, offset?: number, unit?: string }} Place
 * @typedef {Record<string, Place & { id: number }>} Signals
 * @typedef {{ state: Place & { id: number }, engagement: Place, flags?: { names: readonly (readonly [Place, string])[] } }} Status
 * @typedef {{ generation: number, car: { network: string }, status: Status }} Coupling
 * @typedef {{ PQ_SIGNALS: Signals, MQB_SIGNALS: Signals, MODES: readonly string[],
 *   COUPLINGS: readonly Coupling[], UNCONFIGURED: Coupling, STATUS_FRAME: { id: number, dbc: string },
 *   STATUS_BYTES: Record<string, { dbc: string, at: number, unit: string }> }} Tables
 */

/** @type {Tables | undefined} */
let loaded;

/** Tables that the DBC files lack. A script, not a module: nothing has to wait for it. */
function loadTables() {
	if (loaded !== undefined) return loaded;
	const { outputFiles } = buildSync({
		stdin: { contents: TABLES, resolveDir: fileURLToPath(ROOT), loader: "ts" },
		bundle: true,
		format: "iife",
		globalName: "tables",
		target: "es2022",
		write: false,
	});
	/** @type {Tables} */
	const tables = runInNewContext(`${outputFiles[0].text}\ntables;`);
	loaded = tables;
	return tables;
}

/**
 * A signal of a layout table as text.
 * @param {string} name
 * @param {Place} row
 * @param {string[]} units as signalText
 */
function rowText(name, { start, length, factor = 1, offset = 0, unit = "" }, units) {
	const signal = { name, startBit: start, length, endian: "Intel", signed: false, multiplex: "", factor, offset, unit };
	return signalText(/** @type {import("candied/lib/dbc/Dbc.js").Signal} */ (/** @type {unknown} */ (signal)), units);
}

/**
 * Our own frames, and the coupling's report of MQB, in the order of NETWORKS.
 * @param {string[]} units as signalText
 * @param {Tables} tables
 */
function ownFrames(units, { STATUS_FRAME, STATUS_BYTES, MQB_SIGNALS }) {
	const signals = Object.values(STATUS_BYTES)
		.filter(({ dbc }) => !dbc.startsWith("("))
		.sort((a, b) => a.at - b.at)
		.map(({ dbc, at, unit }) => rowText(dbc, { start: 8 * at, length: 8, unit }, units));
	const status = `${STATUS_FRAME.id.toString(16)} ${STATUS_FRAME.dbc}|${signals.join("|")}|`;
	const { engagement, couplingState } = MQB_SIGNALS;
	const report = [rowText("Engagement", engagement, units), rowText("Drive_Profile", couplingState, units)];
	return [[status], [`${engagement.id.toString(16)} Allrad_03|${report.join("|")}|`, status]];
}

/** Rows of coupling_reports, in C. @param {Tables} tables */
function reports({ COUPLINGS, UNCONFIGURED }) {
	return [...COUPLINGS, { ...UNCONFIGURED, generation: 0 }]
		.map(({ generation, car, status: { state, engagement, flags } }) => {
			const catalogue = `&catalogues[NETWORK_${car.network.toUpperCase()}]`;
			const names = flags?.names.map(([{ start }, name]) => `[${start - state.start}] = ${JSON.stringify(name)}`) ?? [];
			const [stateByte, engagementByte] = [state.start / 8, engagement.start / 8];
			return `\t{${catalogue}, {${names.join(", ") || "NULL"}}, 0x${state.id.toString(16)}, ${generation}, ${stateByte}, ${engagementByte}},\n`;
		})
		.join("");
}

/**
 * All frames of both networks as texts, in the order of their DBC files, and the units that the texts number; frames of our own.
 * @returns {{ units: string[], networks: string[][], own: string[][] }}
 * @throws {Error} a DBC file is missing, or holds something that parser or firmware cannot represent
 */
export function catalogueTexts() {
	const units = [""];
	const tables = loadTables();
	const known = [tables.PQ_SIGNALS, tables.MQB_SIGNALS];
	const networks = NETWORKS.map((network, n) => frameTexts(network.file, units, known[n]));
	return { units, networks, own: ownFrames(units, tables) };
}

/** The modes by their numbers, as the status frame has them: a line of a DBC file. */
export function modeValues() {
	const { MODES, STATUS_FRAME, STATUS_BYTES } = loadTables();
	const values = MODES.map((name, number) => `${number} "${name}"`);
	return `VAL_ ${STATUS_FRAME.id} ${STATUS_BYTES.mode.dbc} ${values.join(" ")} ;\n`;
}

/** Bytes from here on stand for pairs: all texts are ASCII. */
const PACKED_FROM = 0x80;
/** Never part of a pair: a frame's identifier, and texts that C looks for without unpacking. */
const UNPACKED = /(^[\da-f]+x? |\||,m)/;
const TEXT_BYTES = 64; // CATALOGUE_TEXT_BYTES

/**
 * Byte pair encoding: the most frequent pair becomes a byte of its own, then the most frequent one of what is left, until there is no byte.
 * @param {readonly string[]} texts
 * @returns {{ pairs: (readonly [number, number])[], pack: (text: string) => string }} pack: characters are bytes; only for these texts
 */
export function packed(texts) {
	const longest = Math.max(...texts.flatMap((text) => text.split("|")).map((text) => text.length));
	if (longest >= TEXT_BYTES) throw new Error(`a text of ${longest} characters is longer than CATALOGUE_TEXT_BYTES`);
	const pieces = [...new Set(texts.flatMap((text) => text.split(UNPACKED)))].filter((piece) => !UNPACKED.test(piece));
	const times = new Map(pieces.map((piece) => [piece, 0]));
	for (const piece of texts.flatMap((text) => text.split(UNPACKED)))
		if (times.has(piece)) times.set(piece, (times.get(piece) ?? 0) + 1);
	let left = pieces;
	/** @type {string[]} */
	const pairs = [];
	while (PACKED_FROM + pairs.length < 0x100) {
		/** @type {Map<string, number>} */
		const counts = new Map();
		left.forEach((piece, n) => {
			for (let i = 0; i + 1 < piece.length; i++) {
				const pair = piece.slice(i, i + 2);
				counts.set(pair, (counts.get(pair) ?? 0) + (times.get(pieces[n]) ?? 0));
			}
		});
		const [best] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), ["", 0]);
		const byte = String.fromCharCode(PACKED_FROM + pairs.length);
		left = left.map((piece) => piece.replaceAll(best, byte));
		pairs.push(best);
	}
	const short = new Map(pieces.map((piece, n) => [piece, left[n]]));
	/** @param {string} text */
	const pack = (text) =>
		text
			.split(UNPACKED)
			.map((piece) => short.get(piece) ?? piece)
			.join("");
	return { pairs: pairs.map((pair) => /** @type {const} */ ([pair.charCodeAt(0), pair.charCodeAt(1)])), pack };
}

/** A text as C has it. @param {string} bytes each character one */
const literal = (bytes) => JSON.stringify(bytes).replace(/[^ -~]/g, (byte) => `\\${byte.charCodeAt(0).toString(8)}`);

/**
 * Writes the catalogue unless it is up to date.
 * @returns {{ path: string, built: boolean }}
 * @throws {Error} as catalogueTexts
 */
export function buildCatalogue() {
	const hash = createHash("sha256").update(readFileSync(fileURLToPath(import.meta.url)));
	for (const { file } of NETWORKS) hash.update(readFileSync(new URL(file, ROOT)));
	const tables = loadTables();
	hash.update(JSON.stringify(tables));
	const stamp = `Sources: ${hash.digest("hex").slice(0, 16)}`;
	const path = fileURLToPath(TARGET);
	if (existsSync(TARGET) && readFileSync(TARGET, "utf8").includes(stamp)) return { path, built: false };

	const { units, networks, own } = catalogueTexts();
	/** @param {readonly string[]} strings */
	const list = (strings) => strings.map((string) => `\t${literal(string)},\n`).join("");
	const { pairs, pack } = packed([...networks, ...own].flat());
	let source = `/* Generated by tools/build-catalogue.mjs; do not edit. ${stamp} */\n#include "frame_text.h"\n`;
	source += `\nconst char *const catalogue_units[] = {\n${list(units)}};\nconst unsigned catalogue_unit_count = ${units.length};\n`;
	source += `\nconst uint8_t catalogue_pairs[][2] = {\n${pairs.map(([first, second]) => `\t{${first}, ${second}},\n`).join("")}};\n`;
	source += `\nconst char dbc_values[] = ${JSON.stringify(modeValues())};\n`;
	NETWORKS.forEach(({ name, file }, n) => {
		source += `\n/* ${file} */\nstatic const char *const ${name}[] = {\n${list(networks[n].map(pack))}};\n`;
		const rows = shortFrames(file).map(([id, bytes]) => `\t{0x${id.toString(16)}, ${bytes}},\n`);
		source += `static const struct short_frame short_${name}[] = {\n${rows.join("")}\t{0, 0},\n};\n`;
		source += `static const char *const own_${name}[] = {\n${list(own[n].map(pack))}};\n`;
	});
	/**
	 * @param {string} prefix
	 * @param {readonly string[][]} frames
	 */
	const lists = (prefix, frames) => NETWORKS.map(({ name }, n) => `\t{${prefix}${name}, ${frames[n].length}},\n`).join("");
	source += `\nconst struct catalogue catalogues[NETWORKS] = {\n${lists("", networks)}};\n`;
	source += `\nconst struct coupling_report coupling_reports[] = {\n${reports(tables)}};\n`;
	source += `\nconst struct short_frame *const short_frames[NETWORKS] = {\n${NETWORKS.map(({ name }) => `\tshort_${name},\n`).join("")}};\n`;
	writeModule(path, `${source}\nconst struct catalogue own_frames[NETWORKS] = {\n${lists("own_", own)}};\n`);
	return { path, built: true };
}
