/**
 * GET and POST /api/analyzer: the port for SavvyCAN, and whether its clients may send. That it listens is a
 * setting; the permission is not, and ends by itself. Source: docs/api.md, "The GVRET protocol".
 */

import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { answerOnceActive } from "./active-state.js";
import type { ApiContext } from "./context.js";
import { reject } from "./problem.js";
import { flagIn, jsonObject } from "./request-values.js";

const NAMES = "enabled maySend";
const PORT_IS_OFF = "switch the analyser port on first";

/** Switches the port on or off, and gives or withdraws the permission to send. */
export function postAnalyzer(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const body = jsonObject(request, NAMES);
	const { controller, analyzer } = context;
	const isPortMeant = body["enabled"] !== undefined || body["maySend"] === undefined;
	const enabled = isPortMeant ? flagIn(body, "enabled") : controller.settings.analyzerEnabled;
	const maySend = body["maySend"] === undefined ? undefined : flagIn(body, "maySend");
	const rejection = maySend !== true ? "" : enabled ? analyzer.permission.give() : PORT_IS_OFF;
	if (rejection !== "") reject(409, "sending refused", { field: "maySend", value: true, detail: rejection });
	if (maySend === false) analyzer.permission.withdraw();
	if (enabled !== controller.settings.analyzerEnabled)
		controller.applySettings({ ...controller.settings, analyzerEnabled: enabled });
	answerOnceActive(context, response, () => {
		analyzer.observe(enabled);
		return { ok: true, ...getAnalyzer(context) };
	});
}

/** The port, its clients, and whether they may send. */
export function getAnalyzer({ analyzer, controller }: ApiContext): object {
	const { port, clients, permission, sentFrames, rejectedFrames, lastRejection } = analyzer;
	return {
		enabled: controller.settings.analyzerEnabled,
		port,
		clients,
		maySend: permission.isGiven,
		sendRefusal: permission.rejection,
		sentFrames,
		refusedFrames: rejectedFrames,
		lastRefusal: lastRejection,
	};
}
