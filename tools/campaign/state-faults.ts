/** What goes wrong for conditions, for who steers and in calibrations only. */
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

/** The frame of the steering angle. @param change what becomes of it; undefined: it is not sent */
const wheel = (
	what: string,
	ms: number,
	change: (data: Uint8Array, ms: number, isMqb: boolean) => Uint8Array | undefined,
): Fault => {
	const idOf = ({ car }: Drive): number => (car.generation === 5 ? 0x086 : 0x0c2);
	return {
		name: `the steering angle ${what}`,
		ms,
		backMs: BACK_SLOWLY_MS,
		begin: (drive) => {
			drive.car.meddling.set(idOf(drive), (data, at) => change(data, at, drive.car.generation === 5));
		},
		end: (drive) => {
			drive.car.meddling.delete(idOf(drive));
		},
	};
};

/** As the frame says it where it has no value. */
function error(data: Uint8Array, isMqb: boolean): Uint8Array {
	if (isMqb) data[1] |= 0x80;
	else data.set([0xff, 0xff]);
	return data;
}

/** Only where there is a condition, who steers or a calibration. */
export const STATE_FAULTS: readonly Fault[] = [
	hazard("pulses 40/40", 1500, (ms) => ms % 80 < 40),
	hazard("pulses 100/300", 1600, (ms) => ms % 400 < 100),
	hazard("is set", 700, () => true),
	hazard("is not set", 700, () => false),
	hazard("is lost for 3 s", 3000, () => undefined, SIGNAL_MS),
	hazard("is lost for 1.4 s", 1400, () => undefined),
	wheel("is lost for 900 ms", 900, () => undefined),
	wheel("is lost for 150 ms", 150, () => undefined),
	wheel("says error", 700, (data, _ms, isMqb) => error(data, isMqb)),
	wheel("comes and goes", 2000, (data, ms) => (ms % 400 < 240 ? undefined : data)),
	{
		name: "the steering angle jerks from end to end",
		ms: 1500,
		backMs: BACK_SLOWLY_MS,
		begin: (drive) => {
			drive.car.jerks = true;
		},
		end: (drive) => {
			drive.car.jerks = false;
		},
	},
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
