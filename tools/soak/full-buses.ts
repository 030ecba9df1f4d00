/**
 * Fills both buses up to what 500 kbit/s hold: frames of no meaning beside the car's, of any identifier,
 * length and content.
 */
import type { Random } from "../../test/support/random.js";
import { EXTENDED, REMOTE, type WireFrame } from "../campaign/frame-judge.js";
import type { HostileCar, SendOn } from "../campaign/hostile-car.js";
import { type Generation, type Profile, tableOf } from "../campaign/tables.js";
import { ANSWERS, type ControlUnit, QUESTIONS } from "./control-unit.js";

/** Frames of 8 bytes that 500 kbit/s hold in a second. */
export const FULL_BUS = 4504;
const IDENTIFIERS = 300;
/** A 29-bit identifier, and a remote frame, once in so many. */
const EXTENDED_IN = 5;
const REMOTE_IN = 40;
/**
 * Ours, the coupling's, what the car shows of itself, and the gearboxes that the simulated coupling listens
 * to.
 */
const MEANT: readonly number[] = [0x6b0, 0x2c0, 0x2c1, 0x118, 0x0b2, 0x0fd, 0x121, 0x0a8, 0x1a0, 0x280, 0x288, 0x440, 0x0ad];
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

/** @param perSecond frames on each bus, the car's and those of the control unit included */
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

/** More than a bus holds in a millisecond never comes. */
const MOST_IN_MS = 5;
