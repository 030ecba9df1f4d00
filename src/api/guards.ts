/**
 * Which requests may reach the interface at all: those addressed to this controller by an address, one of its
 * own names or a local one, and by no page but its own. A foreign page in the driver's browser must
 * change nothing, and a foreign name that is made to point here must read nothing. With plain reads (img,
 * script, form) a browser does not tell whose page asks: a GET changes nothing, and the few that ask the car
 * are for clients other than browsers (`isOfPage`). The owner may name one origin, of an app, that counts as
 * the controller's own page. Where the owner has set a password, a change needs the key.
 * Source: docs/decisions.md 15, docs/api.md, "Limits", RFC 6750 2.1, RFC 7617.
 */

import { bytesOfBase64 } from "../http/base64.js";
import { Header, type HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import type { Owner } from "../owner/owner.js";
import { decodeUtf8, indexOfByte } from "../text/bytes.js";
import { BASE64, consistsOf, DECIMAL, HEX, lowerCase } from "../text/characters.js";
import { problem } from "./problem.js";
import { GUARD_WORDS } from "./words.js";

const OWN_NAMES: readonly string[] = Object.freeze(["localhost", "openhaldex.local", "opencoupling.local"]);
const PORT_DIGITS_MAX = 5;
/** Only a local network gives names below these (fritz.box belongs to the maker of those routers). */
const LOCAL_ENDS: readonly string[] = Object.freeze([
	...[".local", ".lan", ".home.arpa", ".fritz.box", ".home", ".internal", ".localdomain"],
]);
const NAME_CHARACTERS = `${DECIMAL}abcdefghijklmnopqrstuvwxyz-_.`;

/** The request may go on. @param appOrigin see `isOfApp` */
export function isAllowed(request: HttpRequest, appOrigin: string): boolean {
	if (!isOwnHost(request)) return false;
	if (isOfApp(request, appOrigin)) return true;
	const host = lowerValue(request, Header.HOST);
	if (lowerValue(request, Header.SEC_FETCH_SITE) === "cross-site") return false;
	// `null` is the origin of a sandboxed page
	const page = lowerValue(request, Header.ORIGIN);
	return page === undefined || (host !== undefined && page === `http://${host}`);
}

/** The request comes from the app that the owner allows. @param origin its origin, "" = no app */
export function isOfApp(request: HttpRequest, origin: string): boolean {
	return origin !== "" && request.header(Header.ORIGIN) === origin;
}

/** Only the controller or its local network can have given the host. HTTP/1.0 clients may name none. */
export function isOwnHost(request: HttpRequest): boolean {
	const host = lowerValue(request, Header.HOST);
	if (host === undefined) return true;
	const name = nameOf(host);
	return isIpv4(name) || isIpv6(name) || isLocal(name) || OWN_NAMES.includes(name);
}

/** Such as `http://192.168.4.1`, with the port of the request; "" while the controller has no address. */
export function addressInstead(request: HttpRequest, { stationIp, accessPointIp }: Addresses): string {
	const ip = stationIp || accessPointIp;
	const host = lowerValue(request, Header.HOST) ?? "";
	return ip === "" ? "" : `http://${ip}${host.slice(nameOf(host).length)}`;
}

/** Each "" while the controller has no address in that network. */
export interface Addresses {
	readonly stationIp: string;
	readonly accessPointIp: string;
}

/**
 * A read may come from a foreign page: a browser names the user's languages with everything that a page has
 * it fetch, and a page can't prevent that. The controller's own page asks the car by POST, with its origin.
 */
export function isOfPage(request: HttpRequest): boolean {
	const isBrowser = request.header(Header.ACCEPT_LANGUAGE) !== undefined;
	const site = lowerValue(request, Header.SEC_FETCH_SITE);
	return isBrowser && site !== "same-origin" && site !== "none" && request.header(Header.ORIGIN) === undefined;
}

function lowerValue(request: HttpRequest, header: Header): string | undefined {
	const value = request.header(header);
	return value === undefined ? undefined : lowerCase(value);
}

/** A host without its port; "" if the port is invalid. */
function nameOf(host: string): string {
	const colon = host.endsWith("]") ? -1 : host.lastIndexOf(":");
	if (colon < 0) return host;
	const port = host.slice(colon + 1);
	return port === "" || (port.length <= PORT_DIGITS_MAX && consistsOf(port, DECIMAL)) ? host.slice(0, colon) : "";
}

/** A single label, or a name that no public DNS has: a foreign page can't make one of them point here. */
function isLocal(name: string): boolean {
	if (name === "" || !consistsOf(name, NAME_CHARACTERS)) return false;
	return !name.includes(".") || LOCAL_ENDS.some((end) => name.endsWith(end));
}

function isIpv4(name: string): boolean {
	const parts = name.split(".");
	return parts.length === 4 && isByte(parts[0]) && isByte(parts[1]) && isByte(parts[2]) && isByte(parts[3]);
}

function isByte(digits: string): boolean {
	return digits.length <= 3 && consistsOf(digits, DECIMAL) && Number(digits) <= 255;
}

/** In brackets; the address itself is not checked further, no name can look like it. */
function isIpv6(name: string): boolean {
	if (!name.startsWith("[") || !name.endsWith("]")) return false;
	const address = name.slice(1, -1);
	return address.indexOf(":") < address.lastIndexOf(":") && consistsOf(address, `${HEX}:.`);
}

const COLON = 0x3a;
/** A user's name may be any, but not longer. */
const NAME_BYTES_MAX = 64;

/** The request carries the owner's key. */
export function hasKey(owner: Owner, request: HttpRequest): boolean {
	const value = owner.passwordSet ? request.header(Header.AUTHORIZATION) : undefined;
	if (value === undefined) return false;
	const [scheme, text = "", ...more] = value.split(" ", 3);
	if (more.length > 0) return false;
	if (lowerCase(scheme) === "bearer") return owner.accepts(text);
	if (lowerCase(scheme) !== "basic") return false;
	// some clients leave the padding out
	const end = text.indexOf("=");
	const digits = end < 0 ? text : text.slice(0, end);
	if (digits.length % 4 === 1 || text.length > digits.length + 2 || !consistsOf(digits, BASE64)) return false;
	const bytes = bytesOfBase64(`${digits}==`.slice(0, (digits.length + 3) & ~3));
	const colon = indexOfByte(bytes, COLON, 0, bytes.length);
	return colon >= 0 && colon <= NAME_BYTES_MAX && owner.accepts(decodeUtf8(bytes, colon + 1, bytes.length) ?? "");
}

/** The request may change something. @returns false after it has answered 401 */
export function mayChange(owner: Owner, request: HttpRequest, response: HttpResponse): boolean {
	if (!owner.passwordSet || hasKey(owner, request)) return true;
	rejectWithoutKey(response, "password required", GUARD_WORDS.needsKey);
	return false;
}

/** 401. `Bearer`, for `Basic` would make browsers ask by themselves. */
export function rejectWithoutKey(response: HttpResponse, message: string, detail: string): void {
	response.header("WWW-Authenticate", "Bearer");
	problem(response, 401, message, { detail });
}
