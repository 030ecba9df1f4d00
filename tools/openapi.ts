// The interface's description, and whether an answer is as it says. Members and errors that are not described
// are wrong, too.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { OPENAPI as DOCUMENT, ENDPOINTS } from "../src/api/description/description.js";
import { errorsOf } from "../src/api/description/route.js";

type Json = Readonly<Record<string, unknown>>;
interface Content {
	readonly schema: Json;
}
interface Answer {
	readonly $ref?: string;
	readonly content?: Readonly<Record<string, Content>>;
}
export interface Operation {
	readonly operationId: string;
	readonly requestBody?: { readonly content: Readonly<Record<string, Content & { readonly example?: unknown }>> };
	readonly responses: Readonly<Record<string, Answer>>;
}

export const OPENAPI = JSON.parse(JSON.stringify(DOCUMENT)) as {
	readonly security: readonly Json[];
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly components: { readonly responses: Readonly<Record<string, Answer>>; readonly schemas: Readonly<Record<string, Json>> };
};

/** What the server may answer to any request, with the body of an error. */
const ANYWHERE: readonly number[] = [400, 403, 404, 405, 408, 411, 413, 414, 415, 417, 431, 500, 501, 503, 504, 505];

/** All schemas, closed: an object has the properties that are listed and no others. */
const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true });
const closed = (schema: Json): Json =>
	JSON.parse(JSON.stringify(schema).replaceAll("#/components/schemas/", "oc:#/$defs/"), (_key, value) =>
		value?.type === "object" && value.properties !== undefined && value.additionalProperties === undefined
			? { ...value, additionalProperties: false }
			: value,
	);
ajv.addSchema({ $id: "oc:", $defs: closed(OPENAPI.components.schemas) });

const validators = new Map<string, ValidateFunction>();

function validator(schema: Json): ValidateFunction {
	const text = JSON.stringify(schema);
	const found = validators.get(text) ?? ajv.compile(closed(schema));
	validators.set(text, found);
	return found;
}

/** What is wrong with a value, "" if it is as the schema says. */
export function wrong(schema: Json, value: unknown): string {
	const validate = validator(schema);
	return validate(value) ? "" : ajv.errorsText(validate.errors);
}

/**
 * What is wrong with an answer of the interface, "" if it is as described.
 * @param path with or without query
 */
export function wrongAnswer(method: string, path: string, status: number, contentType: string, text: string): string {
	const where = path.split("?")[0].replace(/(.)\/$/, "$1");
	const operation = OPENAPI.paths[where]?.[method === "HEAD" ? "get" : method.toLowerCase()];
	let answer = operation?.responses[status];
	if (answer?.$ref !== undefined) answer = OPENAPI.components.responses[answer.$ref.split("/").at(-1) as string];
	const name = `${method} ${path} ${status}`;
	const route = `${method === "HEAD" ? "GET" : method} ${where}`;
	const type = contentType.split(";")[0];
	if (answer === undefined) {
		if (!ANYWHERE.includes(status)) return `${name} is not described`;
		if (method === "HEAD") return text === "" ? "" : `${name} has a body`;
		// outside of the interface, not found is a text
		return type === "application/json" || operation !== undefined
			? badJson({ $ref: "#/components/schemas/Error" }, text, name)
			: "";
	}
	if (method === "HEAD" || answer.content === undefined) return text === "" ? "" : `${name} has a body`;
	const content = answer.content[type];
	if (content === undefined) return `${name}: content type ${contentType} is not described`;
	if (status >= 400 && !isListed(route, status, type, text)) return `${name}: the error is not listed: ${text}`;
	return type === "application/json" ? badJson(content.schema, text, name) : "";
}

/** What the server itself says to a request that it cannot read. */
const UNREADABLE = "bad request";

/** Whether the endpoint's description lists the error. `<...>` there stands for anything. */
function isListed(route: string, status: number, type: string, text: string): boolean {
	const error = type === "application/json" ? JSON.parse(text).error : text;
	const listed = Object.keys(errorsOf(route, ENDPOINTS[route])[status] ?? {});
	const patterns = listed.map((words) => words.split(/<[^>]*>/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
	return error === UNREADABLE || patterns.some((parts) => new RegExp(`^${parts.join(".*")}$`).test(error));
}

/** Of a fraction. Source: docs/api.md, "Rules". */
const SIGNIFICANT_DIGITS = 7;

function badJson(schema: Json, text: string, name: string): string {
	let long = "";
	try {
		const value = JSON.parse(text, (member, one) => {
			if (typeof one === "number" && one % 1 !== 0 && Number(one.toPrecision(SIGNIFICANT_DIGITS)) !== one)
				long ||= `${member} has more than ${SIGNIFICANT_DIGITS} significant digits`;
			return one;
		});
		const problem = wrong(schema, value) || long;
		return problem === "" ? "" : `${name}: ${problem}: ${text.slice(0, 300)}`;
	} catch (error) {
		return `${name}: ${(error as Error).message}: ${text.slice(0, 300)}`;
	}
}
