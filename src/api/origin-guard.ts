/**
 * Which requests may reach the interface at all: those addressed to this controller by an address or one of its own names, and by no page but
 * its own. A page of somebody else in the driver's browser must change nothing, and a foreign name that is made to point here must read nothing;
 * reads of such a page are refused where the browser tells: they could see nothing, but take the few places of event streams and long answers.
 * With plain reads (img, script, form) it does not tell: a GET changes nothing, whoever sends it. Clients that are no browsers send none of these
 * headers but Host.
 * Source: docs/decisions.md 15, docs/http-api.md 1.4.
 */

import { HEADER } from "../http/header-names.js";
import type { RequestHead } from "../http/request-head.js";
import { equalsIgnoreCase, startsIgnoreCase } from "../text/ascii.js";
import { encodeUtf8 } from "../text/utf8.js";

/** Names that are ours on every controller, lower case, as bytes. */
export const OWN_NAMES = Object.freeze(["localhost", "openhaldex.local", "opencoupling.local"].map(encodeUtf8));

const CROSS_SITE = encodeUtf8("cross-site");
const SCHEME = encodeUtf8("http://");
const COLON = 0x3a;
const DOT = 0x2e;

/**
 * True if the request may go on. Never throws.
 * @param names further names of ours, lower case, from the settings
 */
export function isAllowed(head: RequestHead, names: readonly string[]): boolean {
	if (!isOwnHost(head, names)) return false;
	if (head.has(HEADER.SEC_FETCH_SITE)) {
		const start = head.start(HEADER.SEC_FETCH_SITE);
		const end = head.end(HEADER.SEC_FETCH_SITE);
		if (equalsIgnoreCase(head.bytes, start, end, CROSS_SITE)) return false;
	}
	return !head.has(HEADER.ORIGIN) || originIsHost(head);
}

/** HTTP/1.0 clients may leave Host out; no browser does. */
function isOwnHost(head: RequestHead, names: readonly string[]): boolean {
	if (!head.has(HEADER.HOST)) return true;
	const bytes = head.bytes;
	const start = head.start(HEADER.HOST);
	const end = nameEnd(bytes, start, head.end(HEADER.HOST));
	if (end < 0) return false;
	if (isIpv4(bytes, start, end) || isIpv6(bytes, start, end)) return true;
	for (const name of OWN_NAMES) if (equalsIgnoreCase(bytes, start, end, name)) return true;
	for (const name of names) if (equalsIgnoreCase(bytes, start, end, encodeUtf8(name))) return true;
	return false;
}

/** Index after the name, without its port; -1 for a port that is none. */
function nameEnd(bytes: Uint8Array, start: number, end: number): number {
	let i = end;
	while (i > start && bytes[i - 1] >= 0x30 && bytes[i - 1] <= 0x39) i--;
	// digits behind a colon are a port, unless it is a colon inside the brackets of IPv6, where a bracket would follow
	if (i > start && bytes[i - 1] === COLON) return end - i <= 5 ? i - 1 : -1;
	return end;
}

function isIpv4(bytes: Uint8Array, start: number, end: number): boolean {
	let parts = 1;
	let digits = 0;
	let value = 0;
	for (let i = start; i < end; i++) {
		if (bytes[i] === DOT) {
			if (digits === 0) return false;
			parts++;
			digits = value = 0;
		} else {
			value = value * 10 + bytes[i] - 0x30;
			if (bytes[i] < 0x30 || bytes[i] > 0x39 || ++digits > 3 || value > 255) return false;
		}
	}
	return parts === 4 && digits > 0;
}

/** In brackets; the address itself is not checked further, no name can look like it. */
function isIpv6(bytes: Uint8Array, start: number, end: number): boolean {
	if (end - start < 4 || bytes[start] !== 0x5b || bytes[end - 1] !== 0x5d) return false;
	let colons = 0;
	for (let i = start + 1; i < end - 1; i++) {
		const letter = bytes[i] | 0x20;
		if (bytes[i] === COLON) colons++;
		else if (!((bytes[i] >= 0x30 && bytes[i] <= 0x39) || (letter >= 0x61 && letter <= 0x66) || bytes[i] === DOT)) return false;
	}
	return colons >= 2;
}

/** True if Origin is exactly `http://` and the Host header's value. `null`, as of sandboxed pages, is not. */
function originIsHost(head: RequestHead): boolean {
	if (!head.has(HEADER.HOST)) return false;
	const bytes = head.bytes;
	const origin = head.start(HEADER.ORIGIN);
	const originEnd = head.end(HEADER.ORIGIN);
	if (!startsIgnoreCase(bytes, origin, originEnd, SCHEME)) return false;
	const host = head.start(HEADER.HOST);
	const length = head.end(HEADER.HOST) - host;
	if (originEnd - origin - SCHEME.length !== length) return false;
	for (let i = 0; i < length; i++) if ((bytes[origin + SCHEME.length + i] | 0x20) !== (bytes[host + i] | 0x20)) return false;
	return true;
}
