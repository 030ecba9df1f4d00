/** `revision` in a write: it is taken over only if what it was made from is still in force. Whoever sends none overwrites, as ever. */

import type { HttpResponse } from "../http/response.js";
import type { Revised } from "../settings/revisions.js";
import type { ApiContext } from "./context.js";
import type { JsonObject } from "./json-body.js";
import { problem } from "./problem.js";

/**
 * @param current what is in force, for whoever has missed it
 * @returns false after it has answered: 400 `invalid revision`, 409 `changed meanwhile`
 */
export function isOfRevision(
	context: ApiContext,
	body: JsonObject,
	response: HttpResponse,
	name: Revised,
	current?: () => object,
): boolean {
	const value = body["revision"];
	if (value === undefined) return true;
	if (!Number.isInteger(value)) {
		problem(response, 400, "invalid revision", { field: "revision", value, allowed: `revisions.${name} of the status` });
		return false;
	}
	const { controller, revisions } = context;
	revisions.observe(controller.settings);
	const inForce = revisions[name];
	if (value === inForce) return true;
	response.refusal = "changed meanwhile";
	const refusal = { error: response.refusal, field: "revision", value, allowed: `${inForce}, which is in force` };
	const answer = { ...refusal, revision: inForce, ...(current === undefined ? {} : { current: current() }) };
	response.json(409, answer);
	return false;
}

/** All revisions, for an object of an answer. */
export function revisionsOf({ controller, revisions }: ApiContext) {
	revisions.observe(controller.settings);
	const { map, speedCurve, throttleCurve, rpmCurve, settings } = revisions;
	return { map, speedCurve, throttleCurve, rpmCurve, settings };
}
