import { RisingFit } from "../../src/calibration/fit.js";

/** The line through readings that are all there. */
export function risingFit(readings: readonly number[]): number[] {
	const fit = new RisingFit(readings.length);
	for (const reading of readings) fit.add(reading);
	return fit.line();
}
