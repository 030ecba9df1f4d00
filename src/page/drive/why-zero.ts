/** Why no lock is asked for although control is active: the gate, the input or the ramp at work. */

import { useEffect, useState } from "preact/hooks";
import { lookUp } from "../look-up";
import { modeState, stale, telemetry } from "../net/live";
import { get } from "../net/request";
import type { Preview, Status } from "../net/types";
import { speedText } from "../state/speed";
import { status } from "../state/status";
import { useStore } from "../state/store";
import { T } from "../texts";
import { modeLabel } from "./mode-names";

/** Chosen: a sentence is not read sooner; the controller takes less than 4 ms for an answer on a C6. */
const EVERY_MS = 1000;

const DYNAMIC: Readonly<Record<string, keyof Status["disengageUnderSpeed"]>> = {
	MAP: "map",
	SPEED: "speed",
	THROTTLE: "throttle",
	RPM: "rpm",
};

/** @returns undefined: the steering angle leaves nothing, as the controller's reason says */
function inWords({ mode, speed, throttle, rpm, lock, ungated, gainPercent }: Preview, settings: Status): string | undefined {
	const W = T.whyZero;
	const name = lookUp(DYNAMIC, mode);
	if (lock > 0) return W.ramp(lock);
	if (ungated > 0 && gainPercent === 0) return undefined;
	if (ungated > 0) {
		if (name !== undefined) return W.below(speedText(settings.disengageUnderSpeed[name]));
		return Math.trunc(throttle) < settings.disableThrottle
			? W.pedalBelow(settings.disableThrottle)
			: W.above(speedText(settings.disableSpeed));
	}
	if (name === undefined) return W.mode(modeLabel(mode));
	return W.input(modeLabel(mode), W.inputs[name](speedText(speed), throttle, rpm));
}

/** @returns undefined: lock is asked for, or the controller's reason says it all */
export function useWhyZero(): string | undefined {
	const live = useStore(modeState);
	const now = useStore(telemetry);
	const settings = useStore(status);
	const old = useStore(stale);
	const [preview, setPreview] = useState<Preview>();
	const mode = live?.effectiveMode;
	const zero = live?.controlActive === true && !old && now !== undefined && Math.round(now.spec) === 0;
	useEffect(() => {
		setPreview(undefined);
		if (!zero) return;
		let over = false;
		const ask = async (): Promise<void> => {
			// without an answer the controller's reason stands alone
			const answer = await get<Preview>(`/api/preview?mode=${mode}`).catch(() => undefined);
			if (!over) setPreview(answer);
		};
		void ask();
		const timer = setInterval(() => void ask(), EVERY_MS);
		return () => {
			over = true;
			clearInterval(timer);
		};
	}, [zero, mode]);
	return zero && preview !== undefined && settings !== undefined ? inWords(preview, settings) : undefined;
}
