/**
 * When frames are generated (`docs/control-and-can.md` 3.9): when the controller has to be silent, at which pace
 * it has to send, and which frames of the chassis may pass meanwhile.
 */
import type { Demands } from "./demands.js";
import { EXTENDED, type WireFrame } from "./frame-judge.js";
import type { Bus } from "./lockstep.js";
import type { Losses } from "./passage.js";
import { SLACK_MS } from "./restraints.js";
import { DIAGNOSIS, isGenerated, type Row } from "./tables.js";

const LISTEN_MS = 3000;
const RAMP_MS = 500;
/** What an output may be behind what caused it. */
const PROMPT_MS = 1;
/** From the moment in which nothing forbids it until frames leave. */
const BEGIN_MS = 60;
/** Frames that are due together may go so long after one another. */
const LATEST_PHASE_MS = 5;

/** Tells when the controller may generate a frame, when it must, and which frames come late. */
export class Moments {
	/** The setting is on; undefined: that is about to change. */
	isOn: boolean | undefined = true;
	/** What is generated: nothing where the car's frames are rewritten. */
	rows: readonly Row[] = [];
	readonly #demands: Demands;
	readonly #losses: Losses;
	/** Reports of the coupling since the start, and the last. */
	#reports = 0;
	#reportedMs = Number.NEGATIVE_INFINITY;
	#silentUntilMs = Number.POSITIVE_INFINITY;
	/** When something last forbade it, ended or began to. */
	#changedMs = Number.NEGATIVE_INFINITY;
	/** By row, when it was sent last. */
	readonly #sentMs = new Map<string, number>();

	constructor(demands: Demands, losses: Losses) {
		this.#demands = demands;
		this.#losses = losses;
	}

	/** Identifiers of what is generated. */
	get ids(): readonly number[] {
		return [...new Set(this.rows.map(({ id }) => id))];
	}

	/** Whether this unit gets frames that are generated: there is no car, or one that sends none of its frames. */
	get generates(): boolean {
		const { generation, isAlone } = this.#demands.wishes;
		return isGenerated(generation, isAlone === true);
	}

	/** The controller starts. */
	boot(ms: number): void {
		this.#reports = 0;
		this.listen(ms);
	}

	/** Its coupling is chosen again: it may go on at once. */
	resume(ms: number): void {
		this.#silentUntilMs = ms;
		this.#reports = 1;
		this.hasReturned(ms);
	}

	/** It listens anew from now on. */
	listen(ms: number): void {
		this.#silentUntilMs = ms + LISTEN_MS;
		this.changes(this.#silentUntilMs);
		this.#sentMs.clear();
	}

	/** A bus that it was off is back by now: it listens, and may do so for longer. */
	hasReturned(ms: number): void {
		this.changes(ms + LISTEN_MS);
	}

	/** Another plan may have been active: what is sent begins anew. */
	startOver(ms: number): void {
		this.#sentMs.clear();
		this.changes(ms);
	}

	/** Something begins or ends then that stands against it. */
	changes(ms: number): void {
		this.#changedMs = Math.max(this.#changedMs, ms);
	}

	/** A frame reaches the controller's pins. */
	arrives(ms: number, bus: Bus, { id, flags }: WireFrame): void {
		if (!this.#demands.isDown(bus) && this.rows.some((row) => row.id === id) && !(flags & EXTENDED)) {
			this.listen(ms);
			this.#demands.calibration?.end(ms, "somebody else sends what is generated");
		}
		if (bus !== 1 || id !== 0x118 || this.#demands.wishes.isAlone || this.#demands.isDown(1)) return;
		// in a car it begins to listen with the first report that it hears, or, as the script starts, with the next
		if (this.#reports++ === 0) this.listen(ms);
		else if (this.#reports === 2 || this.#silentUntilMs > this.#reportedMs + LISTEN_MS) this.hasReturned(ms);
		this.#reportedMs = ms;
	}

	/** By its setting, or by a fault of the controller. */
	get isOff(): boolean {
		const { standing } = this.#demands;
		return (
			this.isOn === false || !this.generates || standing.has("noFrames") || standing.has("fault") || standing.has("bootLoop")
		);
	}

	/** Why no generated frame may leave now; undefined: it may. */
	silentAt(ms: number): string | undefined {
		if (this.isOff) return "it is off";
		if (ms < this.#silentUntilMs - PROMPT_MS && ms > this.#silentUntilMs - LISTEN_MS + PROMPT_MS)
			return "somebody else sends its frames, or it listens";
		if (this.#demands.isDown(0, ms - PROMPT_MS) || this.#demands.isDown(1, ms - PROMPT_MS)) return "a bus is down";
		// lock is released in a ramp before
		if (this.#demands.noticedMs(this.#demands.reported.untilMs, ms) > RAMP_MS + SLACK_MS) return "the coupling does not report";
		return this.#demands.hasNoLease(ms) ? "the script is stalled for longer than its lease" : undefined;
	}

	/** True if nothing stands against it, for long enough that frames must leave. */
	mustSendAt(ms: number): boolean {
		const isDisturbed =
			ms <= Math.max(this.#changedMs, this.#demands.reported.sinceMs) + BEGIN_MS ||
			ms - this.#demands.reported.untilMs > -SLACK_MS ||
			this.#losses.mayLose(ms) ||
			this.#demands.isStalledAt(ms);
		return this.isOn === true && !isDisturbed && this.silentAt(ms) === undefined;
	}

	/** Whether a frame of the chassis must reach the coupling; undefined: it may. */
	passesAt(ms: number, { id, flags }: WireFrame): boolean | undefined {
		if (this.silentAt(ms) !== undefined || (flags === 0 && (DIAGNOSIS.has(id) || this.rows.some((row) => row.id === id))))
			return true;
		return this.mustSendAt(ms) ? false : undefined;
	}

	/** Rows that have not come for longer than their period. */
	*lateAt(ms: number): IterableIterator<string> {
		if (!this.mustSendAt(ms)) return;
		for (const row of this.rows) {
			const lateMs =
				ms -
				Math.max(
					this.#sentMs.get(nameOf(row)) ?? 0,
					this.#changedMs + BEGIN_MS,
					this.#demands.reported.sinceMs + BEGIN_MS,
					this.#losses.untilMs,
				);
			if (lateMs > row.periodMs + LATEST_PHASE_MS + PROMPT_MS) yield `${nameOf(row)} is due, and did not come for ${lateMs} ms`;
		}
	}

	/** A frame of a row leaves. @returns what is wrong with the moment, "" = nothing */
	sends(ms: number, row: Row): string {
		const silent = this.silentAt(ms);
		if (silent !== undefined) return `${nameOf(row)} is sent although ${silent}`;
		const lastMs = this.#sentMs.get(nameOf(row));
		this.#sentMs.set(nameOf(row), ms);
		// begun anew, or gone on, after a lease that was over
		const isAnew =
			lastMs === undefined ||
			lastMs < this.#demands.reported.sinceMs ||
			lastMs <= this.#losses.untilMs ||
			ms - this.#demands.stalledUntilMs < row.periodMs + BEGIN_MS;
		if (isAnew || Math.abs(ms - lastMs - row.periodMs) <= PROMPT_MS + 1e-6) return "";
		return `${nameOf(row)} comes ${(ms - lastMs).toFixed(1)} ms after the one before`;
	}
}

const nameOf = ({ id, tokens }: Row): string => `0x${id.toString(16)} ${tokens[0]}..`;
