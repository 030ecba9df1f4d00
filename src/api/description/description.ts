/**
 * The interface's description: all endpoints by task, and the OpenAPI document that follows from them. A
 * route or a member is described here and nowhere else. The page takes its types from it, docs/api.md its
 * tables, the tests hold every answer to it.
 */

import { CALIBRATION } from "./calibration.js";
import { CAN } from "./can.js";
import { DIAGNOSIS } from "./diagnosis.js";
import { documentOf } from "./document.js";
import { LOGS } from "./logs.js";
import { MAP } from "./map.js";
import { NETWORK } from "./network.js";
import type { Endpoints } from "./route.js";
import { raw, text } from "./schema.js";
import { SETTINGS } from "./settings.js";
import { STATE } from "./state.js";
import { UPDATE } from "./update.js";

const INTERFACE: Endpoints = {
	"GET /api/openapi.json": {
		id: "getOpenapi",
		says: "This description",
		answer: raw({ type: "object", additionalProperties: true }),
		answerHeaders: { "Content-Encoding": raw({ const: "gzip" }), ETag: text() },
		means: "OpenAPI 3.1",
		notModified: true,
	},
};

/** All endpoints by task. */
export const TASKS: Readonly<Record<string, Endpoints>> = {
	state: STATE,
	settings: SETTINGS,
	map: MAP,
	network: NETWORK,
	update: UPDATE,
	can: CAN,
	logs: LOGS,
	calibration: CALIBRATION,
	diagnosis: DIAGNOSIS,
	interface: INTERFACE,
};

/** All endpoints. */
export const ENDPOINTS: Endpoints = Object.assign({}, ...Object.values(TASKS));

/** The OpenAPI document, as it is served. */
export const OPENAPI = documentOf(TASKS);
