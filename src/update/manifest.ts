/** The update manifest: a JSON object with a version and where it is. Source: docs/api.md, "Updates". */

import type { Download } from "../../hal/update-port.js";
import { parseJson } from "../json/json.js";
import type { DocumentForm } from "../storage/stored-document.js";
import { encodeUtf8 } from "../text/bytes.js";
import { consistsOf, HEX, lowerCase } from "../text/characters.js";
import { bytesOfHexadecimal } from "../text/hexadecimal.js";
import type { Signed } from "./firmware-image.js";
import { isVersion } from "./version.js";

/** A longer manifest is rejected. */
export const MANIFEST_BYTES_MAX = 4096;
/** Four times the length of the addresses in use. */
const URL_LENGTH_MAX = 256;
/** Characters of a request line, without markup: a page might insert a URL as HTML. */
const URL_CHARACTERS = "!#$%&()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";
const NAMES = "version firmware filesystem releasePath sha256 size board minVersion signature";
const SHA256_DIGITS = 64;
const SIGNATURE_DIGITS = 128;
/** Begins the signed text, and no image's trailer. */
const TITLE = "OpenCoupling manifest";

/** Checked for its form only. "" and 0 = not given. */
export interface Manifest {
	readonly version: string;
	/** Absolute. */
	readonly firmwareUrl: string;
	/** Shown, never installed: no file-system image may replace the driver's files. */
	readonly filesystemUrl: string;
	/** Digest of the whole firmware file, lower-case hexadecimal. */
	readonly sha256: string;
	readonly sizeBytes: number;
	/** Project name of the image. */
	readonly board: string;
	/** The oldest running version that may take this one directly. */
	readonly minVersion: string;
	/** undefined: it is not signed, or names no board or digest. */
	readonly signed: Signed | undefined;
}

/** @param url of the manifest: its URLs are relative to that @returns undefined: the bytes are no manifest */
export function readManifest(bytes: Uint8Array, url: string): Manifest | undefined {
	const fields = parseJson(bytes, NAMES);
	if (typeof fields !== "object" || fields === null || Array.isArray(fields)) return undefined;
	const members = fields as Readonly<Record<string, unknown>>;
	let isValid = true;
	const text = (name: string, isAllowed: (text: string) => boolean): string => {
		const value = members[name] ?? "";
		if (typeof value === "string" && value.length <= URL_LENGTH_MAX && isAllowed(value)) return value;
		isValid = false;
		return "";
	};
	const version = text("version", isVersion);
	const minVersion = text("minVersion", (given) => given === "" || isVersion(given));
	const [board, firmware, filesystem] = ["board", "firmware", "filesystem"].map((name) => text(name, () => true));
	const sha256 = lowerCase(text("sha256", (given) => isHexadecimal(given, SHA256_DIGITS)));
	const signature = lowerCase(text("signature", (given) => isHexadecimal(given, SIGNATURE_DIGITS)));
	const { releasePath: path } = members;
	const sizeBytes = members["size"] ?? 0;
	const releasePath = typeof path === "string" && path.length <= URL_LENGTH_MAX ? path : "";
	if (!isValid || typeof sizeBytes !== "number" || !(sizeBytes >= 0 && Number.isInteger(sizeBytes))) return undefined;
	const folder = `${url.slice(0, url.lastIndexOf("/"))}/${releasePath || version}`;
	const firmwareUrl = resolve(firmware, folder);
	const filesystemUrl = resolve(filesystem, folder);
	if (firmwareUrl === undefined || filesystemUrl === undefined) return undefined;
	const said = [TITLE, version, board, minVersion, firmware, filesystem, releasePath, String(sizeBytes), sha256].join("\n");
	const isSigned = signature !== "" && board !== "" && sha256 !== "";
	const signed = isSigned ? { message: encodeUtf8(said), signature: bytesOfHexadecimal(signature) } : undefined;
	return { version, firmwareUrl, filesystemUrl, sha256, sizeBytes, board, minVersion, signed };
}

function isHexadecimal(text: string, digits: number): boolean {
	return text === "" || (text.length === digits && consistsOf(text, HEX));
}

/** @returns undefined: the URL is not allowed in a request line, or in a page */
function resolve(name: string, folder: string): string | undefined {
	if (name === "") return "";
	const url = name.startsWith("http://") || name.startsWith("https://") ? name : `${folder}/${name}`;
	return url.length <= URL_LENGTH_MAX && consistsOf(url, URL_CHARACTERS) ? url : undefined;
}

/** Versions, or "". */
export interface NewestVersion {
	readonly version: string;
	/** By a signed manifest for this board. */
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

/** @param done gets the manifest, or "invalid json", "http <code>" */
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
