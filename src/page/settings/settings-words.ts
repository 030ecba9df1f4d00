/** What two states of the settings differ in, in the driver's words. */

import { T } from "../texts";
import { LOG_FLAGS, type LogFlag, type Settings } from "./settings-draft";
import { signalLabel } from "./signal-field";

export function settingLabel(name: keyof Settings): string {
	const S = T.settings;
	if (name in LOG_FLAGS) return S.logs[name as LogFlag];
	const labels: Record<Exclude<keyof Settings, LogFlag>, string> = {
		couplingGeneration: S.generation,
		inputMappings: S.inputs,
		broadcastControllerOverCAN: S.broadcast,
		disableThrottle: S.disableThrottle,
		disableSpeed: S.disableSpeed,
		disengageUnderSpeed: S.gates,
		lockReleaseRatePctPerSec: S.release,
		lockEngageRatePctPerSec: S.engage,
		frameProfile: S.profile,
		respectInterventions: S.interventions,
		controlWithoutFeedback: S.withoutFeedback,
		pwm: S.pwm,
		modeTrigger: S.trigger,
		dashMappings: S.dashboard,
	};
	return labels[name as keyof typeof labels] ?? name;
}

type Fields = Readonly<Record<string, unknown>>;
export const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

/** Alike, whatever the order of members. */
export function alike(a: unknown, b: unknown): boolean {
	if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((value, i) => alike(value, b[i]));
	if (!isObject(a) || !isObject(b)) return Object.is(a, b);
	const names = new Set([...Object.keys(a), ...Object.keys(b)]);
	return [...names].every((name) => alike(a[name], b[name]));
}

/** What differs; of values with members, those alone. @param say how two values stand beside each other */
export function changes(a: unknown, b: unknown, say: (a: string, b: string) => string): string {
	if (!isObject(a) || !isObject(b)) return say(shown(a), shown(b));
	return Object.keys({ ...a, ...b })
		.filter((name) => !alike(a[name], b[name]))
		.map((name) => say(shown(a[name]), shown(b[name])))
		.join(", ");
}

/** A value for people. */
function shown(value: unknown): string {
	if (typeof value === "boolean") return value ? T.network.yes : T.network.no;
	const text = String(value ?? "");
	if (text.includes("|")) return signalLabel(text);
	const { operators, reference, corrected } = T.settings;
	const words: Readonly<Record<string, string>> = { ...operators, reference, corrected };
	return T.modes[text]?.[0] ?? words[text] ?? (text || "–");
}
