/**
 * /api/wifi/... and GET /api/network: credentials, the state of the radio, and networks in reach. No answer
 * has a password, not even an error. Source: docs/api.md, "Network and passwords".
 */

import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { ACCESS_POINT_SSID, HOST_NAME } from "../network/network.js";
import { isAccessPointPassword, isSsid, isStationPassword, type WifiPatch } from "../network/wifi-settings.js";
import type { ApiContext } from "./context.js";
import { problem, reject } from "./problem.js";
import { flagIn, type JsonObject, jsonObject } from "./request-values.js";

const NAMES = "ssid password apPassword apOpen staEnabled";

/** Wi-Fi settings without passwords. */
export function getWifi({ network }: ApiContext): object {
	const { ssid, stationEnabled, accessPointPassword, accessPointOpen } = network.wifi;
	return { ssid, staEnabled: stationEnabled, apPasswordSet: accessPointPassword !== "", apOpen: accessPointOpen };
}

/** Answers when the change is on flash; the radio follows 0.5 s later. */
export function postWifi(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const patch = patchIn(jsonObject(request, NAMES));
	const { network } = context;
	network.change(patch, (outcome) => {
		if (outcome === "not stored") problem(response, 500, "save failed");
		else response.json(200, { ok: true });
		if (outcome === "stored") response.onEnd(() => network.answered());
	});
}

function patchIn(body: JsonObject): WifiPatch {
	const { ssid, password, apPassword } = body;
	if (ssid !== undefined && !(typeof ssid === "string" && isSsid(ssid)))
		reject(400, "invalid ssid", {
			field: "ssid",
			value: ssid,
			allowed: "at most 32 bytes of text, without control characters",
		});
	if (password !== undefined && !(typeof password === "string" && isStationPassword(password)))
		reject(400, "invalid password", {
			field: "password",
			allowed: "empty, 8..63 bytes of text without control characters, or 64 hexadecimal digits",
		});
	if (apPassword !== undefined && !(typeof apPassword === "string" && isAccessPointPassword(apPassword)))
		reject(400, "ap password must be 8..63 chars or empty", {
			field: "apPassword",
			allowed: "empty or 8..63 printable ASCII characters",
		});
	const flag = (name: string): boolean | undefined => (body[name] === undefined ? undefined : flagIn(body, name));
	const staEnabled = flag("staEnabled");
	const apOpen = flag("apOpen");
	return {
		...(ssid === undefined ? {} : { ssid }),
		...(password === undefined ? {} : { password }),
		...(apPassword === undefined ? {} : { accessPointPassword: apPassword }),
		...(apOpen === undefined ? {} : { accessPointOpen: apOpen }),
		...(staEnabled === undefined ? {} : { stationEnabled: staEnabled }),
	};
}

/** Answers once the radio has looked for networks, within 8 s. Source: docs/decisions.md 50. */
export function postWifiScan({ network }: ApiContext, _request: HttpRequest, response: HttpResponse): void {
	try {
		network.scan((networks) => {
			if (networks === undefined) problem(response, 503);
			else response.json(200, { networks });
		});
	} catch (error) {
		reject(409, "scan refused", { detail: (error as Error).message });
	}
}

/** The live state. */
export function getNetwork({ network, updater }: ApiContext): object {
	const { stationIp, stationProblem, accessPointIp, accessPointPending } = network;
	return {
		staConnected: stationIp !== "",
		staIp: stationIp,
		staProblem: stationProblem,
		ap: accessPointIp !== "",
		apIp: accessPointIp,
		apSsid: ACCESS_POINT_SSID,
		apPending: accessPointPending,
		hostname: HOST_NAME,
		internet: stationIp !== "" && updater.reachedInternet,
	};
}
