/** Serves the page: an allow-list of files out of ROM. All else is the interface's to answer. */

import { type Asset, sendAsset } from "../http/asset.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import type { BodySink, Route, Router } from "../http/router.js";

/** Nothing is loaded from elsewhere, no script stands in the page, nobody may frame it. */
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

interface SiteRoute extends Route {
	/** Undefined: a redirect. */
	readonly asset: Asset | undefined;
	readonly location: string;
}

/** In front of the interface's router: GET and HEAD of the page's files and of the reference's pages. */
export class SiteRouter implements Router {
	readonly #api: Router;
	readonly #assets: readonly Asset[];
	readonly #addressOf: (request: HttpRequest) => string;

	/**
	 * @param api answers what is no file of the page
	 * @param addressOf where a request should have gone, such as `http://192.168.4.1`, because the page does
	 * not work under its Host; "" = it is right
	 */
	constructor(api: Router, assets: readonly Asset[], addressOf: (request: HttpRequest) => string = () => "") {
		this.#api = api;
		this.#assets = assets;
		this.#addressOf = addressOf;
	}

	match(request: HttpRequest, response: HttpResponse): Route | undefined {
		const isApi = request.path.startsWith("/api/");
		if (!isApi && (request.method === "GET" || request.method === "HEAD")) {
			for (const asset of this.#assets)
				if (asset.path === request.path) return { body: "ignore", isSmall: true, asset, location: "" } as SiteRoute;
			for (let i = 0; i < FORMER_PAGES.length; i += 2)
				if (FORMER_PAGES[i] === request.path)
					return { body: "ignore", isSmall: true, asset: undefined, location: FORMER_PAGES[i + 1] } as SiteRoute;
		}
		return this.#api.match(request, response);
	}

	handle(route: Route, request: HttpRequest, response: HttpResponse): void {
		const { asset, location } = route as Partial<SiteRoute>;
		if (location === undefined) {
			this.#api.handle(route, request, response);
			return;
		}
		const address = this.#addressOf(request);
		if (asset === undefined || address !== "") response.header("Location", `${address}${asset?.path ?? location}`).empty(302);
		else serve(asset, request, response);
	}

	open(route: Route, request: HttpRequest, response: HttpResponse): BodySink | undefined {
		return this.#api.open(route, request, response);
	}

	problem(status: number, response: HttpResponse): void {
		this.#api.problem(status, response);
	}

	answers(request: HttpRequest | undefined, response: HttpResponse): void {
		this.#api.answers?.(request, response);
	}
}

function serve(asset: Asset, request: HttpRequest, response: HttpResponse): void {
	sendAsset(asset, request, response);
	response.header("Content-Security-Policy", POLICY).header("Referrer-Policy", "no-referrer");
}
