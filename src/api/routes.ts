/**
 * All routes, as one table: the index of the interface. Paths match exactly, one trailing slash is tolerated.
 */

import type { HttpRequest } from "../http/request.js";
import type { Method } from "../http/request-head.js";
import type { HttpResponse } from "../http/response.js";
import type { BodySink, Route } from "../http/router.js";
import { getAnalyzer, postAnalyzer } from "./analyzer.js";
import { getCanview } from "./canview.js";
import { getCanviewDump } from "./canview-dump.js";
import { getCapture, postCapture } from "./capture.js";
import type { ApiContext } from "./context.js";
import { getRpmCurve, getSpeedCurve, getThrottleCurve, postRpmCurve, postSpeedCurve, postThrottleCurve } from "./curves.js";
import { getDashboard } from "./dashboard.js";
import { getDbc } from "./dbc.js";
import { getEvents } from "./events.js";
import { getLearnStatus, postLearnEnd, postLearnStart } from "./learn.js";
import { getLogRead, getLogs, postLogClear, postLogDelete } from "./logs.js";
import { getMap, postMap, swapMap } from "./map.js";
import { exportMap, importMap } from "./map-transfer.js";
import { postMode } from "./mode.js";
import { getOpenapi } from "./openapi.js";
import { getOwner, postOwner, postSession } from "./owner.js";
import { getPreview } from "./preview.js";
import { postSettings } from "./settings.js";
import { getStatus } from "./status.js";
import { deleteMap, getMaps, loadMap, saveMap } from "./stored-maps.js";
import {
	getUdsRead,
	getUdsStatus,
	measured,
	postUdsClearDtc,
	postUdsIdentity,
	postUdsProbe,
	postUdsRead,
	udsDtc,
} from "./uds.js";
import { getUpdate, postUpdateCheck, postUpdateInstall } from "./update.js";
import { openUpload } from "./upload.js";
import { getNetwork, getWifi, postWifi } from "./wifi.js";

export interface ApiRoute extends Route {
	/** GET serves HEAD too. */
	readonly method: Method;
	readonly path: string;
	/** It is there in a boot loop, too. Absent: 503 then. */
	readonly inBootLoop?: true;
	/** Open to everybody, although it is no read by its method. */
	readonly needsNoKey?: true;
	/** What it answers is asked of the car, on its bus: a GET of a page of somebody else must not. */
	readonly asksCar?: true;
	/** Answers the request; its body, if collected, is in `request.body`. Required unless the body is streamed. */
	readonly handle?: (context: ApiContext, request: HttpRequest, response: HttpResponse) => void;
	/** Begins a streamed body, or answers and returns undefined. Required if the body is streamed. */
	readonly open?: (context: ApiContext, request: HttpRequest, response: HttpResponse) => BodySink | undefined;
}

export const ROUTES: readonly ApiRoute[] = Object.freeze([
	Object.freeze({ method: "GET", path: "/api/status", inBootLoop: true, body: "ignore", handle: getStatus } as const),
	Object.freeze({ method: "GET", path: "/api/dashboard", body: "ignore", handle: getDashboard } as const),
	Object.freeze({ method: "POST", path: "/api/mode", body: "collect", handle: postMode } as const),
	Object.freeze({ method: "GET", path: "/api/canview", body: "ignore", handle: getCanview } as const),
	Object.freeze({ method: "GET", path: "/api/canview/dump", body: "ignore", handle: getCanviewDump } as const),
	Object.freeze({ method: "GET", path: "/api/canview/dbc", body: "ignore", handle: getDbc } as const),
	Object.freeze({ method: "GET", path: "/api/events", body: "ignore", handle: getEvents } as const),
	Object.freeze({ method: "GET", path: "/api/openapi.json", body: "ignore", handle: getOpenapi } as const),
	Object.freeze({ method: "GET", path: "/api/preview", body: "ignore", handle: getPreview } as const),
	Object.freeze({ method: "GET", path: "/api/map", body: "ignore", handle: getMap } as const),
	Object.freeze({ method: "POST", path: "/api/map", body: "collect", handle: postMap } as const),
	Object.freeze({ method: "POST", path: "/api/map/swap", body: "collect", handle: swapMap } as const),
	Object.freeze({ method: "GET", path: "/api/curve/speed", body: "ignore", handle: getSpeedCurve } as const),
	Object.freeze({ method: "POST", path: "/api/curve/speed", body: "collect", handle: postSpeedCurve } as const),
	Object.freeze({ method: "GET", path: "/api/curve/throttle", body: "ignore", handle: getThrottleCurve } as const),
	Object.freeze({ method: "POST", path: "/api/curve/throttle", body: "collect", handle: postThrottleCurve } as const),
	Object.freeze({ method: "GET", path: "/api/curve/rpm", body: "ignore", handle: getRpmCurve } as const),
	Object.freeze({ method: "POST", path: "/api/curve/rpm", body: "collect", handle: postRpmCurve } as const),
	Object.freeze({ method: "GET", path: "/api/maps", body: "ignore", handle: getMaps } as const),
	Object.freeze({ method: "POST", path: "/api/maps/load", body: "collect", handle: loadMap } as const),
	Object.freeze({ method: "POST", path: "/api/maps/save", body: "collect", handle: saveMap } as const),
	Object.freeze({ method: "POST", path: "/api/maps/delete", body: "collect", handle: deleteMap } as const),
	Object.freeze({ method: "GET", path: "/api/maps/export", body: "ignore", handle: exportMap } as const),
	Object.freeze({ method: "POST", path: "/api/maps/import", body: "collect", handle: importMap } as const),
	Object.freeze({ method: "GET", path: "/api/logs", inBootLoop: true, body: "ignore", handle: getLogs } as const),
	Object.freeze({ method: "GET", path: "/api/logs/read", inBootLoop: true, body: "ignore", handle: getLogRead } as const),
	Object.freeze({ method: "POST", path: "/api/logs/delete", body: "collect", handle: postLogDelete } as const),
	Object.freeze({ method: "POST", path: "/api/logs/clear", body: "collect", handle: postLogClear } as const),
	Object.freeze({ method: "GET", path: "/api/canview/capture", body: "ignore", handle: getCapture } as const),
	Object.freeze({ method: "POST", path: "/api/canview/capture", body: "collect", handle: postCapture } as const),
	Object.freeze({ method: "GET", path: "/api/analyzer", body: "ignore", handle: getAnalyzer } as const),
	Object.freeze({ method: "POST", path: "/api/analyzer", body: "collect", handle: postAnalyzer } as const),
	Object.freeze({ method: "POST", path: "/api/settings", body: "collect", handle: postSettings } as const),
	Object.freeze({ method: "GET", path: "/api/learn/status", body: "ignore", handle: getLearnStatus } as const),
	Object.freeze({ method: "POST", path: "/api/learn/start", body: "ignore", handle: postLearnStart } as const),
	Object.freeze({ method: "POST", path: "/api/learn/cancel", body: "ignore", handle: postLearnEnd } as const),
	Object.freeze({ method: "POST", path: "/api/learn/clear", body: "ignore", handle: postLearnEnd } as const),
	Object.freeze({ method: "GET", path: "/api/uds/status", body: "ignore", handle: getUdsStatus } as const),
	Object.freeze({ method: "POST", path: "/api/uds/probe", body: "ignore", handle: postUdsProbe } as const),
	Object.freeze({ method: "POST", path: "/api/uds/identity", body: "ignore", handle: postUdsIdentity } as const),
	Object.freeze({ method: "GET", path: "/api/uds/read", asksCar: true, body: "ignore", handle: getUdsRead } as const),
	Object.freeze({ method: "POST", path: "/api/uds/read", needsNoKey: true, body: "collect", handle: postUdsRead } as const),
	Object.freeze({ method: "GET", path: "/api/uds/dtc", asksCar: true, body: "ignore", handle: udsDtc } as const),
	Object.freeze({ method: "POST", path: "/api/uds/dtc", needsNoKey: true, body: "ignore", handle: udsDtc } as const),
	Object.freeze({ method: "POST", path: "/api/uds/clear-dtc", body: "ignore", handle: postUdsClearDtc } as const),
	Object.freeze({ method: "GET", path: "/api/uds/measured", asksCar: true, body: "ignore", handle: measured } as const),
	Object.freeze({ method: "POST", path: "/api/uds/measured", needsNoKey: true, body: "ignore", handle: measured } as const),
	Object.freeze({ method: "GET", path: "/api/diag/measured", asksCar: true, body: "ignore", handle: measured } as const),
	Object.freeze({ method: "POST", path: "/api/diag/measured", needsNoKey: true, body: "ignore", handle: measured } as const),
	Object.freeze({ method: "GET", path: "/api/wifi", inBootLoop: true, body: "ignore", handle: getWifi } as const),
	Object.freeze({ method: "POST", path: "/api/wifi", body: "collect", handle: postWifi } as const),
	Object.freeze({ method: "GET", path: "/api/owner", inBootLoop: true, body: "ignore", handle: getOwner } as const),
	Object.freeze({ method: "POST", path: "/api/owner", body: "collect", handle: postOwner } as const),
	Object.freeze({
		method: "POST",
		path: "/api/session",
		inBootLoop: true,
		needsNoKey: true,
		body: "collect",
		handle: postSession,
	} as const),
	Object.freeze({ method: "GET", path: "/api/network", inBootLoop: true, body: "ignore", handle: getNetwork } as const),
	Object.freeze({ method: "GET", path: "/api/update", inBootLoop: true, body: "ignore", handle: getUpdate } as const),
	Object.freeze({
		method: "POST",
		path: "/api/update/check",
		inBootLoop: true,
		body: "ignore",
		handle: postUpdateCheck,
	} as const),
	Object.freeze({
		method: "POST",
		path: "/api/update/install",
		inBootLoop: true,
		body: "ignore",
		handle: postUpdateInstall,
	} as const),
	Object.freeze({ method: "POST", path: "/ota/update", inBootLoop: true, body: "stream", open: openUpload } as const),
]);

/** Paths of `ROUTES`, in their order. */
export const PATHS: readonly string[] = Object.freeze(ROUTES.map(({ path }) => path));
