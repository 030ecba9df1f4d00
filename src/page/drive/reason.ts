/** Why the active mode is what it is, what holds its lock at 0 %, and which faults are shown. */

import { faults, modeState, stale, telemetry } from "../net/live";
import type { ModeState, Status, Telemetry } from "../net/types";
import { speedText } from "../state/speed";
import { status } from "../state/status";
import { useStore } from "../state/store";
import { lookUp, T, valueInOurWords } from "../texts";
import { modeLabel } from "./mode-names";

const UNDER_SPEEDS: Readonly<Record<string, keyof Status["disengageUnderSpeed"]>> = {
	MAP: "map",
	SPEED: "speed",
	THROTTLE: "throttle",
	RPM: "rpm",
};

/** Pictures for causes, by name of the icon. */
const CAUSES: Readonly<Record<string, string>> = {
	active: "check",
	table: "map",
	mode: "hand",
	ramp: "clock",
	condition: "conditions",
	steering: "wheel",
	steeringLost: "wheel",
	underSpeed: "gate",
	overSpeed: "gate",
	pedal: "gate",
	heat: "heat",
	overheated: "heat",
	intervention: "abs",
	noInterventions: "abs",
	stockSelected: "hand",
	disabled: "hand",
	selectedByButton: "hand",
	ignitionOff: "ignition",
	starting: "clock",
	settling: "clock",
	chassisBusSettling: "clock",
	couplingBusSettling: "clock",
	standaloneWaits: "clock",
	conditionAwaited: "clock",
	chassisBusDown: "link",
	couplingBusDown: "link",
	chassisSilent: "ignition",
	noFeedback: "link",
	selectedByCondition: "conditions",
	limitedByCondition: "conditions",
	openedByCondition: "conditions",
	noCondition: "conditions",
};

/** The icon for what holds the lock at 0 %, else for the reason. */
export function causeOf({ heldBy, reasonCode }: ModeState): string {
	return lookUp(CAUSES, heldBy) ?? lookUp(CAUSES, reasonCode) ?? "warn";
}

/** Says why the lock is 0 %. @returns undefined: the controller's reason says it */
export function heldInWords(
	{ heldBy, effectiveMode }: Pick<ModeState, "heldBy" | "effectiveMode">,
	now: Telemetry,
	settings: Status,
): string | undefined {
	const W = T.heldBy;
	const name = lookUp(UNDER_SPEEDS, effectiveMode);
	switch (heldBy) {
		case "underSpeed":
			return name && W.below(speedText(settings.disengageUnderSpeed[name]));
		case "overSpeed":
			return W.above(speedText(settings.disableSpeed));
		case "pedal":
			return W.pedalBelow(settings.disableThrottle);
		case "ramp":
			return W.ramp;
		case "mode":
			return W.mode(modeLabel(effectiveMode));
		case "table":
			return name && W.input(modeLabel(effectiveMode), W.inputs[name](speedText(now.speed), now.throttle, now.rpm));
		default:
			return undefined;
	}
}

/** The words for what is told now; "" before anything was. */
export function useReason(): string {
	const state = useStore(modeState);
	const now = useStore(telemetry);
	const settings = useStore(status);
	const old = useStore(stale);
	const faulty = useStore(faults);
	if (state === undefined) return "";
	if (!state.controlActive && !old && state.mode !== "STOCK" && isParked(faulty, state)) return T.drive.parked;
	const held = old || now === undefined || settings === undefined ? undefined : heldInWords(state, now, settings);
	return held ?? valueInOurWords(state.reasonCode, state.reason, state.reasonDetail);
}

/** Faults that follow from another one. */
const CONSEQUENCES: Readonly<Record<string, readonly string[]>> = {
	chassisBusDown: ["chassisSilent", "speedInvalid", "throttleInvalid", "rpmInvalid"],
	chassisSilent: ["speedInvalid", "throttleInvalid", "rpmInvalid"],
	couplingBusDown: ["engagementInvalid"],
};
/** Faults of a parked car. */
const PARKED = ["chassisSilent", "speedInvalid", "throttleInvalid", "rpmInvalid", "engagementInvalid"];

/** The ignition is off, or nothing comes from car and coupling alike, which is how a parked car is. */
function isParked(all: readonly string[], state: Pick<ModeState, "reasonCode"> | undefined): boolean {
	return state?.reasonCode === "ignitionOff" || (all.includes("chassisSilent") && all.includes("engagementInvalid"));
}

/** @param all names of the faults that are there */
export function shownFaults(all: readonly string[], state: Pick<ModeState, "reasonCode"> | undefined): readonly string[] {
	const parked = isParked(all, state);
	return all.filter(
		(name) => !(parked && PARKED.includes(name)) && !all.some((cause) => lookUp(CONSEQUENCES, cause)?.includes(name)),
	);
}
