/** The two buses and their states, with the gateway's numbers. Source: modules/can-gateway/gateway_core.h. */

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

/** True if frames pass on a bus. @param state 0..4, as above. Never throws. */
export function isRunning(state: number): boolean {
	return state !== STOPPED && state !== BUS_OFF;
}
