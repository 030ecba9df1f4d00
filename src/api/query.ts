/** Parameters of a query. */

import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { consistsOf, DECIMAL } from "../text/characters.js";
import { problem } from "./problem.js";

/** No parameter of ours has more. */
const DIGITS_MAX = 9;

/** A whole number of `min` .. `max`, `usual` where it is absent; undefined after it has answered 400 `invalid <name>`. */
export function wholeNumberIn(
	request: HttpRequest,
	response: HttpResponse,
	name: string,
	min: number,
	max: number,
	usual: number,
): number | undefined {
	const text = request.query(name);
	if (text === undefined) return usual;
	const value = text.length <= DIGITS_MAX && consistsOf(text, DECIMAL) ? Number(text) : -1;
	if (value >= min && value <= max) return value;
	problem(response, 400, `invalid ${name}`, { field: name, value: text, allowed: `${min}..${max}` });
	return undefined;
}
