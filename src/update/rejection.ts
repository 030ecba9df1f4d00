/**
 * Conditions of an update and of a restart: the car certainly stands, and nothing is asked of the coupling.
 * Source: docs/api.md, "Updates".
 */

import { elapsedMs } from "../clock/elapsed.js";

/** Why an update may not begin, go on or end. The words are in `api/words.ts`. */
export enum UpdateProblem {
	CONTROL_ACTIVE = "controlActive",
	CAR_MOVES = "carMoves",
	SPEED_UNKNOWN = "speedUnknown",
	INSTALLING = "installing",
	UPLOADING = "uploading",
	RESTARTING = "restarting",
	SELF_TEST = "selfTest",
	/** None that is newer, for this board. */
	NOT_NEWER = "notNewer",
	/** No manifest names one. */
	NO_URL = "noUrl",
	NOT_SIGNED = "notSigned",
	/** A signed manifest that hides a newer version. */
	REPLAYED = "replayed",
	/** The slot could not be written; the platform's message is in the log. */
	SLOT_FAILED = "slotFailed",
	/** Another owner's password was set during the upload. */
	OTHER_PASSWORD = "otherPassword",
	/** The client has gone. */
	BROKEN_OFF = "brokenOff",
}

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
export function updateRejection(car: CarState): UpdateProblem | "" {
	if (car.controlActive && !car.supervisor.disabled) return UpdateProblem.CONTROL_ACTIVE;
	return motionRejection(car);
}

/** Why the controller must not restart now, which forwards no frame meanwhile; "" = it may. */
export function motionRejection(car: CarState): UpdateProblem | "" {
	if (car.vehicle.motion === "moves") return UpdateProblem.CAR_MOVES;
	if (car.vehicle.motion === "stands") return "";
	return car.sample.chassisAgeMs < SILENT_MS ? UpdateProblem.SPEED_UNKNOWN : "";
}

/**
 * A restart that the car has stopped once waits until it has stood for this long. Assumed: a wrong speed of 0
 * is over sooner. Source: docs/api.md, "Updates".
 */
export const STANDS_MS = 3000;
/** The most that counts between two looks. Assumed: they come at least twice a second. */
const LOOK_COUNTS_MS = 500;

/** Delays a restart: one wrong speed of 0 must not stop the frames of a car that drives. */
export class RestartGate {
	#leftMs = 0;
	#lookedMs = 0;

	/** Whether the restart may come. Call twice a second at least. @param rejection "" = the car allows it */
	look(rejection: string, nowMs: number): boolean {
		const passedMs = Math.min(elapsedMs(this.#lookedMs, nowMs), LOOK_COUNTS_MS);
		this.#lookedMs = nowMs;
		this.#leftMs = rejection === "" ? Math.max(0, this.#leftMs - passedMs) : STANDS_MS;
		return this.#leftMs === 0;
	}
}
