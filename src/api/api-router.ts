/**
 * Finds the route of a request and guards it: own host names and same origin first, then path, method, the
 * owner's key, content type.
 */

import type { HttpRequest } from "../http/request.js";
import { HEADER } from "../http/request-head.js";
import type { HttpResponse } from "../http/response.js";
import type { BodySink, Router } from "../http/router.js";
import { lowerCase } from "../text/characters.js";
import type { ApiContext } from "./context.js";
import { addressInstead, isAllowed, isOfApp, isOfPage, isOwnHost, mayChange } from "./guards.js";
import { answerRejection, problem, reject, rejectPlainly } from "./problem.js";
import type { ApiRoute } from "./routes.js";
import { GUARD_WORDS, STATUS_WORDS } from "./words.js";

/** A longer path is cut in the log. */
const LOGGED_PATH_MAX = 64;

/**
 * The interface's router, for `http/connection.ts`. What is rejected is answered here, with a problem that
 * says why.
 */
export class ApiRouter implements Router {
	readonly #context: ApiContext;
	readonly #routes: readonly ApiRoute[];

	/** @param routes usually `ROUTES` */
	constructor(context: ApiContext, routes: readonly ApiRoute[]) {
		this.#context = context;
		this.#routes = routes;
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
		if ((isApi || !reads) && !isAllowed(request.head, this.#appOrigin)) rejectPlainly(403, this.#whyForeign(request));
		if (request.method === "OPTIONS" && isOfApp(request.head, this.#appOrigin)) {
			permit(response);
			return undefined;
		}
		const method = request.method === "HEAD" ? "GET" : request.method;
		let allowed = "";
		for (const route of this.#routes) {
			if (route.path !== path) continue;
			if (route.method === method) {
				if (reads && route.asksCar === true && isOfPage(request.head)) rejectPlainly(403, GUARD_WORDS.byPost);
				if (this.#context.bootLoop && route.inBootLoop !== true) reject(503, "boot loop", { detail: GUARD_WORDS.bootLoop });
				if (!this.#mayChange(route, request, response)) return undefined;
				if (route.body === "collect" && isForm(request)) rejectPlainly(415);
				return route;
			}
			allowed += `${allowed === "" ? "" : ", "}${route.method === "GET" ? "GET, HEAD" : route.method}`;
		}
		if (allowed !== "") {
			response.header("Allow", allowed);
			rejectPlainly(405);
		}
		if (isApi) rejectPlainly(404);
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
	#whyForeign({ head }: HttpRequest): string | undefined {
		if (isOwnHost(head)) return GUARD_WORDS.otherPage;
		const address = addressInstead(head, this.#context.network);
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
	#mayChange({ method, needsNoKey }: ApiRoute, { head }: HttpRequest, response: HttpResponse): boolean {
		return method === "GET" || needsNoKey === true || mayChange(this.#context.owner, head, response);
	}

	open(route: ApiRoute, request: HttpRequest, response: HttpResponse): BodySink | undefined {
		return route.open?.(this.#context, request, response);
	}

	problem(status: number, response: HttpResponse): void {
		problem(response, status, STATUS_WORDS[status]);
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

/** Certainly no JSON. Any other type is tried: command-line clients call JSON `x-www-form-urlencoded`. */
function isForm(request: HttpRequest): boolean {
	return lowerCase(request.header(HEADER.CONTENT_TYPE) ?? "").startsWith("multipart/");
}

function withoutTrailingSlash(path: string): string {
	return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
