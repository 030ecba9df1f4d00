/**
 * GET /api/status: the one snapshot every page loads from, polled up to four times a second and therefore written without
 * building objects. Fields, order and twins (reference and neutral spelling): docs/http-api.md 3.1 and 8; what follows
 * `debugCaptureActive` is ours. Parts that are not built yet show their resting values. The sections are in `status/`.
 */

import { type JsonWriter, jsonKeys } from "../http/json-writer.js";
import type { JsonSection } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { MODES } from "../lock/modes.js";
import type { ApiContext } from "./context.js";
import { writeRevisions } from "./revision.js";
import { writeCan, writePower } from "./status/buses.js";
import { DASHBOARD_SECTIONS } from "./status/dashboard.js";
import { writeFrameDiag, writeLearn, writeUds } from "./status/diagnosis.js";
import {
	writeDebugCapture,
	writeGates,
	writeLogging,
	writeRpmInput,
	writeSpeedInput,
	writeThrottleInput,
	writeTrigger,
	writeTriggerSignal,
} from "./status/driver.js";
import { BOOT_SECTIONS, writeControl, writeGateway, writeHeap, writeLoop } from "./status/figures.js";
import { writeBroadcast, writeEffectiveBroadcast, writeGeneration } from "./status/twins.js";
import { writeTelemetryMembers } from "./telemetry.js";

const K = jsonKeys([
	"version",
	"mode",
	"effectiveMode",
	"isStandalone",
	"disableController",
	"canviewCaptureMode",
	"disableThrottle",
	"disableSpeed",
	"lockReleaseRatePctPerSec",
	"uptimeMs",
	"telemetry",
	"revisions",
] as const);

/** Answers with the snapshot; always 200. */
export function getStatus(context: ApiContext, _request: HttpRequest, response: HttpResponse): void {
	response.sections(200, STATUS_SECTIONS, context);
}

function writeHead(json: JsonWriter, { controller, version }: ApiContext): void {
	const { tuning } = controller.settings;
	json.beginObject();
	json.key(K.version).string(version);
	json.key(K.mode).string(MODES[controller.selectedMode]);
	json.key(K.effectiveMode).string(MODES[controller.effectiveMode]);
	json.key(K.isStandalone).boolean(false);
	json.key(K.disableController).boolean(controller.disableController);
	writeBroadcast(json, controller.broadcastOverCan);
	writeEffectiveBroadcast(json, controller);
	json.key(K.canviewCaptureMode).boolean(controller.captureActive);
	writeGeneration(json, controller);
	json.key(K.disableThrottle).number(tuning.disableThrottlePercent).key(K.disableSpeed).number(tuning.disableSpeedKmh);
	json.key(K.lockReleaseRatePctPerSec).number(tuning.releaseRatePercentPerS);
	json.key(K.uptimeMs).number(controller.uptimeMs);
}

function writeTelemetry(json: JsonWriter, { controller }: ApiContext): void {
	json.key(K.telemetry).beginObject();
	writeTelemetryMembers(json, controller);
	json.endObject();
}

function writeAllRevisions(json: JsonWriter, context: ApiContext): void {
	json.key(K.revisions).beginObject();
	writeRevisions(json, context);
	json.endObject();
}

function close(json: JsonWriter): void {
	json.endObject();
}

/** The answer in order; each part is written as one consistent snapshot. */
const STATUS_SECTIONS: readonly JsonSection<ApiContext>[] = Object.freeze([
	writeHead,
	writeLogging,
	writeCan,
	writePower,
	writeUds,
	writeTelemetry,
	writeFrameDiag,
	writeLearn,
	writeSpeedInput,
	writeThrottleInput,
	writeRpmInput,
	writeTriggerSignal,
	writeTrigger,
	...DASHBOARD_SECTIONS,
	writeGates,
	writeDebugCapture,
	writeControl,
	writeAllRevisions,
	...BOOT_SECTIONS,
	writeLoop,
	writeGateway,
	writeHeap,
	close,
]);
