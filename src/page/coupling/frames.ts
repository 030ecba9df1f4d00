/** Which frames the active plan has, and what leaving some of them off means. */

import { FRAME_IDS, PLAN_FRAMES } from "../generated/coupling-table";

/** A frame's name in the network's description. */
type FrameName = keyof typeof FRAME_IDS;
/** Use of a frame by the coupling: see the texts. */
export type Purpose =
	| "torque"
	| "engine"
	| "pedal"
	| "request"
	| "wheels"
	| "brakes"
	| "motion"
	| "steering"
	| "gearbox"
	| "cluster"
	| "gateway";

const PURPOSES: Readonly<Record<FrameName, Purpose>> = {
	Motor_1: "torque",
	Motor_2: "engine",
	Motor_3: "pedal",
	Motor_5: "engine",
	Bremse_1: "brakes",
	Bremse_2: "motion",
	Bremse_3: "wheels",
	Bremse_4: "request",
	Bremse_5: "motion",
	Bremse_9: "brakes",
	Bremse_10: "wheels",
	Bremse_11: "brakes",
	Lenkwinkel_1: "steering",
	Kombi_1: "cluster",
	Kombi_2: "cluster",
	Kombi_3: "cluster",
	Gate_Komf_1: "gateway",
	Gate_Komf_2: "gateway",
	Systeminfo_1: "gateway",
	Soll_Verbauliste_neu: "gateway",
	NMH_Gateway: "gateway",
	Diagnose_1: "cluster",
	Motor_07: "engine",
	Motor_11: "torque",
	Motor_12: "engine",
	Motor_14: "engine",
	Motor_20: "pedal",
	Motor_Code_01: "engine",
	ESP_05: "brakes",
	ESP_07: "brakes",
	ESP_10: "wheels",
	ESP_14: "request",
	ESP_18: "brakes",
	ESP_19: "wheels",
	ESP_20: "brakes",
	ESP_23: "brakes",
	ESP_29: "brakes",
	Getriebe_11: "gearbox",
	Getriebe_14: "gearbox",
	LWI_01: "steering",
	Kombi_01: "cluster",
	Kombi_02: "cluster",
	Parkhilfe_04: "gateway",
	Gateway_72: "gateway",
	Charisma_01: "gateway",
	Systeminfo_01: "gateway",
	Diagnose_01: "cluster",
};

/** A frame of the plan that would be loaded. */
interface PlanFrame {
	readonly name: FrameName;
	/** The identifier as the setting has it: `0x0A7`. */
	readonly id: string;
	readonly purpose: Purpose;
	readonly carriesLock: boolean;
	readonly tellsSpeed: boolean;
	readonly isOn: boolean;
}

/** Settings that choose a plan. */
interface PlanSettings {
	readonly couplingGeneration: number;
	readonly frameProfile: string;
	readonly isStandalone: boolean;
	readonly framesOff: string;
}

const idsOf = (text: string): readonly string[] => (text === "" ? [] : text.split(" "));

/** The frames of these settings' plan, by identifier; none before a generation is chosen. */
export function planFrames({ couplingGeneration, frameProfile, isStandalone, framesOff }: PlanSettings): readonly PlanFrame[] {
	const plan = PLAN_FRAMES[`${couplingGeneration} ${frameProfile} ${isStandalone ? "alone" : "car"}`];
	const off = idsOf(framesOff);
	return (plan?.split(/\s+/) ?? []).map((entry) => {
		const name = entry.replace("*", "").replace("~", "") as FrameName;
		const id = idText(FRAME_IDS[name]);
		return {
			name,
			id,
			purpose: PURPOSES[name],
			carriesLock: entry.startsWith("*"),
			tellsSpeed: entry.includes("~"),
			isOn: !off.includes(id),
		};
	});
}

/** The identifier as people and the setting write it: `0x0A7`. */
export const idText = (id: number): string => `0x${id.toString(16).toUpperCase().padStart(3, "0")}`;

/** The setting with one frame switched. */
export function switched(framesOff: string, id: string, on: boolean): string {
	const others = idsOf(framesOff).filter((one) => one !== id);
	return (on ? others : [...others, id]).sort().join(" ");
}

/** Identifiers that are off and in no frame of this plan. */
export function strangers(framesOff: string, frames: readonly PlanFrame[]): readonly string[] {
	return idsOf(framesOff).filter((id) => frames.every((frame) => frame.id !== id));
}

/** Faults of a choice, worst first. */
export type Warning = "stock" | "noLock" | "noTorque" | "speeds" | "missing";

/** "" = nothing. */
export function warningOf(frames: readonly PlanFrame[], isStandalone: boolean): Warning | "" {
	const on = frames.filter(({ isOn }) => isOn);
	if (on.length === frames.length) return "";
	if (on.length === 0) return "stock";
	if (!on.some(({ carriesLock }) => carriesLock)) return "noLock";
	if (!on.some(({ purpose }) => purpose === "torque")) return "noTorque";
	const speeds = frames.filter(({ tellsSpeed }) => tellsSpeed);
	if (new Set(speeds.map(({ isOn }) => isOn)).size > 1) return "speeds";
	return isStandalone ? "missing" : "";
}
