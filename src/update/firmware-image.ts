/**
 * Checks an ESP-IDF application image while it comes in (form, size, board, version, digest) and writes it to
 * the slot. The slot is not touched before the image's head is known to be ours, and what boots next does not
 * change before `activate`.
 *
 * Layout (esp_image_format.h, esp_app_desc.h), little-endian: header of 24 bytes, segments of 8 bytes and
 * their data, zeroes and a checksum byte up to a multiple of 16, SHA-256 of all that. The first segment
 * begins with the application's description. The checksum is left to the platform: the digest covers more.
 *
 * A signed image ends with a trailer of 200 bytes, which is not stored, texts padded with zeroes:
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
 * `tools/device/sign.mjs` writes it.
 */

import type { DigestPort, FirmwarePort, SlotWriter } from "../../hal/update-port.js";
import { copyBytes, decodeUtf8, indexOfByte } from "../text/bytes.js";
import { hexadecimal } from "../text/hexadecimal.js";
import { compareVersions, isVersion } from "./version.js";

/** What is wrong with an image, in words. */
export enum IMAGE_PROBLEM {
	NO_IMAGE = "no image",
	NOT_AN_IMAGE = "not an image",
	TOO_LARGE = "too large",
	INCOMPLETE = "image is incomplete",
	DAMAGED = "image is damaged",
	OTHER_BOARD = "image is for another board",
	TOO_OLD = "image is too old",
	OTHER_VERSION = "image is not the announced version",
	OLDER = "image is older than one that was kept here: press BOOT at the board for 2 s, and send it again within 10 minutes",
	UNSIGNED = "image is not signed: sign it with this controller's key (npm run release), or flash it by USB",
	OTHER_KEY = "image is signed with another key: sign it with this controller's (npm run release), or flash it by USB",
	WRONG_SIGNATURE = "image's signature is wrong: it was changed after it was signed, get it again",
}

/** The slot could not be written; the platform's message is in the log. */
export const SLOT_FAILED = "the update could not be stored";

/* Layout of an image and of its description. Source: ESP-IDF v6.0, esp_app_format.h and esp_app_desc.h. */
const HEADER_BYTES = 24;
const SEGMENT_HEADER_BYTES = 8;
const DESCRIPTION_BYTES = 256;
const DESCRIPTION_READ_BYTES = 80;
/** Enough to tell whether it is ours. */
export const HEAD_BYTES = HEADER_BYTES + SEGMENT_HEADER_BYTES + DESCRIPTION_READ_BYTES;
const DIGEST_BYTES = 32;
const ALIGNMENT = 16;

/* Offsets in header and description, and what stands there. Source: the same. */
const IMAGE_MAGIC = 0xe9;
const SEGMENT_COUNT_AT = 1;
const SEGMENTS_MAX = 16;
const CHIP_ID_AT = 12;
const HASH_APPENDED_AT = 23;
const SEGMENT_LENGTH_AT = 4;
const DESCRIPTION_MAGIC = 0xabcd5432;
const VERSION_AT = 16;
const PROJECT_AT = 48;
const TEXT_BYTES = 32;

/* Layout of the trailer. */
const TRAILER_BYTES = 200;
const KEY_BYTES = 32;
const TRAILER_MAGIC = "OCSIGNED";
const TRAILER_PROJECT_AT = 8;
const TRAILER_VERSION_AT = 40;
const TRAILER_DIGEST_AT = 72;
const KEY_AT = 104;
const SIGNED_BYTES = 136;

/** A text and who has signed it. */
export interface Signed {
	readonly message: Uint8Array;
	/** 64 bytes. */
	readonly signature: Uint8Array;
}

/** Which images this controller takes. */
export interface ImageRules {
	/** `esp_chip_id_t`. */
	readonly chipId: number;
	readonly projectName: string;
	/** Older images would misread what lies on flash. */
	readonly minimumVersion: string;
	readonly maxBytes: number;
	/** Ed25519 key that they must be signed with, 32 bytes; empty = there is none. */
	readonly updateKey: Uint8Array;
	/** Older ones are rejected; "" = none is. */
	readonly newestVersion: string;
}

/** What was said about an image beforehand; "" and 0 = nothing. */
export interface ImageClaims {
	readonly version: string;
	readonly sizeBytes: number;
	/** SHA-256 of the whole file, lower-case hexadecimal. */
	readonly sha256: string;
}

/** Nothing is known beforehand: the image has to speak for itself. */
export const NO_CLAIMS: ImageClaims = Object.freeze({ version: "", sizeBytes: 0, sha256: "" });

enum PART {
	HEADER = 0,
	SEGMENT = 1,
	DESCRIPTION = 2,
	DATA = 3,
	PADDING = 4,
	DIGEST = 5,
	TRAILER = 6,
	END = 7,
}

/** What it needs of its surroundings. */
export interface ImagePorts {
	readonly firmware: Pick<FirmwarePort, "begin">;
	readonly newDigest: () => DigestPort;
	readonly log: (level: "WARN", message: string) => void;
}

/** For one image, in pieces of any length. What is wrong is returned in words, "" = nothing is so far. */
export class FirmwareImage {
	/** From the image's description; "" = not read yet. */
	version = "";
	projectName = "";
	/** Bytes received so far. */
	sizeBytes = 0;
	/** Bytes received so far without the trailer: those that are stored. */
	imageBytes = 0;
	/** What the key has still to be held against, once all bytes have come; undefined if there is no key. */
	signed: Signed | undefined;
	readonly #rules: ImageRules;
	readonly #claims: ImageClaims;
	readonly #ports: ImagePorts;
	/** Open once the head is known to be ours; `#head` keeps what came before. */
	#slot: SlotWriter | undefined;
	readonly #head = new Uint8Array(HEAD_BYTES);
	readonly #digest: DigestPort;
	readonly #wholeDigest: DigestPort | undefined;
	readonly #field = new Uint8Array(DESCRIPTION_READ_BYTES);
	#trailer: Uint8Array | undefined;
	#part: number = PART.HEADER;
	/** Bytes of the current part that are still to come. */
	#left = HEADER_BYTES;
	#filled = 0;
	#segments = 0;
	#problem = "";

	constructor(rules: ImageRules, claims: ImageClaims, ports: ImagePorts) {
		this.#rules = rules;
		this.#claims = claims;
		this.#ports = ports;
		this.#digest = ports.newDigest();
		this.#wholeDigest = claims.sha256 === "" ? undefined : ports.newDigest();
	}

	/**
	 * Takes the next bytes.
	 * @returns what is wrong by now, one of `IMAGE_PROBLEM` or `SLOT_FAILED`; then nothing more may come
	 */
	write(bytes: Uint8Array): string {
		const before = this.imageBytes;
		this.#check(bytes);
		return this.#problem || this.#try(() => this.#store(bytes, before));
	}

	/** Hands the image's bytes on, without the trailer. @param before `imageBytes` before these bytes came */
	#store(bytes: Uint8Array, before: number): void {
		const count = this.imageBytes - before;
		const ofHead = Math.min(count, Math.max(0, HEAD_BYTES - before));
		if (ofHead > 0) {
			copyBytes(bytes, 0, ofHead, this.#head, before);
			if (before + ofHead < HEAD_BYTES) return;
			this.#slot = this.#ports.firmware.begin();
			this.#slot.write(this.#head);
		}
		if (count > ofHead) this.#slot?.write(bytes.subarray(ofHead, count));
	}

	#check(bytes: Uint8Array): void {
		this.#wholeDigest?.write(bytes);
		let at = 0;
		while (at < bytes.length && this.#problem === "") {
			if (this.#part === PART.END) {
				this.#reject(IMAGE_PROBLEM.NOT_AN_IMAGE);
				return;
			}
			const count = Math.min(this.#left, bytes.length - at);
			const piece = count === bytes.length ? bytes : bytes.subarray(at, at + count);
			if (this.#part < PART.DIGEST) this.#digest.write(piece);
			if (this.#part !== PART.DATA && this.#part !== PART.PADDING) {
				copyBytes(piece, 0, count, this.#trailer ?? this.#field, this.#filled);
				this.#filled += count;
			}
			at += count;
			this.sizeBytes += count;
			if (this.#part !== PART.TRAILER) this.imageBytes = this.sizeBytes;
			this.#left -= count;
			if (this.#left === 0) this.#onPart();
		}
	}

	/** All bytes have come. @returns what is wrong with the image */
	end(): string {
		if (this.#problem !== "") return this.#problem;
		if (this.sizeBytes === 0) return this.#reject(IMAGE_PROBLEM.NO_IMAGE);
		if (this.#part === PART.HEADER) return this.#reject(IMAGE_PROBLEM.NOT_AN_IMAGE);
		const isWhole = this.#part === PART.END || (this.#part === PART.TRAILER && this.#filled === 0);
		if (!isWhole) return this.#reject(IMAGE_PROBLEM.INCOMPLETE);
		const { sizeBytes, sha256 } = this.#claims;
		if (sizeBytes > 0 && sizeBytes !== this.sizeBytes) return this.#reject(IMAGE_PROBLEM.DAMAGED);
		const digest = this.#wholeDigest?.close();
		if (digest !== undefined && hexadecimal(new Uint8Array(digest)) !== sha256) return this.#reject(IMAGE_PROBLEM.DAMAGED);
		if (this.#part === PART.TRAILER && this.#rules.updateKey.length > 0) return this.#reject(IMAGE_PROBLEM.UNSIGNED);
		return this.#problem;
	}

	/**
	 * Has the platform check the slot and start it next. After `end` without a problem.
	 * @returns "" or `SLOT_FAILED`
	 */
	activate(): string {
		const slot = this.#slot;
		this.#slot = undefined;
		return this.#try(() => slot?.complete());
	}

	/** Discards what was stored, unless it was activated. Idempotent. */
	close(): void {
		this.#try(() => this.#slot?.close());
	}

	#try(step: () => void): string {
		try {
			step();
			return "";
		} catch (error) {
			this.#ports.log("WARN", (error as Error).message);
			return this.#reject(SLOT_FAILED);
		}
	}

	#reject(problem: string): string {
		this.#problem = problem;
		return problem;
	}

	#enter(part: number, bytes: number): void {
		this.#part = part;
		this.#left = bytes;
		this.#filled = 0;
	}

	#onPart(): void {
		switch (this.#part) {
			case PART.HEADER:
				this.#onHeader();
				break;
			case PART.SEGMENT:
				this.#onSegment();
				break;
			case PART.DESCRIPTION:
				this.#onDescription();
				break;
			case PART.DATA:
				this.#afterSegment();
				break;
			case PART.PADDING:
				this.#enter(PART.DIGEST, DIGEST_BYTES);
				break;
			case PART.DIGEST:
				this.#onDigest();
				break;
			default:
				this.#onTrailer();
		}
	}

	#onHeader(): void {
		const field = this.#field;
		this.#segments = field[SEGMENT_COUNT_AT];
		const wellFormed = field[0] === IMAGE_MAGIC && this.#segments > 0 && this.#segments <= SEGMENTS_MAX;
		if (!wellFormed || field[HASH_APPENDED_AT] !== 1) this.#reject(IMAGE_PROBLEM.NOT_AN_IMAGE);
		else if ((field[CHIP_ID_AT] | (field[CHIP_ID_AT + 1] << 8)) !== this.#rules.chipId) this.#reject(IMAGE_PROBLEM.OTHER_BOARD);
		else this.#enter(PART.SEGMENT, SEGMENT_HEADER_BYTES);
	}

	#onSegment(): void {
		const length = uint32(this.#field, SEGMENT_LENGTH_AT);
		const first = this.sizeBytes === HEADER_BYTES + SEGMENT_HEADER_BYTES;
		this.#segments--;
		if (this.sizeBytes + length + ALIGNMENT + DIGEST_BYTES > this.#rules.maxBytes) this.#reject(IMAGE_PROBLEM.TOO_LARGE);
		else if (first && length < DESCRIPTION_BYTES) this.#reject(IMAGE_PROBLEM.NOT_AN_IMAGE);
		else if (first) {
			this.#enter(PART.DESCRIPTION, DESCRIPTION_READ_BYTES);
			this.#dataBytes = length - DESCRIPTION_READ_BYTES;
		} else this.#enter(PART.DATA, length);
	}

	/** Bytes of the first segment behind the part of the description that is read. */
	#dataBytes = 0;

	#onDescription(): void {
		const { projectName, minimumVersion, newestVersion } = this.#rules;
		const field = this.#field;
		this.version = text(field, VERSION_AT);
		this.projectName = text(field, PROJECT_AT);
		if (uint32(field, 0) !== DESCRIPTION_MAGIC) this.#reject(IMAGE_PROBLEM.NOT_AN_IMAGE);
		else if (this.projectName !== projectName) this.#reject(IMAGE_PROBLEM.OTHER_BOARD);
		else if (!isVersion(this.version)) this.#reject(IMAGE_PROBLEM.NOT_AN_IMAGE);
		else if (compareVersions(this.version, minimumVersion) < 0) this.#reject(IMAGE_PROBLEM.TOO_OLD);
		else if (newestVersion !== "" && compareVersions(this.version, newestVersion) < 0) this.#reject(IMAGE_PROBLEM.OLDER);
		else if (this.#claims.version !== "" && this.version !== this.#claims.version) this.#reject(IMAGE_PROBLEM.OTHER_VERSION);
		else if (this.#reject(this.#sizeProblem()) === "") this.#enter(PART.DATA, this.#dataBytes);
	}

	/** What is wrong with the size that was claimed: known before the slot is touched. */
	#sizeProblem(): string {
		const { sizeBytes } = this.#claims;
		if (sizeBytes === 0) return "";
		const { maxBytes, updateKey } = this.#rules;
		// all but a trailer fills whole lines
		const beyond = sizeBytes % ALIGNMENT;
		const isSigned = beyond === TRAILER_BYTES % ALIGNMENT;
		const trailerBytes = isSigned ? TRAILER_BYTES : 0;
		if (sizeBytes - trailerBytes > maxBytes) return IMAGE_PROBLEM.TOO_LARGE;
		if (sizeBytes - trailerBytes <= this.sizeBytes + this.#dataBytes + DIGEST_BYTES) return IMAGE_PROBLEM.INCOMPLETE;
		if (beyond !== 0 && !isSigned) return IMAGE_PROBLEM.INCOMPLETE;
		return updateKey.length > 0 && !isSigned ? IMAGE_PROBLEM.UNSIGNED : "";
	}

	#afterSegment(): void {
		if (this.#segments > 0) this.#enter(PART.SEGMENT, SEGMENT_HEADER_BYTES);
		else this.#enter(PART.PADDING, ALIGNMENT - (this.sizeBytes % ALIGNMENT));
	}

	#onDigest(): void {
		if (!isSame(new Uint8Array(this.#digest.close()), 0, this.#field, DIGEST_BYTES)) this.#reject(IMAGE_PROBLEM.DAMAGED);
		else {
			this.#enter(PART.TRAILER, TRAILER_BYTES);
			this.#trailer = new Uint8Array(TRAILER_BYTES);
		}
	}

	#onTrailer(): void {
		const trailer = this.#trailer as Uint8Array;
		const { projectName, updateKey } = this.#rules;
		const isOfThisImage =
			isText(trailer, TRAILER_PROJECT_AT, projectName) &&
			isText(trailer, TRAILER_VERSION_AT, this.version) &&
			isSame(trailer, TRAILER_DIGEST_AT, this.#field, DIGEST_BYTES);
		if (decodeUtf8(trailer, 0, TRAILER_PROJECT_AT) !== TRAILER_MAGIC) this.#reject(IMAGE_PROBLEM.NOT_AN_IMAGE);
		else if (!isOfThisImage) this.#reject(IMAGE_PROBLEM.WRONG_SIGNATURE);
		else if (updateKey.length > 0) {
			if (isSame(trailer, KEY_AT, updateKey, KEY_BYTES))
				this.signed = { message: trailer.subarray(0, SIGNED_BYTES), signature: trailer.subarray(SIGNED_BYTES) };
			else this.#reject(IMAGE_PROBLEM.OTHER_KEY);
		}
		this.#enter(PART.END, 0);
	}
}

function uint32(bytes: Uint8Array, at: number): number {
	return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
}

/** The text up to its final 0; "" if there is no 0 within `TEXT_BYTES`. */
function text(bytes: Uint8Array, at: number): string {
	const end = indexOfByte(bytes, 0, at, at + TEXT_BYTES);
	return end < 0 ? "" : (decodeUtf8(bytes, at, end) ?? "");
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
