/**
 * Finds the route of a request and guards it: own host names and same origin first, then path, method, the
 * owner's key, content type. What is rejected is answered here, with a problem that says why.
 */

import { Header, type HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import type { BodySink, Router } from "../http/router.js";
import { lowerCase } from "../text/characters.js";
import type { ApiContext } from "./context.js";
import { addressInstead, isAllowed, isOfApp, isOfPage, isOwnHost, mayChange } from "./guards.js";
import { answerRejection, problem, reject } from "./problem.js";
import type { ApiRoute } from "./routes.js";
import { GUARD_WORDS } from "./words.js";

/** A longer path is cut in the log. */
const LOGGED_PATH_MAX = 64;

/** The interface's router, and that of the page behind it. */
export class ApiRouter implements Router {
	readonly #context: ApiContext;
	readonly #routes: readonly ApiRoute[];
	readonly #page: ApiRoute | undefined;

	/**
	 * @param routes usually `ROUTES`
	 * @param page answers each read outside the interface; 404 without it
	 */
	constructor(context: ApiContext, routes: readonly ApiRoute[], page?: ApiRoute) {
		this.#context = context;
		this.#routes = routes;
		this.#page = page;
	}

	match(request: HttpRequest, response: HttpResponse): ApiRoute | undefined {
		try {
			return this.#guarded(request, response);
		} catch (error) {
			if (!answerRejection(response, error)) throw error;
			return undefined;
		}
	}

	#guarded(request: HttpRequest, response: HttpResponse): ApiRoute | undefined {
		const path = withoutTrailingSlash(request.path);
		const isApi = path === "/api" || path.startsWith("/api/");
		const reads = request.method === "GET" || request.method === "HEAD";
		if ((isApi || !reads) && !isAllowed(request, this.#appOrigin)) reject(403, undefined, { detail: this.#whyForeign(request) });
		if (request.method === "OPTIONS" && isOfApp(request, this.#appOrigin)) {
			permit(response);
			return undefined;
		}
		const method = request.method === "HEAD" ? "GET" : request.method;
		let allowed = "";
		for (const route of this.#routes) {
			if (route.path !== path) continue;
			if (route.method === method) {
				if (reads && route.asksCar === true && isOfPage(request)) reject(403, undefined, { detail: GUARD_WORDS.byPost });
				if (this.#context.bootLoop && route.inBootLoop !== true) reject(503, "boot loop", { detail: GUARD_WORDS.bootLoop });
				if (!this.#mayChange(route, request, response)) return undefined;
				if (route.body === "collect") rejectForm(request.header(Header.CONTENT_TYPE));
				return route;
			}
			allowed += `${allowed === "" ? "" : ", "}${route.method === "GET" ? "GET, HEAD" : route.method}`;
		}
		if (allowed !== "") {
			response.header("Allow", allowed);
			reject(405);
		}
		if (isApi) reject(404);
		if (reads && this.#page !== undefined) return this.#page;
		response.text(404, "Not found");
		return undefined;
	}

	get #appOrigin(): string {
		return this.#context.controller.settings.allowedOrigin;
	}

	/**
	 * Which address works in place of a name that is not ours, undefined = none; or what an app does whose
	 * page is another's.
	 */
	#whyForeign(request: HttpRequest): string | undefined {
		if (isOwnHost(request)) return GUARD_WORDS.otherPage;
		const address = addressInstead(request, this.#context.network);
		return address === "" ? undefined : `${GUARD_WORDS.otherName} ${address}`;
	}

	handle(route: ApiRoute, request: HttpRequest, response: HttpResponse): void {
		// while the body came another password may have been set: what the head said of the key is over then
		if (!this.#mayChange(route, request, response)) return;
		try {
			const answer = route.handle?.(this.#context, request, response);
			if (answer !== undefined) response.json(200, answer);
		} catch (error) {
			if (!answerRejection(response, error)) throw error;
		}
	}

	/** False after it has answered 401: the request needs the owner's key, and has it not. */
	#mayChange({ method, needsNoKey }: ApiRoute, request: HttpRequest, response: HttpResponse): boolean {
		return method === "GET" || needsNoKey === true || mayChange(this.#context.owner, request, response);
	}

	open(route: ApiRoute, request: HttpRequest, response: HttpResponse): BodySink | undefined {
		return route.open?.(this.#context, request, response);
	}

	problem(status: number, response: HttpResponse): void {
		problem(response, status);
	}

	answers(request: HttpRequest | undefined, response: HttpResponse): void {
		const { status, rejection } = response;
		const origin = this.#appOrigin;
		if (request !== undefined && isOfApp(request, origin))
			response.header("Access-Control-Allow-Origin", origin).header("Vary", "Origin");
		if (status < 400) return;
		// the way a string stands in JSON shows control characters and quotes for what they are
		const what = request === undefined ? "" : `${request.method} ${JSON.stringify(request.path.slice(0, LOGGED_PATH_MAX))} `;
		this.#context.log.write("WARN", "request", `${what}${status} ${rejection}`);
	}
}

/** Answers the question that a WebView asks before it sends what a plain form can't. */
function permit(response: HttpResponse): void {
	response.header("Access-Control-Allow-Methods", "GET, HEAD, POST");
	response.header("Access-Control-Allow-Headers", "Authorization, Content-Type, Last-Event-ID");
	response.header("Access-Control-Max-Age", "600").empty(204);
}

/** Certainly no JSON. Any other type is tried: command-line clients call JSON `x-www-form-urlencoded`. */
function rejectForm(value = ""): void {
	if (!lowerCase(value).startsWith("multipart/")) return;
	reject(415, undefined, { field: "Content-Type", value, allowed: "application/json, or any other type but multipart" });
}

function withoutTrailingSlash(path: string): string {
	return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
