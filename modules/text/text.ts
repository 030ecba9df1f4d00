/**
 * Work on texts that would cost the engine a multiple byte by byte. Methods contain nothing but the native call, so that XS can put the C
 * function in their place. In Node the tests have natives of their own, `test/support/natives.ts`.
 */

// The global that Moddable's XS and our host provide; see `hal/host/host.h`.
// biome-ignore lint/suspicious/noExplicitAny: the natives' types are those of the methods around them
declare function native(name: string): (...values: any[]) => any;

export const Text = Object.freeze({
	/**
	 * A JSON text for `JSON.parse`, with each member name emptied that is not asked for; what is checked is in `json_text.h`.
	 * @param names that are read, with one blank between two @param depth levels @param items values and names together
	 * @param stringBytes of one string or name
	 * @returns undefined if it must be refused
	 */
	prepareJson(bytes: Uint8Array, names: string, depth: number, items: number, stringBytes: number): string | undefined {
		return native("xs_text_prepare_json").call(this, bytes, names, depth, items, stringBytes);
	},

	/** A percent-encoded text, decoded; undefined for a broken `%XX`, a NUL, and what is no UTF-8. @param plusIsBlank true in a query */
	percentDecode(text: string, plusIsBlank: boolean): string | undefined {
		return native("xs_text_percent_decode").call(this, text, plusIsBlank);
	},

	/** Text of `bytes[start, end)`; undefined if they are not valid UTF-8. @throws {RangeError} not within the bytes */
	decode(bytes: Uint8Array, start: number, end: number): string | undefined {
		return native("xs_text_decode").call(this, bytes, start, end);
	},
});
