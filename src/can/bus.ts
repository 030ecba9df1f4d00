/**
 * The two buses, their states and identifiers, with the gateway's numbers. Source:
 * modules/can-gateway/gateway_core.h, README.md "Frame plan".
 */

/** Numbers of the buses: the car's side, and the coupling's. */
export const CHASSIS = 0;
export const COUPLING = 1;
export const BUS_COUNT = 2;

/** Not running: frames are neither received nor sent. */
export const STOPPED = 0;
/** Running without errors; 2 and 3, error-warning and error-passive, run as well. */
export const ERROR_ACTIVE = 1;
/**
 * Not running: the CAN controller has switched itself off after errors. It returns by
 * `modules/can-gateway/bus_recovery.c`.
 */
export const BUS_OFF = 4;

/**
 * Without a chassis frame for longer than this the car counts as silent. Source: docs/control-and-can.md 8.1.
 */
export const CHASSIS_SILENT_MS = 200;

/** True if frames pass on a bus. @param state 0..4, as above. */
export function isRunning(state: number): boolean {
	return state !== STOPPED && state !== BUS_OFF;
}

/** Set in an extended (29-bit) identifier. */
export const EXTENDED_BIT = 0x80000000;

/** The gateway's number of an identifier, 0..2^32 - 1. @param frameId 11 or 29 bits, without the type */
export function identifierOf(frameId: number, extended: boolean): number {
	return (extended ? frameId | EXTENDED_BIT : frameId) >>> 0;
}

/** The identifier in the four bytes from `at` on, little endian, without its type: 0..2^29 - 1. */
export function frameIdAt(bytes: Uint8Array, at: number): number {
	return bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | ((bytes[at + 3] & 0x1f) << 24);
}

/** Whether those bytes say that it is an extended one. */
export function isExtendedAt(bytes: Uint8Array, at: number): boolean {
	return (bytes[at + 3] & 0x80) !== 0;
}
