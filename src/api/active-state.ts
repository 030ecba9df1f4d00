/**
 * Tables and active settings. A write is answered once it is active (docs/decisions.md 25). Its `revision`
 * says which state it was made from; a write without a `revision` overwrites any state. `?before=N` asks for
 * the state of N changes ago. The reference keeps no such states.
 */

import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { type Kept, STATES_MAX } from "../maps/tuning-history.js";
import type { Revised } from "../settings/revisions.js";
import type { ApiContext } from "./context.js";
import { answerRejection, problem, reject } from "./problem.js";
import { type JsonObject, wholeNumberIn } from "./request-values.js";

/* 200 ms, counted in looks: while the script stands still no tick is overdue. */
const LOOK_MS = 10;
const LOOKS = 20;

/** Answers 200 with what `answer` makes, once `whenActive`. */
export function answerOnceActive(context: ApiContext, response: HttpResponse, answer = (): object => ({ ok: true })): void {
	whenActive(context, response, () => response.json(200, answer()));
}

/** Calls back once all that was asked of the controller is active; 503 `busy` if no tick applies it. */
export function whenActive({ controller, later }: ApiContext, response: HttpResponse, done: () => void): void {
	const { revision } = controller;
	let looks = 0;
	const look = (): void => {
		if (controller.activeRevision >= revision) done();
		else if (looks++ < LOOKS) later(look, LOOK_MS);
		else problem(response, 503, "busy", { detail: "the change is stored, but the control loop has not applied it" });
	};
	look();
}

/** Does the rest of a write in its own turn, also if the client is gone; it may throw as a handler may. */
export function inOwnTurn({ later, log }: ApiContext, response: HttpResponse, work: () => void): void {
	later(() => {
		try {
			work();
		} catch (error) {
			if (answerRejection(response, error)) return;
			log.write("ERROR", "http", String(error));
			problem(response, 500);
		}
	}, 0);
}

/**
 * @param current for a client that has missed it
 * @returns false after it has answered 409 `changed meanwhile`; else 400 `invalid revision`
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
	if (!Number.isInteger(value))
		reject(400, "invalid revision", { field: "revision", value, allowed: `revisions.${name} of the status` });
	const { controller, revisions } = context;
	revisions.observe(controller.settings);
	const active = revisions[name];
	if (value === active) return true;
	response.rejection = "changed meanwhile";
	const rejection = { error: response.rejection, field: "revision", value, allowed: `${active}, which is active` };
	const answer = { ...rejection, revision: active, ...(current === undefined ? {} : { current: current() }) };
	response.json(409, answer);
	return false;
}

/**
 * The state that `before` in the query asks for; else 400 `invalid before`, 404 `not found`.
 * @param active where it says nothing, or 0
 */
export function wantedState<T>(
	{ history }: ApiContext,
	request: HttpRequest,
	of: Kept,
	active: T,
	earlier: (before: number) => T | undefined,
): T {
	const before = wholeNumberIn(request, "before", 0, STATES_MAX, 0);
	const state = before === 0 ? active : earlier(before);
	return state ?? reject(404, "not found", { field: "before", value: before, allowed: `0..${history.count(of)} now` });
}
