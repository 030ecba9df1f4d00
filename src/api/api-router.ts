/**
 * Finds the route of a request and guards it: own host names and same origin first, then path, method, the
 * owner's key, content type.
 */

import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import type { BodySink, Route, Router } from "../http/router.js";
import type { ApiContext } from "./context.js";
import { addressInstead, isAllowed, isOfApp, isOfPage, isOwnHost, mayChange } from "./guards.js";
import { plainProblem, problem } from "./problem.js";
import { acceptsJson } from "./request-values.js";
import type { ApiRoute } from "./routes.js";

/** A longer path is cut in the log. */
const LOGGED_PATH_MAX = 64;
const BY_POST =
	"in a browser the car is asked by POST, and so it is in an app; where there is a password, changes need the owner's key";
const OTHER_PAGE = "an app uses the native HTTP client, or the owner sets its origin as allowedOrigin";
const OTHER_NAME = "this name may be anybody's: open";
const BOOT_LOOP = "only update, status and logs are there: install another version, or switch the supply off and on";

/**
 * The interface's router, for `http/connection.ts`. What is rejected is answered here, with a problem that
 * says why.
 */
export class ApiRouter implements Router {
	readonly #context: ApiContext;
	readonly #routes: readonly ApiRoute[];
	readonly #paths: readonly string[];

	/**
	 * @param routes usually `ROUTES`
	 * @param paths theirs, in the same order: looking through texts is the engine's own work
	 */
	constructor(context: ApiContext, routes: readonly ApiRoute[], paths: readonly string[] = routes.map(({ path }) => path)) {
		this.#context = context;
		this.#routes = routes;
		this.#paths = paths;
	}

	match(request: HttpRequest, response: HttpResponse): ApiRoute | undefined {
		const path = withoutTrailingSlash(request.path);
		const isApi = path === "/api" || path.startsWith("/api/");
		const reads = request.method === "GET" || request.method === "HEAD";
		if ((isApi || !reads) && !isAllowed(request.head, this.#appOrigin)) {
			plainProblem(response, 403, this.#whyForeign(request));
			return undefined;
		}
		if (request.method === "OPTIONS" && isOfApp(request.head, this.#appOrigin)) {
			permit(response);
			return undefined;
		}
		const method = request.method === "HEAD" ? "GET" : request.method;
		let allowed = "";
		const paths = this.#paths;
		for (let index = paths.indexOf(path); index >= 0; index = paths.indexOf(path, index + 1)) {
			const route = this.#routes[index];
			if (route.method === method) {
				if (reads && route.asksCar === true && isOfPage(request.head)) {
					plainProblem(response, 403, BY_POST);
					return undefined;
				}
				if (this.#context.bootLoop && route.inBootLoop !== true) {
					problem(response, 503, "boot loop", { detail: BOOT_LOOP });
					return undefined;
				}
				if (!this.#mayChange(route, request, response)) return undefined;
				request.noted = this.#context.owner.changes;
				return route.body !== "collect" || acceptsJson(request, response) ? route : undefined;
			}
			allowed += `${allowed === "" ? "" : ", "}${route.method === "GET" ? "GET, HEAD" : route.method}`;
		}
		if (allowed !== "") {
			plainProblem(response, 405);
			response.header("Allow", allowed);
		} else if (isApi) plainProblem(response, 404);
		else response.text(404, "Not found");
		return undefined;
	}

	get #appOrigin(): string {
		return this.#context.controller.settings.allowedOrigin;
	}

	/**
	 * Which address works in the place of a name that is not ours, undefined = none; or what an app does whose
	 * page is another's.
	 */
	#whyForeign({ head }: HttpRequest): string | undefined {
		if (isOwnHost(head)) return OTHER_PAGE;
		const address = addressInstead(head, this.#context.network);
		return address === "" ? undefined : `${OTHER_NAME} ${address}`;
	}

	handle(route: Route, request: HttpRequest, response: HttpResponse): void {
		// while the body came another password may have been set: what the head said of the key is over then
		const isAllowed = request.noted === this.#context.owner.changes || this.#mayChange(route as ApiRoute, request, response);
		if (isAllowed) (route as ApiRoute).handle?.(this.#context, request, response);
	}

	/**
	 * True if the route is a read, or if the request may change something; false after it has answered 401.
	 */
	#mayChange({ method, needsNoKey }: ApiRoute, { head }: HttpRequest, response: HttpResponse): boolean {
		return method === "GET" || needsNoKey === true || mayChange(this.#context.owner, head, response);
	}

	open(route: Route, request: HttpRequest, response: HttpResponse): BodySink | undefined {
		return (route as ApiRoute).open?.(this.#context, request, response);
	}

	problem(status: number, response: HttpResponse): void {
		plainProblem(response, status);
	}

	answers(request: HttpRequest | undefined, response: HttpResponse): void {
		const { status, refusal } = response;
		const origin = this.#appOrigin;
		if (request !== undefined && isOfApp(request.head, origin))
			response.header("Access-Control-Allow-Origin", origin).header("Vary", "Origin");
		if (status < 400) return;
		// the way a string stands in JSON shows control characters and quotes for what they are
		const what = request === undefined ? "" : `${request.method} ${JSON.stringify(request.path.slice(0, LOGGED_PATH_MAX))} `;
		this.#context.log.write("WARN", "request", `${what}${status} ${refusal}`);
	}
}

/** Answers the question that a WebView asks before it sends what a plain form can't. */
function permit(response: HttpResponse): void {
	response.header("Access-Control-Allow-Methods", "GET, HEAD, POST");
	response.header("Access-Control-Allow-Headers", "Authorization, Content-Type, Last-Event-ID");
	response.header("Access-Control-Max-Age", "600").empty(204);
}

function withoutTrailingSlash(path: string): string {
	return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
