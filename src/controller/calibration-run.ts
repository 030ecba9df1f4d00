/**
 * A calibration as a state of the controller. It puts every factor on the coupling, so it begins only in a car
 * that stands and ends as soon as anything stands against it. The arbiter's doubt covers buses, inputs and
 * other states; this file looks at the car itself. A step allocates nothing.
 * Source: docs/control-and-can.md 5.1.
 */

import { CalibrationProblem, Sweep } from "../calibration/sweep.js";
import type { VehicleState } from "../vehicle/vehicle-state.js";
import { type Doubt, Reason } from "./reason.js";

/** A calibration that runs is aborted above this speed. Source: docs/control-and-can.md 5.1. */
const MAX_KMH = 3;
/**
 * Slower an engine stands or is cranked, which is below 300 1/min; it idles from 600 on. Chosen in between,
 * without a source.
 */
const RUNNING_RPM = 400;

/** The one calibration there can be. Times are on the clock of the control tick, ms modulo 2^32. */
export class CalibrationRun {
	/** True from the begin on until `step` has said that it is over. */
	runs = false;
	readonly sweep = new Sweep();
	/** Time of the last report that counted, ms; -1 = none did. */
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

	/** Ends it after a fault of ours: no tick will say that it is over. */
	fail(): void {
		this.sweep.abort(Reason.FAULT);
		this.runs = false;
	}

	/**
	 * One tick while it runs.
	 * @param doubt of the arbiter
	 * @param leaseLost what was commanded is not active any more
	 * @returns false: it is over
	 */
	step(doubt: Doubt, vehicle: Readonly<VehicleState>, leaseLost: boolean, nowMs: number): boolean {
		const { sweep } = this;
		const { engagementAtMs } = vehicle;
		const isNew = engagementAtMs !== this.#reportAtMs;
		this.#reportAtMs = engagementAtMs;
		const problem = leaseLost ? CalibrationProblem.LATE : (doubt ?? rejection(vehicle));
		sweep.tick(nowMs, isNew ? reported(vehicle) : Number.NaN, problem);
		this.runs = sweep.phase === "running";
		return this.runs;
	}
}

/** Percent, infinite at the end of what the coupling can report: it is engaged by that or more. */
function reported({ engagementPercent, engagementSaturated }: Readonly<VehicleState>): number {
	return engagementSaturated ? Number.POSITIVE_INFINITY : engagementPercent;
}

/** Why it must not go on; undefined = it may. Only speeds that are valid get here. */
function rejection(vehicle: Readonly<VehicleState>): CalibrationProblem | typeof Reason.NO_SPEED | undefined {
	if (vehicle.motion === "unknown") return Reason.NO_SPEED;
	if (vehicle.fastestKmh > MAX_KMH) return CalibrationProblem.CAR_MOVES;
	if (vehicle.selector === "in gear") return CalibrationProblem.NOT_PARKED;
	if (vehicle.interventionActive) return CalibrationProblem.INTERVENES;
	if (vehicle.temperatureProtection) return CalibrationProblem.HOT;
	return vehicle.couplingFault ? CalibrationProblem.FAULTY : undefined;
}

/**
 * Why a calibration must not begin: beside the reasons to end one, the car must stand, and its engine run if
 * that is known.
 */
function beginRejection(vehicle: Readonly<VehicleState>): ReturnType<typeof rejection> {
	if (vehicle.motion === "moves") return CalibrationProblem.CAR_MOVES;
	return vehicle.rpmValid && vehicle.rpm < RUNNING_RPM ? CalibrationProblem.NO_ENGINE : rejection(vehicle);
}
