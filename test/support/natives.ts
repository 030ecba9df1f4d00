/**
 * Natives for Node, where there is no XS: what `native` finds for code of `src/` that runs in a unit test.
 * Written independently of the C code; `test/modules` compares the two.
 */

import { catalogueTexts } from "../../tools/build-catalogue.mjs";
import { readHead } from "./request-head.js";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array, start: number, end: number): string | undefined {
	if (!(start >= 0 && start <= end && end <= bytes.length))
		throw new RangeError(`decode: ${start} to ${end} of ${bytes.length} bytes`);
	try {
		return decoder.decode(bytes.subarray(start, end));
	} catch {
		return undefined;
	}
}

/** Blanks and separators, strings, brackets, anything else in ASCII. */
const TOKEN = /[ \t\n\r:,]+|"((?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"|[{}[\]]|[^ \t\n\r:,{}[\]"\x80-\u{10ffff}]+/uy;
const LONE_SURROGATE = /[\ud800-\udfff]/u;

/** An exponent of a number that is above 99, as 99 with zeros before it. */
const limitedExponent = (token: string): string =>
	token.replace(/(?<=e[+-]?)\d{3,}$/i, (digits) => (Number(digits) > 99 ? "99".padStart(digits.length, "0") : digits));

function prepareJson(bytes: Uint8Array, names: string, depth: number, items: number, tokenBytes: number): string | undefined {
	const text = decode(bytes, 0, bytes.length);
	if (text === undefined || text.includes("\0")) return undefined;
	const known = names.split(" ");
	let prepared = "";
	const isObject = [false];
	let nameExpected = false;
	let count = 0;
	TOKEN.lastIndex = 0;
	while (TOKEN.lastIndex < text.length) {
		const match = TOKEN.exec(text);
		if (match === null) return undefined;
		const [token, string] = match;
		const isMember = nameExpected && string !== undefined;
		if (token.trim() !== "") nameExpected = token.trimEnd().endsWith(",") ? (isObject.at(-1) ?? false) : token === "{";
		if (" \t\n\r:,".includes(token.charAt(0))) prepared += token;
		else if (token === "}" || token === "]") {
			if (isObject.length === 1) return undefined;
			isObject.pop();
			prepared += token;
		} else {
			if (++count > items) return undefined;
			if (token === "{" || token === "[") isObject.push(token === "{");
			if (isObject.length - 1 > depth) return undefined;
			if (string === undefined) {
				if (token.length > tokenBytes) return undefined;
				prepared += limitedExponent(token);
			} else {
				if ([...string].some((character) => character < " ")) return undefined;
				if (Buffer.byteLength(string) > tokenBytes || LONE_SURROGATE.test(JSON.parse(token))) return undefined;
				if (isMember && !/^[ \t\n\r]*:/.test(text.slice(TOKEN.lastIndex))) return undefined;
				const isForeign = isMember && string !== "" && !known.includes(string);
				prepared += isForeign ? `""${" ".repeat(Buffer.byteLength(string))}` : token;
			}
		}
	}
	return count > 0 ? prepared : undefined;
}

function copy(bytes: Uint8Array, start: number, end: number, into: Uint8Array, at: number): void {
	if (!(start >= 0 && start <= end && end <= bytes.length && at >= 0 && at + end - start <= into.length))
		throw new RangeError(`copy: ${start} to ${end} of ${bytes.length} bytes to ${at} of ${into.length}`);
	into.set(bytes.subarray(start, end), at);
}

/** Where the delimiter begins, or what there is of it at the end. */
function findDelimiter(bytes: Uint8Array, delimiter: Uint8Array, start: number, end: number): number {
	if (start < 0 || end < start || end > bytes.length || delimiter.length === 0)
		throw new RangeError(`findDelimiter: ${start} to ${end} of ${bytes.length} bytes`);
	const text = Buffer.from(bytes.subarray(start, end)).toString("latin1");
	const sought = Buffer.from(delimiter).toString("latin1");
	const whole = text.indexOf(sought);
	let tail = Math.max(0, text.length - sought.length + 1);
	while (!sought.startsWith(text.slice(tail))) tail++;
	return start + (whole < 0 ? tail : whole);
}

const BOUNDARY = /^multipart\/form-data.*?;[ \t]*boundary=(?:"([^"]*)|([^"; \t]*))/is;

function multipartBoundary(contentType: Uint8Array): ArrayBuffer | undefined {
	const [, quoted, plain] = BOUNDARY.exec(Buffer.from(contentType).toString("latin1")) ?? [];
	const boundary = quoted ?? plain ?? "";
	return boundary === "" || boundary.length > 70 ? undefined : new Uint8Array(Buffer.from(boundary, "latin1")).buffer;
}

/** A content-disposition with `filename` behind a semicolon that is in no quotes. */
function namesFile(line: Uint8Array, length: number): boolean {
	if (length < 0 || length > line.length) throw new RangeError(`namesFile: ${length} of ${line.length} bytes`);
	const text = Buffer.from(line.subarray(0, length)).toString("latin1");
	return /^content-disposition:(?:[^"]|"[^"]*")*?;[ \t]*filename(?:[=* \t]|$)/i.test(text);
}

let catalogue: ReturnType<typeof catalogueTexts> | undefined;

function catalogueFrame(network: number, frameId: number): string | undefined {
	catalogue ??= catalogueTexts();
	return catalogue.networks[network]?.find((text) => Number.parseInt(text, 16) === frameId);
}

/** The first signal that `isWanted`. @param isWanted told name and flags */
function catalogueSignal(frame: string | undefined, isWanted: (name: string, flags: string) => boolean): string | undefined {
	const signals = frame?.split("|").slice(1, -1) ?? [];
	return signals.find((signal) => isWanted(signal.split(",")[0] ?? "", signal.split(",")[3] ?? ""));
}

function catalogueUnit(number: number): string | undefined {
	catalogue ??= catalogueTexts();
	return catalogue.units[number];
}

// biome-ignore lint/suspicious/noExplicitAny: as in the modules that call them
const NATIVES: Readonly<Record<string, (...values: any[]) => unknown>> = Object.freeze({
	xs_catalogue_frame: (network: number, frameId: number) => catalogueFrame(network, frameId)?.split("|")[0],
	xs_catalogue_signal: (network: number, frameId: number, wanted: string) =>
		catalogueSignal(catalogueFrame(network, frameId), (name) => name.toLowerCase().replace(/_+$/, "") === wanted),
	xs_catalogue_selector: (network: number, frameId: number) =>
		catalogueSignal(catalogueFrame(network, frameId), (_name, flags) => flags.includes("M")),
	xs_catalogue_unit: catalogueUnit,
	xs_text_byte_length: (text: string) => Buffer.byteLength(text),
	xs_text_copy_bytes: copy,
	xs_text_index_of: (bytes: Uint8Array, byte: number, start: number, end: number) => {
		if (start < 0 || end < start || end > bytes.length)
			throw new RangeError(`indexOf: ${start} to ${end} of ${bytes.length} bytes`);
		const index = bytes.subarray(start, end).indexOf(byte);
		return index < 0 ? -1 : start + index;
	},
	xs_text_find_delimiter: findDelimiter,
	xs_text_multipart_boundary: multipartBoundary,
	xs_text_names_file: namesFile,
	xs_text_copy_text: (text: string, start: number, end: number, into: Uint8Array, at: number) =>
		copy(Buffer.from(text), start, end, into, at),
	xs_text_consists_of: (text: string, characters: string) => text !== "" && [...text].every((c) => characters.includes(c)),
	xs_text_decode: decode,
	xs_text_encode: (text: string) => new TextEncoder().encode(text).buffer,
	xs_text_lower_case: (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
	xs_text_upper_case: (text: string) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
	xs_text_prepare_json: prepareJson,
	xs_text_read_head: readHead,
});

Object.assign(globalThis, { native: (name: string) => NATIVES[name] });
