/**
 * The drive cycles of `--drive`. A cycle is a list of phases that repeats for
 * ever; a phase states pedals, wheel and lever, or a speed that a small regulator holds. Data first: to
 * change a drive, change the tables.
 */
import type { Car, Driver, Selector } from "./car.js";

/** One piece of a drive. What is not stated is 0, lever D, ignition on. */
interface Phase {
	readonly name: PhaseName;
	readonly durationS: number;
	readonly pedalPercent?: number;
	readonly brakePercent?: number;
	readonly steeringDeg?: number;
	readonly selector?: Selector;
	readonly ignitionOn?: boolean;
	/** Holds this speed with both pedals; excludes the pedals above. */
	readonly holdKmh?: number;
}

type PhaseName = "standing" | "launch" | "cruise" | "corner" | "hairpin" | "braking" | "reverse" | "ignition-off";

export interface Cycle {
	/** Speed at which the cycle begins, km/h; a repeat goes on with the speed it has. */
	readonly startKmh: number;
	readonly phases: readonly Phase[];
}

const stop: Phase = { name: "braking", durationS: 5, brakePercent: 45 };
const stand: Phase = { name: "standing", durationS: 4, brakePercent: 25 };

/** Every name that `--drive` takes. */
export const CYCLES: Readonly<Record<"city" | PhaseName, Cycle>> = {
	city: {
		startKmh: 0,
		phases: [
			stand,
			{ name: "launch", durationS: 5.5, pedalPercent: 70 },
			{ name: "cruise", durationS: 9, holdKmh: 72 },
			{ ...stop, durationS: 2.2 },
			{ name: "corner", durationS: 6, holdKmh: 36, steeringDeg: 75 },
			{ name: "cruise", durationS: 5, holdKmh: 60 },
			stop,
			{ name: "standing", durationS: 2, brakePercent: 30, selector: "R" },
			{ name: "reverse", durationS: 6, holdKmh: 8, selector: "R" },
			{ name: "braking", durationS: 2, brakePercent: 30, selector: "R" },
			{ name: "standing", durationS: 2, brakePercent: 30, selector: "P" },
			{ name: "ignition-off", durationS: 5, selector: "P", ignitionOn: false },
			{ name: "standing", durationS: 4, brakePercent: 30, selector: "P" },
		],
	},
	standing: { startKmh: 0, phases: [stand] },
	launch: {
		startKmh: 0,
		phases: [
			{ ...stand, durationS: 2 },
			{ name: "launch", durationS: 7, pedalPercent: 80 },
			{ ...stop, durationS: 6 },
		],
	},
	cruise: { startKmh: 70, phases: [{ name: "cruise", durationS: 10, holdKmh: 70 }] },
	braking: {
		startKmh: 60,
		phases: [
			{ ...stop, durationS: 4 },
			{ ...stand, durationS: 1 },
			{ name: "launch", durationS: 5, pedalPercent: 60 },
		],
	},
	corner: {
		startKmh: 36,
		phases: [
			{ name: "corner", durationS: 6, holdKmh: 36, steeringDeg: 75 },
			{ name: "corner", durationS: 6, holdKmh: 36, steeringDeg: -75 },
		],
	},
	hairpin: {
		startKmh: 12,
		phases: [
			{ name: "cruise", durationS: 4, holdKmh: 18 },
			{ name: "hairpin", durationS: 6, holdKmh: 12, steeringDeg: 400 },
			{ name: "cruise", durationS: 4, holdKmh: 18 },
			{ name: "hairpin", durationS: 6, holdKmh: 12, steeringDeg: -400 },
		],
	},
	reverse: {
		startKmh: 0,
		phases: [
			{ name: "reverse", durationS: 8, holdKmh: 8, selector: "R" },
			{ name: "braking", durationS: 2, brakePercent: 30, selector: "R" },
		],
	},
	"ignition-off": { startKmh: 0, phases: [{ name: "ignition-off", durationS: 10, selector: "P", ignitionOn: false }] },
};

/** The phase that a cycle is in. @param timeMs since the cycle began */
export function phaseAt(cycle: Cycle, timeMs: number): Phase {
	const totalMs = cycle.phases.reduce((sum, phase) => sum + phase.durationS * 1000, 0);
	let left = timeMs % totalMs;
	for (const phase of cycle.phases) {
		left -= phase.durationS * 1000;
		if (left < 0) return phase;
	}
	throw new RangeError("a cycle needs a phase with a duration");
}

/** The driver in a phase. */
export function driveAccordingTo(phase: Phase, car: Car): Driver {
	const { steeringDeg = 0, selector = "D", ignitionOn = true } = phase;
	let { pedalPercent = 0, brakePercent = 0 } = phase;
	// A lever that is not yet where the phase wants it moves at rest only: brake first.
	if (selector !== car.selector && Math.abs(car.velocityKmh) >= 2) brakePercent = 40;
	else if (phase.holdKmh !== undefined) {
		const missing = phase.holdKmh - Math.abs(car.velocityKmh);
		pedalPercent = Math.min(45, Math.max(0, 5 + 0.1 * phase.holdKmh + 4 * missing));
		brakePercent = missing < -2 ? Math.min(30, -3 * (missing + 2)) : 0;
	}
	return { pedalPercent, brakePercent, steeringDeg, selector, ignitionOn };
}
