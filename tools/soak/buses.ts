/**
 * What is on the soak's buses beside the car: the control unit that diagnosis speaks with, and frames of no meaning
 * up to what 500 kbit/s hold.
 */
import type { Random } from "../../test/support/random.js";
import { EXTENDED, REMOTE, type WireFrame } from "../campaign/frame-judge.js";
import type { HostileCar, SendOn } from "../campaign/hostile-car.js";
import { type Generation, type Profile, tableOf } from "../campaign/tables.js";
import { noFaults } from "../vehicle/control-unit/servers.js";
import { CouplingEcu } from "../vehicle/coupling-ecu.js";
import type { Counts } from "./client.js";

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
/** One in how many frames is wrong, and how long a failing lasts. */
const WRONG_IN = 12;
const FAILING_MS = 20_000;
const LENGTH_MAX = 8;

/** Right mostly, and a liar now and then. Answers later than a real one. That of generation 1 does not answer. */
export class ControlUnit {
	readonly #counts: Counts;
	readonly #random: Random;
	readonly #ecu: CouplingEcu;
	#untilMs = 0;

	constructor(generation: Generation, random: Random, counts: Counts) {
		this.#counts = counts;
		this.#random = random;
		this.#ecu = new CouplingEcu(generation);
	}

	receive(ms: number, { id, flags, data }: WireFrame): void {
		this.#counts.add("questions");
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
			this.#counts.add("answers");
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

/** Frames of 8 bytes that 500 kbit/s hold in a second. */
export const FULL_BUS = 4504;
const IDENTIFIERS = 300;
/** A 29-bit identifier, and a remote frame, once in this many. */
const EXTENDED_IN = 5;
const REMOTE_IN = 40;
/**
 * Ours, the coupling's, what the car shows of itself, and the gearboxes that the simulated coupling listens
 * to.
 */
const MEANT: readonly number[] = [0x6b0, 0x2c0, 0x2c1, 0x118, 0x0b2, 0x0fd, 0x121, 0x0a8, 0x1a0, 0x280, 0x288, 0x440, 0x0ad];
/** More than a bus holds in a millisecond never comes. */
const MOST_IN_MS = 5;
/** A tester on the bus, before whom diagnosis steps back. */
const DIAGNOSIS_FROM = 0x700;

const meant = new Set([
	...MEANT,
	...QUESTIONS,
	...ANSWERS,
	...([1, 2, 4, 5] as Generation[]).flatMap((generation) =>
		(["reference", "corrected"] as Profile[]).flatMap((profile) =>
			tableOf(generation, profile, false, "FWD").rows.map(({ id }) => id),
		),
	),
]);

/**
 * Frames of any identifier, length and content.
 * @param perSecond frames on each bus, the car's and those of the control unit included
 */
export function fillBuses(car: HostileCar, unit: ControlUnit, random: Random, perSecond: number): void {
	const own = new Set<number>();
	const frames = Array.from({ length: IDENTIFIERS }, (): WireFrame => {
		const isExtended = random.below(EXTENDED_IN) === 0;
		let id = 0;
		do id = isExtended ? random.below(0x2000_0000) : random.below(DIAGNOSIS_FROM);
		while (meant.has(id) || own.has(id));
		own.add(id);
		const flags = (isExtended ? EXTENDED : 0) + (random.below(REMOTE_IN) === 0 ? REMOTE : 0);
		return { id, flags, data: new Uint8Array(random.below(4) === 0 ? random.below(9) : 8) };
	});
	const put = (bus: 0 | 1, send: SendOn): void => {
		const { id, flags, data } = random.of(frames);
		const fresh = Uint8Array.from(data);
		if ((flags & REMOTE) === 0) for (let i = 0; i < fresh.length; i += 2) fresh[i] = random.below(256);
		send(bus, { id, flags, data: fresh });
	};
	car.filler = (ms, count, send) => {
		unit.step(ms, send);
		const full = Math.floor(((ms + 1) * perSecond) / 1000);
		// what a silent car has not sent is not made up for
		for (const bus of [0, 1] as const) for (let n = Math.min(full - count[bus], MOST_IN_MS); n > 0; n--) put(bus, send);
	};
}
