/**
 * The signal catalogue, which lies in flash as C has it; `src/can/catalogue.ts` reads its texts. Methods
 * contain nothing but the native call, so that XS can put the C function in their place. Node has natives of
 * its own, `tools/natives.ts`.
 */

// The global that Moddable's XS and our host provide; see `hal/host/host.h`.
// biome-ignore lint/suspicious/noExplicitAny: the natives' types are those of the methods around them
declare function native(name: string): (...values: any[]) => any;

/**
 * Look-ups by network and identifier, from flash.
 * @throws {RangeError} another network, or an identifier or unit beyond the largest
 */
export const Catalogue = Object.freeze({
	/**
	 * The head of a frame's text: identifier and name.
	 * @param network 0 PQ, 1 MQB
	 * @param frameId 11 or 29 bits
	 * @returns undefined: unknown frame
	 */
	frame(network: number, frameId: number): string | undefined {
		return native("xs_catalogue_frame").call(this, network, frameId);
	},

	/**
	 * The text of a signal of a frame.
	 * @param name of the signal, in small letters and without underscores at its end
	 * @returns undefined: the frame or the signal is unknown
	 */
	signal(network: number, frameId: number, name: string): string | undefined {
		return native("xs_catalogue_signal").call(this, network, frameId, name);
	},

	/** The text of the signal whose value selects others. */
	selector(network: number, frameId: number): string | undefined {
		return native("xs_catalogue_selector").call(this, network, frameId);
	},

	/** A unit by its number in the texts. */
	unit(number: number): string {
		return native("xs_catalogue_unit").call(this, number);
	},
});
