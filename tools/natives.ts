/**
 * Natives for Node, where there is no XS: what `native` finds for code of `src/` that runs in a unit test or in the
 * bench.
 * Written independently of the C code; `test/modules` compares the two.
 */

import { catalogueTexts } from "./build-catalogue.mjs";

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
const JSON_TOKEN = /[ \t\n\r:,]+|"((?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"|[{}[\]]|[^ \t\n\r:,{}[\]"\x80-\u{10ffff}]+/uy;
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
	JSON_TOKEN.lastIndex = 0;
	while (JSON_TOKEN.lastIndex < text.length) {
		const match = JSON_TOKEN.exec(text);
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
				if (isMember && !/^[ \t\n\r]*:/.test(text.slice(JSON_TOKEN.lastIndex))) return undefined;
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

// The head of a request, as `modules/text/request_head.c` has it.

const KEPT =
	"host origin sec-fetch-site content-type content-length transfer-encoding expect authorization last-event-id connection if-none-match accept-language".split(
		" ",
	);
const CONNECTION = KEPT.indexOf("connection");
const METHODS = "GET HEAD POST PUT DELETE PATCH OPTIONS TRACE QUERY".split(" ");
const TOKEN = /^[-!#$%&'*+.^_`|~0-9A-Za-z]+/;
const INCOMPLETE = 0;
const COMPLETE = 1;

/** Places in `struct request_head`. */
const [REQUEST_LINE_MAX, FIELD_BYTES_MAX, FIELD_LINES_MAX, KEPT_MAX, STATE, NEXT, KEPT_END, FIELD_BYTES, FIELD_LINES, SKIPS] =
	Array.from({ length: 10 }, (_, i) => i);
const [METHOD, MINOR, TARGET_START, TARGET_END, AUTHORITY_END, LENGTH, EXPECTS_CONTINUE, KEEP_ALIVE, ASKED, VALUES] = Array.from(
	{ length: 10 },
	(_, i) => 10 + i,
);
const [BLANK, FIELDS] = [1, 2];
const [ASKED_CLOSE, ASKED_KEEP_ALIVE] = [1, 2];

class Refusal {
	constructor(readonly status: number) {}
}

function refuseIf(condition: boolean, status: number): void {
	if (condition) throw new Refusal(status);
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
const elements = (list: string): string[] => list.toLowerCase().split(",").map(trimmed);
const trimmed = (text: string): string => text.replace(/^[ \t]+|[ \t]+$/g, "");

function keep(bytes: Uint8Array, f: Int32Array, text: string): [number, number] {
	const start = f[KEPT_END];
	bytes.set(Buffer.from(text, "latin1"), start);
	f[KEPT_END] = start + text.length;
	return [start, f[KEPT_END]];
}

function readRequestLine(bytes: Uint8Array, f: Int32Array, line: string): void {
	refuseIf(line.length > f[REQUEST_LINE_MAX], 414);
	if (line === "") {
		refuseIf(f[STATE] === BLANK, 400);
		f[STATE] = BLANK;
		return;
	}
	const [method, target, version, ...more] = line.split(" ");
	refuseIf(TOKEN.exec(method)?.[0] !== method || method.length > 24 || version === undefined || more.length > 0, 400);
	const digits = /^HTTP\/(\d)\.(\d)$/.exec(version);
	if (digits === null) throw new Refusal(400);
	refuseIf(digits[1] !== "1" || digits[2] > "1", 505);
	refuseIf(!METHODS.includes(method), 501);
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
	refuseIf(!/^[^\x00-\x20\x7f-\xff#]+$/.test(target), 400);
	f[METHOD] = METHODS.indexOf(method);
	f[MINOR] = Number(digits[2]);
	f[TARGET_END] = keep(bytes, f, target)[1];
	f[STATE] = FIELDS;
	if (target.startsWith("/") || (target === "*" && method === "OPTIONS")) return;
	const absolute = /^http:\/\/[^/]+(?=\/)/i.exec(target);
	if (absolute === null) throw new Refusal(400);
	f[TARGET_START] = f[AUTHORITY_END] = absolute[0].length;
}

function readField(bytes: Uint8Array, f: Int32Array, line: string): void {
	const name = TOKEN.exec(line)?.[0] ?? "";
	refuseIf(name === "" || line.charAt(name.length) !== ":", 400);
	const index = KEPT.indexOf(name.toLowerCase());
	if (index < 0) return;
	const whole = trimmed(line.slice(name.length + 1));
	const value = name.toLowerCase() === "accept-language" ? "" : whole;
	refuseIf(/[^\t\x20-\x7e]/.test(whole), 400);
	if (index === CONNECTION) {
		if (elements(value).includes("close")) f[ASKED] |= ASKED_CLOSE;
		if (elements(value).includes("keep-alive")) f[ASKED] |= ASKED_KEEP_ALIVE;
		return;
	}
	const at = VALUES + 2 * index;
	refuseIf(f[at + 1] > 0 && index < CONNECTION, 400);
	if (f[at + 1] > 0) return;
	refuseIf(f[KEPT_END] - f[TARGET_END] + value.length > f[KEPT_MAX], 431);
	f.set(keep(bytes, f, value), at);
}

function finish(bytes: Uint8Array, f: Int32Array): number {
	const value = (name: string): string | undefined => {
		const [start, end] = f.subarray(VALUES + 2 * KEPT.indexOf(name));
		return end === 0 ? undefined : latin1(bytes.subarray(start, end));
	};
	const [host, coding, length, expect] = ["host", "transfer-encoding", "content-length", "expect"].map(value);
	const authority = latin1(bytes.subarray("http://".length, f[AUTHORITY_END]));
	if (host === undefined) refuseIf(f[MINOR] === 1 || authority !== "", 400);
	else refuseIf(!/^[-.:[\]_~0-9A-Za-z]*$/.test(host) || (authority !== "" && authority !== host), 400);
	if (coding !== undefined) {
		refuseIf(length !== undefined || f[MINOR] === 0 || !elements(coding).includes("chunked"), 400);
		throw new Refusal(411);
	}
	if (length !== undefined) {
		refuseIf(!/^\d{1,15}$/.test(length), 400);
		f[LENGTH] = Math.min(Number(length), 0x7fffffff);
	}
	refuseIf(expect !== undefined && expect.toLowerCase() !== "100-continue", 417);
	f[EXPECTS_CONTINUE] = Number(expect !== undefined && f[MINOR] === 1);
	f[KEEP_ALIVE] = Number(!(f[ASKED] & ASKED_CLOSE) && (f[MINOR] === 1 || (f[ASKED] & ASKED_KEEP_ALIVE) > 0));
	return COMPLETE;
}

/** A line whose end has not come. */
function readPart(f: Int32Array, part: string): void {
	refuseIf(/\0|\r[\s\S]/.test(part), 400);
	if (part === "") return;
	if (f[STATE] < FIELDS) {
		refuseIf(part !== "\r" && !TOKEN.test(part), 400);
		refuseIf(part.length > f[REQUEST_LINE_MAX] + 1, 414);
		return;
	}
	refuseIf(f[FIELD_BYTES] + part.length > f[FIELD_BYTES_MAX], 431);
	const name = TOKEN.exec(part)?.[0] ?? "";
	if (!f[SKIPS] && part !== "\r" && name.length < part.length) {
		refuseIf(name === "" || part.charAt(name.length) !== ":", 400);
		f[SKIPS] = Number(!KEPT.includes(name.toLowerCase()));
	}
	if (!f[SKIPS]) return;
	const { length } = part.replace(/\r$/, "");
	f[NEXT] += length;
	f[FIELD_BYTES] += length;
}

function readLines(bytes: Uint8Array, f: Int32Array, start: number, end: number): number {
	f[NEXT] = start;
	for (;;) {
		const rest = latin1(bytes.subarray(f[NEXT], end));
		const feed = rest.indexOf("\n");
		if (feed < 0) {
			readPart(f, rest);
			return INCOMPLETE;
		}
		const line = rest.slice(0, feed - 1);
		refuseIf(rest.charAt(feed - 1) !== "\r" || /[\0\r]/.test(line), 400);
		f[NEXT] += feed + 1;
		if (f[STATE] < FIELDS) {
			readRequestLine(bytes, f, line);
			continue;
		}
		f[FIELD_BYTES] += feed + 1;
		refuseIf(f[FIELD_BYTES] > f[FIELD_BYTES_MAX], 431);
		if (line === "" && !f[SKIPS]) return finish(bytes, f);
		refuseIf(++f[FIELD_LINES] > f[FIELD_LINES_MAX], 431);
		if (f[SKIPS]) f[SKIPS] = 0;
		else readField(bytes, f, line);
	}
}

function readHead(bytes: Uint8Array, figures: ArrayBuffer, start: number, end: number): number {
	if (!(start >= 0 && start <= end && end <= bytes.length)) throw new RangeError(`readHead: ${start} to ${end}`);
	if (figures.byteLength !== (VALUES + 2 * KEPT.length) * Int32Array.BYTES_PER_ELEMENT)
		throw new RangeError(`readHead: ${figures.byteLength} bytes of figures`);
	try {
		return readLines(bytes, new Int32Array(figures), start, end);
	} catch (refusal) {
		if (refusal instanceof Refusal) return refusal.status;
		throw refusal;
	}
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
