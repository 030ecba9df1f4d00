/**
 * Work on texts that would cost the engine a multiple byte by byte. Methods contain nothing but the native
 * call, so that XS can put the C function in their place. Node has natives of its own, `tools/natives.ts`.
 */

// The global that Moddable's XS and our host provide; see `hal/host/host.h`.
// biome-ignore lint/suspicious/noExplicitAny: the natives' types are those of the methods around them
declare function native(name: string): (...values: any[]) => any;

/**
 * Functions of texts and bytes, without state: each result depends on its arguments alone. Positions are
 * bytes, `end` excluded.
 */
export const Text = Object.freeze({
	/**
	 * A JSON text for `JSON.parse`, with each member name emptied that is not asked for; what is checked is
	 * in `text.h`.
	 * @param names that are read, with one blank between two
	 * @param depth levels
	 * @param items values and names together
	 * @param tokenBytes of one string, name or number
	 * @returns undefined if it must be rejected
	 */
	prepareJson(bytes: Uint8Array, names: string, depth: number, items: number, tokenBytes: number): string | undefined {
		return native("xs_text_prepare_json").call(this, bytes, names, depth, items, tokenBytes);
	},

	/**
	 * Copies `bytes[start, end)` to `into[at]`. A typed array's `set` takes the engine 60 instructions for
	 * each byte.
	 * @throws {RangeError} not within the bytes, or it does not fit
	 */
	copyBytes(bytes: Uint8Array, start: number, end: number, into: Uint8Array, at: number): void {
		native("xs_text_copy_bytes").call(this, bytes, start, end, into, at);
	},

	/**
	 * Index of the first such byte in `bytes[start, end)`, -1 if no byte is. The engine's own `indexOf` takes 650
	 * instructions for each byte.
	 * @throws {RangeError} not within the bytes
	 */
	indexOf(bytes: Uint8Array, byte: number, start: number, end: number): number {
		return native("xs_text_index_of").call(this, bytes, byte, start, end);
	},

	/**
	 * Copies the bytes from `start` to `end` of a text to `into[at]`.
	 * @param text without U+0000 and surrogates, as `JSON.stringify` makes it
	 * @throws {RangeError} not within its bytes, or it does not fit
	 */
	copyText(text: string, start: number, end: number, into: Uint8Array, at: number): void {
		native("xs_text_copy_text").call(this, text, start, end, into, at);
	},

	/** Number of bytes for `copyText`. */
	byteLength(text: string): number {
		return native("xs_text_byte_length").call(this, text);
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
	 * Reads lines of a request's head in `bytes[start, end)`; what it finds is in `text.h`.
	 * @param figures `struct request_head`, which it fills in
	 * @returns 0 = all there is was read, 1 = the head is complete, else the status that rejects the request
	 * @throws {RangeError} not within the bytes
	 */
	readHead(bytes: Uint8Array, figures: ArrayBuffer, start: number, end: number): number {
		return native("xs_text_read_head").call(this, bytes, figures, start, end);
	},

	/**
	 * Text of `bytes[start, end)`; undefined if they are not valid UTF-8.
	 * @throws {RangeError} not within the bytes
	 */
	decode(bytes: Uint8Array, start: number, end: number): string | undefined {
		return native("xs_text_decode").call(this, bytes, start, end);
	},
});
