/**
 * Identifiers as the gateway has them: one number, which says the type, too.
 * Source: modules/can-gateway/README.md "Frame plan".
 */

/** Set in an extended (29-bit) identifier. */
export const EXTENDED_BIT = 0x80000000;

/**
 * The gateway's number of an identifier.
 * @param frameId 11 or 29 bits, without the type @returns 0..2^32 - 1. Never throws.
 */
export function identifierOf(frameId: number, extended: boolean): number {
	return (extended ? frameId | EXTENDED_BIT : frameId) >>> 0;
}

/**
 * The identifier in the four bytes from `at` on, little endian, without its type.
 * @returns 0..2^29 - 1. Never throws.
 */
export function frameIdAt(bytes: Uint8Array, at: number): number {
	return bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | ((bytes[at + 3] & 0x1f) << 24);
}

/** Whether those bytes say that it is an extended one. Never throws. */
export function isExtendedAt(bytes: Uint8Array, at: number): boolean {
	return (bytes[at + 3] & 0x80) !== 0;
}
