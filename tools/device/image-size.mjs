/** What a board's firmware takes, as far as it can be told without ESP-IDF. */
import { findBoard, findPartition } from "./boards.mjs";

/**
 * All but the JavaScript image, bytes: from a complete link with this sdkconfig, without MCP2515 and SPI (ESP-IDF v6.0, Moddable 8.2.3, GCC 15.3,
 * Wi-Fi libraries of about v6.0). What it gave by parts is in hal/esp32/README.md, "Flash".
 */
const LINKED = 816_666;
/** modules/frame-text, which was written after that link: its objects, compiled for rv32 with the same options, and about 2 KB for its binding. */
const FRAME_TEXT = 65_400;
/** Its DBC files, which came later: compiled for rv32 alone, with texts and binding. */
const DBC_FILES = 2_100;

/** modules/signature: what a check of libsodium's takes, linked alone for rv32 with the same options. */
const SIGNATURE = 29_000;

/** The engine's tables for the case of Unicode's letters, which were in that link: nobody uses them any more. */
const CASE_TABLES = 11_300;

/** By board. @type {Record<string, number>} */
const OTHER_PARTS = { c6: LINKED + FRAME_TEXT + DBC_FILES + SIGNATURE - CASE_TABLES };

/** How far the estimate may be off: each of these versions, and what alignment adds. */
export const ERROR_BYTES = 10_000;

/**
 * @param {string} name board @param {number} javascriptBytes of the linked JavaScript image @param {boolean} [debug]
 * @returns {{ bytes: number, slotBytes: number } | undefined} undefined: nobody has linked this board's firmware yet
 */
export function estimateImage(name, javascriptBytes, debug) {
	if (OTHER_PARTS[name] === undefined) return undefined;
	const slot = findPartition(findBoard(name).folder, "ota_0", debug);
	return { bytes: OTHER_PARTS[name] + javascriptBytes, slotBytes: slot.size };
}
