/**
 * GET /api/dashboard: what displays for OpenHaldex-C6 read, with its numbers for the modes.
 * Source: docs/http-api.md 6.10, docs/control-and-can.md 1.1.
 */

import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { formerNumberOf } from "../lock/modes.js";
import type { ApiContext } from "./context.js";

/** Answers 200: modes -1 for those that OpenHaldex-C6 does not have; km/h, 1/min, mbar, percent. */
export function getDashboard({ controller }: ApiContext, _: HttpRequest, response: HttpResponse): void {
	const { vehicle } = controller;
	const values = {
		mode: formerNumberOf(controller.supervisor.selectedMode),
		effectiveMode: formerNumberOf(controller.effectiveMode),
		speed: Math.round(vehicle.speedKmh),
		rpm: Math.round(vehicle.rpm),
		boost: Math.round(vehicle.boostMbar),
		locking: Math.round(vehicle.engagementPercent),
	};
	response.json(200, values);
}
