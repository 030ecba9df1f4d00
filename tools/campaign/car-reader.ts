/**
 * Reads out of the car's frames what the judge of commands looks at, from `docs/control-and-can.md` 2 and
 * `docs/decisions.md` 46 and 47; shares no code with `src/`.
 */
import type { WireFrame } from "./frame-judge.js";
import type { Bus } from "./lockstep.js";
import { type Generation, protection, steeringSum } from "./tables.js";

/** What a frame told; each frame may tell several things. */
export interface Listener {
	/** @param isCompared it is no speed that a mode looks at */
	speed(ms: number, kmh: number, isCompared: boolean): void;
	pedal(ms: number, percent: number): void;
	engine(ms: number, rpm: number): void;
	/**
	 * Of ABS and ESP.
	 * @param isGood the frame says something: else a flag counts, but not that there is none
	 */
	flags(ms: number, set: boolean, isGood: boolean): void;
	/** Whether the driver has switched ESP or ASR off: the signal of the recommended trigger. */
	trigger(ms: number, on: boolean): void;
	hazardLights(ms: number, on: boolean): void;
	/** Magnitude of the steering wheel's angle, where it is valid. */
	steering(ms: number, deg: number): void;
	/** A frame of the angle does not verify. */
	steeringDoubted(ms: number): void;
	/**
	 * The coupling reports.
	 * @param state its flags
	 * @param isGood the report has a value, and says something
	 */
	feedback(ms: number, state: number, isGood: boolean): void;
	/** A terminal of the ignition. */
	ignition(ms: number, id: number, on: boolean): void;
}

/**
 * Where the hazard lights' switch is said, which the recommended condition looks at, and its name in the
 * settings.
 */
export const HAZARD = {
	pq: { id: 0x390, byte: 6, mask: 0x80, key: "chassis|0x390|gk1 hazard light status|" },
	mqb: { id: 0x366, byte: 2, mask: 0x10, key: "chassis|0x366|hazard switch|" },
} as const;

/** The mode's sources of the speed, and those that are only compared. */
export const SPEED_IDS: Readonly<Record<Generation, readonly number[]>> = {
	1: [0x1a0, 0x4a0],
	2: [0x1a0, 0x4a0],
	4: [0x1a0, 0x4a0],
	5: [0x0b2, 0x0fd],
	51: [0x1a0, 0x4a0],
	53: [0x1a0, 0x4a0],
};

interface Check {
	/** First bit of a counter of four. */
	readonly counterBit: number;
	readonly verifies?: (data: Uint8Array) => boolean;
}

const crc = (id: number): Check => ({ counterBit: 8, verifies: (data) => data[0] === protection(id, "corrected", data) });
/** Frames that count or check themselves. 3.10, 3.4 */
const CHECKS: Readonly<Record<"pq" | "mqb", ReadonlyMap<number, Check>>> = {
	mqb: new Map<number, Check>([...[0x0fd, 0x121, 0x0a8, 0x086].map((id) => [id, crc(id)] as const), [0x118, { counterBit: 8 }]]),
	pq: new Map<number, Check>([
		[0x1a0, { counterBit: 56 }],
		[0x0c2, { counterBit: 44, verifies: (data) => data[7] === steeringSum(data) }],
		[0x2c0, { counterBit: 60 }],
		[0x118, { counterBit: 8 }], // of 53
	]),
};
/**
 * The controller begins to doubt after three in a row; in two frames that come within a tick it sees only the
 * second.
 */
const SHOWN = 8;
/**
 * So many wrong ones behind a right one may be believed, as each fourth is looked at; or all that come within
 * as many ticks.
 */
const UNSEEN = 3;
const UNSEEN_MS = 40;

/** Whether frames of one identifier may say something to the controller. */
class Guard {
	#count = -1;
	#moved = 0;
	#verified = 0;
	#wrong = 0;
	#rightMs = Number.NEGATIVE_INFINITY;

	accepts(ms: number, { counterBit, verifies }: Check, data: Uint8Array): boolean {
		const count = (data[counterBit >> 3] >> (counterBit & 7)) & 0x0f;
		const moves = count !== this.#count;
		this.#count = count;
		const stands = !moves && this.#moved >= SHOWN;
		if (moves) this.#moved++;
		else if (!stands) this.#moved = 0;
		if (verifies?.(data) !== false) {
			this.#verified++;
			this.#wrong = 0;
			this.#rightMs = ms;
			return !stands;
		}
		if (this.#verified < SHOWN) this.#verified = 0;
		this.#wrong++;
		return !stands && (this.#verified < SHOWN || this.#wrong <= UNSEEN || ms - this.#rightMs <= UNSEEN_MS);
	}
}

const word = (data: Uint8Array, at: number): number => data[at] | (data[at + 1] << 8);
const mean = (words: readonly number[]): number => words.reduce((sum, raw) => sum + raw, 0) / words.length;

export class CarReader {
	readonly #listener: Listener;
	readonly #guards = new Map<number, Guard>();

	constructor(listener: Listener) {
		this.#listener = listener;
	}

	/** The controller begins anew: no frame has shown anything. */
	forget(): void {
		this.#guards.clear();
	}

	/** @returns false if such a frame tells nothing */
	read(generation: Generation, ms: number, bus: Bus, { id, data }: WireFrame): boolean {
		const network = generation === 5 ? "mqb" : "pq";
		const isGood = this.#accepts(CHECKS[network].get(id), id, ms, data);
		if (bus === 1) return this.#readCoupling(generation, ms, id, data, isGood);
		const hazard = HAZARD[network];
		if (id === hazard.id && data.length > hazard.byte) this.#listener.hazardLights(ms, (data[hazard.byte] & hazard.mask) !== 0);
		else if (network === "mqb") return this.#readMqb(ms, id, data, isGood);
		else return this.#readPq(ms, id, data, isGood);
		return true;
	}

	#accepts(check: Check | undefined, id: number, ms: number, data: Uint8Array): boolean {
		if (check === undefined || data.length < (check.verifies === undefined ? (check.counterBit >> 3) + 1 : 8)) return true;
		const guard = this.#guards.get(id) ?? new Guard();
		this.#guards.set(id, guard);
		return guard.accepts(ms, check, data);
	}

	#readMqb(ms: number, id: number, data: Uint8Array, isGood: boolean): boolean {
		const listener = this.#listener;
		if (id === 0x0b2 && data.length === 8) {
			const wheels = [0, 2, 4, 6].map((at) => word(data, at));
			if (wheels.every((raw) => raw < 0xfffd)) listener.speed(ms, mean(wheels) * 0.0075, false);
		} else if (id === 0x0fd && data.length === 8) {
			listener.flags(ms, (data[7] & 0b0011_0101) !== 0, isGood);
			if (isGood && word(data, 4) < 0xfffd && (data[6] & 0x80) === 0) listener.speed(ms, word(data, 4) * 0.01, false);
			if (isGood) listener.trigger(ms, (data[6] & 0x02) !== 0);
		} else if (id === 0x121 && data.length >= 3) {
			const raw = (data[1] >> 4) | ((data[2] & 0x0f) << 4);
			if (isGood && raw < 0xfe && (data[2] & 0x10) === 0) listener.pedal(ms, raw * 0.4);
		} else if (id === 0x0a8 && data.length === 8) {
			if (isGood && word(data, 6) < 0xfffd && (data[5] & 0x80) === 0) listener.engine(ms, word(data, 6) * 0.25);
		} else if (id === 0x086 && data.length >= 4) {
			const raw = word(data, 2) & 0x1fff;
			if (isGood && (data[1] & 0x80) === 0 && raw <= 8000) listener.steering(ms, raw * 0.1);
		} else if (id === 0x3c0 && data.length >= 3) listener.ignition(ms, id, (data[2] & 0x02) !== 0);
		else return false;
		return true;
	}

	#readPq(ms: number, id: number, data: Uint8Array, isGood: boolean): boolean {
		const listener = this.#listener;
		if (id === 0x1a0 && data.length >= 4) {
			listener.flags(ms, (data[0] & 0b0001_1110) !== 0, isGood);
			if (isGood && word(data, 2) >> 1 <= 0x7f7f) listener.speed(ms, (word(data, 2) >> 1) * 0.01, false);
			if (isGood && data.length === 8) listener.trigger(ms, (data[7] & 0x20) !== 0);
		} else if (id === 0x4a0 && data.length === 8) {
			const wheels = [0, 2, 4, 6].map((at) => word(data, at) >> 1);
			if (wheels.every((raw) => raw <= 0x7f7f)) listener.speed(ms, mean(wheels) * 0.01, true);
		} else if (id === 0x280 && data.length >= 6) {
			if (data[5] < 0xfe) listener.pedal(ms, data[5] * 0.4);
			if (word(data, 2) <= 0xfe00) listener.engine(ms, word(data, 2) * 0.25);
		} else if (id === 0x0c2 && data.length >= 6) {
			const raw = word(data, 0) & 0x7fff;
			if (isGood && (data[5] & 0x06) === 0 && raw <= 0x7f7f) listener.steering(ms, raw * 0.04375);
			if (data.length === 8 && data[7] !== steeringSum(data)) listener.steeringDoubted(ms);
		} else if (id === 0x570 || id === 0x572) listener.ignition(ms, id, (data[0] & 0x02) !== 0);
		else return false;
		return true;
	}

	#readCoupling(generation: Generation, ms: number, id: number, data: Uint8Array, isGood: boolean): boolean {
		const isMqb = generation === 5 || generation === 53;
		if (id !== (isMqb ? 0x118 : 0x2c0) || data.length < (isMqb ? 3 : 2)) return false;
		const raw = isMqb ? data[2] : data[1];
		// codes: initialising and "open at once", and error; none in 0x118 but FF
		this.#listener.feedback(ms, isMqb ? 0 : data[0], isGood && raw !== 0xff && (isMqb || raw !== 0x7f));
		return true;
	}
}
