/**
 * What the coupling's ECU makes of the frames that it receives: how much lock they ask for.
 * The inside of a real coupling ECU is unknown. This model knows what is known of the outside (docs/control-and-can.md 1.6, 3.5-3.8):
 * the bytes below move together with the lock. A real car never moves them together (torque, engine speed, slip and a brake byte are
 * not proportional to one another), so: if all of them show the same share of their full scale, that share is a demand; if they
 * disagree, the car speaks for itself, and the ECU closes a little for slip and pedal, as from the factory.
 * Gen 1's Motor_1 byte 6 is not a lever here: the reference scales it the wrong way round (A2), the corrected profile reverses it,
 * and in the dynamic modes it is left alone; bytes 1 and 3 say the same in all cases.
 */
import type { Generation } from "./chassis.js";
import type { CanFrame } from "./frame.js";

/** A value that is `floor(base * share)` while the controller asks; NaN while it certainly does not. */
interface Lever {
	readonly id: number;
	readonly base: number;
	readonly read: (data: Uint8Array) => number;
}

const at = (id: number, index: number, base: number): Lever => ({ id, base, read: (data) => data[index] });
const speed15 = (data: Uint8Array, index: number) => (data[index] | (data[index + 1] << 8)) >> 1;
const wheelWord = (data: Uint8Array, index: number) => data[index] | (data[index + 1] << 8);

// Bremse_3 of generations 1 and 2: the rear wheels at exactly 12.80 km/h, the front ones up to 1.27 km/h faster.
// NaN agrees with nothing: a real car that rolls at that speed does not do so to the hundredth on both wheels.
const TABLE_SPEED = 0x0a00 >> 1;
const frontFaster = (front: number, rear: number): Lever => ({
	id: 0x4a0,
	base: 127,
	read: (data) => (speed15(data, rear) === TABLE_SPEED ? speed15(data, front) - TABLE_SPEED : Number.NaN),
});
const FRONT_FASTER = [frontFaster(0, 4), frontFaster(2, 6)];

const LEVERS: Readonly<Record<Generation, readonly Lever[]>> = {
	1: [at(0x280, 1, 0xfe), at(0x280, 3, 0x4e), ...FRONT_FASTER],
	2: [at(0x280, 1, 0xfe), at(0x280, 3, 0x4e), at(0x5a0, 4, 0x7f), ...FRONT_FASTER],
	4: [at(0x280, 1, 0xfe), at(0x280, 3, 0x4e), at(0x5a0, 4, 0x7f)],
	5: [at(0x08a, 7, 0xfe), at(0x0a7, 6, 0xfa), at(0x0a7, 7, 0xfa)],
};

// Frames that carry the levers come at different moments while the demand moves: what a ramp of 120 %/s changes in 20 ms.
const TOLERANCE = 0.013;
/** Levers must have disagreed this long before the demand is given up: two periods of the slowest frame. */
const DISAGREE_MS = 45;
/** A bus that is silent for so long asks for nothing. */
const SILENT_MS = 200;
const STOCK_LIMIT_PERCENT = 40;

/** The lock that a correction factor stands for: the inverse of `factor = lock * 0.5 + 20`. @param share 0..1 */
function lockOfShare(share: number): number {
	if (share >= 0.995) return 100;
	return Math.min(100, Math.max(0, (share * 100 - 20) * 2));
}

export class CouplingDemand {
	readonly #levers: readonly Lever[];
	readonly #generation: Generation;
	readonly #latest = new Map<number, Uint8Array>();
	#receivedMs = Number.NEGATIVE_INFINITY;
	#agreedMs = Number.NEGATIVE_INFINITY;
	#commandedShare = 0;

	constructor(generation: Generation) {
		this.#generation = generation;
		this.#levers = LEVERS[generation];
	}

	/** Takes a frame from the coupling bus. */
	receive(frame: CanFrame, timeMs: number): void {
		if (frame.extended || frame.rtr) return;
		this.#latest.set(frame.id, frame.data);
		this.#receivedMs = timeMs;
	}

	/** Lock asked for now, 0..100; the share of full scale that commands it, undefined if the car speaks for itself. */
	at(timeMs: number): { percent: number; share: number | undefined } {
		if (timeMs - this.#receivedMs > SILENT_MS) return { percent: 0, share: undefined };
		const share = this.#agreedShare();
		if (share !== undefined) {
			this.#agreedMs = timeMs;
			this.#commandedShare = share;
		}
		if (timeMs - this.#agreedMs <= DISAGREE_MS)
			return { percent: lockOfShare(this.#commandedShare), share: this.#commandedShare };
		return { percent: this.#stockPercent(), share: undefined };
	}

	// Each byte leaves an interval of shares that it can stand for; they agree if the intervals have one in common.
	#agreedShare(): number | undefined {
		let low = 0;
		let high = Number.POSITIVE_INFINITY;
		let finest: number | undefined;
		for (const { id, base, read } of this.#levers) {
			const data = this.#latest.get(id);
			if (!data || data.length < 8) return undefined;
			const raw = read(data);
			low = Math.max(low, raw / base - TOLERANCE);
			high = Math.min(high, (raw + 1) / base + TOLERANCE);
			// The first lever has the finest steps; the middle of its step is the best guess.
			finest ??= raw === 0 ? 0 : (raw + 0.5) / base;
		}
		return low <= high ? finest : undefined;
	}

	#stockPercent(): number {
		const mqb = this.#generation === 5;
		const wheels = this.#latest.get(mqb ? 0x0b2 : 0x4a0);
		const engine = this.#latest.get(mqb ? 0x121 : 0x280);
		if (!wheels || wheels.length < 8 || !engine || engine.length < 6) return 0;
		const slipKmh = mqb
			? 0.00375 * (wheelWord(wheels, 4) + wheelWord(wheels, 6) - wheelWord(wheels, 0) - wheelWord(wheels, 2))
			: 0.005 * (speed15(wheels, 0) + speed15(wheels, 2) - speed15(wheels, 4) - speed15(wheels, 6));
		const pedalPercent = 0.4 * (mqb ? (engine[1] >> 4) | ((engine[2] & 0x0f) << 4) : engine[5]);
		return Math.min(STOCK_LIMIT_PERCENT, Math.max(0, 10 * slipKmh) + 0.08 * pedalPercent);
	}
}
