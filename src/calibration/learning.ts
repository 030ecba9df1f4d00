/**
 * Keeps the learned table: on flash, in the controller, and new as soon as a sweep has ended well. The old
 * one stays until the new one is whole; both are applied between two control ticks.
 */

import type { Trial, Wording } from "../coupling/plan-choice.js";
import { type StorageContext, StoredDocument } from "../storage/stored-document.js";
import type { Steps, WriteQueue } from "../storage/write-queue.js";
import { LEARNED_DOCUMENT, type LearnedTable, NOTHING_LEARNED } from "./learned-table.js";
import type { Sweep } from "./sweep.js";

/** What is needed of the controller. */
export interface Learner {
	readonly settings: Wording;
	readonly calibration: { readonly sweep: Sweep };
	/** NaN = not reported. */
	readonly vehicle: { readonly clutchTemperatureC: number };
	/** @returns why not, as `Sweep.problem`; "" = it has begun */
	startCalibration(trial?: Trial): string;
	/** Applies a table from the next tick on. */
	useLearned(learned: LearnedTable): void;
}

/** The learned table for the interface. Only the end of a sweep, a backup and `clear` change it. */
export class Learning {
	readonly #learner: Learner;
	readonly #document: StoredDocument<LearnedTable>;
	readonly #writes: WriteQueue;
	#learned = NOTHING_LEARNED;
	/**
	 * What the sweep that runs belongs to; undefined = its table is not kept: it is a trial, or another table has
	 * taken its place.
	 */
	#begun: LearnedTable | undefined;
	#oilAtBeginC = Number.NaN;

	constructor(learner: Learner, storage: StorageContext) {
		this.#learner = learner;
		this.#document = new StoredDocument(LEARNED_DOCUMENT, storage);
		this.#writes = storage.writes;
	}

	/** Reads what was learned and hands it to the controller. Never throws. */
	load(): void {
		this.#take(this.#document.load());
	}

	/** What is kept, of whatever generation. */
	get learned(): LearnedTable {
		return this.#learned;
	}

	/**
	 * Begins a sweep, after one that ended well is kept.
	 * @param date as `isDay` has it
	 * @param trial what is tried in the place of the settings: what comes of it is not kept
	 * @returns why not, as `Sweep.problem`; "" = it has begun
	 */
	start(date: string, trial?: Trial): string {
		this.tick();
		const { generation, frameProfile, torqueModel, torqueCeilingNm, framesOff } = this.#learner.settings;
		this.#oilAtBeginC = this.#learner.vehicle.clutchTemperatureC;
		const problem = this.#learner.startCalibration(trial);
		const own = { generation, frameProfile, torqueModel, torqueCeilingNm, framesOff, date, table: [], oilC: [] };
		if (problem === "") this.#begun = trial === undefined ? own : undefined;
		return problem;
	}

	/** Takes the readings of a sweep that has ended. Call several times a second, not on the control tick. */
	tick(): void {
		const { sweep } = this.#learner.calibration;
		if (sweep.phase !== "measured") return;
		const table = sweep.finish();
		if (table === undefined || this.#begun === undefined) return;
		const oilC = [this.#oilAtBeginC, this.#learner.vehicle.clutchTemperatureC];
		this.#keep({ ...this.#begun, table, oilC: oilC.some(Number.isNaN) ? [] : oilC });
	}

	/**
	 * Ends a sweep that runs: what is kept stays active. One that has just ended well is over, and kept,
	 * before that.
	 */
	cancel(): void {
		this.tick();
		this.#learner.calibration.sweep.abort("");
		this.#learner.useLearned(this.#learned);
	}

	/**
	 * Another table, or none, instead of what is kept, and of what a sweep has just measured. It is on flash
	 * before it is active.
	 * @param done told once: "" = it is active, else why it could not be stored: nothing has changed then
	 */
	replace(learned: LearnedTable, done: (problem: string) => void): void {
		this.#writes.add(this.#replacing(learned, done));
	}

	*#replacing(learned: LearnedTable, done: (problem: string) => void): Steps {
		const before = this.#learned;
		try {
			yield* this.#document.writing(learned);
		} catch (error) {
			done((error as Error).message);
			return;
		}
		// not `tick`: to make a table of it takes a turn of its own
		if (this.#learner.calibration.sweep.phase === "measured") this.#begun = undefined;
		// a sweep has ended between two steps: its table waits to be written, and must not return at the next
		// start
		if (this.#learned !== before) this.#document.save(learned);
		this.#take(learned);
		done("");
	}

	/** Writes what is pending now. Never throws. */
	flush(): void {
		this.#document.flush();
	}

	#keep(learned: LearnedTable): void {
		this.#take(learned);
		this.#document.save(learned);
	}

	#take(learned: LearnedTable): void {
		this.#learned = learned;
		this.#learner.useLearned(learned);
	}
}
