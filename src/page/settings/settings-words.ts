/** Settings and their values in the driver's words. */

import { speedText } from "../state/speed";
import { lookUp, T } from "../texts";
import { ROWS, type SettingName, type Settings } from "./settings";
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

/** With its unit; a speed in the driver's. */
export function valueLabel(name: SettingName, value: Settings[SettingName]): string {
	const { kind, unit = "" } = ROWS[name];
	if (typeof value === "boolean") return value ? T.network.yes : T.network.no;
	if (kind === "frames") return `${value || T.frames.none}`;
	if (kind === "modes") return `${value}`.split(" ").map(choiceLabel).join(" > ");
	if (typeof value === "string") return kind === "key" ? signalLabel(value) : choiceLabel(value);
	return unit === "km/h" ? speedText(value) : `${value} ${unit}`.trim();
}
