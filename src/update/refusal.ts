/**
 * Conditions of an update and of a restart: the car certainly stands, and nothing is asked of the coupling.
 * Source: docs/api.md, "Updates".
 */

import { elapsedMs } from "../clock/elapsed.js";

/** The controller. */
export interface CarState {
	readonly controlActive: boolean;
	/** The driver has selected stock: control ends with the next control tick. */
	readonly supervisor: { readonly disabled: boolean };
	readonly vehicle: { readonly motion: "unknown" | "stands" | "moves" };
	/** ms since the last chassis frame; 65535 = never or longer ago. */
	readonly sample: { readonly chassisAgeMs: number };
}

/** A car that is silent for this long is off; a disturbed bus is not silent. Source: docs/decisions.md 28. */
const SILENT_MS = 10_000;

/** Why an update may not begin now; "" = it may. */
export function updateRefusal(car: CarState): string {
	if (car.controlActive && !car.supervisor.disabled) return "control is active: select mode STOCK first";
	return motionRefusal(car);
}

/** Why the controller must not restart now, which forwards no frame meanwhile; "" = it may. */
export function motionRefusal(car: CarState): string {
	if (car.vehicle.motion === "moves") return "the car is moving";
	if (car.vehicle.motion === "stands") return "";
	return car.sample.chassisAgeMs < SILENT_MS ? "the car's speed is unknown" : "";
}

/**
 * A restart that the car has stopped once waits until it has stood for this long. Assumed: a wrong speed of 0
 * is over sooner. Source: docs/decisions.md 28.
 */
export const STANDS_MS = 3000;
/** The most that counts between two looks, which come at least twice a second. */
const LOOK_COUNTS_MS = 500;

/** Delays a restart: one wrong speed of 0 must not stop the frames of a car that drives. */
export class RestartGate {
	#leftMs = 0;
	#lookedMs = 0;

	/** Whether the restart may come. Call twice a second at least. @param refusal "" = the car allows it */
	look(refusal: string, nowMs: number): boolean {
		const passedMs = Math.min(elapsedMs(this.#lookedMs, nowMs), LOOK_COUNTS_MS);
		this.#lookedMs = nowMs;
		this.#leftMs = refusal === "" ? Math.max(0, this.#leftMs - passedMs) : STANDS_MS;
		return this.#leftMs === 0;
	}
}
