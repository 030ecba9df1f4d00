/** `?before=` of map and curves: what was in force that many changes ago. Ours; the reference forgets what it replaces. */

import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { nameOf } from "../maps/map-path.js";
import { type Kept, STATES_MAX, type TuningHistory } from "../maps/tuning-history.js";
import { UNNAMED_MAP } from "../settings/settings-table.js";
import type { ApiContext } from "./context.js";
import { problem } from "./problem.js";
import { wholeNumberIn } from "./query.js";

/**
 * What the query asks for.
 * @param inForce where it says nothing, or 0 @param earlier of so many changes ago
 * @returns undefined after it has answered: 400 `invalid before`, 404 `not found`
 */
export function wantedState<T>(
	{ history }: ApiContext,
	request: HttpRequest,
	response: HttpResponse,
	of: Kept,
	inForce: T,
	earlier: (before: number) => T | undefined,
): T | undefined {
	const before = wholeNumberIn(request, response, "before", 0, STATES_MAX, 0);
	if (before === undefined) return undefined;
	const state = before === 0 ? inForce : earlier(before);
	if (state === undefined)
		problem(response, 404, "not found", { field: "before", value: before, allowed: `0..${history.count(of)} now` });
	return state;
}

/** `mapName` and `earlier` of the status: what the map in force is called, how many states one can go back, and what a swap brings. */
export function mapsAtHand({ controller, history }: ApiContext) {
	return { mapName: shownName(controller.settings.currentMap), earlier: earlierStates(history) };
}

/** "" = it has no name. */
function shownName(path: string): string {
	return path === UNNAMED_MAP ? "" : nameOf(path);
}

function earlierStates(history: TuningHistory) {
	const { otherMapPath } = history;
	return {
		map: history.count("map"),
		speedCurve: history.count("speedCurve"),
		throttleCurve: history.count("throttleCurve"),
		rpmCurve: history.count("rpmCurve"),
		mapName: otherMapPath === undefined ? null : shownName(otherMapPath),
	};
}
