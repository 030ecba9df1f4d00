/** The settings as one draft, of which only changes are sent; settings and values in words. */

import { planFrames, warningOf } from "../coupling/frames";
import { modeState, telemetry } from "../net/live";
import { post } from "../net/request";
import { Draft } from "../state/draft";
import { speedText } from "../state/speed";
import { lookUp, T } from "../texts";
import { isSure } from "../ui/dialogs";
import { ROWS, requestOf, type SettingName, type Settings, settingsOf } from "./settings";
import { signalLabel } from "./signal-field";

/** A slot of the dashboard is called by its number. */
export function settingLabel(name: SettingName): string {
	const { names, slot } = T.settings;
	return lookUp(names, name) ?? slot(Number(name.split("_").at(-1)));
}

/** One of a setting's choices. It may come from a damaged backup. */
export function choiceLabel(choice: string): string {
	return lookUp(T.modes, choice)?.join(", ") ?? lookUp(T.settings.choices, choice) ?? choice;
}

/** A setting's value with its unit; a speed in the driver's unit. */
export function valueLabel(name: SettingName, value: Settings[SettingName]): string {
	const { kind, unit = "" } = ROWS[name];
	if (typeof value === "boolean") return value ? T.network.yes : T.network.no;
	if (kind === "frames") return `${value || T.frames.none}`;
	if (kind === "modes") return `${value}`.split(" ").map(choiceLabel).join(" > ");
	if (typeof value === "string") return kind === "key" ? signalLabel(value) : choiceLabel(value);
	return unit === "km/h" ? speedText(value) : `${value} ${unit}`.trim();
}

/** True also while the state of the car is unknown. */
function isDriving(): boolean {
	const now = telemetry.value;
	return modeState.value?.controlActive !== false || now === undefined || (now.speedValid && now.speed > 0);
}

/** All settings by name, in km/h and the like, whatever unit is shown. */
export const settingsDraft: Draft<Settings> = new Draft<Settings>({
	name: "settings by name",
	revision: "settings",
	read: settingsOf,
	sure: async (value, stored) => {
		const warning = value.framesOff === stored?.framesOff ? "" : warningOf(planFrames(value), value.isStandalone);
		const questions = [
			[value.couplingGeneration !== stored?.couplingGeneration && isDriving(), T.settings.generationSure],
			[!value.respectInterventions && stored?.respectInterventions, T.settings.interventionsSure],
			[value.controlWithoutFeedback && !stored?.controlWithoutFeedback, T.settings.feedbackSure],
			[warning !== "" && warning !== "missing", warning && T.frames.warnings[warning]],
		] as const;
		for (const [wanted, text] of questions) if (wanted && !(await isSure(text, T.draft.save))) return false;
		return true;
	},
	write: (value, revision) => {
		const { stored } = settingsDraft.state.value;
		const changed = Object.entries(value).filter(([name, now]) => now !== stored?.[name as SettingName]);
		return post("/api/settings", { ...requestOf(Object.fromEntries(changed)), revision });
	},
});

/** Changes one setting of the draft; typing on in the same one is one step of undo. */
export function setSetting(name: SettingName, value: boolean | number | string): void {
	const { shown } = settingsDraft.state.value;
	if (shown !== undefined) settingsDraft.edit({ ...shown, [name]: value }, name);
}
