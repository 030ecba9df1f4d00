/** Identifiers as the gateway has them: one number, which says the type, too. Source: modules/can-gateway/README.md "Frame plan". */

/** Set in an extended (29-bit) identifier. */
export const EXTENDED_BIT = 0x80000000;

/**
 * The gateway's number of an identifier.
 * @param frameId 11 or 29 bits, without the type @returns 0..2^32 - 1. Never throws.
 */
export function identifierOf(frameId: number, extended: boolean): number {
	return (extended ? frameId | EXTENDED_BIT : frameId) >>> 0;
}
