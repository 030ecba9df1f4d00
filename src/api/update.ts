/**
 * GET /api/update, POST /api/update/check, POST /api/update/install. Source: docs/http-api.md 3.16 to 3.18, W-16, W-18, W-40, O-11.
 * What follows `stage` is ours.
 */

import { type JsonWriter, jsonKeys } from "../http/json-writer.js";
import type { JsonSection } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import type { Updater } from "../update/updater.js";
import type { ApiContext } from "./context.js";
import { answerInForce } from "./in-force.js";

const K = jsonKeys([
	"current",
	"latest",
	"available",
	"lastCheckMs",
	"error",
	"url",
	"firmwareUrl",
	"filesystemUrl",
	"installing",
	"installError",
	"bytesTotal",
	"bytesDone",
	"speedBps",
	"progressMs",
	"stage",
	"checking",
	"uploading",
	"restarting",
	"installDetail",
	"confirmed",
	"rolledBack",
	"refusal",
] as const);

/** Answers with the update's state; always 200. */
export function getUpdate(context: ApiContext, _request: HttpRequest, response: HttpResponse): void {
	response.sections(200, UPDATE_SECTIONS, context);
}

/** Begins a check and answers at once with the update's state; the client polls until `checking` is false. */
export function postUpdateCheck(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	context.updater.check();
	getUpdate(context, request, response);
}

/** Answers `{"started":true}` once the car is stock, or 409 `{"started":false,"error":why}`. */
export function postUpdateInstall(context: ApiContext, _request: HttpRequest, response: HttpResponse): void {
	const { updater, log } = context;
	const error = updater.install();
	if (error === "") answerInForce(context, response, () => response.json(200, { started: true }));
	else {
		log.write("WARN", "ota", `update refused: ${error}`);
		response.json(409, { started: false, error });
	}
}

function writeCheck(json: JsonWriter, { updater }: ApiContext): void {
	json.beginObject().key(K.current).string(updater.version);
	writeFindings(json, updater);
	json.key(K.url).string(updater.manifestUrl);
}

/** What the event stream tells: everything that changes but the addresses. */
export function writeUpdateMembers(json: JsonWriter, updater: Updater): void {
	writeFindings(json, updater);
	writeProgressMembers(json, updater);
}

function writeFindings(json: JsonWriter, updater: Updater): void {
	json.key(K.latest).string(updater.manifest?.version ?? "");
	json.key(K.available).boolean(updater.available).key(K.lastCheckMs).number(updater.lastCheckMs);
	json.key(K.error).string(updater.error);
}

function writeUrls(json: JsonWriter, { updater }: ApiContext): void {
	json.key(K.firmwareUrl).string(updater.manifest?.firmwareUrl ?? "");
	json.key(K.filesystemUrl).string(updater.manifest?.filesystemUrl ?? "");
}

function writeProgress(json: JsonWriter, { updater }: ApiContext): void {
	writeProgressMembers(json, updater);
	json.endObject();
}

function writeProgressMembers(json: JsonWriter, updater: Updater): void {
	json.key(K.installing).boolean(updater.installing).key(K.installError).string(updater.installError);
	json.key(K.bytesTotal).number(updater.bytesTotal).key(K.bytesDone).number(updater.bytesDone);
	json.key(K.speedBps).number(updater.bytesPerS).key(K.progressMs).number(updater.progressMs);
	json.key(K.stage).string(updater.stage);
	json
		.key(K.checking)
		.boolean(updater.phase === "checking")
		.key(K.uploading)
		.boolean(updater.phase === "uploading");
	json
		.key(K.restarting)
		.boolean(updater.phase === "restarting")
		.key(K.installDetail)
		.string(updater.installDetail);
	json.key(K.confirmed).boolean(updater.confirmed).key(K.rolledBack).boolean(updater.rolledBack);
	json.key(K.refusal).string(updater.refusal);
}

const UPDATE_SECTIONS: readonly JsonSection<ApiContext>[] = Object.freeze([writeCheck, writeUrls, writeProgress]);
