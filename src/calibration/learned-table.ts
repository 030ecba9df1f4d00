/**
 * The table of a calibration and what it belongs to: what it was measured with. Its stored form is its form
 * on the wire, too.
 */

import { couplingOf, FRAME_PROFILES, GENERATIONS, isGeneration } from "../coupling/couplings/couplings.js";
import { CEILING_NM, framesOf, TORQUE_MODELS, type Trial, type Wording } from "../coupling/plan-choice.js";
import type { DocumentForm } from "../storage/stored-document.js";
import { consistsOf, DECIMAL } from "../text/characters.js";
import { inTenths, SPAN_MIN_PERCENT } from "./fit.js";
import { STEPS } from "./sweep.js";

/** What a sweep has found out, and with what; generation 0 = nothing was learned. */
export interface LearnedTable extends Wording {
	/** Day of the operator's calendar, `2026-11-23`; "" = not known. */
	readonly date: string;
	/** Engagement percent for each factor 0..100, in tenths, that never falls; [] = nothing was learned. */
	readonly table: readonly number[];
	/** Oil of the clutch when the sweep began and ended, degrees Celsius; [] = not reported. */
	readonly oilC: readonly number[];
}

/** In its place before the first calibration and after `clear`. */
export const NOTHING_LEARNED: LearnedTable = Object.freeze({
	generation: 0,
	frameProfile: "reference",
	torqueModel: "pinned",
	torqueCeilingNm: CEILING_NM.usual,
	framesOff: "",
	date: "",
	table: Object.freeze([]),
	oilC: Object.freeze([]),
});

/** What a refusal says is allowed: see `isDay`. */
export const DAY_ALLOWED = 'a day as 2026-11-23, or ""';

/** True for "" and for a day as `2026-11-23`. */
export function isDay(value: unknown): value is string {
	if (value === "") return true;
	if (typeof value !== "string" || value.length !== "2026-11-23".length) return false;
	const [year = "", month = "", day = "", more] = value.split("-");
	return more === undefined && year.length === 4 && month.length === 2 && consistsOf(year + month + day, DECIMAL);
}

/**
 * What stands behind the tenths is rounded: the file has room for no more.
 * @param fields of a file or a request, unchecked @throws {RangeError} naming field, value and what is
 * allowed
 */
export function learnedTableFrom(fields: Readonly<Record<string, unknown>>): LearnedTable {
	const { generation, frameProfile, torqueModel, date, table, oilC = [] } = fields;
	if (generation !== 0 && !isGeneration(generation))
		throw new RangeError(`generation ${shown(generation)} is not allowed; allowed: 0, ${GENERATIONS.join(", ")}`);
	const profile = FRAME_PROFILES.find((name) => name === frameProfile);
	if (profile === undefined)
		throw new RangeError(`frameProfile ${shown(frameProfile)} is not allowed; allowed: ${FRAME_PROFILES.join(", ")}`);
	// before there were two models the rows of `corrected` were others where there are two now
	const isFormer = torqueModel === undefined && !(couplingOf(generation)?.torque !== undefined && profile === "corrected");
	const trial = trialFrom({ ...fields, torqueModel: isFormer ? "pinned" : torqueModel });
	if (!isDay(date)) throw new RangeError(`date ${shown(date)} is not allowed; allowed: ${DAY_ALLOWED}`);
	if (generation === 0 && Array.isArray(table) && table.length === 0) return NOTHING_LEARNED;
	const tenths = tableFrom(table);
	if (generation === 0 || tenths === undefined)
		throw new RangeError(
			`table is not allowed; allowed: ${STEPS} numbers 0..100 that never fall, the last at least ${SPAN_MIN_PERCENT} above the first; of generation 0 none`,
		);
	if (!Array.isArray(oilC) || (oilC.length !== 0 && oilC.length !== 2) || !oilC.every(Number.isFinite))
		throw new RangeError("oilC is not allowed; allowed: two numbers, or none");
	return { generation, frameProfile: profile, ...trial, date, table: tenths, oilC: oilC as number[] };
}

/**
 * @param fields of a file or a request, unchecked @throws {RangeError} naming field, value and what is
 * allowed
 */
export function trialFrom(fields: Readonly<Record<string, unknown>>): Trial {
	const { torqueModel, torqueCeilingNm = CEILING_NM.usual, framesOff = "" } = fields;
	const model = TORQUE_MODELS.find((name) => name === torqueModel);
	if (model === undefined)
		throw new RangeError(`torqueModel ${shown(torqueModel)} is not allowed; allowed: ${TORQUE_MODELS.join(", ")}`);
	if (typeof torqueCeilingNm !== "number" || !(torqueCeilingNm >= CEILING_NM.least && torqueCeilingNm <= CEILING_NM.most))
		throw new RangeError(
			`torqueCeilingNm ${shown(torqueCeilingNm)} is not allowed; allowed: ${CEILING_NM.least}..${CEILING_NM.most}`,
		);
	const off = typeof framesOff === "string" ? framesOf(framesOff) : undefined;
	if (off === undefined) throw new RangeError(`framesOff ${shown(framesOff)} is not allowed; allowed: identifiers as 0x0A7`);
	return { torqueModel: model, torqueCeilingNm, framesOff: off };
}

function tableFrom(value: unknown): readonly number[] | undefined {
	if (!Array.isArray(value) || value.length !== STEPS) return undefined;
	const table: number[] = [];
	let last = 0;
	for (let i = 0; i < STEPS; i++) {
		const percent: unknown = value[i];
		if (typeof percent !== "number" || !(percent >= last && percent <= 100)) return undefined;
		last = percent;
		table[i] = inTenths(percent);
	}
	return table[STEPS - 1] - table[0] >= SPAN_MIN_PERCENT ? table : undefined;
}

/** What stands in a file or a request may be anything, of any length. */
function shown(value: unknown): string {
	return typeof value === "string" || typeof value === "number" ? JSON.stringify(value).slice(0, 32) : typeof value;
}

/** Its file. What can't be a table is rejected as a whole. */
export const LEARNED_DOCUMENT: DocumentForm<LearnedTable> = Object.freeze({
	path: "calibration.json",
	format: 1,
	maxBytes: 2048,
	fallback: NOTHING_LEARNED,
	read(fields) {
		const learned = learnedTableFrom(fields);
		const stored = fields["table"] as readonly number[];
		if (learned.table.some((percent, factor) => percent !== stored[factor]))
			throw new RangeError("table is not allowed; allowed: tenths");
		return learned;
	},
	write: (learned) => ({ ...learned }),
} satisfies DocumentForm<LearnedTable>);
