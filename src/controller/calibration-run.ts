/**
 * A calibration as a state of the controller. It puts every factor on the coupling, so it begins only in a
 * car that stands and ends with any doubt: the arbiter's on buses, inputs and other states, this file's on
 * the car. A step allocates nothing. Source: docs/control-and-can.md 5.1.
 */

import { CalibrationProblem, Sweep } from "../calibration/sweep.js";
import type { VehicleState } from "../vehicle/vehicle-state.js";
import { type Doubt, Reason } from "./reason.js";

/** It is aborted above this speed. Source: docs/control-and-can.md 5.1. */
const MAX_KMH = 3;
/** From this speed on the engine runs. Assumed: it is cranked below 300 1/min and idles from 600 on. */
const RUNNING_RPM = 400;

/** Times are of the control tick, ms modulo 2^32. */
export class CalibrationRun {
	/** From `start` until `step` has returned false. */
	runs = false;
	readonly sweep = new Sweep();
	/** Time of the last report; -1 = none. */
	#reportAtMs = -1;

	/**
	 * @param doubt of the arbiter
	 * @returns why it does not begin; undefined = it has begun
	 */
	start(doubt: Doubt, vehicle: Readonly<VehicleState>, nowMs: number): CalibrationProblem | Doubt {
		if (this.runs) return CalibrationProblem.TWICE;
		const problem = doubt ?? beginRejection(vehicle);
		if (problem !== undefined) this.sweep.reject(problem);
		else {
			this.runs = true;
			this.#reportAtMs = -1;
			this.sweep.start(nowMs);
		}
		return problem;
	}

	/** Ends it after a fault of ours. */
	fail(): void {
		this.sweep.abort(Reason.FAULT);
		this.runs = false;
	}

	/**
	 * One tick while it runs.
	 * @param doubt of the arbiter
	 * @param leaseLost the command was not active
	 * @returns false: it is over
	 */
	step(doubt: Doubt, vehicle: Readonly<VehicleState>, leaseLost: boolean, nowMs: number): boolean {
		const { sweep } = this;
		const { engagementAtMs, engagementPercent, engagementSaturated } = vehicle;
		const isNew = engagementAtMs !== this.#reportAtMs;
		this.#reportAtMs = engagementAtMs;
		const problem = leaseLost ? CalibrationProblem.LATE : (doubt ?? rejection(vehicle));
		// a saturated report says "at least"
		const reportedPercent = engagementSaturated ? Number.POSITIVE_INFINITY : engagementPercent;
		sweep.tick(nowMs, isNew ? reportedPercent : Number.NaN, problem);
		this.runs = sweep.phase === "running";
		return this.runs;
	}
}

/** Why it must end. Only valid speeds get here. */
function rejection(vehicle: Readonly<VehicleState>): CalibrationProblem | typeof Reason.NO_SPEED | undefined {
	if (vehicle.motion === "unknown") return Reason.NO_SPEED;
	// the speeds are compared each 100 ms, the car's own is read in each tick
	if (Math.max(vehicle.speedKmh, vehicle.fastestKmh) > MAX_KMH) return CalibrationProblem.CAR_MOVES;
	if (vehicle.selector === "in gear") return CalibrationProblem.NOT_PARKED;
	if (vehicle.interventionActive) return CalibrationProblem.INTERVENES;
	if (vehicle.temperatureProtection) return CalibrationProblem.HOT;
	return vehicle.couplingFault ? CalibrationProblem.FAULTY : undefined;
}

/** To begin, the car must also stand, and its engine run if that is known. */
function beginRejection(vehicle: Readonly<VehicleState>): ReturnType<typeof rejection> {
	if (vehicle.motion === "moves") return CalibrationProblem.CAR_MOVES;
	return vehicle.rpmValid && vehicle.rpm < RUNNING_RPM ? CalibrationProblem.NO_ENGINE : rejection(vehicle);
}
