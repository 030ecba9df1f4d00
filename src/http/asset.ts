/**
 * A file as the firmware carries and serves it: compressed, out of ROM. The page's and the interface's
 * description are generated, by `tools/build-page.mjs` and `tools/build-openapi.mjs`.
 */

import type { HttpRequest } from "./request.js";
import { HEADER } from "./request-head.js";
import type { HttpResponse } from "./response.js";

/** One file in ROM. */
export interface Asset {
	/** As requested, e.g. "/app.js"; "/" is the page itself. */
	readonly path: string;
	readonly contentType: string;
	/** Quoted, as in the header ETag; changes with every byte of the content. */
	readonly tag: string;
	/** The content as transferred, compressed with gzip; in ROM. */
	readonly gzip: Uint8Array;
}

/**
 * Answers with the file, or 304 to a client that has it. Asked for each time: an update of the firmware must
 * show at once.
 */
export function sendAsset(asset: Asset, request: HttpRequest, response: HttpResponse): void {
	const known = request.header(HEADER.IF_NONE_MATCH);
	if (known !== undefined && (known === "*" || known.includes(asset.tag))) response.empty(304);
	else {
		response.bytes(200, asset.contentType, asset.gzip);
		response.header("Content-Encoding", "gzip");
	}
	response.header("ETag", asset.tag);
	response.cacheControl = "no-cache";
}
