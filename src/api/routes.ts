/**
 * All routes, as one table: the index of the interface. Paths match exactly, one trailing slash is tolerated.
 */

import type { HttpRequest } from "../http/request.js";
import type { Method } from "../http/request-head.js";
import type { HttpResponse } from "../http/response.js";
import type { BodySink, Route } from "../http/router.js";
import type { ApiContext } from "./context.js";
import { getEvents } from "./events.js";
import { getLogRead, getLogs, postLogClear, postLogDelete } from "./logs.js";
import { postMode } from "./mode.js";
import { getOpenapi } from "./openapi.js";
import { getStatus } from "./status.js";

export interface ApiRoute extends Route {
	/** GET serves HEAD too. */
	readonly method: Method;
	readonly path: string;
	/** Answers the request; its body, if collected, is in `request.body`. Required unless the body is streamed. */
	readonly handle?: (context: ApiContext, request: HttpRequest, response: HttpResponse) => void;
	/** Begins a streamed body, or answers and returns undefined. Required if the body is streamed. */
	readonly open?: (context: ApiContext, request: HttpRequest, response: HttpResponse) => BodySink | undefined;
}

export const ROUTES: readonly ApiRoute[] = Object.freeze([
	Object.freeze({ method: "GET", path: "/api/status", body: "ignore", handle: getStatus } as const),
	Object.freeze({ method: "POST", path: "/api/mode", body: "collect", handle: postMode } as const),
	Object.freeze({ method: "GET", path: "/api/events", body: "ignore", handle: getEvents } as const),
	Object.freeze({ method: "GET", path: "/api/openapi.json", body: "ignore", handle: getOpenapi } as const),
	Object.freeze({ method: "GET", path: "/api/logs", body: "ignore", handle: getLogs } as const),
	Object.freeze({ method: "GET", path: "/api/logs/read", body: "ignore", handle: getLogRead } as const),
	Object.freeze({ method: "POST", path: "/api/logs/delete", body: "collect", handle: postLogDelete } as const),
	Object.freeze({ method: "POST", path: "/api/logs/clear", body: "collect", handle: postLogClear } as const),
]);
