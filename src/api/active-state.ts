/**
 * Tables and active settings. A write is answered once it is active (docs/decisions.md 25). Its `revision`
 * says which state it was made from; a write without a `revision` overwrites any state. `?before=N` asks for
 * the state of N changes ago. The reference keeps no such states.
 */

import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { nameOf } from "../maps/map-path.js";
import { isAsStored } from "../maps/presets.js";
import { type Kept, STATES_MAX, type TuningHistory } from "../maps/tuning-history.js";
import type { Revised } from "../settings/revisions.js";
import type { ApiContext } from "./context.js";
import { plainProblem, problem } from "./problem.js";
import { type JsonObject, wholeNumberIn } from "./request-values.js";

/** Between two looks. A tick comes every 10 ms, so that the second look is usually the last. */
const LOOK_MS = 10;
/** 200 ms, counted in looks: while the script stands still nothing is looked at, and no tick is overdue. */
const LOOKS = 20;

/**
 * Has `answer` called once all that was asked of the controller so far is active; 503 `busy` if no control
 * tick applies it.
 */
export function answerOnceActive({ controller, later }: ApiContext, response: HttpResponse, answer: () => void): void {
	const { revision } = controller;
	let looks = 0;
	const look = (): void => {
		if (controller.activeRevision >= revision) answer();
		else if (looks++ < LOOKS) later(look, LOOK_MS);
		else problem(response, 503, "busy", { detail: "the change is stored, but the control loop has not applied it" });
	};
	response.later();
	look();
}

/**
 * Has the rest of a write done in a turn of its own, also when its client is gone by then. What it throws is
 * answered 500 and logged, as it is for a handler.
 */
export function inOwnTurn({ later, log }: ApiContext, response: HttpResponse, work: () => void): void {
	response.later();
	later(() => {
		try {
			work();
		} catch (error) {
			log.write("ERROR", "http", String(error));
			plainProblem(response, 500);
		}
	}, 0);
}

/**
 * @param current what is active, for a client that has missed it
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
	const active = revisions[name];
	if (value === active) return true;
	response.refusal = "changed meanwhile";
	const refusal = { error: response.refusal, field: "revision", value, allowed: `${active}, which is active` };
	const answer = { ...refusal, revision: active, ...(current === undefined ? {} : { current: current() }) };
	response.json(409, answer);
	return false;
}

/** All revisions, for an object of an answer. */
export function revisionsOf({ controller, revisions }: ApiContext) {
	revisions.observe(controller.settings);
	const { map, speedCurve, throttleCurve, rpmCurve, settings } = revisions;
	return { map, speedCurve, throttleCurve, rpmCurve, settings };
}

/**
 * What the query asks for.
 * @param active where it says nothing, or 0 @param earlier the state of that many changes ago
 * @returns undefined after it has answered: 400 `invalid before`, 404 `not found`
 */
export function wantedState<T>(
	{ history }: ApiContext,
	request: HttpRequest,
	response: HttpResponse,
	of: Kept,
	active: T,
	earlier: (before: number) => T | undefined,
): T | undefined {
	const before = wholeNumberIn(request, response, "before", 0, STATES_MAX, 0);
	if (before === undefined) return undefined;
	const state = before === 0 ? active : earlier(before);
	if (state === undefined)
		problem(response, 404, "not found", { field: "before", value: before, allowed: `0..${history.count(of)} now` });
	return state;
}

/** Of the status: the names of the active map, how many states one can go back, and what a swap brings. */
export function mapsAtHand({ controller: { settings }, history }: ApiContext) {
	return { ...namesOfMap(settings.mapFrom, !isAsStored(settings)), earlier: earlierStates(history) };
}

/**
 * `mapName`, "" = it is stored nowhere; `mapFrom`, "" = it was made from no stored map.
 * @param from path, "" = none
 */
function namesOfMap(from: string, changed: boolean) {
	const mapFrom = nameOf(from);
	return { mapName: changed ? "" : mapFrom, mapFrom };
}

function earlierStates(history: TuningHistory) {
	const { otherMapName } = history;
	return {
		map: history.count("map"),
		speedCurve: history.count("speedCurve"),
		throttleCurve: history.count("throttleCurve"),
		rpmCurve: history.count("rpmCurve"),
		...(otherMapName === undefined ? { mapName: null, mapFrom: "" } : namesOfMap(otherMapName.from, otherMapName.changed)),
	};
}
