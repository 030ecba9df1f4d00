/**
 * GET /api/openapi.json: the interface described in OpenAPI 3.1, sent from ROM piece by piece. `openapi.json` beside this file is
 * the source; tests hold routes and answers to it.
 */

import { HEADER } from "../http/header-names.js";
import { TextProducer } from "../http/producer.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import type { ApiContext } from "./context.js";
import { OPENAPI_BYTES, OPENAPI_TAG, OPENAPI_TEXT } from "./generated/openapi-text.js";

/** Answers with the description, or 304 to a client that has it. */
export function getOpenapi(_context: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const known = request.header(HEADER.IF_NONE_MATCH);
	if (known !== undefined && (known === "*" || known.includes(OPENAPI_TAG))) response.empty(304);
	else response.stream(200, "application/json", new TextProducer(OPENAPI_TEXT), OPENAPI_BYTES);
	response.header("ETag", OPENAPI_TAG);
	response.cacheControl = "no-cache";
}
