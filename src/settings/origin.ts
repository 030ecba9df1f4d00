/**
 * The origin of an app that the owner lets use the interface, as a phone's WebView names it:
 * `capacitor://localhost`, `http://localhost:3000`.
 */

import { consistsOf, DECIMAL, lowerCase } from "../text/characters.js";

const LENGTH_MAX = 64;
const PORT_DIGITS_MAX = 5;
const SCHEME_END = "://";
const SCHEME_CHARACTERS = `${DECIMAL}abcdefghijklmnopqrstuvwxyz+-.`;
const HOST_CHARACTERS = `${DECIMAL}abcdefghijklmnopqrstuvwxyz-_.`;
/** In words. */
export const ORIGIN_ALLOWED = `scheme://host[:port] of at most ${LENGTH_MAX} characters, no * and no null, or an empty text`;

/**
 * The origin as browsers send it, in lower case; "" for an empty text; undefined for a text that is none:
 * `*` and `null` would mean everybody. Never throws.
 */
export function originOf(text: string): string | undefined {
	const origin = lowerCase(text.trim());
	if (origin === "") return "";
	const schemeEnd = origin.indexOf(SCHEME_END);
	if (origin.length > LENGTH_MAX || schemeEnd < 0) return undefined;
	const host = origin.slice(schemeEnd + SCHEME_END.length);
	const colon = host.indexOf(":");
	const isPort = colon < 0 || (host.length - colon - 1 <= PORT_DIGITS_MAX && consistsOf(host.slice(colon + 1), DECIMAL));
	const isHost = consistsOf(colon < 0 ? host : host.slice(0, colon), HOST_CHARACTERS);
	return isPort && isHost && consistsOf(origin.slice(0, schemeEnd), SCHEME_CHARACTERS) ? origin : undefined;
}
