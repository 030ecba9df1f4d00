/**
 * The vectors' `config` objects (README.md beside this) as tuning and inputs of the lock core. Runs in Node
 * and on XS.
 */

import type { LockInputs } from "../../src/lock/gates.js";
import type { ModeNumber } from "../../src/lock/modes.js";
import type { LockCurve, Tuning } from "../../src/lock/tuning.js";
import { parseMode } from "../../src/settings/mode-names.js";
import { DEFAULT_TUNING } from "../../src/settings/settings.js";

// biome-ignore lint/suspicious/noExplicitAny: rows are JSON of the vectors' schema
export type Json = any;

/** What a case's `config` and its later deltas set. The gates have no hysteresis in the reference. */
export class VectorConfig {
	mode: ModeNumber = 0;
	tuning: Tuning = { ...DEFAULT_TUNING, hysteresisKmh: 0, hysteresisPercent: 0, dwellMs: 0 };
	learnTable: readonly number[] | null = null;
	learnActiveCF: number | null = null;
	readonly inputs: LockInputs = { speedKmh: 0, pedalPercent: 0, rpm: 0, pedalValid: true };

	apply(delta: Json): void {
		const tuning: Record<string, unknown> = {};
		if (delta.mode !== undefined) this.mode = parseMode(delta.mode);
		if (delta.map !== undefined)
			tuning["map"] = {
				speedBinsKmh: delta.map.speedBins,
				pedalBinsPercent: delta.map.throttleBins,
				cells: delta.map.lock.flat(),
			};
		for (const name of ["speedCurve", "throttleCurve", "rpmCurve"])
			if (delta[name] !== undefined) tuning[name] = curve(delta[name]);
		if (delta.disengageUnderSpeed !== undefined)
			tuning["disengageUnderKmh"] = { ...this.tuning.disengageUnderKmh, ...delta.disengageUnderSpeed };
		if (delta.pedalThreshold !== undefined) tuning["disableThrottlePercent"] = delta.pedalThreshold;
		if (delta.disableSpeed !== undefined) tuning["disableSpeedKmh"] = delta.disableSpeed;
		if (delta.releaseRate !== undefined) tuning["releaseRatePercentPerS"] = delta.releaseRate;
		this.tuning = { ...this.tuning, ...tuning };
		if (delta.learnTable !== undefined) this.learnTable = delta.learnTable;
		if (delta.learnActiveCF !== undefined) this.learnActiveCF = delta.learnActiveCF;
		if (delta.inputs !== undefined) this.setInputs(delta.inputs.speed, delta.inputs.throttle, delta.inputs.rpm);
	}

	setInputs(speedKmh: number | undefined, pedalPercent: number | undefined, rpm: number | undefined): void {
		if (speedKmh !== undefined) this.inputs.speedKmh = speedKmh;
		if (pedalPercent !== undefined) this.inputs.pedalPercent = pedalPercent;
		if (rpm !== undefined) this.inputs.rpm = rpm;
	}
}

function curve(points: readonly (readonly number[])[]): LockCurve {
	return { x: points.map((point) => point[0] as number), lockPercent: points.map((point) => point[1] as number) };
}
