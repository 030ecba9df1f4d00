/** `revision` in a write: it is taken over only if what it was made from is still in force. Whoever sends none overwrites, as ever. */

import type { JsonWriter } from "../http/json-writer.js";
import { jsonKeys } from "../http/json-writer.js";
import type { HttpResponse } from "../http/response.js";
import { REVISED, type Revised } from "../settings/revisions.js";
import type { ApiContext } from "./context.js";
import type { JsonObject } from "./json.js";
import { problem } from "./problem.js";

const K = jsonKeys(REVISED);

/**
 * @param current what is in force, for whoever has missed it
 * @returns false after it has answered: 400 `invalid revision`, 409 `changed meanwhile`
 */
export function isOfRevision(
	{ controller, revisions }: ApiContext,
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
	revisions.observe(controller.settings);
	const inForce = revisions[name];
	if (value === inForce) return true;
	response.refusal = "changed meanwhile";
	const refusal = { error: response.refusal, field: "revision", value, allowed: `${inForce}, which is in force` };
	response.json(409, { ...refusal, revision: inForce, ...(current === undefined ? {} : { current: current() }) });
	return false;
}

/** The members of an object with all revisions. */
export function writeRevisions(json: JsonWriter, { controller, revisions }: ApiContext): void {
	revisions.observe(controller.settings);
	for (const name of REVISED) json.key(K[name]).number(revisions[name]);
}
