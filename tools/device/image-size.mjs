/**
 * What a board's firmware takes of its slot, as far as it can be told without ESP-IDF: the JavaScript image
 * and our C are built and measured, the rest was linked twice.
 */
import { findBoard, findPartition } from "./boards.mjs";
import { measureC } from "./c-half.mjs";

/** At least this many bytes of a slot must stay free, or a build fails. */
export const FREE_BYTES_LEAST = 32 * 1024;

/**
 * ESP-IDF, the engine, Moddable's modules, Wi-Fi and C library, bytes, by board: whole images without their JavaScript image and our C. Both of the
 * C6 with ESP-IDF v6.0, Moddable 8.2.3, this sdkconfig and Wi-Fi libraries of about v6.0.
 * least: GCC 15.3, 816,666 bytes without JavaScript, less 22,000 of our C and what is unused now: 11,300 of tables for Unicode's letters, 4,900 of
 * iterator helpers, 5,900 of Moddable's TCP.
 * most: GCC 12.2 of Debian, 1,588,304 bytes at commit f209e038, less 648,774 of JavaScript, 136,620 of our C, 5,340 and 5,962 of the last two.
 * ESP-IDF v6.0 comes with GCC 15.2.
 * @type {Readonly<Record<string, { least: number, most: number }>>}
 */
const OTHERS = { c6: { least: 772_566, most: 791_608 } };

/**
 * @param {string} name board
 * @param {number} javascriptBytes of the linked JavaScript image
 * @param {boolean} [debug]
 * @returns {{ cBytes: number, least: number, most: number, slotBytes: number } | undefined} the whole image,
 * from the hopeful to the cautious end; undefined: nobody has linked this board's firmware yet, or our C
 * can't be compiled here
 */
export function estimateImage(name, javascriptBytes, debug) {
	const others = OTHERS[name];
	const cBytes = others && measureC(name);
	if (cBytes === undefined) return undefined;
	const ours = javascriptBytes + cBytes;
	const { size } = findPartition(findBoard(name).folder, "ota_0", debug);
	return { cBytes, least: others.least + ours, most: others.most + ours, slotBytes: size };
}
