/**
 * POST /api/settings: any subset of what the driver sets, validated whole and applied whole. Source: docs/http-api.md 3.3, docs/decisions.md 11 to 14.
 */

import { type JsonWriter, jsonKeys } from "../http/json-writer.js";
import type { JsonSection } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { conflictsWithCapture, isRefusal, patchSettings, SETTINGS_MEMBERS } from "../settings/patch.js";
import type { Settings } from "../settings/settings.js";
import type { ApiContext } from "./context.js";
import { jsonObject } from "./json.js";
import { problem } from "./problem.js";
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

/**
 * Answers with what is in force now; 400 naming the member at fault; 409 `canview capture mode active`;
 * 503 while the last change of mappings or trigger is not in force yet. Nothing has changed unless the answer is 200.
 */
export function postSettings(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const body = jsonObject(request, response, SETTINGS_MEMBERS);
	if (body === undefined) return;
	const { controller } = context;
	const { captureActive, settings } = controller;
	if (captureActive && conflictsWithCapture(body)) {
		problem(response, 409, "canview capture mode active");
		return;
	}
	const next = patchSettings(settings, body, captureActive);
	if (isRefusal(next)) {
		problem(response, 400, next.error, next);
		return;
	}
	const busy = controller.mappingBusy ? busyWith(settings, next) : "";
	if (busy !== "") problem(response, 503, `${busy} update busy`);
	else {
		controller.applySettings(next);
		response.sections(200, ANSWER, context);
	}
}

/** What of a change needs other frames of the car; "" = nothing. */
function busyWith(old: Settings, next: Settings): string {
	if (next.inputMappings !== old.inputMappings || next.generation !== old.generation) return "mapping";
	return next.trigger !== old.trigger ? "mode trigger" : "";
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
