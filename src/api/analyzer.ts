/**
 * GET and POST /api/analyzer: the port for SavvyCAN, and whether what its clients send goes to the car. That
 * it listens is a setting; that they may send is not, and ends by itself.
 * Source: docs/api.md, "The GVRET protocol".
 */

import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { answerOnceActive } from "./active-state.js";
import type { ApiContext } from "./context.js";
import { problem } from "./problem.js";
import { jsonObject } from "./request-values.js";

const MEMBERS = Object.freeze(["enabled", "maySend"] as const);
const NAMES = MEMBERS.join(" ");
const PORT_IS_OFF = "switch the analyser port on first";

/** Answers with the state; always 200. */
export function getAnalyzer(context: ApiContext, _request: HttpRequest, response: HttpResponse): void {
	response.json(200, stateOf(context));
}

/**
 * Switches the port on or off, and allows clients to send or ends that, idempotent. 400 `invalid json`,
 * `invalid object`, `invalid enabled`, `invalid maySend`; 409 `sending refused`, with the reason: nothing has
 * changed.
 */
export function postAnalyzer(context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const body = jsonObject(request, response, NAMES);
	if (body === undefined) return;
	const given = MEMBERS.filter((member) => body[member] !== undefined);
	const wrong = given.length === 0 ? MEMBERS[0] : given.find((member) => flagOf(body[member]) === undefined);
	if (wrong !== undefined) {
		problem(response, 400, `invalid ${wrong}`, { field: wrong, value: body[wrong] ?? null, allowed: "true, false, 1 or 0" });
		return;
	}
	const { controller, analyzer } = context;
	const enabled = flagOf(body["enabled"]) ?? controller.settings.analyzerEnabled;
	const maySend = flagOf(body["maySend"]);
	const refusal = maySend !== true ? "" : enabled ? analyzer.permission.give() : PORT_IS_OFF;
	if (refusal !== "") {
		problem(response, 409, "sending refused", { field: "maySend", value: true, detail: refusal });
		return;
	}
	if (maySend === false) analyzer.permission.withdraw();
	if (enabled !== controller.settings.analyzerEnabled)
		controller.applySettings({ ...controller.settings, analyzerEnabled: enabled });
	answerOnceActive(context, response, () => {
		analyzer.observe(enabled);
		response.json(200, { ok: true, ...stateOf(context) });
	});
}

function flagOf(value: unknown): boolean | undefined {
	if (typeof value === "boolean") return value;
	return value === 0 || value === 1 ? value === 1 : undefined;
}

function stateOf({ analyzer, controller }: ApiContext): object {
	const { port, clients, permission, sentFrames, refusedFrames, lastRefusal } = analyzer;
	return {
		enabled: controller.settings.analyzerEnabled,
		port,
		clients,
		maySend: permission.isGiven,
		sendRefusal: permission.rejection,
		sentFrames,
		refusedFrames,
		lastRefusal,
	};
}
