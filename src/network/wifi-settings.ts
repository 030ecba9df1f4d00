/** The Wi-Fi credentials. Lengths are in bytes. Source: IEEE 802.11. */

import type { DocumentForm } from "../storage/stored-document.js";
import { encodeUtf8 } from "../text/bytes.js";
import { consistsOf, HEX } from "../text/characters.js";

/** SSIDs have up to 32 bytes, passwords 8..63 bytes or 64 digits of a key. */
export interface WifiSettings {
	/** Network of the station, "" = none. */
	readonly ssid: string;
	/** "" = an open network. */
	readonly password: string;
	/** Made of `ssid` and `password`, 64 digits; "" = not yet, or none is needed. */
	readonly key: string;
	readonly stationEnabled: boolean;
	/** "" = an open access point. */
	readonly accessPointPassword: string;
	readonly accessPointOpen: boolean;
}

/** An access point without a password, which keeps the car stock. */
export const DEFAULT_WIFI: WifiSettings = Object.freeze({
	ssid: "",
	password: "",
	key: "",
	stationEnabled: true,
	accessPointPassword: "",
	accessPointOpen: false,
});

/**
 * Any device in reach can use an access point without a password: until there is one, or the owner has said
 * that it may stay open, the car stays stock.
 */
export function mayControl(wifi: WifiSettings): boolean {
	return wifi.accessPointPassword !== "" || wifi.accessPointOpen;
}

/** Each device needs a password, by the access point and by the station's network. */
export function isProtected({ accessPointPassword, ssid, password, stationEnabled }: WifiSettings): boolean {
	return accessPointPassword !== "" && (ssid === "" || !stationEnabled || password !== "");
}

/** An absent member stays. */
export type WifiPatch = Partial<Omit<WifiSettings, "key">>;

/* WPA2: a passphrase, or the key in digits. */
const SSID_BYTES_MAX = 32;
const PASSPHRASE_MIN = 8;
const PASSPHRASE_MAX = 63;
const KEY_DIGITS = 64;

/** True for a name of a network: at most 32 bytes, and no control characters. */
export function isSsid(text: string): boolean {
	const bytes = encodeUtf8(text);
	return bytes.length <= SSID_BYTES_MAX && bytes.every((byte) => byte >= 0x20 && byte !== 0x7f);
}

/** Empty, a passphrase of 8..63 bytes, or a key of 64 hexadecimal digits. */
export function isStationPassword(text: string): boolean {
	const bytes = encodeUtf8(text);
	if (bytes.length === KEY_DIGITS) return consistsOf(text, HEX);
	return isPassphraseLength(bytes.length) && bytes.every((byte) => byte >= 0x20 && byte !== 0x7f);
}

/** A passphrase becomes a key first. */
export function isNetworkKey(password: string): boolean {
	return password.length === KEY_DIGITS;
}

function isKey(text: string): boolean {
	return text === "" || (text.length === KEY_DIGITS && consistsOf(text, HEX));
}

/** Empty, or a passphrase of 8..63 printable ASCII characters. */
export function isAccessPointPassword(text: string): boolean {
	const bytes = encodeUtf8(text);
	return isPassphraseLength(bytes.length) && bytes.every((byte) => byte >= 0x20 && byte <= 0x7e);
}

function isPassphraseLength(bytes: number): boolean {
	return bytes === 0 || (bytes >= PASSPHRASE_MIN && bytes <= PASSPHRASE_MAX);
}

/** A password belongs to its network: another network without one is an open one. */
export function changedWifi(wifi: WifiSettings, patch: WifiPatch): WifiSettings {
	const ssid = patch.ssid ?? wifi.ssid;
	const password = patch.password ?? (ssid === wifi.ssid ? wifi.password : "");
	return {
		ssid,
		password: ssid === "" ? "" : password,
		key: ssid === wifi.ssid && password === wifi.password ? wifi.key : "",
		stationEnabled: patch.stationEnabled ?? wifi.stationEnabled,
		accessPointPassword: patch.accessPointPassword ?? wifi.accessPointPassword,
		accessPointOpen: patch.accessPointOpen ?? wifi.accessPointOpen,
	};
}

/** An invalid value makes the whole file unusable. */
export const WIFI_DOCUMENT: DocumentForm<WifiSettings> = Object.freeze({
	path: "wifi.json",
	format: 1,
	maxBytes: 1024,
	fallback: DEFAULT_WIFI,
	read(fields) {
		const text = (name: string, fits: (value: string) => boolean): string => {
			const value = fields[name] ?? "";
			// the value may be a password
			if (typeof value !== "string" || !fits(value)) throw new RangeError(`${name} is not allowed`);
			return value;
		};
		const flag = (name: "stationEnabled" | "accessPointOpen"): boolean => {
			const value = fields[name] ?? DEFAULT_WIFI[name];
			if (typeof value !== "boolean") throw new RangeError(`${name} is not allowed`);
			return value;
		};
		return {
			ssid: text("ssid", isSsid),
			password: text("password", isStationPassword),
			key: text("key", isKey),
			stationEnabled: flag("stationEnabled"),
			accessPointPassword: text("accessPointPassword", isAccessPointPassword),
			accessPointOpen: flag("accessPointOpen"),
		};
	},
	write: (wifi) => ({ ...wifi }),
} satisfies DocumentForm<WifiSettings>);
