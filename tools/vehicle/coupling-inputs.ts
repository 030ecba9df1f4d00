/**
 * The coupling's control unit: the car's frames that it reads, and how far it wants to close for them. Nobody
 * has seen its inside. `tools/vehicle/README.md` says of each number below whether it was measured or is
 * assumed. It reads what the maker's list says that it reads, decodes it as the car means it, and knows
 * nothing of this controller: where the controller's bytes mean something else than lock, it does something
 * else.
 */
import type { Generation } from "./chassis.js";
import type { CanFrame } from "./frame.js";
import { mqbChecksum } from "./integrity.js";

/**
 * Nobody knows what a real one makes of frames that do not verify or do not count, and of contradictions.
 * `lenient` takes no engine torque from a frame of MQB that does not verify, goes on with the wheel speeds,
 * which have no checksum, and looks at no counter and no flag of ABS or ESP: so the couplings in the
 * reference's cars seem to be, which close for the reference's frames although none of their checksums
 * verifies. `strict` ignores each frame that does not verify or count, takes an engine that it does not hear
 * for a silent bus, and opens while a flag is set. `554k` follows the torque of MQB alone, whatever its checksum,
 * while actual and filtered torque agree; while they don't, it follows the wheel speeds and hunts.
 */
export type Character = "lenient" | "strict" | "554k";

/** Wanted engagement, percent; `undefined`: to open at once. */
export type Wanted = number | undefined;

/** Frames of a bus that is silent for longer do not count: a unit on a bench opened after 146 ms. */
const SILENT_MS = 150;

/** Counts of 0x118 for each Nm, by gear. Measured in P, standing in D, in gears 1 to 3; else assumed. */
const COUNTS_PER_NM = { parked: 0.7, byGear: [1.08, 1.08, 0.88, 0.45, 0.45, 0.45, 0.45] };
const FULL_COUNTS = 254;

/** Of the engine in 0x280 bytes 1 and 6; and for each km/h by which the front axle turns faster. Assumed. */
const PQ_NM_PER_STEP = 1.56;
const PERCENT_PER_KMH = { pq: 80, mqb: 66 };
const VALID_TO = { pq: 0x7f7f, mqb: 0xfeff };

/** Of a 554K: how far actual and filtered torque may lie apart, and how it hunts beyond. Assumed. */
const AGREES_NM = 40;
const HUNTS_PERCENT = 15;
const HUNTS_PERIOD_MS = 1000;
/** Raw torques above are codes. */
const VALID_TORQUE = 1018;
/** So near to open and to full it stays where it is. */
const STEADY_PERCENT = 5;

const NO_WHEELS = new Uint8Array(8);

interface Latest {
	data: Uint8Array;
	ms: number;
}

const word = (data: Uint8Array, index: number): number => data[index] | (data[index + 1] << 8);
const xor = (data: Uint8Array): number => data.reduce((sum, byte) => sum ^ byte, 0);
const percentOf = (torqueNm: number, gear: number | "parked"): number => {
	const perNm = gear === "parked" ? COUNTS_PER_NM.parked : (COUNTS_PER_NM.byGear[gear] ?? COUNTS_PER_NM.byGear[0]);
	return (100 * perNm * Math.max(0, torqueNm)) / FULL_COUNTS;
};

/** Frames with a counter or a checksum: first bit of the counter, and whether the frame verifies. */
const CHECKS: Readonly<Record<number, { readonly counterBit: number; readonly verifies?: (data: Uint8Array) => boolean }>> = {
	167: { counterBit: 8, verifies: (data) => data[0] === mqbChecksum(0x0a7, data) },
	173: { counterBit: 8, verifies: (data) => data[0] === mqbChecksum(0x0ad, data) },
	416: { counterBit: 56 },
	672: { counterBit: 52, verifies: (data) => xor(data) === 0 },
};

/** Whether it reads frames of MQB, whatever car it is in. */
export const isUnitOfMqb = (generation: Generation): boolean => generation === 5 || generation === 53;

export class CouplingInputs {
	readonly #generation: Generation;
	readonly #character: Character;
	readonly #latest = new Map<number, Latest>();
	readonly #counts = new Map<number, number>();
	/** Whether the last frame did. */
	readonly #verified = new Map<number, boolean>();
	#heardMs = Number.NEGATIVE_INFINITY;

	constructor(generation: Generation, character: Character) {
		this.#generation = generation;
		this.#character = character;
	}

	/** Takes a frame from the coupling bus. */
	receive({ id, extended, rtr, data }: CanFrame, timeMs: number): void {
		if (extended || rtr || data.length < 8) return;
		this.#heardMs = timeMs;
		const check = CHECKS[id];
		if (check !== undefined) {
			const verifies = check.verifies?.(data) ?? true;
			// one checksum in 256 fits by chance
			const verifiedBefore = this.#verified.get(id) ?? false;
			this.#verified.set(id, verifies);
			const needsChecksum = this.#character === "strict" || (isUnitOfMqb(this.#generation) && this.#character === "lenient");
			if (!(verifies && verifiedBefore) && needsChecksum) return;
			const count = (data[check.counterBit >> 3] >> (check.counterBit & 7)) & 0x0f;
			const stands = this.#counts.get(id) === count;
			this.#counts.set(id, count);
			if (stands && this.#character === "strict") return;
		}
		this.#latest.set(id, { data: Uint8Array.from(data), ms: timeMs });
	}

	at(timeMs: number): Wanted {
		const mqb = isUnitOfMqb(this.#generation);
		const engine = this.#at(mqb ? 0x0a7 : 0x280, timeMs);
		const isSilent = this.#character === "strict" ? engine === undefined : timeMs - this.#heardMs > SILENT_MS;
		if (isSilent) return undefined;
		return mqb ? this.#mqb(timeMs, engine) : this.#pq(timeMs, engine);
	}

	#at(id: number, timeMs: number): Uint8Array | undefined {
		const latest = this.#latest.get(id);
		return latest !== undefined && timeMs - latest.ms <= SILENT_MS ? latest.data : undefined;
	}

	// The engine's actual torque by gear, or slip.
	#mqb(timeMs: number, engine: Uint8Array | undefined): Wanted {
		const raw = engine === undefined ? 0 : (engine[2] >> 6) | (engine[3] << 2);
		const gearbox = this.#at(0x0ad, timeMs);
		const parked = gearbox === undefined || ((gearbox[5] >> 2) & 0x0f) === 5;
		const wanted = percentOf(raw >= 1022 ? 0 : raw - 509, parked ? "parked" : (gearbox as Uint8Array)[7] >> 4);
		const wheels = this.#at(0x0b2, timeMs) ?? NO_WHEELS;
		const [rearLeft, rearRight, frontLeft, frontRight] = [0, 2, 4, 6].map((index) => word(wheels, index));
		const speeds = [frontLeft, frontRight, rearLeft, rearRight];
		const slipKmh = speeds.some((speed) => speed > VALID_TO.mqb) ? 0 : slipOf(speeds) * 0.0075;
		const bySlip = Math.min(100, PERCENT_PER_KMH.mqb * slipKmh);
		if (this.#character !== "554k") return Math.min(100, Math.max(wanted, bySlip));
		const filtered = engine === undefined ? 0 : (engine[5] >> 2) | ((engine[6] & 0x0f) << 6);
		if (filtered <= VALID_TORQUE && Math.abs(raw - filtered) <= AGREES_NM) return Math.min(100, wanted);
		if (bySlip < STEADY_PERCENT || bySlip > 100 - STEADY_PERCENT) return bySlip;
		return Math.max(0, Math.min(100, bySlip + HUNTS_PERCENT * Math.sin((2 * Math.PI * timeMs) / HUNTS_PERIOD_MS)));
	}

	// Of engine, slip and the brakes' request what asks for most; a request of 7F opens at once, 01 to 7E are
	// none.
	#pq(timeMs: number, engine: Uint8Array | undefined): Wanted {
		const brakes = this.#at(0x1a0, timeMs);
		if (this.#character === "strict" && brakes !== undefined && (brakes[0] & 0b0001_1100) !== 0) return undefined;
		const gearbox = this.#at(0x440, timeMs);
		const parked = gearbox === undefined || gearbox[1] >> 4 === 8;
		const steps = engine === undefined || engine[1] === 0xff || engine[6] === 0xff ? 0 : engine[1] - engine[6];
		const byEngine = percentOf(steps * PQ_NM_PER_STEP, parked ? "parked" : (gearbox as Uint8Array)[1] & 0x0f);
		const wheels = this.#at(0x4a0, timeMs) ?? NO_WHEELS;
		const speeds = [0, 2, 4, 6].map((index) => word(wheels, index) >> 1);
		const slipKmh = speeds.some((speed) => speed > VALID_TO.pq) ? 0 : slipOf(speeds) * 0.01;
		const request = this.#at(0x2a0, timeMs)?.[0] ?? 0;
		if (request === 0x7f) return undefined;
		const byRequest = request >= 0x80 && request <= 0xfe ? ((request - 0x80) * 100) / (0xfe - 0x80) : 0;
		return Math.min(100, Math.max(byEngine, PERCENT_PER_KMH.pq * slipKmh, byRequest));
	}
}

/** How much faster the front axle turns, raw. @param speeds of the front wheels, then of the rear ones */
function slipOf([frontLeft, frontRight, rearLeft, rearRight]: readonly number[]): number {
	return Math.max(0, (frontLeft + frontRight - rearLeft - rearRight) / 2);
}
