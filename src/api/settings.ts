/** POST /api/settings, all or nothing. Source: docs/api.md, "Settings", docs/decisions.md 11 to 14. */

import { Reason } from "../controller/reason.js";
import { type Members, partTexts } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { mapsOf } from "../settings/condition-list.js";
import { conflictsWithCapture, isRejection, patchSettings, SETTINGS_MEMBERS } from "../settings/patch.js";
import { isVerboseLogging, type Settings } from "../settings/settings.js";
import { inOwnTurn, isOfRevision, whenActive } from "./active-state.js";
import type { ApiContext } from "./context.js";
import { reject } from "./problem.js";
import { type JsonObject, jsonObject } from "./request-values.js";
import { broadcast, control, effectiveBroadcast, generations, inputMappings, lowPower, modeTrigger } from "./status.js";
import { MODE_WORDS } from "./words.js";

/*
 * Heap that a change takes beside what is active until then. Measured on the computer: up to 930 slots with
 * eight new conditions, 1,475 if the generation is another one, too.
 */
const CHANGE_SLOTS = 300;
const CONDITION_SLOTS = 80;
const GENERATION_SLOTS = 550;

/** Answers with what is active then. */
export function postSettings(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	read(context, request.body, response);
}

function read(context: ApiContext, bytes: Uint8Array, response: HttpResponse): void {
	const body = jsonObject({ body: bytes }, SETTINGS_MEMBERS);
	// to read the longest body takes a third of what a turn may take
	inOwnTurn(context, response, () => change(context, bytes, body, response));
}

function change(context: ApiContext, bytes: Uint8Array, body: JsonObject, response: HttpResponse): void {
	const { controller } = context;
	const { settings, supervisor } = controller;
	const { captureActive } = supervisor;
	if (captureActive && conflictsWithCapture(body)) reject(409, MODE_WORDS[Reason.CAPTURE]);
	if (!isOfRevision(context, body, response, "settings")) return;
	const next = patchSettings(settings, body, captureActive);
	if (isRejection(next)) reject(400, next.error, next);
	// each map of a condition takes a turn to read, and the settings may change meanwhile
	if (context.maps.readFor(next.conditions) !== "") {
		inOwnTurn(context, response, () => change(context, bytes, body, response));
		return;
	}
	const missing = missingMap(context, next);
	if (missing >= 0) {
		const field = `conditions[${missing}].map`;
		const allowed = "a map of GET /api/maps that can be read";
		reject(400, `invalid ${field}`, { field, value: next.conditions[missing].map, allowed });
	}
	// to look for the signals of eight conditions takes most of a turn, and heap: only the bytes of the body stay
	inOwnTurn(context, response, () => {
		if (controller.settings !== settings || supervisor.captureActive !== captureActive) {
			read(context, bytes, response);
			return;
		}
		if (!context.hasHeap(slotsFor(settings, next), 0))
			reject(503, "busy", { detail: "too little memory is free: change less at once" });
		controller.applySettings(next);
		whenActive(context, response, () => response.jsonPieces(partTexts(ANSWER, context)));
	});
}

/** Slots of the heap that are taken until the new settings have replaced the old ones. */
function slotsFor(old: Settings, next: Settings): number {
	const isOther = next.generation !== old.generation || next.standalone !== old.standalone;
	const made = next.conditions.filter((one) => one.enabled && (isOther || !old.conditions.includes(one)));
	return CHANGE_SLOTS + CONDITION_SLOTS * made.length + (isOther ? GENERATION_SLOTS : 0);
}

/** Index of the first condition whose map can't be used, and was not needed before; -1: each can be used. */
function missingMap({ controller, maps }: ApiContext, { conditions }: Settings): number {
	const needed = mapsOf(controller.settings.conditions.filter(({ enabled }) => enabled));
	return conditions.findIndex(
		({ enabled, effect, map }) => enabled && effect === "map" && !maps.isUsable(map) && !needed.includes(map),
	);
}

const ANSWER: readonly Members<ApiContext>[] = Object.freeze([
	(context: ApiContext) => ({
		ok: true,
		debugCaptureActive: isVerboseLogging(context.controller.settings.logging),
		disableController: context.controller.supervisor.disabled,
		...broadcast(context.controller.broadcastOverCan),
		...effectiveBroadcast(context.controller.effectiveBroadcastOverCan),
		...generations(context.controller.settings.generation),
		isStandalone: context.controller.settings.standalone,
		lowPower: lowPower(context),
		inputMappings: inputMappings(context),
	}),
	(context: ApiContext) => ({ modeTrigger: modeTrigger(context), ...control(context) }),
]);
