/** The application, as the server sees it. `src/api` implements it. */

import type { HttpRequest } from "./request.js";
import type { HttpResponse } from "./response.js";

/** An endpoint, before its body comes. */
export interface Route {
	/** How it wants its body: thrown away, in one piece (at most `bodyBytes`), or as it comes. */
	readonly body: "ignore" | "collect" | "stream";
	/** With a short body it needs little heap (`SMALL_SLOTS`): it is handled where others get 503. */
	readonly isSmall?: boolean;
}

/** Receives a streamed body. As soon as the request is answered nothing more is delivered. */
export interface BodySink {
	/** The next bytes, `bytes[start, end)`; they are gone after the call. */
	write(bytes: Uint8Array, start: number, end: number): void;
	/** The body is complete. Must answer, now or later. */
	end(): void;
	/** The body will never be complete: peer gone, time-out, broken framing. */
	abort(): void;
}

/** All may throw: the request is then answered with 500 and the error reported. */
export interface Router {
	/**
	 * Chooses a route by the head alone.
	 * @returns undefined after it has answered the request itself (404, 403, ...)
	 */
	match(request: HttpRequest, response: HttpResponse): Route | undefined;
	/** Handles a request whose body is complete. Must answer, now or later. */
	handle(route: Route, request: HttpRequest, response: HttpResponse): void;
	/** Begins a streamed body. @returns undefined after it has answered the request itself */
	open(route: Route, request: HttpRequest, response: HttpResponse): BodySink | undefined;
	/** Answers for the server itself. @param status 400 and above */
	problem(status: number, response: HttpResponse): void;
	/**
	 * Told of each answer before it is sent: it may add headers.
	 * @param request undefined if its head could not be read
	 */
	answers?(request: HttpRequest | undefined, response: HttpResponse): void;
}
