/** The page: an allow-list of files out of ROM, and where the pages of other firmware have gone. */

import type { ApiRoute } from "../api/routes.js";
import { type Asset, sendAsset } from "../http/asset.js";
import type { HttpRequest } from "../http/request.js";

/** Nothing is loaded from elsewhere, no script stands in the page, no site may frame it. */
const POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";

/**
 * Addresses of OpenHaldex-S3's pages and the part of ours that does the same.
 * Source: docs/api.md, "Names of other firmware".
 */
const FORMER_PAGES: readonly string[] = Object.freeze([
	...["/index.html", "/#drive", "/map", "/#map", "/map.html", "/#map", "/speed.html", "/#curves/speed"],
	...["/throttle.html", "/#curves/throttle", "/rpm.html", "/#curves/rpm", "/canview", "/#can", "/canview.html", "/#can"],
	...["/diag", "/#diagnosis", "/diag.html", "/#diagnosis", "/logs.html", "/#logs", "/setup.html", "/#coupling"],
	...["/ota", "/#update", "/ota.html", "/#update", "/help.html", "/#about", "/about.html", "/#about"],
]);

/**
 * Answers each read outside the interface.
 * @param addressOf where a request should have gone, such as `http://192.168.4.1`, because the page does not
 * work under its Host; "" = it is right
 */
export function siteRoute(assets: readonly Asset[], addressOf: (request: HttpRequest) => string = () => ""): ApiRoute {
	return {
		method: "GET",
		path: "",
		inBootLoop: true,
		body: "ignore",
		isSmall: true,
		handle(_context, request, response) {
			const { path } = request;
			const asset = assets.find((one) => one.path === path);
			const former = FORMER_PAGES.findIndex((one, i) => i % 2 === 0 && one === path);
			if (asset === undefined && former < 0) {
				response.text(404, "Not found");
				return;
			}
			const address = addressOf(request);
			if (asset === undefined || address !== "")
				response.header("Location", `${address}${asset?.path ?? FORMER_PAGES[former + 1]}`).empty(302);
			else {
				sendAsset(asset, request, response);
				response.header("Content-Security-Policy", POLICY).header("Referrer-Policy", "no-referrer");
			}
		},
	};
}
