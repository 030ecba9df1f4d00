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
import { UpdateProblem } from "./rejection.js";
import { compareVersions, isVersion } from "./version.js";

/** Why an image is rejected. The words are in `api/words.ts`. */
export enum ImageProblem {
	NO_IMAGE = "noImage",
	NOT_AN_IMAGE = "notAnImage",
	TOO_LARGE = "tooLarge",
	INCOMPLETE = "incomplete",
	/** By its size, before all of it has come: which of the two is unknown. */
	CUT_OR_FOLLOWED = "cutOrFollowed",
	DAMAGED = "damaged",
	OTHER_BOARD = "otherBoard",
	TOO_OLD = "tooOld",
	OTHER_VERSION = "otherVersion",
	/** Than one that was kept here. */
	OLDER = "older",
	UNSIGNED = "unsigned",
	OTHER_KEY = "otherKey",
	WRONG_SIGNATURE = "wrongSignature",
	/** By bytes that are no signature. */
	FOLLOWED = "followed",
	/** The form of an upload, around the image, is invalid. */
	INVALID_FORM = "invalidForm",
}

/* Layout of an image and of its description. Source: ESP-IDF v6.0, esp_app_format.h and esp_app_desc.h. */
const SEGMENT_HEADER_BYTES = 8;
const DESCRIPTION_AT = 24 + SEGMENT_HEADER_BYTES;
const DESCRIPTION_BYTES = 256;
/** Header, header of the first segment, and its description up to the project name: whether it is ours. */
export const HEAD_BYTES = DESCRIPTION_AT + 80;
const DIGEST_BYTES = 32;
const ALIGNMENT = 16;
const IMAGE_MAGIC = 0xe9;
const SEGMENT_COUNT_AT = 1;
const SEGMENTS_MAX = 16;
const CHIP_ID_AT = 12;
const HASH_APPENDED_AT = 23;
const SEGMENT_LENGTH_AT = 4;
const DESCRIPTION_MAGIC = 0xabcd5432;
const VERSION_AT = DESCRIPTION_AT + 16;
const PROJECT_AT = DESCRIPTION_AT + 48;
const TEXT_BYTES = 32;

/* Layout of the trailer. */
const TRAILER_BYTES = 200;
const TRAILER_MAGIC = "OCSIGNED";
const TRAILER_PROJECT_AT = 8;
const TRAILER_VERSION_AT = 40;
const TRAILER_DIGEST_AT = 72;
const KEY_AT = 104;
const KEY_BYTES = 32;
const SIGNED_BYTES = 136;

/** A text and its signature, 64 bytes. */
export interface Signed {
	readonly message: Uint8Array;
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
	/** Ed25519 key that images must be signed with, 32 bytes; empty = no signature is needed. */
	readonly updateKey: Uint8Array;
	/** Older images are rejected; "" = no image is too old. */
	readonly newestVersion: string;
}

/** Said about an image beforehand; "" and 0 = nothing. */
export interface ImageClaims {
	readonly version: string;
	readonly sizeBytes: number;
	/** SHA-256 of the whole file, lower-case hexadecimal. */
	readonly sha256: string;
}

/** Nothing was said about the image. */
export const NO_CLAIMS: ImageClaims = Object.freeze({ version: "", sizeBytes: 0, sha256: "" });

/** Parts of a file in their order; SEGMENT is the header of a further segment. */
enum Part {
	HEAD = 0,
	SEGMENT = 1,
	DATA = 2,
	PADDING = 3,
	DIGEST = 4,
	TRAILER = 5,
	END = 6,
}

/** Surroundings of the check. */
export interface ImagePorts {
	readonly firmware: Pick<FirmwarePort, "begin">;
	readonly newDigest: () => DigestPort;
	readonly log: (level: "WARN", message: string) => void;
}

/** For one image, in pieces of any length. Methods return what is wrong with it, "" = nothing so far. */
export class FirmwareImage {
	/** From the image's description; "" = not read yet. */
	version = "";
	/** To be verified with the key once all bytes have come; undefined = no signature is needed. */
	signed: Signed | undefined;
	readonly #rules: ImageRules;
	readonly #claims: ImageClaims;
	readonly #ports: ImagePorts;
	readonly #digest: DigestPort;
	readonly #wholeDigest: DigestPort | undefined;
	/** Open once the head is known to be ours. */
	#slot: SlotWriter | undefined;
	readonly #head = new Uint8Array(HEAD_BYTES);
	/** Bytes received. */
	#sizeBytes = 0;
	/** Bytes of it that are stored: all but the trailer. */
	#imageBytes = 0;
	#part: number = Part.HEAD;
	/** Bytes of the current part that are still to come. */
	#left = HEAD_BYTES;
	/** Takes the current part; data and padding are not kept. */
	#field: Uint8Array | undefined = this.#head;
	#imageDigest: Uint8Array = this.#head;
	/** Segments that are still to come. */
	#segments = 0;
	#problem = "";

	constructor(rules: ImageRules, claims: ImageClaims, ports: ImagePorts) {
		this.#rules = rules;
		this.#claims = claims;
		this.#ports = ports;
		this.#digest = ports.newDigest();
		this.#wholeDigest = claims.sha256 === "" ? undefined : ports.newDigest();
	}

	/** Takes the next bytes. After a problem no more may come. */
	write(bytes: Uint8Array): string {
		const before = this.#imageBytes;
		this.#check(bytes);
		return this.#problem || this.#try(() => this.#store(bytes, before));
	}

	/** @param before `#imageBytes` before these bytes came */
	#store(bytes: Uint8Array, before: number): void {
		if (this.#part === Part.HEAD) return;
		let from = 0;
		if (this.#slot === undefined) {
			this.#slot = this.#ports.firmware.begin();
			this.#slot.write(this.#head);
			from = HEAD_BYTES - before;
		}
		const end = this.#imageBytes - before;
		if (end > from) this.#slot.write(bytes.subarray(from, end));
	}

	#check(bytes: Uint8Array): void {
		this.#wholeDigest?.write(bytes);
		let at = 0;
		while (at < bytes.length && this.#problem === "") {
			if (this.#part === Part.END) {
				this.#reject(ImageProblem.FOLLOWED);
				return;
			}
			const count = Math.min(this.#left, bytes.length - at);
			const piece = count === bytes.length ? bytes : bytes.subarray(at, at + count);
			if (this.#part < Part.DIGEST) this.#digest.write(piece);
			const field = this.#field;
			if (field !== undefined) copyBytes(piece, 0, count, field, field.length - this.#left);
			at += count;
			this.#sizeBytes += count;
			if (this.#part !== Part.TRAILER) this.#imageBytes = this.#sizeBytes;
			this.#left -= count;
			if (this.#left === 0) this.#onPart(field);
		}
	}

	/** All bytes have come. */
	end(): string {
		if (this.#problem !== "") return this.#problem;
		const { sizeBytes, sha256 } = this.#claims;
		if (this.#sizeBytes === 0) return this.#reject(ImageProblem.NO_IMAGE);
		if (this.#part === Part.HEAD) return this.#reject(ImageProblem.NOT_AN_IMAGE);
		const isUnsigned = this.#part === Part.TRAILER && this.#left === TRAILER_BYTES;
		if (this.#part === Part.TRAILER && !this.#beginsTrailer(this.#field)) return this.#reject(ImageProblem.FOLLOWED);
		if (this.#part !== Part.END && !isUnsigned) return this.#reject(ImageProblem.INCOMPLETE);
		if (sizeBytes > 0 && sizeBytes !== this.#sizeBytes) return this.#reject(ImageProblem.DAMAGED);
		const digest = this.#wholeDigest?.close();
		if (digest !== undefined && hexadecimal(new Uint8Array(digest)) !== sha256) return this.#reject(ImageProblem.DAMAGED);
		return isUnsigned && this.#rules.updateKey.length > 0 ? this.#reject(ImageProblem.UNSIGNED) : "";
	}

	/** Has the platform check the slot and start it next. After `end` without a problem. */
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
			return this.#reject(UpdateProblem.SLOT_FAILED);
		}
	}

	#reject(problem: string): string {
		this.#problem = problem;
		return problem;
	}

	#enter(part: number, bytes: number): void {
		this.#part = part;
		this.#left = bytes;
		this.#field = part === Part.DATA || part === Part.PADDING ? undefined : new Uint8Array(bytes);
	}

	#onPart(field: Uint8Array = this.#head): void {
		switch (this.#part) {
			case Part.HEAD:
				this.#reject(this.#onHead(field));
				break;
			case Part.SEGMENT:
				this.#enterData(uint32(field, SEGMENT_LENGTH_AT));
				break;
			case Part.DATA:
				if (this.#segments > 0) this.#enter(Part.SEGMENT, SEGMENT_HEADER_BYTES);
				else this.#enter(Part.PADDING, ALIGNMENT - (this.#sizeBytes % ALIGNMENT));
				break;
			case Part.PADDING:
				this.#enter(Part.DIGEST, DIGEST_BYTES);
				break;
			case Part.DIGEST:
				if (!isSame(new Uint8Array(this.#digest.close()), 0, field, DIGEST_BYTES)) this.#reject(ImageProblem.DAMAGED);
				this.#imageDigest = field;
				this.#enter(Part.TRAILER, TRAILER_BYTES);
				break;
			default:
				this.#reject(this.#onTrailer(field));
				this.#enter(Part.END, 0);
		}
	}

	/** @param bytes of the segment that are still to come */
	#enterData(bytes: number): void {
		this.#segments--;
		if (!this.#fits(bytes)) this.#reject(ImageProblem.TOO_LARGE);
		this.#enter(Part.DATA, bytes);
	}

	#fits(dataBytes: number): boolean {
		return this.#sizeBytes + dataBytes + ALIGNMENT + DIGEST_BYTES <= this.#rules.maxBytes;
	}

	#onHead(head: Uint8Array): string {
		const { chipId, projectName, minimumVersion, newestVersion } = this.#rules;
		const segments = head[SEGMENT_COUNT_AT];
		const segmentBytes = uint32(head, DESCRIPTION_AT - SEGMENT_HEADER_BYTES + SEGMENT_LENGTH_AT);
		const dataBytes = segmentBytes - (HEAD_BYTES - DESCRIPTION_AT);
		const version = textAt(head, VERSION_AT);
		this.version = version;
		const isImage = head[0] === IMAGE_MAGIC && segments > 0 && segments <= SEGMENTS_MAX && head[HASH_APPENDED_AT] === 1;
		if (!isImage) return ImageProblem.NOT_AN_IMAGE;
		if ((head[CHIP_ID_AT] | (head[CHIP_ID_AT + 1] << 8)) !== chipId) return ImageProblem.OTHER_BOARD;
		if (!this.#fits(dataBytes)) return ImageProblem.TOO_LARGE;
		if (segmentBytes < DESCRIPTION_BYTES || uint32(head, DESCRIPTION_AT) !== DESCRIPTION_MAGIC) return ImageProblem.NOT_AN_IMAGE;
		if (textAt(head, PROJECT_AT) !== projectName) return ImageProblem.OTHER_BOARD;
		if (!isVersion(version)) return ImageProblem.NOT_AN_IMAGE;
		if (compareVersions(version, minimumVersion) < 0) return ImageProblem.TOO_OLD;
		if (newestVersion !== "" && compareVersions(version, newestVersion) < 0) return ImageProblem.OLDER;
		if (this.#claims.version !== "" && version !== this.#claims.version) return ImageProblem.OTHER_VERSION;
		this.#segments = segments;
		this.#enterData(dataBytes);
		return this.#sizeProblem(dataBytes);
	}

	/** What is wrong with the claimed size, "" = nothing; asked before the slot is touched. */
	#sizeProblem(dataBytes: number): string {
		const { sizeBytes } = this.#claims;
		if (sizeBytes === 0) return "";
		const { maxBytes, updateKey } = this.#rules;
		// an image fills whole lines, a trailer does not
		const beyond = sizeBytes % ALIGNMENT;
		const isSigned = beyond === TRAILER_BYTES % ALIGNMENT;
		const imageBytes = sizeBytes - (isSigned ? TRAILER_BYTES : 0);
		if (imageBytes > maxBytes) return ImageProblem.TOO_LARGE;
		const shorterBytes = HEAD_BYTES + dataBytes + DIGEST_BYTES;
		if (sizeBytes <= shorterBytes) return ImageProblem.INCOMPLETE;
		if (imageBytes <= shorterBytes || (beyond !== 0 && !isSigned)) return ImageProblem.CUT_OR_FOLLOWED;
		return updateKey.length > 0 && !isSigned ? ImageProblem.UNSIGNED : "";
	}

	/** What has come of the trailer begins as one. */
	#beginsTrailer(trailer: Uint8Array = this.#head): boolean {
		const count = Math.min(TRAILER_BYTES - this.#left, TRAILER_PROJECT_AT);
		return TRAILER_MAGIC.startsWith(decodeUtf8(trailer, 0, count) ?? "-");
	}

	#onTrailer(trailer: Uint8Array): string {
		const { projectName, updateKey } = this.#rules;
		const isOfThisImage =
			isText(trailer, TRAILER_PROJECT_AT, projectName) &&
			isText(trailer, TRAILER_VERSION_AT, this.version) &&
			isSame(trailer, TRAILER_DIGEST_AT, this.#imageDigest, DIGEST_BYTES);
		if (!this.#beginsTrailer(trailer)) return ImageProblem.FOLLOWED;
		if (!isOfThisImage) return ImageProblem.WRONG_SIGNATURE;
		if (updateKey.length === 0) return "";
		if (!isSame(trailer, KEY_AT, updateKey, KEY_BYTES)) return ImageProblem.OTHER_KEY;
		this.signed = { message: trailer.subarray(0, SIGNED_BYTES), signature: trailer.subarray(SIGNED_BYTES) };
		return "";
	}
}

function uint32(bytes: Uint8Array, at: number): number {
	return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
}

/** The text up to its final 0; "" if there is no 0 within `TEXT_BYTES`. */
function textAt(bytes: Uint8Array, at: number): string {
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
