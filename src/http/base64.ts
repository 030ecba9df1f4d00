/** Decodes the files that the firmware carries, and a client's name and key. The host program has the same in C. */

import { BASE64 } from "../text/characters.js";

/* Digits decoded at a time: to find a character of a long text the engine counts from its beginning. */
const BLOCK = 1024;
const PIECE = 32;

/**
 * Bytes of a text in base64 without line ends. Files are decoded while modules are loaded, which is build time
 * on a board: the bytes lie in ROM then.
 * @param text padded to whole groups of four; a character that is no digit counts as 0
 */
export function bytesOfBase64(text: string): Uint8Array {
	const values = new Uint8Array(128);
	for (let i = 0; i < 64; i++) values[BASE64.charCodeAt(i)] = i;
	const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
	const bytes = new Uint8Array((text.length / 4) * 3 - padding);
	let at = 0;
	for (let from = 0; from < text.length; from += BLOCK) {
		const block = text.slice(from, from + BLOCK);
		for (let start = 0; start < block.length; start += PIECE) {
			const piece = block.slice(start, start + PIECE);
			for (let i = 0; i < piece.length; i += 4) {
				const a = values[piece.charCodeAt(i)];
				const b = values[piece.charCodeAt(i + 1)];
				const c = values[piece.charCodeAt(i + 2)];
				bytes[at++] = (a << 2) | (b >> 4);
				if (at < bytes.length) bytes[at++] = (b << 4) | (c >> 2);
				if (at < bytes.length) bytes[at++] = (c << 6) | values[piece.charCodeAt(i + 3)];
			}
		}
	}
	return bytes;
}
