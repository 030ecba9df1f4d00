/**
 * The buses, their states and identifiers. Source: modules/can-gateway/gateway_core.h, README.md "Frame
 * plan".
 */

/** The car's side, and the coupling's. */
export const CHASSIS = 0;
export const COUPLING = 1;
export const BUS_COUNT = 2;

/** Neither receives nor sends. */
export const STOPPED = 0;
/** Running; so are 2 and 3, error-warning and error-passive. */
export const ERROR_ACTIVE = 1;
/** Off after errors, until `modules/can-gateway/bus_recovery.c` restarts it. */
export const BUS_OFF = 4;

/** The car is silent without a chassis frame for longer. Source: docs/control-and-can.md 8.1. */
export const CHASSIS_SILENT_MS = 200;

/** @param state 0..4, as above */
export function isRunning(state: number): boolean {
	return state !== STOPPED && state !== BUS_OFF;
}

/** Set in the gateway's number of a 29-bit identifier. */
export const EXTENDED_BIT = 0x80000000;

/** The gateway's number, 0..2^32 - 1. @param frameId 11 or 29 bits */
export function identifierOf(frameId: number, extended: boolean): number {
	return (extended ? frameId | EXTENDED_BIT : frameId) >>> 0;
}

/** The identifier in four bytes, little endian, without its type. */
export function frameIdAt(bytes: Uint8Array, at: number): number {
	return bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | ((bytes[at + 3] & 0x1f) << 24);
}

/** Whether those four bytes are a 29-bit identifier. */
export function isExtendedAt(bytes: Uint8Array, at: number): boolean {
	return (bytes[at + 3] & 0x80) !== 0;
}
