/**
 * GET /api/status: the one snapshot every page loads from, polled up to four times a second. Fields, order and aliases (reference and
 * neutral spelling): docs/http-api.md 3.1 and 8; what follows `debugCaptureActive` is ours. The groups are in
 * `status/`.
 */

import type { Members } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { MODES } from "../lock/modes.js";
import type { ApiContext } from "./context.js";
import { diagnosisStatus } from "./diagnosis-objects.js";
import { mapsAtHand } from "./earlier.js";
import { learnState } from "./learn.js";
import { revisionsOf } from "./revision.js";
import { broadcast, effectiveBroadcast, generations } from "./status/aliases.js";
import { buses, power } from "./status/buses.js";
import { dashboardSignals } from "./status/dashboard.js";
import { frameDiag } from "./status/diagnosis.js";
import {
	dashMappings,
	debugCaptureActive,
	disengageUnderSpeed,
	gatesAndRamps,
	inputMappings,
	logging,
	modeTrigger,
	steeringGain,
} from "./status/driver.js";
import { API_VERSION, boot, control, heapFigures, loopFigures } from "./status/figures.js";
import { telemetry } from "./telemetry.js";
import { inWords } from "./words.js";

/** Answers with the snapshot; always 200. */
export function getStatus(context: ApiContext, _request: HttpRequest, response: HttpResponse): void {
	response.parts(200, PARTS, context);
}

function head(context: ApiContext) {
	const { controller, version } = context;
	return {
		version,
		mode: MODES[controller.supervisor.selectedMode],
		effectiveMode: MODES[controller.effectiveMode],
		isStandalone: controller.settings.standalone,
		standalone: {
			generating: controller.standaloneGenerating,
			waits: inWords(controller.standaloneDoubt ?? "", controller.standaloneHeard),
		},
		disableController: controller.supervisor.disabled,
		...broadcast(controller.broadcastOverCan),
		...effectiveBroadcast(controller.effectiveBroadcastOverCan),
		canviewCaptureMode: controller.supervisor.captureActive,
		...generations(controller.settings.generation),
		...gatesAndRamps(context),
		uptimeMs: controller.nowMs,
		logging: logging(context),
	};
}

/** The answer in order. */
const PARTS: readonly Members<ApiContext>[] = Object.freeze([
	head,
	(context: ApiContext) => ({ can: buses(context), power: power(context), uds: diagnosisStatus(context) }),
	(context: ApiContext) => ({
		telemetry: telemetry(context.controller),
		frameDiag: frameDiag(context),
		learn: learnState(context),
	}),
	(context: ApiContext) => ({ inputMappings: inputMappings(context), modeTrigger: modeTrigger(context) }),
	(context: ApiContext) => ({ dashMappings: dashMappings(context) }),
	(context: ApiContext) => ({ dashboardSignals: dashboardSignals(context) }),
	(context: ApiContext) => ({
		disengageUnderSpeed: disengageUnderSpeed(context),
		debugCaptureActive: debugCaptureActive(context),
		...control(context),
		revisions: revisionsOf(context),
		...mapsAtHand(context),
		...boot(context),
	}),
	(context: ApiContext) => ({ loop: loopFigures(context), gateway: context.gatewayCounters() }),
	(context: ApiContext) => ({ heap: heapFigures(context), steeringGain: steeringGain(context), apiVersion: API_VERSION }),
]);
