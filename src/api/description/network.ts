/** Wi-Fi, the network's state, the owner's password. */

import { Flag, Ok } from "./common.js";
import type { Endpoints } from "./route.js";
import { described, flag, list, named, object, ok, optional, text, whole } from "./schema.js";

export const Wifi = named(
	"Wifi",
	object({
		ssid: text("Network of the station", { maxLength: 32 }),
		staEnabled: flag("The station is on"),
		apPasswordSet: flag("The access point has a password"),
		apOpen: flag("The access point may stay open"),
	}),
);

const WifiPatch = named(
	"WifiPatch",
	object({
		ssid: optional(
			text('At most 32 bytes of UTF-8; "" erases SSID and password', { maxLength: 32, pattern: "^[^\\u0000-\\u001f\\u007f]*$" }),
		),
		password: optional(
			text('"", 8 to 63 bytes of UTF-8, or 64 hexadecimal digits', {
				pattern: "^(?:[^\\u0000-\\u001f\\u007f]{2,63}|[0-9a-fA-F]{64})?$",
			}),
		),
		apPassword: optional(text('"" or 8 to 63 printable ASCII characters', { pattern: "^(?:[ -~]{8,63})?$" })),
		apOpen: optional(described(Flag, "The access point may stay open, and the car is controlled all the same")),
		staEnabled: optional(Flag),
	}),
);

export const NetworksInReach = named(
	"NetworksInReach",
	object({
		networks: list(
			object({
				ssid: text("Name of the network", { maxLength: 32 }),
				rssi: whole("Strength, dBm"),
				open: flag("It has no password"),
			}),
			{ maxItems: 32 },
		),
	}),
);

export const Network = named(
	"Network",
	object({
		staConnected: flag("The station has an address"),
		staIp: text(),
		staProblem: text('Why the station is not connected; "" = it is, tries, or has no network'),
		ap: flag("The access point is on"),
		apIp: text(),
		apSsid: text("Name of the access point's network"),
		apPending: flag("A new password of the access point takes effect once no lock is commanded"),
		hostname: text(),
		internet: flag("The last update check got an answer"),
	}),
);

const Key = named(
	"Key",
	ok({
		key: optional(text("What a write must carry; valid until another password is set", { pattern: "^[0-9a-f]{32}$" })),
	}),
);

const NOT_STORED = { 500: { "save failed": "it could not be stored; nothing was changed" } };

export const NETWORK: Endpoints = {
	"GET /api/wifi": {
		id: "getWifi",
		says: "Wi-Fi settings without passwords",
		answer: Wifi,
		means: "The settings",
		inBootLoop: true,
	},
	"POST /api/wifi": {
		id: "postWifi",
		says: "Change Wi-Fi settings",
		body: WifiPatch,
		answer: Ok,
		means: "Stored; the radio follows 500 ms later",
		errors: {
			400: {
				"ap password must be 8..63 chars or empty": "",
				"invalid ssid": "",
				"invalid password": "",
				"invalid staEnabled": "",
				"invalid apOpen": "",
			},
			...NOT_STORED,
		},
	},
	"POST /api/wifi/scan": {
		id: "postWifiScan",
		says: "Look for networks in reach",
		answer: NetworksInReach,
		means: "The strongest first, each name once",
		errors: { 409: { "scan refused": "`detail` says why" }, 503: { busy: "the radio does not answer, or the heap is too full" } },
	},
	"GET /api/owner": {
		id: "getOwner",
		says: "Whether the owner has set a password",
		answer: object({ passwordSet: flag(), signedIn: flag("The request carries the key") }),
		means: "Whether",
		inBootLoop: true,
	},
	"POST /api/owner": {
		id: "postOwner",
		says: "Set, change or remove the owner's password",
		body: object({
			password: text('8 to 64 bytes of UTF-8; "" = none', { pattern: "^(?:[^\\u0000-\\u001f\\u007f]{2,64})?$" }),
		}),
		answer: Key,
		means: "Stored, with the key of the new password; earlier keys are invalid",
		errors: { 400: { "invalid password": "" }, ...NOT_STORED },
	},
	"POST /api/session": {
		id: "postSession",
		says: "Get the key for the owner's password",
		body: object({ password: text("8 to 64 bytes of UTF-8", { pattern: "^[^\\u0000-\\u001f\\u007f]{2,64}$" }) }),
		answer: Key,
		means: "The key",
		errors: {
			400: { "invalid password": "" },
			401: { "wrong password": "the next one is accepted a second later" },
			409: { "no password is set": "" },
		},
		needsNoKey: true,
		inBootLoop: true,
	},
	"GET /api/network": {
		id: "getNetwork",
		says: "State of the network",
		answer: Network,
		means: "The state",
		inBootLoop: true,
	},
};
