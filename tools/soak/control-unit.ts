/**
 * The coupling's control unit that diagnosis speaks with: right mostly, and a liar now and then. Answers
 * later than a real one, after a piece of time. Generation 1 has none that answers.
 */
import type { Random } from "../../test/support/random.js";
import { EXTENDED, REMOTE, type WireFrame } from "../campaign/frame-judge.js";
import type { SendOn } from "../campaign/hostile-car.js";
import type { Generation } from "../campaign/tables.js";
import { noFaults } from "../vehicle/control-unit/faults.js";
import { CouplingEcu } from "../vehicle/coupling-ecu.js";

/**
 * What diagnosis may send of its own (docs/control-and-can.md 4.1, 5.3, 5.4), with the channel that this
 * control unit offers.
 */
export const QUESTIONS: ReadonlySet<number> = new Set([0x70f, 0x71d, 0x1c40000f, 0x200, 0x740]);
/** Its answers: kept back from the car, or not, by whether somebody asks. */
export const ANSWERS: ReadonlySet<number> = new Set([0x779, 0x20a, 0x300]);
/** Says which identifiers a channel has: another would make anything a question. */
const CHANNEL = 0x20a;
const COUPLING_BUS = 1;
/** One in so many frames is wrong, and a failing lasts so long. */
const WRONG_IN = 12;
const FAILING_MS = 20_000;
const LENGTH_MAX = 8;

export class ControlUnit {
	/** Frames that were asked and answered. */
	readonly #counts: { asked: number; answered: number };
	readonly #random: Random;
	readonly #ecu: CouplingEcu;
	#untilMs = 0;

	constructor(generation: Generation, random: Random, counts: { asked: number; answered: number }) {
		this.#counts = counts;
		this.#random = random;
		this.#ecu = new CouplingEcu(generation);
	}

	receive(ms: number, { id, flags, data }: WireFrame): void {
		this.#counts.asked++;
		this.#ecu.receive({ id, extended: (flags & EXTENDED) !== 0, rtr: (flags & REMOTE) !== 0, data }, ms);
	}

	/** One ms. */
	step(ms: number, send: SendOn): void {
		if (ms >= this.#untilMs) this.#fail(ms + FAILING_MS);
		this.#ecu.step(ms, true, (id, extended, bytes) => {
			if (!ANSWERS.has(id)) return;
			const data = Uint8Array.from(bytes);
			const what = id === CHANNEL ? WRONG_IN : this.#random.below(3 * WRONG_IN);
			if (what === 0) return;
			if (what === 1) data[this.#random.below(data.length)] = this.#random.below(256);
			this.#counts.answered++;
			const frame = { id, flags: extended ? EXTENDED : 0, data };
			send(COUPLING_BUS, frame);
			if (what === 2) send(COUPLING_BUS, { ...frame, data: this.#noise() });
		});
	}

	#noise(): Uint8Array {
		return Uint8Array.from({ length: this.#random.below(LENGTH_MAX + 1) }, () => this.#random.below(256));
	}

	/** Another failing, or none. */
	#fail(untilMs: number): void {
		const random = this.#random;
		this.#untilMs = untilMs;
		Object.assign(
			this.#ecu.diagnosisFaults,
			noFaults(),
			random.of([
				{},
				{},
				{ lateMs: random.below(2000) },
				{ pendingMs: random.below(6000) },
				{ negativeCode: random.below(256) },
				{ silentFrom: 1 + random.below(4) },
				{ wrongSequenceAt: 1 + random.below(4) },
				{ silent: true },
				{ blockSize: random.below(9), separationMs: random.below(128) },
			]),
		);
	}
}
