/** What goes wrong for conditions and in calibrations only. */
import { SIGNAL_MS } from "./condition-judge.js";
import type { Drive } from "./drive.js";
import { BACK_SLOWLY_MS, type Fault } from "./fault.js";

/** What a condition looks at. @param isSet by ms since the fault began */
const hazard = (what: string, ms: number, isSet: (ms: number) => boolean | undefined, toleratedMs = 0): Fault => {
	const kept = new WeakMap<Drive, Drive["car"]["hazardLights"]>();
	return {
		name: `the condition's signal ${what}`,
		ms,
		toleratedMs,
		backMs: BACK_SLOWLY_MS,
		begin: (drive) => {
			const fromMs = drive.nowMs;
			kept.set(drive, drive.car.hazardLights);
			drive.car.hazardLights = (at) => isSet(at - fromMs);
		},
		end: (drive) => {
			drive.car.hazardLights = kept.get(drive);
		},
	};
};

/** Only where there is a condition or a calibration. */
export const STATE_FAULTS: readonly Fault[] = [
	hazard("pulses 40/40", 1500, (ms) => ms % 80 < 40),
	hazard("pulses 100/300", 1600, (ms) => ms % 400 < 100),
	hazard("is set", 700, () => true),
	hazard("is not set", 700, () => false),
	hazard("is lost for 3 s", 3000, () => undefined, SIGNAL_MS),
	hazard("is lost for 1.4 s", 1400, () => undefined),
	{
		name: "the car moves in a calibration",
		ms: 500,
		backMs: BACK_SLOWLY_MS,
		begin: (drive) => {
			drive.car.speedKmh = 5;
		},
		end: (drive) => {
			drive.car.speedKmh = 0;
		},
	},
	{ name: "the page of a calibration is gone", ms: 5200, toleratedMs: 5000, backMs: BACK_SLOWLY_MS, begin: () => {} },
	{
		name: "the lever leaves P in a calibration",
		ms: 300,
		backMs: BACK_SLOWLY_MS,
		begin: async (drive) => {
			drive.car.selector = "D";
			await drive.run(50);
			await drive.must("POST", "/api/learn/alive", "");
			drive.judge.calibration?.end(drive.nowMs, "the lever stands in D");
		},
		end: (drive) => {
			drive.car.selector = "P";
		},
	},
];
