/**
 * The head of a request for Node, as `modules/text/request_head.c` has it on XS; written independently.
 * `test/modules/text` compares the two.
 */

const KEPT =
	"host origin sec-fetch-site content-type content-length transfer-encoding expect authorization last-event-id range connection accept accept-encoding if-none-match accept-language".split(
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
const [BLANK, FIELDS, TRAILERS] = [1, 2, 3];
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
	const index = f[STATE] === TRAILERS ? -1 : KEPT.indexOf(name.toLowerCase());
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
	if (f[STATE] === TRAILERS) return COMPLETE;
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
		refuseIf(coding.toLowerCase() !== "chunked", 501);
		f[LENGTH] = -1;
	} else if (length !== undefined) {
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
		f[SKIPS] = Number(f[STATE] === TRAILERS || !KEPT.includes(name.toLowerCase()));
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

export function readHead(bytes: Uint8Array, figures: ArrayBuffer, start: number, end: number): number {
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
