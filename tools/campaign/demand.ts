/** What must be so at a moment, and in which words the status may say why. */

/** Why the car has to be stock, and what the status may say then. */
export const STANDING = {
	stock: /^stock mode is selected$/,
	disabled: /^the controller is disabled$|^stock mode is selected$/,
	capture: /^CAN capture is running$/,
	update: /^an update is in progress$/,
	bootLoop: /^the controller restarted too often/,
	verboseLogging: /^verbose logging is on$|^stock mode is selected$/,
	openNetwork: /^the controller's network has no password|^stock mode is selected$/,
	unusableMap: /^the active map can't be read: load or change one \(\/maps\/.*\)$|^stock mode is selected$/,
	fault: /^the controller has a fault/,
	noCondition:
		/^a condition that opens|^no |^starting|^waiting|bus is not running|controller has a fault|^stock mode is selected$|^the ignition is off/,
} as const;
export type Standing = keyof typeof STANDING;

/** What must be so at a moment. */
export interface Demand {
	/** Percent; undefined: the car must be stock. */
	readonly most: number | undefined;
	/** Reasons of which the status may name one; empty: none, control may be active. */
	readonly reasons: readonly RegExp[];
	/** What a complaint says. */
	readonly because: string;
}

/** The car must be stock. */
export function stock(because: string, ...reasons: readonly RegExp[]): Demand {
	return { most: undefined, reasons, because };
}

/** What the status says while a bus is down. */
export const BUS_REASONS = /bus is not running|no frames arrive|controller has a fault/;
/** What it says while something is missing, or not yet trusted. */
export const DOUBTS = new RegExp(
	[
		"^no |^a condition that opens .* gets no |^starting|^waiting|bus (is not running|has just come back)",
		"controller has a fault|^the ignition is off|contradict",
	].join("|"),
);
/** Between what a byte can say and what was asked for. */
export const TOLERANCE_PERCENT = 1.5;
