/**
 * What is known of the car by its frames: what each tells, since when each input is there, and when it was away.
 * From `docs/control-and-can.md` 2 and `docs/decisions.md` 5, 46 and 47; shares no code with `src/`.
 */
import type { WireFrame } from "./frame-judge.js";
import type { Bus } from "./lockstep.js";
import { word } from "./marks.js";
import { type Generation, protection, steeringSum } from "./tables.js";

/** Signals that modes follow, in km/h, percent and 1/min. */
export type Signal = "speed" | "pedal" | "rpm";

/** What a frame tells; undefined: nothing of it. */
export interface Told {
	readonly signals?: Readonly<Partial<Record<Signal, number | undefined>>>;
	/** A speed, also one that is only compared. */
	readonly kmh?: number | undefined;
	/** A flag of ABS or ESP is set. */
	readonly intervenes?: boolean;
	/** The driver has switched ESP or ASR off: the signal of the recommended trigger. */
	readonly trigger?: boolean | undefined;
	readonly hazardLights?: boolean;
	/** Magnitude of the steering wheel's angle. */
	readonly steeringDeg?: number | undefined;
	/** A frame of the angle does not verify. */
	readonly doubtsAngle?: boolean;
	/** Flags of the coupling's report. */
	readonly report?: number;
	/** A terminal of the ignition. */
	readonly terminal?: boolean;
	/** The frame says something: else a flag counts, but not that there is none, and a report has no value. */
	readonly isGood?: boolean;
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
 * How many wrong ones behind a right one may be believed, as each fourth is looked at; or all that come
 * within as many ticks.
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

/** @returns undefined: above `most` it is no value */
const known = (raw: number, most: number, unit: number): number | undefined => (raw <= most ? raw * unit : undefined);
/** Mean of four wheels. */
function wheels(data: Uint8Array, shift: number, most: number, unit: number): number | undefined {
	const raw = [0, 2, 4, 6].map((at) => word(data, at) >> shift);
	return raw.every((one) => one <= most) ? (raw.reduce((sum, one) => sum + one, 0) / 4) * unit : undefined;
}

/** A speed that modes follow. */
const speedOf = (kmh: number | undefined): Told => ({ kmh, signals: { speed: kmh } });

/** @returns undefined: such a frame tells nothing */
function readMqb(id: number, data: Uint8Array, isGood: boolean): Told | undefined {
	const { length } = data;
	/** A value whose frame is good and has none of these bits set. */
	const unless = (at: number, mask: number, value: number | undefined) => (isGood && (data[at] & mask) === 0 ? value : undefined);
	if (id === 0x0b2 && length === 8) return speedOf(wheels(data, 0, 0xfffc, 0.0075));
	if (id === 0x0fd && length === 8)
		return {
			intervenes: (data[7] & 0b0011_0101) !== 0,
			isGood,
			...speedOf(unless(6, 0x80, known(word(data, 4), 0xfffc, 0.01))),
			trigger: isGood ? (data[6] & 0x02) !== 0 : undefined,
		};
	if (id === 0x121 && length >= 3)
		return { signals: { pedal: unless(2, 0x10, known((data[1] >> 4) | ((data[2] & 0x0f) << 4), 0xfd, 0.4)) } };
	if (id === 0x0a8 && length === 8) return { signals: { rpm: unless(5, 0x80, known(word(data, 6), 0xfffc, 0.25)) } };
	if (id === 0x086 && length >= 4) return { steeringDeg: unless(1, 0x80, known(word(data, 2) & 0x1fff, 8000, 0.1)) };
	return id === 0x3c0 && length >= 3 ? { terminal: (data[2] & 0x02) !== 0 } : undefined;
}

/** @returns undefined: such a frame tells nothing */
function readPq(id: number, data: Uint8Array, isGood: boolean): Told | undefined {
	const { length } = data;
	if (id === 0x1a0 && length >= 4)
		return {
			intervenes: (data[0] & 0b0001_1110) !== 0,
			isGood,
			...speedOf(isGood ? known(word(data, 2) >> 1, 0x7f7f, 0.01) : undefined),
			trigger: isGood && length === 8 ? (data[7] & 0x20) !== 0 : undefined,
		};
	if (id === 0x4a0 && length === 8) return { kmh: wheels(data, 1, 0x7f7f, 0.01) };
	if (id === 0x280 && length >= 6)
		return { signals: { pedal: known(data[5], 0xfd, 0.4), rpm: known(word(data, 2), 0xfe00, 0.25) } };
	if (id === 0x0c2 && length >= 6)
		return {
			steeringDeg: isGood && (data[5] & 0x06) === 0 ? known(word(data, 0) & 0x7fff, 0x7f7f, 0.04375) : undefined,
			doubtsAngle: length === 8 && data[7] !== steeringSum(data),
		};
	return id === 0x570 || id === 0x572 ? { terminal: (data[0] & 0x02) !== 0 } : undefined;
}

/** The coupling's report. Codes: initialising and "open at once", and error; in 0x118 error alone, and no flags. */
function readReport(id: number, data: Uint8Array, isGood: boolean): Told | undefined {
	const isMqb = id === 0x118;
	if (data.length < (isMqb ? 3 : 2)) return undefined;
	const raw = isMqb ? data[2] : data[1];
	return { report: isMqb ? 0 : data[0], isGood: isGood && raw !== 0xff && (isMqb || raw !== 0x7f) };
}

/** Frame in which the coupling reports. */
export const REPORT_IDS: Readonly<Record<Generation, number>> = { 1: 0x2c0, 2: 0x2c0, 4: 0x2c0, 5: 0x118, 51: 0x2c0, 53: 0x118 };

/** Reads what a frame tells of the car, and ignores frozen and damaged frames. */
export class CarReader {
	readonly #guards = new Map<number, Guard>();

	/** The controller begins anew: no frame has shown anything. */
	forget(): void {
		this.#guards.clear();
	}

	/** @returns undefined if such a frame tells nothing */
	read(generation: Generation, ms: number, bus: Bus, { id, data }: WireFrame): Told | undefined {
		const network = generation === 5 ? "mqb" : "pq";
		const isGood = this.#accepts(CHECKS[network].get(id), id, ms, data);
		if (bus === 1) return id === REPORT_IDS[generation] ? readReport(id, data, isGood) : undefined;
		const hazard = HAZARD[network];
		if (id === hazard.id && data.length > hazard.byte) return { hazardLights: (data[hazard.byte] & hazard.mask) !== 0 };
		return network === "mqb" ? readMqb(id, data, isGood) : readPq(id, data, isGood);
	}

	#accepts(check: Check | undefined, id: number, ms: number, data: Uint8Array): boolean {
		if (check === undefined || data.length < (check.verifies === undefined ? (check.counterBit >> 3) + 1 : 8)) return true;
		const guard = this.#guards.get(id) ?? new Guard();
		this.#guards.set(id, guard);
		return guard.accepts(ms, check, data);
	}
}

/** A value of a condition's signal counts for this long. */
export const SIGNAL_MS = 1500;
/**
 * How long a value counts, sources of the speed may contradict each other, and a terminal may be silent.
 * docs/decisions.md 5, 47.
 */
const LIMITS_MS = {
	speed: 300,
	pedal: 300,
	rpm: 500,
	flags: 300,
	feedback: 500,
	condition: SIGNAL_MS,
	agreement: 1000,
	ignition: 1000,
} as const;
/** What the controller must know of the car. */
export type Input = keyof typeof LIMITS_MS;
const INPUTS = Object.keys(LIMITS_MS) as Input[];

interface Known {
	goodMs: number;
	/** Since when there has been a value without a break. */
	sinceMs: number;
	/** When the last one ran out, as far as it is not healed; NaN: it did not. */
	missingMs: number;
}

const never = (): Known => ({ goodMs: Number.NEGATIVE_INFINITY, sinceMs: Number.POSITIVE_INFINITY, missingMs: Number.NaN });

/** Which inputs are known at a moment, and since when. */
export class KnownInputs {
	readonly #inputs = Object.fromEntries(INPUTS.map((input) => [input, never()])) as Record<Input, Known>;

	/** What is known of an input. */
	of(input: Input): Known {
		return this.#inputs[input];
	}

	/** When the last value that there was runs out, or ran out. */
	endMs(input: Input): number {
		return this.#inputs[input].goodMs + LIMITS_MS[input];
	}

	/** Forgets all inputs. */
	forget(): void {
		for (const input of INPUTS) this.#inputs[input] = never();
	}

	/** Takes a value. @param isSeen the script runs: of what was away only while it does not, it sees nothing */
	good(input: Input, ms: number, isSeen: boolean): void {
		const known = this.#inputs[input];
		if (isSeen) this.expire(input, ms);
		const isBack = !(ms <= this.endMs(input)) && (isSeen || !Number.isNaN(known.missingMs) || known.sinceMs > ms);
		known.goodMs = ms;
		if (isBack) known.sinceMs = ms;
	}

	/** Notes that a value ran out meanwhile. */
	expire(input: Input, ms: number): void {
		const known = this.#inputs[input];
		const endMs = this.endMs(input);
		if (ms > endMs && !(known.missingMs >= endMs)) known.missingMs = endMs;
	}
}
