/**
 * A file of the page as the firmware carries it. The table of them all is generated: `tools/build-page.mjs`.
 */

export interface Asset {
	/** As requested, e.g. "/app.js"; "/" is the page itself. */
	readonly path: string;
	readonly contentType: string;
	/** Quoted, as in the header ETag; changes with every byte of the content. */
	readonly tag: string;
	/** The content as transferred, compressed with gzip; in ROM. */
	readonly gzip: Uint8Array;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/**
 * Bytes of a text in base64 without line ends.
 * Called while modules are loaded, which is build time on a board: the bytes lie in ROM then.
 */
export function bytesOfBase64(text: string): Uint8Array {
	const values = new Uint8Array(128);
	for (let i = 0; i < 64; i++) values[DIGITS.charCodeAt(i)] = i;
	const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
	const bytes = new Uint8Array((text.length / 4) * 3 - padding);
	let at = 0;
	for (let i = 0; i < text.length; i += 4) {
		const a = values[text.charCodeAt(i)];
		const b = values[text.charCodeAt(i + 1)];
		const c = values[text.charCodeAt(i + 2)];
		bytes[at++] = (a << 2) | (b >> 4);
		if (at < bytes.length) bytes[at++] = (b << 4) | (c >> 2);
		if (at < bytes.length) bytes[at++] = (c << 6) | values[text.charCodeAt(i + 3)];
	}
	return bytes;
}
