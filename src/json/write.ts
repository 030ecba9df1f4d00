/**
 * Objects that are made to be sent as JSON. The sources have plain literals in `asJson`, and `JSON.stringify` writes those. In what runs on XS
 * `tools/transformations/json-members.mjs` has put names and values apart, and C writes the text: an object and the engine's stringify take
 * several times as much, and make a name of the engine of each member.
 */

import { Text } from "../../modules/text/text.js";

declare const isJson: unique symbol;
declare const isPart: unique symbol;

/** What `asJson` makes: an object, on XS its text. */
export interface Json {
	readonly [isJson]: true;
}

/** A value that is no text, number, boolean or null. */
export interface Part {
	readonly [isPart]: true;
}

type Value = string | number | boolean | null | undefined | Part;

/** Call it with a literal; spread in it may be other `Json`. Names are of letters, digits and `_`. A member that is undefined is left out. */
export const asJson = Text.asJson as unknown as (members: Readonly<Record<string, Value>>) => Json;

/** The same for names that are known at run time only, with a blank between two. @param values in their order; they are used up */
export const asJsonOf = Text.asJsonOf as unknown as (names: string, values: Value[]) => Json;

/** For a member whose value is an object. */
export function part(value: Json): Part {
	return value as never;
}

/** For a member whose value is a list of them. */
export function partList(items: readonly Json[]): Part {
	return items as never;
}

/** For a member whose value the engine writes. @param value not from ROM: XS's JSON.stringify refuses frozen preloaded objects */
export function enginePart(value: object): Part {
	return value as never;
}

/** The text that is sent. @param value `Json`, or another object as `enginePart` takes it */
export function jsonText(value: object | string): string {
	return typeof value === "string" ? value : JSON.stringify(value);
}
