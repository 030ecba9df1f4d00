/**
 * GET /api/openapi.json: the interface described in OpenAPI 3.1. Its source is `description/`; tests hold
 * routes and answers to it.
 */

import { sendAsset } from "../http/asset.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import type { ApiContext } from "./context.js";
import { OPENAPI } from "./generated/openapi-asset.js";

/** Answers with the description, or 304 to a client that has it. */
export function getOpenapi(_context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	sendAsset(OPENAPI, request, response);
}
