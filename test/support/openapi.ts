// The interface's description, and whether an answer is as it says. Undocumented members are refused, too.
import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

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

const TEXT = readFileSync("src/api/openapi.json", "utf8");
export const OPENAPI = JSON.parse(TEXT) as {
	readonly security: readonly Json[];
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly components: { readonly responses: Readonly<Record<string, Answer>>; readonly schemas: Readonly<Record<string, Json>> };
};

/** What the server may answer to any request, with the body of an error. */
const ANYWHERE: readonly number[] = [400, 403, 404, 405, 408, 413, 414, 415, 417, 431, 500, 501, 503, 504, 505];

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

/** What is wrong with an answer of the interface, "" if it is as described. @param path with or without query */
export function wrongAnswer(method: string, path: string, status: number, contentType: string, text: string): string {
	const where = path.split("?")[0].replace(/(.)\/$/, "$1");
	const operation = OPENAPI.paths[where]?.[method === "HEAD" ? "get" : method.toLowerCase()];
	let answer = operation?.responses[status];
	if (answer?.$ref !== undefined) answer = OPENAPI.components.responses[answer.$ref.split("/").at(-1) as string];
	const name = `${method} ${path} ${status}`;
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
	return type === "application/json" ? badJson(content.schema, text, name) : "";
}

function badJson(schema: Json, text: string, name: string): string {
	try {
		const problem = wrong(schema, JSON.parse(text));
		return problem === "" ? "" : `${name}: ${problem}: ${text.slice(0, 300)}`;
	} catch (error) {
		return `${name}: ${(error as Error).message}: ${text.slice(0, 300)}`;
	}
}
