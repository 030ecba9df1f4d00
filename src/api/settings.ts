/**
 * POST /api/settings: any subset of what the driver sets, validated whole and applied whole. Source: docs/http-api.md 3.3, docs/decisions.md 11 to 14.
 */

import { type JsonWriter, jsonKeys } from "../http/json-writer.js";
import type { JsonSection } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { conflictsWithCapture, isRefusal, patchSettings, SETTINGS_MEMBERS } from "../settings/patch.js";
import type { ApiContext } from "./context.js";
import { answerInForce } from "./in-force.js";
import { jsonObject } from "./json.js";
import { problem } from "./problem.js";
import { isOfRevision } from "./revision.js";
import {
	writeDebugCapture,
	writeLowPower,
	writeRpmInput,
	writeSpeedInput,
	writeThrottleInput,
	writeTrigger,
	writeTriggerSignal,
} from "./status/driver.js";
import { writeControl } from "./status/figures.js";
import { writeBroadcast, writeEffectiveBroadcast, writeGeneration } from "./status/twins.js";

const K = jsonKeys(["ok", "disableController", "isStandalone"] as const);

/** Answers with what is in force then; 400 naming the member at fault, 409 `canview capture mode active` or `changed meanwhile`: nothing has changed. */
export function postSettings(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const body = jsonObject(request, response, SETTINGS_MEMBERS);
	if (body === undefined) return;
	const { controller } = context;
	const { captureActive, settings } = controller;
	if (captureActive && conflictsWithCapture(body)) {
		problem(response, 409, "canview capture mode active");
		return;
	}
	if (!isOfRevision(context, body, response, "settings")) return;
	const next = patchSettings(settings, body, captureActive);
	if (isRefusal(next)) {
		problem(response, 400, next.error, next);
		return;
	}
	controller.applySettings(next);
	answerInForce(context, response, () => response.sections(200, ANSWER, context));
}

function open(json: JsonWriter, context: ApiContext): void {
	const { controller } = context;
	json.beginObject().key(K.ok).boolean(true);
	writeDebugCapture(json, context);
	json.key(K.disableController).boolean(controller.disableController);
	writeBroadcast(json, controller.broadcastOverCan);
	writeEffectiveBroadcast(json, controller);
	writeGeneration(json, controller);
	json.key(K.isStandalone).boolean(false);
	writeLowPower(json, context);
}

function close(json: JsonWriter): void {
	json.endObject();
}

const ANSWER: readonly JsonSection<ApiContext>[] = Object.freeze([
	open,
	writeSpeedInput,
	writeThrottleInput,
	writeRpmInput,
	writeTriggerSignal,
	writeTrigger,
	writeControl,
	close,
]);
