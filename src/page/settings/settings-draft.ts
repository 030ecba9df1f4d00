/** What the driver sets, as one draft; only what was changed is sent. */

import { modeState, telemetry } from "../net/live";
import { post } from "../net/request";
import type { Status } from "../net/types";
import { Draft, same } from "../state/draft";
import { T } from "../texts";

export const LOG_FLAGS = {
	logToFileEnabled: "enabled",
	logErrorToFileEnabled: "errorEnabled",
	logSerialEnabled: "serialEnabled",
	logCanToFileEnabled: "canEnabled",
	logDebugFirmwareEnabled: "debugFirmwareEnabled",
	logDebugNetworkEnabled: "debugNetworkEnabled",
	logDebugCanEnabled: "debugCanEnabled",
} as const;
export type LogFlag = keyof typeof LOG_FLAGS;

export interface Settings extends Record<LogFlag, boolean> {
	readonly couplingGeneration: number;
	readonly inputMappings: Status["inputMappings"];
	readonly broadcastControllerOverCAN: boolean;
	readonly disableThrottle: number;
	readonly disableSpeed: number;
	readonly disengageUnderSpeed: Status["disengageUnderSpeed"];
	readonly lockReleaseRatePctPerSec: number;
	readonly lockEngageRatePctPerSec: number;
	readonly frameProfile: string;
	readonly respectInterventions: boolean;
	readonly controlWithoutFeedback: boolean;
	readonly pwm: Status["pwm"];
	readonly modeTrigger: {
		readonly enabled: boolean;
		readonly signal: string;
		readonly operator: string;
		readonly value: number;
		readonly mode: string;
		readonly broadcastControllerOverCAN: boolean;
	};
	readonly dashMappings: Readonly<Record<string, string>>;
}

/** Those of a snapshot. */
export function settingsOf(status: Status): Settings {
	const { enabled, signal, operator, value, mode, broadcastControllerOverCAN } = status.modeTrigger;
	const flag = (name: LogFlag): boolean => status.logging[LOG_FLAGS[name]] ?? false;
	return {
		couplingGeneration: status.couplingGeneration,
		inputMappings: status.inputMappings,
		broadcastControllerOverCAN: status.broadcastControllerOverCAN,
		disableThrottle: status.disableThrottle,
		disableSpeed: status.disableSpeed,
		disengageUnderSpeed: status.disengageUnderSpeed,
		lockReleaseRatePctPerSec: status.lockReleaseRatePctPerSec,
		lockEngageRatePctPerSec: status.lockEngageRatePctPerSec,
		frameProfile: status.frameProfile,
		respectInterventions: status.respectInterventions,
		controlWithoutFeedback: status.controlWithoutFeedback,
		pwm: status.pwm,
		modeTrigger: { enabled, signal, operator, value, mode, broadcastControllerOverCAN },
		dashMappings: status.dashMappings,
		logToFileEnabled: flag("logToFileEnabled"),
		logErrorToFileEnabled: flag("logErrorToFileEnabled"),
		logSerialEnabled: flag("logSerialEnabled"),
		logCanToFileEnabled: flag("logCanToFileEnabled"),
		logDebugFirmwareEnabled: flag("logDebugFirmwareEnabled"),
		logDebugNetworkEnabled: flag("logDebugNetworkEnabled"),
		logDebugCanEnabled: flag("logDebugCanEnabled"),
	};
}

/** Also while nobody knows. */
function isDriving(): boolean {
	const now = telemetry.value;
	return modeState.value?.controlActive !== false || now === undefined || (now.speedValid && now.speed > 0);
}

export const settingsDraft: Draft<Settings> = new Draft<Settings>({
	name: "settings",
	revision: "settings",
	read: settingsOf,
	sure: (value, stored) =>
		value.couplingGeneration === stored?.couplingGeneration || !isDriving() || confirm(T.settings.generationSure),
	write: (value, revision) => {
		const { stored } = settingsDraft.state.value;
		const changed = Object.entries(value).filter(([name, now]) => !same(now, stored?.[name as keyof Settings]));
		return post("/api/settings", { ...Object.fromEntries(changed), revision });
	},
});
