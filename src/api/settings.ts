/**
 * POST /api/settings: any subset of what the driver sets, validated whole and applied whole.
 * Source: docs/http-api.md 3.3, docs/decisions.md 11 to 14.
 */

import type { Turns } from "../clock/turns.js";
import type { Members } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { conflictsWithCapture, isRefusal, patching, SETTINGS_MEMBERS } from "../settings/patch.js";
import type { ApiContext } from "./context.js";
import { answerInForce, inTurns } from "./in-force.js";
import { type JsonObject, jsonObject } from "./json-body.js";
import { problem } from "./problem.js";
import { isOfRevision } from "./revision.js";
import { broadcast, effectiveBroadcast, generations } from "./status/aliases.js";
import { debugCaptureActive, inputMappings, lowPower, modeTrigger } from "./status/driver.js";
import { control } from "./status/figures.js";

/**
 * Answers with what is in force then; 400 naming the member at fault, 409 `canview capture mode active` or `changed meanwhile`: nothing has changed.
 */
export function postSettings(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const body = jsonObject(request, response, SETTINGS_MEMBERS);
	// to read the body is work enough for a turn
	if (body !== undefined) inTurns(context, response, changing(context, body, response));
}

function* changing(context: ApiContext, body: JsonObject, response: HttpResponse): Turns {
	const { controller } = context;
	for (;;) {
		const { settings } = controller;
		const { captureActive } = controller.supervisor;
		if (captureActive && conflictsWithCapture(body)) {
			problem(response, 409, "canview capture mode active");
			return;
		}
		if (!isOfRevision(context, body, response, "settings")) return;
		const next = yield* patching(settings, body, captureActive);
		if (isRefusal(next)) {
			problem(response, 400, next.error, next);
			return;
		}
		yield;
		const isFirst = (): boolean => controller.settings === settings && controller.supervisor.captureActive === captureActive;
		if (!isFirst()) continue;
		const prepared = yield* controller.preparing(next);
		// where somebody else was faster, what he has changed counts, too
		if (!isFirst()) continue;
		controller.applySettings(next, prepared);
		answerInForce(context, response, () => response.parts(200, ANSWER, context));
		return;
	}
}

/** What is in force, as the status has it. */
const ANSWER: readonly Members<ApiContext>[] = Object.freeze([
	(context: ApiContext) => ({
		ok: true,
		debugCaptureActive: debugCaptureActive(context),
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
