/**
 * What is on the soak's buses beside the car's right frames: answers of its coupling that are wrong, and frames of no
 * meaning up to what 500 kbit/s hold.
 */
import { EXTENDED, REMOTE, type WireFrame } from "../campaign/frame-judge.js";
import type { HostileCar, SendOn } from "../campaign/hostile-car.js";
import { type Generation, type Profile, tableOf } from "../campaign/tables.js";
import type { Random } from "../random.js";
import { noFaults } from "../vehicle/control-unit/servers.js";
import type { Counts } from "./client.js";

/**
 * What diagnosis may send of its own (docs/control-and-can.md 4.1, 5.3, 5.4), with the channel that the coupling
 * offers.
 */
export const QUESTIONS: ReadonlySet<number> = new Set([0x70f, 0x71d, 0x1c40000f, 0x200, 0x740]);
/** Its answers: kept back from the car, or not, by whether somebody asks. */
export const ANSWERS: ReadonlySet<number> = new Set([0x779, 0x20a, 0x300]);
/** Says which identifiers a channel has: another would make anything a question. */
const CHANNEL = 0x20a;
const COUPLING_BUS = 1;
/** Of as many answers one is lost, one has a wrong byte, and noise follows one. */
const WRONG_IN = 36;
/** How often the coupling begins to fail in another way. */
const FAILING_MS = 20_000;
const LENGTH_MAX = 8;

/** Another failing of the coupling's diagnosis, or none. */
function fail({ coupling }: HostileCar, random: Random): void {
	const failing = random.of([
		{},
		{},
		{ lateMs: random.below(2000) },
		{ pendingMs: random.below(6000) },
		{ negativeCode: random.below(256) },
		{ silentFrom: 1 + random.below(4) },
		{ wrongSequenceAt: 1 + random.below(4) },
		{ silent: true },
		{ blockSize: random.below(9), separationMs: random.below(128) },
	]);
	Object.assign(coupling.diagnosisFaults, noFaults(), failing);
}

/** That of generation 1 does not answer. @returns sends noise behind an answer */
function spoilAnswers(car: HostileCar, random: Random, counts: Counts): (send: SendOn) => void {
	const noisy: number[] = [];
	for (const id of ANSWERS)
		car.meddling.set(id, (data) => {
			const what = id === CHANNEL ? WRONG_IN : random.below(WRONG_IN);
			if (what === 0) return undefined;
			if (what === 1) data[random.below(data.length)] = random.below(256);
			if (what === 2) noisy.push(id);
			counts.add("answers");
			return data;
		});
	return (send) => {
		for (const id of noisy.splice(0)) {
			const data = Uint8Array.from({ length: random.below(LENGTH_MAX + 1) }, () => random.below(256));
			send(COUPLING_BUS, { id, flags: 0, data });
		}
	};
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
 * Frames of any identifier, length and content, and diagnosis that goes wrong.
 * @param perSecond frames on each bus, the car's included
 */
export function fillBuses(car: HostileCar, random: Random, counts: Counts, perSecond: number): void {
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
	const sendNoise = spoilAnswers(car, random, counts);
	car.filler = (ms, count, send) => {
		if (ms % FAILING_MS === 0) fail(car, random);
		sendNoise(send);
		const full = Math.floor(((ms + 1) * perSecond) / 1000);
		// what a silent car has not sent is not made up for
		for (const bus of [0, 1] as const) for (let n = Math.min(full - count[bus], MOST_IN_MS); n > 0; n--) put(bus, send);
	};
}
