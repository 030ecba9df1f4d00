/**
 * Work on texts that would cost the engine a multiple byte by byte. Methods contain nothing but the native call, so that XS can put the C
 * function in their place. In Node the tests have natives of their own, `test/support/natives.ts`.
 */

// The global that Moddable's XS and our host provide; see `hal/host/host.h`.
// biome-ignore lint/suspicious/noExplicitAny: the natives' types are those of the methods around them
declare function native(name: string): (...values: any[]) => any;

/** Functions of texts and bytes, without state: each result depends on its arguments alone. Positions are bytes, `end` excluded. */
export const Text = Object.freeze({
	/**
	 * A JSON text for `JSON.parse`, with each member name emptied that is not asked for; what is checked is in `json_text.h`.
	 * @param names that are read, with one blank between two @param depth levels @param items values and names together
	 * @param stringBytes of one string or name @param numberWork 1 for each long number, 2 or 10 for one with an exponent
	 * @returns undefined if it must be refused
	 */
	prepareJson(
		bytes: Uint8Array,
		names: string,
		depth: number,
		items: number,
		stringBytes: number,
		numberWork: number,
	): string | undefined {
		return native("xs_text_prepare_json").call(this, bytes, names, depth, items, stringBytes, numberWork);
	},

	/** A percent-encoded text, decoded; undefined for a broken `%XX`, a NUL, and what is no UTF-8. @param plusIsBlank true in a query */
	percentDecode(text: string, plusIsBlank: boolean): string | undefined {
		return native("xs_text_percent_decode").call(this, text, plusIsBlank);
	},

	/**
	 * Value of the first parameter `name` in a query, decoded; the name may be encoded there, too.
	 * @param query without the `?`
	 * @returns "" for a name without value; U+FFFD for a value that cannot be decoded, so that it is refused and not overlooked; undefined if it is
	 * absent
	 */
	queryValue(query: string, name: string): string | undefined {
		return native("xs_text_query_value").call(this, query, name);
	},

	/**
	 * Copies `bytes[start, end)` to `into[at]`. A typed array's `set` takes the engine 60 instructions for each byte.
	 * @throws {RangeError} not within the bytes, or no room
	 */
	copyBytes(bytes: Uint8Array, start: number, end: number, into: Uint8Array, at: number): void {
		native("xs_text_copy_bytes").call(this, bytes, start, end, into, at);
	},

	/**
	 * Index of the first such byte in `bytes[start, end)`, -1 if there is none. A typed array's own takes the engine 650 instructions for each byte.
	 * @throws {RangeError} not within the bytes
	 */
	indexOf(bytes: Uint8Array, byte: number, start: number, end: number): number {
		return native("xs_text_index_of").call(this, bytes, byte, start, end);
	},

	/**
	 * What stands in the line `bytes[start, end)` between its tabs, without blanks and a carriage return at its end: numbers, which `columns.h`
	 * describes, and of what is none the first 16 characters. [] of an empty line. @param most columns that are read
	 * @throws {RangeError} not within the bytes
	 */
	columns(bytes: Uint8Array, start: number, end: number, most: number): (number | string)[] {
		return native("xs_text_columns").call(this, bytes, start, end, most);
	},

	/**
	 * Digits of `bytes[start, end)`, two each, in lower case, with a blank between any two if they are spaced.
	 * @throws {RangeError} not within the bytes
	 */
	hexadecimal(bytes: Uint8Array, start: number, end: number, isSpaced: boolean): string {
		return native("xs_text_hexadecimal").call(this, bytes, start, end, isSpaced);
	},

	/** The low digits of a number, 0..2^32 - 1, in upper case, filled up with zeros. @param digits 1..8 */
	hexNumber(value: number, digits: number): string {
		return native("xs_text_hex_number").call(this, value, digits);
	},

	/** Value of a text of digits, which `hexadecimal.h` describes; -1 if it is none, or above `max`. @param max below 2^31 */
	hexValue(text: string, max: number): number {
		return native("xs_text_hex_value").call(this, text, max);
	},

	/** The values of a list, separated as `hexadecimal.h` says, empty ones not counted; undefined if one is -1, or there are more than `most`. */
	hexValues(list: string, max: number, most: number): number[] | undefined {
		return native("xs_text_hex_values").call(this, list, max, most);
	},

	/**
	 * What is printable ASCII of `bytes[start, end)`, without blanks at its ends. @returns undefined if more than a quarter is neither that nor 0, or
	 * there is nothing @throws {RangeError} not within the bytes
	 */
	printable(bytes: Uint8Array, start: number, end: number): string | undefined {
		return native("xs_text_printable").call(this, bytes, start, end);
	},

	/**
	 * Decodes what is Base64 in `bytes[start, end)` in place, up to a `=`.
	 * @returns where it ends then; `start` for what is none
	 * @throws {RangeError} not within the bytes
	 */
	decodeBase64(bytes: Uint8Array, start: number, end: number): number {
		return native("xs_text_decode_base64").call(this, bytes, start, end);
	},

	/**
	 * Index from which on `bytes[start, end)` go on like a delimiter of multipart/form-data, with all of it or as much as is there; `end` if nowhere.
	 * @throws {RangeError} not within the bytes, or an empty delimiter
	 */
	findDelimiter(bytes: Uint8Array, delimiter: Uint8Array, start: number, end: number): number {
		return native("xs_text_find_delimiter").call(this, bytes, delimiter, start, end);
	},

	/** Boundary in a Content-Type value, 1 to 70 bytes; undefined if it is not multipart/form-data with one. */
	multipartBoundary(contentType: Uint8Array): ArrayBuffer | undefined {
		return native("xs_text_multipart_boundary").call(this, contentType);
	},

	/** True if `line[0, length)` is a content-disposition with a file name. @throws {RangeError} not within the line */
	namesFile(line: Uint8Array, length: number): boolean {
		return native("xs_text_names_file").call(this, line, length);
	},

	/**
	 * Copies the bytes from `start` to `end` of a text to `into[at]`. @param text without U+0000 and surrogates, as `JSON.stringify` makes it
	 * @throws {RangeError} not within its bytes, or no room
	 */
	copyText(text: string, start: number, end: number, into: Uint8Array, at: number): void {
		native("xs_text_copy_text").call(this, text, start, end, into, at);
	},

	/** Number of bytes for `copyText`. */
	byteLength(text: string): number {
		return native("xs_text_byte_length").call(this, text);
	},

	/**
	 * A number made of a value and of all values in it, in their order and without the names of members, 0..2^31 - 1: FNV-1a of them. 0 is as -0.
	 * @param object `Object`, whose `values` it needs: named in C alone the engine's linker would leave it out
	 * @throws {RangeError} more than four lists or objects in each other
	 */
	hash(value: unknown, object: ObjectConstructor): number {
		return native("xs_text_hash").call(this, value, object);
	},

	/** Bytes of a text; a lone surrogate becomes U+FFFD. */
	encode(text: string): ArrayBuffer {
		return native("xs_text_encode").call(this, text);
	},

	/** The text with its letters of ASCII in lower case. */
	lowerCase(text: string): string {
		return native("xs_text_lower_case").call(this, text);
	},

	/** And in upper case. */
	upperCase(text: string): string {
		return native("xs_text_upper_case").call(this, text);
	},

	/** True if a text is not empty and has these characters only. @param characters ASCII */
	consistsOf(text: string, characters: string): boolean {
		return native("xs_text_consists_of").call(this, text, characters);
	},

	/**
	 * Reads lines of a request's head in `bytes[start, end)`; what it finds is in `request_head.h`.
	 * @param figures `struct request_head`, which it fills in
	 * @returns 0 = all there is was read, 1 = the head is complete, else the status that refuses the request
	 * @throws {RangeError} not within the bytes
	 */
	readHead(bytes: Uint8Array, figures: ArrayBuffer, start: number, end: number): number {
		return native("xs_text_read_head").call(this, bytes, figures, start, end);
	},

	/** Text of `bytes[start, end)`; undefined if they are not valid UTF-8. @throws {RangeError} not within the bytes */
	decode(bytes: Uint8Array, start: number, end: number): string | undefined {
		return native("xs_text_decode").call(this, bytes, start, end);
	},
});
