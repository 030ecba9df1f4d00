/**
 * The interface's description: all endpoints by task, and the OpenAPI document that follows from them. A
 * route or a member is described here and nowhere else. The page takes its types from it, docs/api.md its
 * tables, the tests hold every answer to it.
 */

import { CALIBRATION } from "./calibration.js";
import { CAN } from "./can.js";
import { ErrorBody } from "./common.js";
import { DIAGNOSIS } from "./diagnosis.js";
import { LOGS } from "./logs.js";
import { ACTIVE_STATES, MAP } from "./map.js";
import { NETWORK } from "./network.js";
import { type Content, contentsOf, type Endpoint, type Endpoints, type Errors, errorsOf, SHARED } from "./route.js";
import { anyOf, NAMED, named, object, optional, raw, type TProperties, type TSchema, text, whole } from "./schema.js";
import { SETTINGS } from "./settings.js";
import { STATE } from "./state.js";
import { UPDATE } from "./update.js";

const INTERFACE: Endpoints = {
	"GET /api/openapi.json": {
		id: "getOpenapi",
		says: "This description",
		answer: raw({ type: "object", additionalProperties: true }),
		answerHeaders: { "Content-Encoding": raw({ const: "gzip" }), ETag: text() },
		means: "OpenAPI 3.1",
		notModified: true,
	},
};

/** All endpoints by task. */
export const TASKS: Readonly<Record<string, Endpoints>> = {
	state: STATE,
	settings: SETTINGS,
	map: MAP,
	network: NETWORK,
	update: UPDATE,
	can: CAN,
	logs: LOGS,
	calibration: CALIBRATION,
	diagnosis: DIAGNOSIS,
	interface: INTERFACE,
};

/** All endpoints. */
export const ENDPOINTS: Endpoints = Object.assign({}, ...Object.values(TASKS));

type Json = Record<string, unknown>;

const Conflict = named(
	"Conflict",
	object(
		{
			error: text(),
			field: optional(text()),
			value: optional(whole()),
			allowed: optional(text()),
			revision: optional(whole("The active one")),
			current: optional(anyOf(ACTIVE_STATES, "What is active")),
		},
		"Nothing was changed; after `changed meanwhile` with what is active",
	),
);

const INFO = {
	title: "OpenCoupling",
	version: "1",
	license: { name: "MIT", identifier: "MIT" },
	description: [
		"Interface of the coupling controller.",
		"A JSON body has at most 8 KiB, 400 values and member names together, 10 levels, and 1 KiB in a string or number.",
		"Members that are not listed are ignored.",
		"Any request may be answered with 400, 403, 404, 405, 408, 411, 413, 414, 417, 431, 500, 501, 503, 504 or 505 and the body Error.",
	].join(" "),
};
const KEY_SCHEMES = {
	bearer: {
		type: "http",
		scheme: "bearer",
		description: "The key of POST /api/session; for writes only, and only if the owner has set a password",
	},
	basic: { type: "http", scheme: "basic", description: "The same key as the password, with any user name" },
};

/** `required` after the names that it repeats: compressed, that is shorter. */
function inOrder(value: unknown): unknown {
	const { properties, required, ...rest } = (value ?? {}) as Json;
	return properties === undefined || required === undefined ? value : { ...rest, properties, required };
}

/** JSON of a schema. A named one within it is a reference, with a sentence if it has one of its own here. */
const jsonOf = (schema: TSchema): Json =>
	JSON.parse(
		JSON.stringify(schema, (key, value) => {
			if (key === "$id") return undefined;
			if (value?.$id === undefined || key === "") return inOrder(value);
			const { $id, description } = value as { $id: string; description?: string };
			const own = description === (NAMED.get($id) as { description?: string }).description ? undefined : description;
			return { $ref: `#/components/schemas/${$id}`, description: own };
		}),
	);
const refOf = (schema: TSchema): Json => (jsonOf([schema] as unknown as TSchema) as unknown as Json[])[0];

const isOptional = (schema: TSchema) => "~optional" in schema;

function parameters(members: TProperties | undefined, place: string): Json[] {
	return Object.entries(members ?? {}).map(([name, member]) => {
		const { description, ...schema } = refOf(member);
		return { name, in: place, description, required: isOptional(member) ? undefined : true, schema };
	});
}

/** `content` of a body. */
function contentOf(content: Content, example?: unknown): Json {
	const entries = Object.entries(contentsOf(content)).map(([type, schema]) => {
		const json = refOf(schema);
		return [type, { schema: Object.keys(json).length === 0 ? undefined : json, example }];
	});
	return Object.fromEntries(entries);
}

const wordsOf = (errors: Errors) =>
	Object.entries(errors)
		.map(([error, cause]) => `\`${error}\`${cause === "" ? "" : `: ${cause}`}`)
		.join("; ");

const errorResponse = (errors: Errors, body?: Content): Json => ({
	description: wordsOf(errors),
	content: contentOf(body ?? ("changed meanwhile" in errors ? Conflict : ErrorBody)),
});

function responsesOf(name: string, endpoint: Endpoint): Json {
	const { answer, means, answerExample, answerHeaders, notModified, errorBodies } = endpoint;
	const headers =
		answerHeaders &&
		Object.fromEntries(
			parameters(answerHeaders, "").map(({ name, description, schema }) => [name as string, { description, schema }]),
		);
	const responses: Json = { 200: { description: means, headers, content: contentOf(answer, answerExample) } };
	if (notModified) responses["304"] = { description: "Unchanged" };
	for (const [status, errors] of Object.entries(errorsOf(name, endpoint))) {
		const shared = Object.entries(SHARED).find(
			([, [its, texts]]) => its === Number(status) && wordsOf(texts) === wordsOf(errors),
		);
		responses[status] = shared
			? { $ref: `#/components/responses/${shared[0]}` }
			: errorResponse(errors, errorBodies?.[Number(status)]);
	}
	return responses;
}

function operationOf(name: string, endpoint: Endpoint, tag: string): Json {
	const { id, says, note, query, headers, body, bodyOptional, example } = endpoint;
	const all = [...parameters(query, "query"), ...parameters(headers, "header")];
	return {
		operationId: id,
		summary: says,
		description: note,
		tags: [tag],
		parameters: all.length === 0 ? undefined : all,
		requestBody: body && { required: bodyOptional ? undefined : true, content: contentOf(body, example) },
		responses: responsesOf(name, endpoint),
	};
}

/** An undefined member is absent from the JSON. */
function documentOf(tasks: Readonly<Record<string, Endpoints>>): Json {
	const paths: Record<string, Json> = {};
	for (const [tag, endpoints] of Object.entries(tasks))
		for (const [name, endpoint] of Object.entries(endpoints)) {
			const [method, path] = name.split(" ");
			paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(name, endpoint, tag) };
		}
	const responses = Object.entries(SHARED).map(([name, [, errors]]) => [name, errorResponse(errors)]);
	return {
		openapi: "3.1.0",
		info: INFO,
		servers: [{ url: "/" }],
		security: [{}, ...Object.keys(KEY_SCHEMES).map((name) => ({ [name]: [] }))],
		tags: Object.keys(tasks).map((name) => ({ name })),
		paths,
		components: {
			responses: Object.fromEntries(responses),
			schemas: Object.fromEntries([...NAMED].map(([name, schema]) => [name, jsonOf(schema)])),
			securitySchemes: KEY_SCHEMES,
		},
	};
}

/** The OpenAPI document, as it is served. */
export const OPENAPI = documentOf(TASKS);
