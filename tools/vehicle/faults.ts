/**
 * Faults of the simulated car, by name: `npm start -- --fault NAME,NAME`, and the fault
 * campaign. Each changes frames on their way to the bus. Where a fault is not about counters and checksums,
 * these stay right.
 */
import type { Generation, Meddle, Outgoing } from "./chassis.js";
import { writeBits } from "./integrity.js";

type Bits = readonly [id: number, start: number, length: number];

/** Where the two platforms have what a fault is about. */
interface Places {
	readonly speed: Bits;
	/** Raw values in place of a speed. Of MQB they are a convention: none was seen. */
	readonly codes: Readonly<Record<"initialising" | "undervoltage" | "error", number>>;
	readonly wheel: Bits;
	/** All four speeds, km/h by raw. */
	readonly wheels: {
		readonly id: number;
		readonly starts: readonly number[];
		readonly length: number;
		readonly kmhPerRaw: number;
	};
	readonly pedal: Bits;
	readonly engineSpeed: Bits;
	/** Set while the angle is not known. */
	readonly angleUnknown: Bits;
	readonly terminals: readonly Bits[];
	readonly engine: readonly number[];
	readonly report: number;
}

const PQ: Places = {
	speed: [0x1a0, 17, 15],
	codes: { initialising: 0x7fc4, undervoltage: 0x7fd5, error: 0x7fe6 },
	wheel: [0x4a0, 33, 15],
	wheels: { id: 0x4a0, starts: [1, 17, 33, 49], length: 15, kmhPerRaw: 0.01 },
	pedal: [0x280, 40, 8],
	engineSpeed: [0x280, 16, 16],
	angleUnknown: [0x0c2, 41, 2],
	terminals: [
		[0x570, 1, 3],
		[0x572, 1, 2],
	],
	engine: [0x280, 0x284, 0x288, 0x380, 0x480, 0x488, 0x48a, 0x588],
	report: 0x2c0,
};
const MQB: Places = {
	speed: [0x0fd, 32, 16],
	codes: { initialising: 0xfffd, undervoltage: 0xfffe, error: 0xffff },
	wheel: [0x0b2, 0, 16],
	wheels: { id: 0x0b2, starts: [0, 16, 32, 48], length: 16, kmhPerRaw: 0.0075 },
	pedal: [0x121, 12, 8],
	engineSpeed: [0x0a8, 48, 16],
	angleUnknown: [0x086, 15, 1],
	terminals: [
		[0x3c0, 17, 2],
		[0x1b000010, 32, 1],
	],
	engine: [0x0a7, 0x0a8, 0x107, 0x121, 0x3be, 0x640, 0x641],
	report: 0x118,
};
/** A unit of MQB in a PQ car. */
const SWAP: Places = { ...PQ, report: MQB.report };
const ALL_ONES = 0xffff;
/** How much faster the wheels are than the speed beside them, km/h. */
const DISAGREEMENT_KMH = 30;
const SLOW_MS = 1000;
const BLINK_MS = 500;
const JUMP = 7;

function read(data: Uint8Array, start: number, length: number): number {
	let raw = 0;
	for (let bit = length - 1; bit >= 0; bit -= 1) raw = 2 * raw + ((data[(start + bit) >> 3] >> ((start + bit) & 7)) & 1);
	return raw;
}

/** The frame with other data, of which the checksum is right. */
function sealed({ protection, data }: Outgoing, change: (data: Uint8Array) => void): Uint8Array {
	change(data);
	protection?.seal(data);
	return data;
}

const writes =
	([id, start, length]: Bits, raw: number): Meddle =>
	(frame) =>
		frame.id === id ? sealed(frame, (data) => writeBits(data, start, length, raw)) : frame.data;

/** The first frame of each of these is sent again and again. */
function frozen(ids: readonly number[]): Meddle {
	const kept = new Map<number, Uint8Array>();
	return ({ id, data }) => {
		if (!ids.includes(id)) return data;
		if (!kept.has(id)) kept.set(id, Uint8Array.from(data));
		return Uint8Array.from(kept.get(id) as Uint8Array);
	};
}

/** @param countOf what a counter shows in place of how many there were */
const counting =
	(countOf: (count: number) => number): Meddle =>
	(frame) =>
		sealed(frame, (data) => frame.protection?.count(data, countOf(frame.count)));

const ofReport =
	(change: (data: Uint8Array) => Uint8Array): ((places: Places) => Meddle) =>
	({ report }) =>
	({ id, data }) =>
		id === report ? change(data) : data;

const withByte = (index: number, change: (byte: number) => number) =>
	ofReport((data) => {
		if (index < data.length) data[index] = change(data[index]);
		return data;
	});

function slow(): Meddle {
	const lastMs = new Map<number, number>();
	return ({ id, timeMs, data }) => {
		if (timeMs - (lastMs.get(id) ?? Number.NEGATIVE_INFINITY) < SLOW_MS) return undefined;
		lastMs.set(id, timeMs);
		return data;
	};
}

function ignitionOff({ terminals, engine }: Places): Meddle {
	return (frame) => {
		if (engine.includes(frame.id)) return undefined;
		const places = terminals.filter(([id]) => id === frame.id);
		return sealed(frame, (data) => {
			for (const [, start, length] of places) writeBits(data, start, length, 0);
		});
	};
}

/** Each on a car of one of the platforms; made anew each time that it begins. */
const MAKERS = {
	"speed-initialising": ({ speed, codes }) => writes(speed, codes.initialising),
	"speed-undervoltage": ({ speed, codes }) => writes(speed, codes.undervoltage),
	"speed-error": ({ speed, codes }) => writes(speed, codes.error),
	"wheel-error": ({ wheel, codes }) => writes(wheel, codes.error),
	"speeds-disagree":
		({ wheels: { id, starts, length, kmhPerRaw } }) =>
		(frame) =>
			frame.id !== id
				? frame.data
				: sealed(frame, (data) => {
						for (const start of starts) writeBits(data, start, length, read(data, start, length) + DISAGREEMENT_KMH / kmhPerRaw);
					}),
	"pedal-error": ({ pedal }) => writes(pedal, ALL_ONES),
	"rpm-error": ({ engineSpeed }) => writes(engineSpeed, ALL_ONES),
	"angle-unknown": ({ angleUnknown }) => writes(angleUnknown, 1),
	"frozen-speed": ({ speed, wheels }) => frozen([speed[0], wheels.id]),
	"frozen-pedal": ({ pedal }) => frozen([pedal[0]]),
	"frozen-report": ({ report }) => frozen([report]),
	"counter-stands": () => counting(() => 0),
	"counter-jumps": () => counting((count) => count * JUMP),
	"wrong-checksum": () => (frame) => {
		const index = frame.protection?.checksumIndex ?? -1;
		if (index >= 0) frame.data[index] ^= 0x55;
		return frame.data;
	},
	"substitute-speed": ({ speed }) => (speed === PQ.speed ? writes([0x1a0, 63, 1], 1) : ({ data }) => data),
	"handbrake-blinks":
		({ speed }) =>
		(frame) =>
			writes(speed === PQ.speed ? [0x320, 9, 1] : [0x104, 61, 2], frame.timeMs % (2 * BLINK_MS) < BLINK_MS ? 1 : 0)(frame),
	"report-short": ofReport((data) => data.subarray(0, 2)),
	"report-long": ofReport((data) => Uint8Array.from([...data, 0, 0, 0, 0, 0, 0, 0, 0]).subarray(0, 8)),
	"report-empty": ofReport(() => new Uint8Array(0)),
	"report-error": ({ report }) => withByte(report === PQ.report ? 1 : 2, () => 0xff)({ ...PQ, report }),
	emergency: withByte(0, (byte) => byte | 0x10),
	"too-hot": withByte(0, (byte) => byte | 0x02),
	"warm-oil": withByte(4, () => 0x9a),
	"slow-frames": slow,
	silence: () => () => undefined,
	"ignition-off": ignitionOff,
} satisfies Record<string, (places: Places) => Meddle>;

export type FaultName = keyof typeof MAKERS;
export const FAULT_NAMES = Object.keys(MAKERS) as readonly FaultName[];

/** All of these faults from now on; undefined: none. */
export function faulty(generation: Generation, names: Iterable<FaultName>): Meddle | undefined {
	const meddles = [...names].map((name) => MAKERS[name](generation === 5 ? MQB : generation === 53 ? SWAP : PQ));
	if (meddles.length === 0) return undefined;
	return (frame) => {
		let data: Uint8Array | undefined = frame.data;
		for (const meddle of meddles) if (data !== undefined) data = meddle({ ...frame, data });
		return data;
	};
}
