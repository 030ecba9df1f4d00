/**
 * Files that the firmware carries and serves, compressed, out of ROM: `tools/build-page.mjs` and
 * `tools/build-openapi.mjs` generate them.
 */

import type { HttpRequest } from "./request.js";
import { Header } from "./request.js";
import type { HttpResponse } from "./response.js";

/** One file in ROM. */
export interface Asset {
	/** "/" is the page itself. */
	readonly path: string;
	readonly contentType: string;
	/** Quoted, as in the header ETag. */
	readonly tag: string;
	readonly gzip: Uint8Array;
}

/**
 * Answers with the file, or 304 to a client that has it. Asked for each time: an update of the firmware must
 * show at once.
 */
export function sendAsset(asset: Asset, request: HttpRequest, response: HttpResponse): void {
	const known = request.header(Header.IF_NONE_MATCH);
	if (known !== undefined && (known === "*" || known.includes(asset.tag))) response.empty(304);
	else {
		response.bytes(200, asset.contentType, asset.gzip);
		response.header("Content-Encoding", "gzip");
	}
	response.header("ETag", asset.tag);
	response.cacheControl = "no-cache";
}
