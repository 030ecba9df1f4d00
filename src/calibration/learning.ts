/**
 * The table that a calibration has learned: its form on flash and on the wire, and where it is kept. The old
 * table stays until the new one is whole; both are applied between two control ticks.
 */

import { couplingOf, FRAME_PROFILES, GENERATIONS, isGeneration } from "../coupling/couplings/couplings.js";
import { CEILING_NM, type FactorSettings, framesOf, TORQUE_MODELS, type Trial } from "../coupling/frame-plan.js";
import { type DocumentForm, type StorageContext, StoredDocument } from "../storage/stored-document.js";
import type { Steps, WriteQueue } from "../storage/write-queue.js";
import { consistsOf, DECIMAL } from "../text/characters.js";
import { inTenths, SPAN_MIN_PERCENT, STEPS, type Sweep } from "./sweep.js";

/** Measured by a sweep, with the settings that it ran with; generation 0 = nothing was learned. */
export interface LearnedTable extends FactorSettings {
	/** Day of the operator's calendar, `2026-11-23`; "" = unknown. */
	readonly date: string;
	/** Engagement percent for each factor 0..100, in tenths, that never falls; [] = nothing was learned. */
	readonly table: readonly number[];
	/** Oil of the clutch when the sweep began and ended; [] = not reported. */
	readonly oilC: readonly number[];
}

/** Before the first calibration and after it is cleared. */
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

/** Values of `isDay`. */
export const DAY_ALLOWED = 'a day as 2026-11-23, or ""';

const TABLE_ALLOWED = `${STEPS} numbers 0..100 that never fall, the last at least ${SPAN_MIN_PERCENT} above the first; of generation 0 none`;

/** "", or a day as `2026-11-23`. */
export function isDay(value: unknown): value is string {
	if (value === "") return true;
	if (typeof value !== "string" || value.length !== "2026-11-23".length) return false;
	const [year = "", month = "", day = "", more] = value.split("-");
	return more === undefined && year.length === 4 && month.length === 2 && consistsOf(year + month + day, DECIMAL);
}

/** Percentages are rounded to tenths. @throws {RangeError} naming field, value and what is allowed */
export function learnedTableFrom(fields: Readonly<Record<string, unknown>>): LearnedTable {
	const { generation, frameProfile, torqueModel, date, table, oilC = [] } = fields;
	if (generation !== 0 && !isGeneration(generation)) reject("generation", generation, `0, ${GENERATIONS.join(", ")}`);
	const profile = FRAME_PROFILES.find((name) => name === frameProfile);
	if (profile === undefined) reject("frameProfile", frameProfile, FRAME_PROFILES.join(", "));
	// the rows of `corrected` were others before there were two models
	const isFormer = torqueModel === undefined && !(couplingOf(generation)?.torque !== undefined && profile === "corrected");
	const trial = trialFrom({ ...fields, torqueModel: isFormer ? "pinned" : torqueModel });
	if (!isDay(date)) reject("date", date, DAY_ALLOWED);
	if (generation === 0 && Array.isArray(table) && table.length === 0) return NOTHING_LEARNED;
	const tenths = tableFrom(table);
	if (generation === 0 || tenths === undefined) throw new RangeError(`table is not allowed; allowed: ${TABLE_ALLOWED}`);
	if (!Array.isArray(oilC) || (oilC.length !== 0 && oilC.length !== 2) || !oilC.every(Number.isFinite))
		throw new RangeError("oilC is not allowed; allowed: two numbers, or none");
	return { generation, frameProfile: profile, ...trial, date, table: tenths, oilC: oilC as number[] };
}

/** @throws {RangeError} naming field, value and what is allowed */
export function trialFrom(fields: Readonly<Record<string, unknown>>): Trial {
	const { torqueModel, torqueCeilingNm = CEILING_NM.usual, framesOff = "" } = fields;
	const model = TORQUE_MODELS.find((name) => name === torqueModel);
	if (model === undefined) reject("torqueModel", torqueModel, TORQUE_MODELS.join(", "));
	const { least, most } = CEILING_NM;
	if (typeof torqueCeilingNm !== "number" || !(torqueCeilingNm >= least && torqueCeilingNm <= most))
		reject("torqueCeilingNm", torqueCeilingNm, `${least}..${most}`);
	const off = typeof framesOff === "string" ? framesOf(framesOff) : undefined;
	if (off === undefined) reject("framesOff", framesOff, "identifiers as 0x0A7");
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

/** @param value of any type and length */
function reject(name: string, value: unknown, allowed: string): never {
	const isPlain = typeof value === "string" || typeof value === "number";
	const shown = isPlain ? JSON.stringify(value).slice(0, 32) : typeof value;
	throw new RangeError(`${name} ${shown} is not allowed; allowed: ${allowed}`);
}

/** An invalid table is rejected as a whole. */
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

/** The controller. */
interface Learner {
	readonly settings: FactorSettings;
	readonly calibration: { readonly sweep: Sweep };
	/** NaN = not reported. */
	readonly vehicle: { readonly clutchTemperatureC: number };
	/** @returns why not, as `Sweep.problem` */
	startCalibration(trial?: Trial): string | undefined;
	/** Applies a table from the next tick on. */
	useLearned(learned: LearnedTable): void;
}

/** Only the end of a sweep, a backup and `clear` change the learned table. */
export class Learning {
	/** The table, of whichever generation. */
	learned = NOTHING_LEARNED;
	readonly #learner: Learner;
	readonly #document: StoredDocument<LearnedTable>;
	readonly #writes: WriteQueue;
	/** Settings of the sweep that runs; undefined = a trial, or another table has taken its place. */
	#begun: LearnedTable | undefined;
	#oilAtBeginC = Number.NaN;

	constructor(learner: Learner, storage: StorageContext) {
		this.#learner = learner;
		this.#document = new StoredDocument(LEARNED_DOCUMENT, storage);
		this.#writes = storage.writes;
	}

	/** Reads what was learned and hands it to the controller. */
	load(): void {
		this.#take(this.#document.load());
	}

	/**
	 * Begins a sweep.
	 * @param date as `isDay` has it
	 * @param trial in place of the settings: its table is not kept
	 * @returns why not, as `Sweep.problem`
	 */
	start(date: string, trial?: Trial): string | undefined {
		this.tick();
		const { generation, frameProfile, torqueModel, torqueCeilingNm, framesOff } = this.#learner.settings;
		this.#oilAtBeginC = this.#learner.vehicle.clutchTemperatureC;
		const problem = this.#learner.startCalibration(trial);
		const own = { generation, frameProfile, torqueModel, torqueCeilingNm, framesOff, date, table: [], oilC: [] };
		if (problem === undefined) this.#begun = trial === undefined ? own : undefined;
		return problem;
	}

	/** Keeps the table of a sweep that has ended. Call several times a second, not on the control tick. */
	tick(): void {
		const { sweep } = this.#learner.calibration;
		if (sweep.phase !== "measured") return;
		const table = sweep.finish();
		if (table === undefined || this.#begun === undefined) return;
		const oilC = [this.#oilAtBeginC, this.#learner.vehicle.clutchTemperatureC];
		this.#take({ ...this.#begun, table, oilC: oilC.some(Number.isNaN) ? [] : oilC });
		this.#document.save(this.learned);
	}

	/** Ends a sweep that runs; the table of one that has just ended is kept before that. */
	cancel(): void {
		this.tick();
		this.#learner.calibration.sweep.cancel();
		this.#learner.useLearned(this.learned);
	}

	/**
	 * Stores another table, or none, and then applies it.
	 * @param done "" = it is active, else why nothing has changed
	 */
	replace(learned: LearnedTable, done: (problem: string) => void): void {
		this.#writes.add(this.#replacing(learned, done));
	}

	*#replacing(learned: LearnedTable, done: (problem: string) => void): Steps {
		const before = this.learned;
		try {
			yield* this.#document.writing(learned);
		} catch (error) {
			done((error as Error).message);
			return;
		}
		if (this.#learner.calibration.sweep.phase === "measured") this.#begun = undefined;
		// the table of a sweep that has ended between two steps waits to be written
		if (this.learned !== before) this.#document.save(learned);
		this.#take(learned);
		done("");
	}

	/** Writes what is pending. */
	flush(): void {
		this.#document.flush();
	}

	#take(learned: LearnedTable): void {
		this.learned = learned;
		this.#learner.useLearned(learned);
	}
}
