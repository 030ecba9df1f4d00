/**
 * What a signed image ends with, behind its digest: what it is and who says so. Layout, 200 bytes, texts
 * padded with zeroes:
 *
 * | at | bytes | what |
 * |---|---|---|
 * | 0 | 8 | `OCSIGNED` |
 * | 8 | 32 | project name, which names the board |
 * | 40 | 32 | version |
 * | 72 | 32 | digest of the image: its own last 32 bytes, which cover all before them |
 * | 104 | 32 | Ed25519 key |
 * | 136 | 64 | that key's signature of the 136 bytes before |
 *
 * `tools/device/sign.mjs` writes it. It is not stored: the slot gets the image alone.
 */

import { decodeUtf8 } from "../text/bytes.js";

/** Length of the trailer, and of a key in it. */
export const TRAILER_BYTES = 200;
export const KEY_BYTES = 32;

const MAGIC = "OCSIGNED";
const PROJECT_AT = 8;
const VERSION_AT = 40;
const TEXT_BYTES = 32;
const DIGEST_AT = 72;
const DIGEST_BYTES = 32;
const KEY_AT = 104;
const SIGNED_BYTES = 136;

/** A text and who has signed it. */
export interface Signed {
	readonly message: Uint8Array;
	/** 64 bytes. */
	readonly signature: Uint8Array;
}

/** Whether the bytes begin like one. @param bytes at least 8. Never throws. */
export function isTrailer(bytes: Uint8Array): boolean {
	return decodeUtf8(bytes, 0, PROJECT_AT) === MAGIC;
}

/** Whether a trailer says this of the image before it. @param digest the image's last 32 bytes */
export function describesImage(trailer: Uint8Array, projectName: string, version: string, digest: Uint8Array): boolean {
	return (
		isText(trailer, PROJECT_AT, projectName) &&
		isText(trailer, VERSION_AT, version) &&
		isSame(trailer, DIGEST_AT, digest, DIGEST_BYTES)
	);
}

/** Whether it names this key. That the key has signed it is still to be looked at. */
export function namesKey(trailer: Uint8Array, key: Uint8Array): boolean {
	return isSame(trailer, KEY_AT, key, KEY_BYTES);
}

/**
 * What the key has signed: views of the trailer, which must stay as it is. Never throws.
 * @param trailer TRAILER_BYTES
 */
export function signedPart(trailer: Uint8Array): Signed {
	return { message: trailer.subarray(0, SIGNED_BYTES), signature: trailer.subarray(SIGNED_BYTES, TRAILER_BYTES) };
}

/** @param text ASCII, shorter than the field */
function isText(bytes: Uint8Array, at: number, text: string): boolean {
	for (let i = 0; i < TEXT_BYTES; i++) if (bytes[at + i] !== (i < text.length ? text.charCodeAt(i) : 0)) return false;
	return true;
}

function isSame(bytes: Uint8Array, at: number, other: Uint8Array, count: number): boolean {
	for (let i = 0; i < count; i++) if (bytes[at + i] !== other[i]) return false;
	return true;
}
