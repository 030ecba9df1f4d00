/** Why the mode in force is what it is, and what holds its lock at 0 %: what the controller says, in the driver's words. */

import { lookUp } from "../look-up";
import { modeState, stale, telemetry } from "../net/live";
import type { ModeState, Status, Telemetry } from "../net/types";
import { reasonInOurWords } from "../said";
import { speedText } from "../state/speed";
import { status } from "../state/status";
import { useStore } from "../state/store";
import { T } from "../texts";
import { modeLabel } from "./mode-names";

const UNDER_SPEEDS: Readonly<Record<string, keyof Status["disengageUnderSpeed"]>> = {
	MAP: "map",
	SPEED: "speed",
	THROTTLE: "throttle",
	RPM: "rpm",
};

/** @returns undefined: the controller's reason says it */
function heldInWords({ heldBy, effectiveMode }: ModeState, now: Telemetry, settings: Status): string | undefined {
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
	if (state === undefined) return "";
	const held = old || now === undefined || settings === undefined ? undefined : heldInWords(state, now, settings);
	return held ?? reasonInOurWords(state);
}
