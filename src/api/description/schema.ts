/**
 * Building blocks of the interface's description: JSON Schemas that carry their TypeScript type (`Static`),
 * made with TypeBox. The build writes them as JSON; the tests check answers with them; the page takes their
 * types. No code of the firmware imports them.
 *
 * `says` is the member's sentence, with its unit. A member whose name says everything has none.
 */

import Type, { type Static, type TArray, type TObject, type TProperties, type TSchema, type TUnsafe } from "typebox";

export type { Static, TProperties, TSchema } from "typebox";

type More = Readonly<Record<string, unknown>>;
const saying = (says: string | undefined): { description?: string } => (says === undefined ? {} : { description: says });

/** Schemas that the document has once, by name. */
export const NAMED = new Map<string, TSchema>();

/** Gives a schema a name: the document refers to it wherever it stands. */
export function named<S extends TSchema>(name: string, schema: S): S {
	NAMED.set(name, schema);
	return Object.assign(schema, { $id: name });
}

/** A schema with a sentence of its own. */
export const described = <S extends TSchema>(schema: S, says: string): S => ({ ...schema, description: says });

/** A member that may be absent. */
export const optional = <S extends TSchema>(schema: S) => Type.Optional(schema);

/** All members are required unless they are `optional`; there are no others. */
export const object = <P extends TProperties>(members: P, says?: string, more: More = {}): TObject<P> =>
	Type.Object(members, { ...saying(says), ...more });

/** An object of whole numbers by name. */
export const counters = (says: string): TUnsafe<Readonly<Record<string, number>>> =>
	Type.Unsafe({ type: "object", description: says, additionalProperties: { type: "integer", minimum: 0 } });

/** An array. @param more `minItems`, `maxItems` */
export const list = <S extends TSchema>(items: S, more: More = {}, says?: string): TArray<S> =>
	Type.Array(items, { ...saying(says), ...more });

/** An array of a fixed number of items. */
export const exactly = <S extends TSchema>(count: number, items: S, says?: string): TArray<S> =>
	list(items, { minItems: count, maxItems: count }, says);

/** true or false. */
export const flag = (says?: string, more: More = {}) => Type.Boolean({ ...saying(says), ...more });

/** A whole number. */
export const whole = (says?: string, minimum?: number, maximum?: number, more: More = {}) =>
	Type.Integer({ ...saying(says), ...range(minimum, maximum), ...more });

/** A whole number that only grows, or an age. */
export const count = (says?: string, maximum?: number) => whole(says, 0, maximum);

/** A number that may have a fraction. */
export const number = (says?: string, minimum?: number, maximum?: number, more: More = {}) =>
	Type.Number({ ...saying(says), ...range(minimum, maximum), ...more });

/** A percentage, 0 to 100, as a whole number. */
export const percent = (says?: string) => whole(says, 0, 100);

/** A number, or null. */
export const numberOrNull = (says?: string): TUnsafe<number | null> => Type.Unsafe({ type: ["number", "null"], ...saying(says) });

/** A text. @param more `pattern`, `maxLength` */
export const text = (says?: string, more: More = {}) => Type.String({ ...saying(says), ...more });

/** One of these texts or whole numbers. */
export const oneOf = <const V extends string | number>(values: readonly V[], says?: string, more: More = {}): TUnsafe<V> => {
	const type = typeof values[0] === "number" ? "integer" : "string";
	return Type.Unsafe({ type, enum: [...values], ...saying(says), ...more });
};

/** Always this value. */
export const always = <const V extends string | number | boolean>(value: V) => Type.Literal(value);

/** A value that fits one of these schemas. */
export const anyOf = <S extends TSchema[]>(schemas: [...S], says?: string) => Type.Union(schemas, saying(says));

/** A schema that TypeBox has no word for, and the type of its values. */
export const raw = <T>(schema: More): TUnsafe<T> => Type.Unsafe(schema as TSchema);

/** `{"ok":true}` with further members. */
export const ok = <P extends TProperties>(members: P, says?: string) => object({ ok: always(true), ...members }, says);

/** A pattern that takes these words in any letter case. */
export const anyCase = (words: readonly string[]): string =>
	`(?:${words.map((word) => [...word].map(eitherCase).join("")).join("|")})`;

const eitherCase = (character: string): string => {
	const [upper, lower] = [character.toUpperCase(), character.toLowerCase()];
	return upper === lower ? character : `[${upper}${lower}]`;
};

/** Blanks, as a request may have them around a word. */
export const BLANKS = "[\\t-\\r ]*";

const range = (minimum?: number, maximum?: number): More => ({
	...(minimum === undefined ? {} : { minimum }),
	...(maximum === undefined ? {} : { maximum }),
});

/** The type of an answer, which is only read. */
export type Read<S extends TSchema> = Frozen<Static<S>>;
type Frozen<T> = T extends readonly (infer I)[]
	? readonly Frozen<I>[]
	: T extends object
		? { readonly [K in keyof T]: Frozen<T[K]> }
		: T;
