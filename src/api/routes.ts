/** All routes. Paths match exactly, one trailing slash is tolerated. */

import { sendAsset } from "../http/asset.js";
import type { HttpRequest, Method } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import type { BodySink, Route } from "../http/router.js";
import { getAnalyzer, postAnalyzer } from "./analyzer.js";
import { getCanview, getCanviewDump, getCapture, getDbc, postCapture } from "./canview.js";
import { getConditions } from "./conditions.js";
import type { ApiContext, Handle } from "./context.js";
import { getCurve, postCurve } from "./curves.js";
import { getDashboard } from "./dashboard.js";
import { getEvents } from "./events.js";
import { OPENAPI } from "./generated/openapi-asset.js";
import {
	getLearnStatus,
	getLearnTable,
	postLearnAlive,
	postLearnCancel,
	postLearnClear,
	postLearnStart,
	postLearnTable,
} from "./learn.js";
import { getLogRead, getLogs, postLogClear, postLogDelete } from "./logs.js";
import { deleteMap, exportMap, getMap, getMaps, importMap, loadMap, postMap, saveMap, swapMap } from "./maps.js";
import { getPreview, postMode } from "./mode.js";
import { getOwner, postOwner, postSession } from "./owner.js";
import { postSettings } from "./settings.js";
import { getStatus } from "./status.js";
import {
	diagnosisStatus,
	getUdsRead,
	measured,
	postUdsClearDtc,
	postUdsIdentity,
	postUdsProbe,
	postUdsRead,
	udsDtc,
} from "./uds.js";
import { getUpdate, openUpload, postUpdateCheck, postUpdateInstall } from "./update.js";
import { getNetwork, getWifi, postWifi, postWifiScan } from "./wifi.js";

/** One endpoint. */
export interface ApiRoute extends Route {
	/** GET serves HEAD too. */
	readonly method: Method;
	readonly path: string;
	/** Absent: 503 in a boot loop. */
	readonly inBootLoop?: true;
	/** Open to each client, although it is a POST. */
	readonly needsNoKey?: true;
	/** It asks the car, on its bus: a GET of a foreign page must not. */
	readonly asksCar?: true;
	/** Required unless the body is streamed. */
	readonly handle?: Handle;
	/** Begins a streamed body, or answers and returns undefined. Required if the body is streamed. */
	readonly open?: (context: ApiContext, request: HttpRequest, response: HttpResponse) => BodySink | undefined;
}

const get = (path: string, handle: Handle, more?: Partial<ApiRoute>): ApiRoute =>
	Object.freeze({ method: "GET", path, body: "ignore", handle, ...more });
/** With a body. */
const post = (path: string, handle: Handle, more?: Partial<ApiRoute>): ApiRoute =>
	Object.freeze({ method: "POST", path, body: "collect", handle, ...more });
/** A POST without a body: if there is one, it is thrown away. */
const act = (path: string, handle: Handle, more?: Partial<ApiRoute>): ApiRoute => post(path, handle, { body: "ignore", ...more });

/** In no order that matters: method and path tell them apart. */
export const ROUTES: readonly ApiRoute[] = Object.freeze([
	get("/api/status", getStatus, { inBootLoop: true }),
	get("/api/dashboard", getDashboard),
	post("/api/mode", postMode, { isSmall: true }), // whatever others do, the driver can switch to stock
	get("/api/canview", getCanview),
	get("/api/canview/dump", getCanviewDump),
	get("/api/canview/dbc", getDbc),
	get("/api/events", getEvents),
	get("/api/openapi.json", (_context, request, response) => sendAsset(OPENAPI, request, response), { isSmall: true }),
	get("/api/preview", getPreview),
	get("/api/map", getMap),
	post("/api/map", postMap),
	post("/api/map/swap", swapMap),
	...(["speed", "throttle", "rpm"] as const).flatMap((curve) => [
		get(`/api/curve/${curve}`, getCurve(curve)),
		post(`/api/curve/${curve}`, postCurve(curve)),
	]),
	get("/api/maps", getMaps),
	post("/api/maps/load", loadMap),
	post("/api/maps/save", saveMap),
	post("/api/maps/delete", deleteMap),
	get("/api/maps/export", exportMap),
	post("/api/maps/import", importMap),
	get("/api/logs", getLogs, { inBootLoop: true }),
	get("/api/logs/read", getLogRead, { inBootLoop: true }),
	post("/api/logs/delete", postLogDelete),
	post("/api/logs/clear", postLogClear),
	get("/api/canview/capture", getCapture),
	post("/api/canview/capture", postCapture),
	get("/api/analyzer", getAnalyzer),
	post("/api/analyzer", postAnalyzer),
	post("/api/settings", postSettings),
	get("/api/conditions", getConditions),
	get("/api/learn/status", getLearnStatus),
	post("/api/learn/start", postLearnStart),
	act("/api/learn/alive", postLearnAlive),
	act("/api/learn/cancel", postLearnCancel),
	act("/api/learn/clear", postLearnClear),
	get("/api/learn/table", getLearnTable),
	post("/api/learn/table", postLearnTable),
	get("/api/uds/status", diagnosisStatus),
	act("/api/uds/probe", postUdsProbe),
	act("/api/uds/identity", postUdsIdentity),
	get("/api/uds/read", getUdsRead, { asksCar: true }),
	post("/api/uds/read", postUdsRead, { needsNoKey: true }),
	get("/api/uds/dtc", udsDtc, { asksCar: true }),
	act("/api/uds/dtc", udsDtc, { needsNoKey: true }),
	act("/api/uds/clear-dtc", postUdsClearDtc),
	get("/api/uds/measured", measured, { asksCar: true }),
	act("/api/uds/measured", measured, { needsNoKey: true }),
	get("/api/diag/measured", measured, { asksCar: true }),
	act("/api/diag/measured", measured, { needsNoKey: true }),
	get("/api/wifi", getWifi, { inBootLoop: true }),
	post("/api/wifi", postWifi),
	act("/api/wifi/scan", postWifiScan),
	get("/api/owner", getOwner, { inBootLoop: true }),
	post("/api/owner", postOwner),
	post("/api/session", postSession, { inBootLoop: true, needsNoKey: true }),
	get("/api/network", getNetwork, { inBootLoop: true }),
	get("/api/update", getUpdate, { inBootLoop: true }),
	act("/api/update/check", postUpdateCheck, { inBootLoop: true }),
	act("/api/update/install", postUpdateInstall, { inBootLoop: true }),
	Object.freeze({ method: "POST", path: "/ota/update", inBootLoop: true, body: "stream", open: openUpload } as const),
]);
