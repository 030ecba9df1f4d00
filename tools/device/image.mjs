/**
 * ESP-IDF application images, as far as a build changes them; the layout is in src/update/firmware-image.ts.
 * Moddable's project is called xs_esp32 on each board: an image gets the name of its board, and its version,
 * after it was linked.
 */
import { createHash } from "node:crypto";
import { DeviceError } from "./boards.mjs";

const IMAGE_MAGIC = 0xe9;
const HASH_APPENDED_AT = 23;
const CHIP_ID_AT = 12;
const DESCRIPTION_AT = 32; // header, header of the first segment
const DESCRIPTION_MAGIC = 0xabcd5432;
const VERSION_AT = DESCRIPTION_AT + 16;
const PROJECT_AT = DESCRIPTION_AT + 48;
/** Of the linked program with its debug information, which names folders: nothing of ours reads it. */
const PROGRAM_DIGEST_AT = DESCRIPTION_AT + 144;
const TEXT_BYTES = 32;
const DIGEST_BYTES = 32;
const ERASED = 0xff;

/** @param {Uint8Array} bytes */
export const sha256 = (bytes) => createHash("sha256").update(bytes).digest();

/**
 * @param {Buffer} image
 * @param {number} chipId
 */
function check(image, chipId) {
	const wellFormed =
		image.length > DESCRIPTION_AT + 256 + DIGEST_BYTES &&
		image[0] === IMAGE_MAGIC &&
		image[HASH_APPENDED_AT] === 1 &&
		image.readUInt32LE(DESCRIPTION_AT) === DESCRIPTION_MAGIC;
	if (!wellFormed) throw new DeviceError("the linked firmware is not an ESP-IDF application image with a digest");
	if (image.readUInt16LE(CHIP_ID_AT) !== chipId)
		throw new DeviceError(`the linked firmware is for chip ${image.readUInt16LE(CHIP_ID_AT)}, the board has ${chipId}`);
}

/**
 * @param {Buffer} image as linked
 * @param {{ chipId: number, projectName: string, version: string }} identity texts of at most 31 bytes
 * @returns {Buffer} with this identity alone, in whatever folder it was linked; checksum and digest put right
 * @throws {DeviceError} not an image for that chip
 */
export function stampImage(image, { chipId, projectName, version }) {
	check(image, chipId);
	const stamped = Buffer.from(image);
	const checksumAt = image.length - DIGEST_BYTES - 1;
	for (const { at, text } of [
		{ at: VERSION_AT, text: version },
		{ at: PROJECT_AT, text: projectName },
		{ at: PROGRAM_DIGEST_AT, text: "" },
	]) {
		const field = Buffer.alloc(TEXT_BYTES);
		if (field.write(text, "latin1") !== text.length || text.length >= TEXT_BYTES)
			throw new DeviceError(`"${text}" does not fit into an image`);
		field.copy(stamped, at);
		// the checksum is the exclusive or of all data: what goes and what comes is all that changes it
		for (let i = 0; i < TEXT_BYTES; i++) stamped[checksumAt] ^= image[at + i] ^ field[i];
	}
	sha256(stamped.subarray(0, -DIGEST_BYTES)).copy(stamped, stamped.length - DIGEST_BYTES);
	return stamped;
}

/**
 * @param {{ offset: number, bytes: Buffer }[]} parts in rising order
 * @returns {Buffer} flash from 0 on
 * @throws {DeviceError} two overlap
 */
export function mergeParts(parts) {
	const end = Math.max(...parts.map(({ offset, bytes }) => offset + bytes.length));
	const merged = Buffer.alloc(end, ERASED);
	let from = 0;
	for (const { offset, bytes } of parts) {
		if (offset < from) throw new DeviceError(`what lies before 0x${offset.toString(16)} in flash is too large`);
		bytes.copy(merged, offset);
		from = offset + bytes.length;
	}
	return merged;
}
