/** The description of an endpoint. */

import type { TProperties, TSchema } from "./schema.js";

/** A body: a schema of JSON, or a schema for each content type. */
export type Content = TSchema | Readonly<Record<string, TSchema>>;

/** Causes by error text. `<...>` in a text stands for anything. */
export type Errors = Readonly<Record<string, string>>;

/** One endpoint. */
export interface Endpoint {
	/** Name of the operation for generators of clients. */
	readonly id: string;
	readonly says: string;
	readonly note?: string;
	/** Parameters of the query; those that are not optional are required. */
	readonly query?: TProperties;
	/** Headers of the request. */
	readonly headers?: TProperties;
	readonly body?: Content;
	/** A request without a body is fine, too. */
	readonly bodyOptional?: true;
	/** A body that is accepted. */
	readonly example?: unknown;
	/** Body of 200. */
	readonly answer: Content;
	/** What 200 means. */
	readonly means: string;
	/** A body of 200. */
	readonly answerExample?: unknown;
	/** Headers of 200. */
	readonly answerHeaders?: TProperties;
	/** 304 to a client that has it. */
	readonly notModified?: true;
	/** Its own errors by status; what all endpoints of its kind answer is added. */
	readonly errors?: Readonly<Record<number, Errors>>;
	/** Bodies of errors that are no `Error`. */
	readonly errorBodies?: Readonly<Record<number, Content>>;
	/** A POST that needs no key of the owner. */
	readonly needsNoKey?: true;
	/** It works in a boot loop, too. */
	readonly inBootLoop?: true;
}

/** Endpoints by method and path, such as "GET /api/status". */
export type Endpoints = Readonly<Record<string, Endpoint>>;

/** Why a write is answered with 503 although it is stored. */
export const NOT_APPLIED = "no control tick applied the change within 200 ms; it is stored";

/** Errors that many endpoints have, by the name of the response in the document. */
export const SHARED: Readonly<Record<string, readonly [status: number, Errors]>> = {
	Forbidden: [403, { "cross-origin request refused": "a foreign host name, or a page of another site" }],
	Unauthorized: [401, { "password required": "the owner has set a password, and the request lacks its key" }],
	TooLong: [414, { "request line too long": "more than 1 KiB" }],
	TooLarge: [413, { "body too large": "more than 8 KiB" }],
	MediaType: [415, { "unsupported media type": "multipart" }],
	Conflict: [409, { "changed meanwhile": "`revision` is not the active one" }],
	Busy: [503, { busy: "the heap is full: try again" }],
	Unavailable: [503, { busy: "the heap is full: try again", "boot loop": "it crashed three times in a row" }],
	NotApplied: [503, { busy: NOT_APPLIED, "boot loop": "it crashed three times in a row" }],
};
const BAD_JSON: Errors = { "invalid json": "", "invalid object": "" };

const isSchema = (content: Content): content is TSchema => !Object.keys(content).some((key) => key.includes("/"));

/** Content by type. */
export const contentsOf = (content: Content): Readonly<Record<string, TSchema>> =>
	isSchema(content) ? { "application/json": content } : content;

/**
 * All errors of an endpoint with their causes, by status: its own, and what all of its kind answer.
 * @param name method and path
 */
export function errorsOf(name: string, { body, errors = {}, query, needsNoKey, inBootLoop }: Endpoint): Record<number, Errors> {
	const all: Record<number, Errors> = {};
	const add = (status: number, texts: Errors) => {
		all[status] = { ...texts, ...all[status] };
	};
	const share = (response: string) => add(...SHARED[response]);
	for (const [status, texts] of Object.entries(errors)) add(Number(status), texts);
	if (body !== undefined && "application/json" in contentsOf(body)) {
		add(400, BAD_JSON);
		for (const response of ["TooLarge", "MediaType"]) share(response);
	}
	if (query !== undefined) share("TooLong");
	share("Forbidden");
	if (name.startsWith("POST ") && !needsNoKey) share("Unauthorized");
	share(inBootLoop ? "Busy" : "Unavailable");
	return all;
}
