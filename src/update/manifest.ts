/**
 * The update manifest: a JSON object that says which version there is and where.
 * Source: docs/api.md, "Updates"; `sha256`, `size`, `board`, `minVersion` and `signature` are ours and
 * optional.
 */

import type { Download } from "../../hal/update-port.js";
import { parseJson } from "../json/json.js";
import type { DocumentForm } from "../storage/stored-document.js";
import { encodeUtf8 } from "../text/bytes.js";
import { consistsOf, LOWER_HEX, lowerCase } from "../text/characters.js";
import { bytesOfHexadecimal } from "../text/hexadecimal.js";
import type { Signed } from "./firmware-image.js";
import { isVersion } from "./version.js";

/** A longer manifest is rejected. */
export const MANIFEST_BYTES_MAX = 4096;
/** Four times the length of the addresses in use. */
const URL_LENGTH_MAX = 256;
/** Characters of a request line without those of markup: a page might insert a URL as HTML. */
const URL_CHARACTERS = "!#$%&()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";
const NAMES = "version firmware filesystem releasePath sha256 size board minVersion signature";
const SIGNATURE_DIGITS = 128;
/** What is signed begins so, which no image's trailer does. */
const TITLE = "OpenCoupling manifest";

/** What it says, checked for its form only. */
export interface Manifest {
	readonly version: string;
	/** Absolute; "" if the manifest names none. */
	readonly firmwareUrl: string;
	/** URL as `firmwareUrl`. Shown, never installed: no file-system image may replace the driver's files. */
	readonly filesystemUrl: string;
	/** SHA-256 of the whole firmware file, lower-case hexadecimal; "" = not given. */
	readonly sha256: string;
	/** Length of the firmware file; 0 = not given. */
	readonly sizeBytes: number;
	/** Project name of the image; "" = not said. */
	readonly board: string;
	/** The oldest running version that may take this one directly; "" = any. */
	readonly minVersion: string;
	/**
	 * All that is said here, by whoever has signed it; undefined if it is not signed, or names no board or
	 * digest.
	 */
	readonly signed: Signed | undefined;
}

/** What a manifest says, undefined if it is none. @param url where it came from, which it is relative to */
export function readManifest(bytes: Uint8Array, url: string): Manifest | undefined {
	const fields = parseJson(bytes, NAMES);
	if (typeof fields !== "object" || fields === null || Array.isArray(fields)) return undefined;
	const text = (name: string): string | undefined => {
		const value = (fields as Record<string, unknown>)[name] ?? "";
		return typeof value === "string" && value.length <= URL_LENGTH_MAX ? value : undefined;
	};
	const digits = (name: string): string | undefined => {
		const value = text(name);
		return value === undefined ? undefined : lowerCase(value);
	};
	const version = text("version");
	const firmware = text("firmware");
	const filesystem = text("filesystem");
	const sha256 = digits("sha256");
	const board = text("board");
	const minVersion = text("minVersion");
	const signature = digits("signature");
	const releasePath = text("releasePath") ?? "";
	const sizeBytes = (fields as Record<string, unknown>)["size"] ?? 0;
	if (version === undefined || !isVersion(version) || firmware === undefined || filesystem === undefined) return undefined;
	if (sha256 === undefined || !(sha256 === "" || (sha256.length === 64 && consistsOf(sha256, LOWER_HEX)))) return undefined;
	if (typeof sizeBytes !== "number" || !(sizeBytes >= 0 && Number.isInteger(sizeBytes))) return undefined;
	if (board === undefined || minVersion === undefined || !(minVersion === "" || isVersion(minVersion))) return undefined;
	if (
		signature === undefined ||
		!(signature === "" || (signature.length === SIGNATURE_DIGITS && consistsOf(signature, LOWER_HEX)))
	)
		return undefined;
	const folder = `${url.slice(0, url.lastIndexOf("/"))}/${releasePath || version}`;
	const firmwareUrl = resolve(firmware, folder);
	const filesystemUrl = resolve(filesystem, folder);
	if (firmwareUrl === undefined || filesystemUrl === undefined) return undefined;
	const said = [TITLE, version, board, minVersion, firmware, filesystem, releasePath, String(sizeBytes), sha256].join("\n");
	const isSigned = signature !== "" && board !== "" && sha256 !== "";
	const signed = isSigned ? { message: encodeUtf8(said), signature: bytesOfHexadecimal(signature) } : undefined;
	return { version, firmwareUrl, filesystemUrl, sha256, sizeBytes, board, minVersion, signed };
}

/** Undefined for what can't be part of a request line, or of a page. */
function resolve(name: string, folder: string): string | undefined {
	if (name === "") return "";
	const url = name.startsWith("http://") || name.startsWith("https://") ? name : `${folder}/${name}`;
	return url.length <= URL_LENGTH_MAX && consistsOf(url, URL_CHARACTERS) ? url : undefined;
}

/** Versions as `1.2.3`, see `version.ts`. */
export interface NewestVersion {
	readonly version: string;
	/** The newest version that a signed manifest for this board announced; "" = none. */
	readonly announced: string;
}

const orNothing = (version: unknown): string => {
	if (typeof version === "string" && (version === "" || isVersion(version))) return version;
	throw new RangeError(`version ${version} is not allowed; allowed: a version, or nothing`);
};

/** The file of `NewestVersion`. */
export const NEWEST_VERSION_DOCUMENT: DocumentForm<NewestVersion> = Object.freeze({
	path: "newest-version.json",
	format: 1,
	maxBytes: 128,
	fallback: Object.freeze({ version: "", announced: "" }),
	read: ({ version, announced = "" }) => ({ version: orNothing(version), announced: orNothing(announced) }),
	write: (newest) => ({ ...newest }),
} satisfies DocumentForm<NewestVersion>);

const HTTP_OK = 200;

/** @param done told the manifest, or what is wrong: "invalid json", "http <code>" */
export function manifestDownload(
	url: string,
	done: (answered: boolean, manifest: Manifest | undefined, error: string) => void,
): Download {
	const bytes = new Uint8Array(MANIFEST_BYTES_MAX);
	let length = 0;
	let status = 0;
	return {
		onHead: (code) => {
			status = code;
		},
		onData: (piece) => {
			if (status === HTTP_OK && length + piece.length <= bytes.length) bytes.set(piece, length);
			length += piece.length;
		},
		onEnd: (code) => {
			const answered = status === HTTP_OK;
			if (code !== 0 || !answered) {
				done(answered, undefined, `http ${code || status}`);
				return;
			}
			const manifest = length > bytes.length ? undefined : readManifest(bytes.subarray(0, length), url);
			done(answered, manifest, manifest === undefined ? "invalid json" : "");
		},
	};
}
