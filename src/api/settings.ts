/**
 * POST /api/settings: any subset of what the driver sets, validated whole and applied whole. Source: docs/http-api.md 3.3, docs/decisions.md 11 to 14.
 */

import type { Members } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { conflictsWithCapture, isRefusal, patchSettings, SETTINGS_MEMBERS } from "../settings/patch.js";
import { asJson, part } from "../text/json-members.js";
import type { ApiContext } from "./context.js";
import { answerInForce } from "./in-force.js";
import { jsonObject } from "./json.js";
import { problem } from "./problem.js";
import { isOfRevision } from "./revision.js";
import { broadcast, effectiveBroadcast, generations } from "./status/aliases.js";
import { debugCaptureActive, inputMappings, lowPower, modeTrigger } from "./status/driver.js";
import { control } from "./status/figures.js";

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
	answerInForce(context, response, () => response.parts(200, ANSWER, context));
}

/** What is in force, as the status has it. */
const ANSWER: readonly Members<ApiContext>[] = Object.freeze([
	(context: ApiContext) =>
		asJson({
			ok: true,
			debugCaptureActive: debugCaptureActive(context),
			disableController: context.controller.disableController,
			...broadcast(context.controller.broadcastOverCan),
			...effectiveBroadcast(context.controller.effectiveBroadcastOverCan),
			...generations(context.controller.generation),
			isStandalone: context.controller.settings.standalone,
			lowPower: part(lowPower(context)),
			inputMappings: part(inputMappings(context)),
		}),
	(context: ApiContext) => asJson({ modeTrigger: part(modeTrigger(context)), ...control(context) }),
]);
