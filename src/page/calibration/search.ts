/**
 * The long calibration: what each sweep tries, how its curve is judged, and the report. Pure. The limits are
 * assumed; they decide only what is proposed.
 */

import { SETTINGS } from "../generated/settings-table";

/** A sweep uses it in place of the settings. */
export interface Trial {
	readonly torqueModel: "pinned" | "proportional";
	readonly torqueCeilingNm: number;
	readonly framesOff: string;
}

/** The next trial, and its reason. */
export interface Step {
	readonly trial: Trial;
	readonly why: "present" | "model" | "ceiling" | "frame";
	/** The frame that is off, of a step for one. */
	readonly id: string;
	/** Sweeps of one minute that may follow at the most. */
	readonly left: number;
}

/** Its result. */
export interface Sweep {
	readonly step: Step;
	/** Engagement percent by factor. */
	readonly measured: readonly number[];
	/** How far its readings lay apart, percent by factor. */
	readonly unsteady: readonly number[];
}

/** The car as it is. */
export interface Start {
	readonly generation: number;
	readonly profile: string;
	readonly trial: Trial;
	readonly hasModels: boolean;
	/** Identifiers of all frames of the plan; [] = they are not to be tried. */
	readonly frames: readonly string[];
}

/** A flaw of a curve. */
type Flaw = "dead" | "hunts" | "jumps" | "late" | "short";

/** Readings of one step may lie so far apart, percent; a few steps may be worse. */
const STEADY_PERCENT = 5;
const UNSTEADY_STEPS = 3;
/** Near full lock a healthy coupling overshoots. */
const NEAR_FULL_PERCENT = 90;
const JUMP_PERCENT = 20;
/** It has begun to close by this much, and has to before half of the way. */
const BEGUN_PERCENT = 5;
const LATEST_BEGIN_PERCENT = 50;
const ENOUGH_PERCENT = 95;
/** The controller makes no table of less: src/calibration/sweep.ts. */
const SPAN_MIN_PERCENT = 50;
/** Two curves are the same within this. */
const SAME_PERCENT = 5;
const CEILING_MOST_NM = SETTINGS.torqueCeilingNm.max;
/** Ceilings that are tried, from 150 Nm to the most, if each is doubled. */
const CEILINGS = 2;

/** [] = it is good. */
export function flawsOf({ measured, unsteady }: Pick<Sweep, "measured" | "unsteady">): readonly Flaw[] {
	const [open = 0] = measured;
	const full = measured.at(-1) ?? 0;
	if (full - open < SPAN_MIN_PERCENT) return ["dead"];
	const flaws: Flaw[] = [];
	const wild = unsteady.filter((percent, factor) => percent > STEADY_PERCENT && (measured[factor] ?? 0) < NEAR_FULL_PERCENT);
	if (wild.length > UNSTEADY_STEPS) flaws.push("hunts");
	if (measured.some((percent, factor) => percent - (measured[factor - 1] ?? percent) > JUMP_PERCENT)) flaws.push("jumps");
	if (measured.findIndex((percent) => percent >= open + BEGUN_PERCENT) > LATEST_BEGIN_PERCENT) flaws.push("late");
	if (full < ENOUGH_PERCENT) flaws.push("short");
	return flaws;
}

const isSame = (one: Sweep, other: Sweep): boolean =>
	one.measured.length === other.measured.length &&
	one.measured.every((percent, factor) => Math.abs(percent - (other.measured[factor] ?? 0)) <= SAME_PERCENT) &&
	flawsOf(other).every((flaw) => flawsOf(one).includes(flaw));

/** The sweep with the fewest flaws, the first of several. */
const bestOf = (sweeps: readonly Sweep[]): Sweep | undefined =>
	[...sweeps].sort((one, other) => flawsOf(one).length + deadLast(one) - flawsOf(other).length - deadLast(other))[0];
const isDead = (sweep: Sweep): boolean => flawsOf(sweep).includes("dead");
const deadLast = (sweep: Sweep): number => (isDead(sweep) ? 9 : 0);

/**
 * The whole sequence: gives what to try, takes what came of it.
 * @returns the proposed sweep, with the fewest frames that do the same; undefined = there is none
 */
export function* search({ trial, hasModels, frames }: Start): Generator<Step, Sweep | undefined, Sweep> {
	const more = frames.length;
	const base = { ...trial, framesOff: "" };
	const sweeps = [yield { trial: base, why: "present", id: "", left: more + (hasModels ? 1 + CEILINGS : 0) }];
	const isBad = (): boolean => flawsOf(sweeps.at(-1) as Sweep).length > 0;
	if (hasModels && isBad()) {
		let model = base;
		if (trial.torqueModel === "pinned" || flawsOf(sweeps[0] as Sweep).some((flaw) => flaw === "hunts" || flaw === "jumps")) {
			model = { ...base, torqueModel: trial.torqueModel === "pinned" ? "proportional" : "pinned" };
			sweeps.push(yield { trial: model, why: "model", id: "", left: more + CEILINGS });
		}
		for (let left = more + CEILINGS - 1; model.torqueModel === "proportional" && isBad() && left >= more; left--) {
			const last = sweeps.at(-1) as Sweep;
			const { torqueCeilingNm } = last.step.trial;
			if (flawsOf(last).includes("hunts") || flawsOf(last).includes("jumps") || torqueCeilingNm >= CEILING_MOST_NM) break;
			const full = last.measured.at(-1) ?? 0;
			// a twentieth above what would reach full lock if it went on evenly
			const wantedNm = Math.ceil((torqueCeilingNm * 105) / Math.max(1, full) / 10) * 10;
			model = { ...model, torqueCeilingNm: Math.min(CEILING_MOST_NM, 2 * torqueCeilingNm, wantedNm) };
			sweeps.push(yield { trial: model, why: "ceiling", id: "", left });
		}
	}
	const best = bestOf(sweeps);
	if (best === undefined || isDead(best)) return undefined;
	let kept = best;
	for (const [index, id] of frames.entries()) {
		const off = [...kept.step.trial.framesOff.split(" "), id].filter((one) => one !== "").sort();
		// without any frame it is stock
		if (off.length === frames.length) break;
		const without = { ...kept.step.trial, framesOff: off.join(" ") };
		const sweep = yield { trial: without, why: "frame", id, left: frames.length - index - 1 };
		if (isSame(best, sweep)) kept = sweep;
	}
	return kept;
}

/** The report for other owners: nothing in it tells whose car it is. English, like all names in it. */
export function reportOf(start: Start, sweeps: readonly Sweep[], found: Sweep | undefined, software: string): string {
	const nameOf = ({ torqueModel, torqueCeilingNm, framesOff }: Trial): string =>
		[
			...(start.hasModels ? [torqueModel === "pinned" ? torqueModel : `${torqueModel} ${torqueCeilingNm} Nm`] : []),
			`frames off: ${framesOff || "none"}`,
		].join(", ");
	const lines = sweeps.map(({ step, measured, unsteady }, index) => {
		const points = measured.filter((_, factor) => factor % 10 === 0).map(Math.round);
		const flaws = flawsOf({ measured, unsteady });
		const verdict = flaws.length === 0 ? "good" : flaws.join(", ");
		return `${index + 1}. ${nameOf(step.trial)}: ${verdict}\n   ${points.join(" ") || "-"}; unsteady by ${Math.round(Math.max(0, ...unsteady))} %`;
	});
	const off = found?.step.trial.framesOff ?? "";
	const needed = start.frames.filter((id) => !off.includes(id)).join(" ");
	return [
		"OpenCoupling long calibration",
		`software ${software}`,
		`generation ${start.generation}, frame profile ${start.profile}`,
		"engagement in % at factor 0, 10, ... 100:",
		...lines,
		found === undefined ? "nothing to use was found" : `proposed: ${nameOf(found.step.trial)}`,
		...(found === undefined || start.frames.length === 0 ? [] : [`frames needed: ${needed}`]),
		"measured in a car that stands: frames that matter only while driving are not recognised",
		"",
	].join("\n");
}
