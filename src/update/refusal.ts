/**
 * What stops an update from beginning, and a restart: the car allows it only while it certainly stands and
 * nothing is asked of the coupling, and there is one update at a time. Source: docs/api.md, "Updates". What
 * is wrong with an image: `firmware-image.ts`; whether a new firmware stays: `self-test.ts`.
 */

import { elapsedMs } from "../clock/elapsed.js";

/** What is looked at; the controller has it. */
export interface CarState {
	readonly controlActive: boolean;
	/** Disabled: the driver has selected stock, so control ends with the next control tick. */
	readonly supervisor: { readonly disabled: boolean };
	readonly vehicle: { readonly motion: "unknown" | "stands" | "moves" };
	/** ms since the last chassis frame; 65535 = never or longer ago. */
	readonly sample: { readonly chassisAgeMs: number };
}

/**
 * A car that has been silent for this long is off; a bus that is merely disturbed is not. Source:
 * docs/decisions.md 28.
 */
const SILENT_MS = 10_000;

/** Why an update may not begin now, in words; "" = it may. */
export function updateRefusal(car: CarState): string {
	if (car.controlActive && !car.supervisor.disabled) return "control is active: select mode STOCK first";
	return motionRefusal(car);
}

/** Why the controller must not restart now; "" = it may. While it does no frame is forwarded. */
export function motionRefusal(car: CarState): string {
	if (car.vehicle.motion === "moves") return "the car is moving";
	if (car.vehicle.motion === "stands") return "";
	return car.sample.chassisAgeMs < SILENT_MS ? "the car's speed is unknown" : "";
}

/** A restart that the car has stopped once waits until it has stood for this long. */
export const STANDS_MS = 3000;
/** A look counts for no more: nobody saw what was in between. The rarest looks come twice a second. */
const LOOK_COUNTS_MS = 500;

/**
 * Says when a restart may come: while it does no frame is forwarded, and one wrong speed of 0 must not stop a
 * car that drives.
 */
export class RestartGate {
	#leftMs = 0;
	#lookedMs = 0;

	/**
	 * Call at least twice a second.
	 * @param refusal why the car does not allow it now, "" = it does
	 * @returns whether it may come
	 */
	look(refusal: string, nowMs: number): boolean {
		const passedMs = Math.min(elapsedMs(this.#lookedMs, nowMs), LOOK_COUNTS_MS);
		this.#lookedMs = nowMs;
		this.#leftMs = refusal === "" ? Math.max(0, this.#leftMs - passedMs) : STANDS_MS;
		return this.#leftMs === 0;
	}
}
