/** The simulated car against what was measured in cars: `test/cars/*.json`. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { MQB_DATA_IDS } from "../../tools/vehicle/integrity.js";
import { crc8ByLongDivision, drive, GENERATIONS, PARKED, type SentFrame } from "./vehicle-bus.js";

interface Fact {
	readonly dlc: number;
	/** Absent: nobody measured it. */
	readonly periodMs?: number;
	readonly bytes: string;
	/** Of its counter. */
	readonly step?: number;
	readonly standing: "car" | "bench" | "maker" | "assumed";
	readonly source: string;
}

interface Family {
	readonly burst: { readonly longest: number; readonly runsOf8PerSecond: number };
	readonly frames: Readonly<Record<string, Fact>>;
	readonly assumed: Readonly<Record<string, string>>;
	readonly couplings: Readonly<Record<string, Readonly<Record<string, Fact>>>>;
}

const family = (name: string) => JSON.parse(readFileSync(`test/cars/${name}.json`, "utf8")) as Family;
const DURATION_MS = 6000;
/** What the car has to settle first. */
const FROM_MS = 1000;
/** A frame waits for those that are on the bus; in cars up to 4 ms were seen. */
const JITTER_MS = 6;
const IDLING = { ...PARKED, selector: "P", handbrake: true } as const;

/** What is wrong with a frame of this pattern; "" = nothing. */
function mismatch(id: number, pattern: string, data: Uint8Array): string {
	const tokens = pattern.split(" ");
	for (const [i, token] of tokens.entries()) {
		const got = Buffer.from([data[i]]).toString("hex").toUpperCase();
		const others = [...data].filter((_, index) => index !== i);
		let fits = true;
		if (token === "X") fits = data[i] === others.reduce((sum, byte) => sum ^ byte, 0);
		else if (token === "=") fits = data[i] === data[i + 1];
		else if (token === "S") fits = ((data[0] + data[1] + data[2] + data[3] + data[5] + data[7]) & 0xff) === 0xff;
		else if (token === "K") {
			const list = MQB_DATA_IDS[id];
			const dataId = Number.parseInt(list.length === 2 ? list : list.slice(2 * (data[1] & 15), 2 * (data[1] & 15) + 2), 16);
			fits = data[0] === crc8ByLongDivision([...data.subarray(1), dataId]);
		} else fits = [...token].every((digit, at) => digit === "." || digit === "n" || digit === got[at]);
		if (!fits) return `byte ${i} is ${got}, ${token} was seen`;
	}
	return "";
}

/** What the counter of this pattern shows in a frame; undefined = it has none. */
function counterOf(pattern: string, data: Uint8Array): readonly [value: number, modulo: number] | undefined {
	for (const [i, token] of pattern.split(" ").entries()) {
		if (token === "nn") return [data[i], 256];
		if (token[0] === "n") return [data[i] >> 4, 16];
		if (token[1] === "n") return [data[i] & 15, 16];
	}
	return undefined;
}

function compare(name: string, fact: Fact, frames: readonly SentFrame[]): void {
	assert.ok(frames.length > 1, `${name}: it is sent`);
	const id = Number(name);
	for (const { data } of frames) {
		assert.equal(data.length, fact.dlc, `${name}: DLC`);
		assert.equal(mismatch(id, fact.bytes, data), "", `${name} ${Buffer.from(data).toString("hex")}`);
	}
	const gaps = frames.slice(1).map(({ timeMs }, i) => timeMs - frames[i].timeMs);
	const { periodMs } = fact;
	if (periodMs !== undefined) {
		for (const gap of gaps) assert.ok(Math.abs(gap - periodMs) <= JITTER_MS, `${name}: ${gap} ms`);
		const meanMs = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
		assert.ok(Math.abs(meanMs - periodMs) < 1 + JITTER_MS / gaps.length, `${name}: ${meanMs} ms`);
	}
	const counters = frames.map(({ data }) => counterOf(fact.bytes, data));
	for (const [i, counter] of counters.slice(1).entries()) {
		if (counter === undefined) continue;
		const [value, modulo] = counter;
		assert.equal(value, ((counters[i]?.[0] as number) + (fact.step ?? 1)) % modulo, `${name}: its counter`);
	}
}

/** Lengths of runs of frames between which the bus does not rest: it passes four in a millisecond. */
function runs(frames: readonly SentFrame[]): number[] {
	const perMs = new Map<number, number>();
	for (const { timeMs } of frames) perMs.set(timeMs, (perMs.get(timeMs) ?? 0) + 1);
	const found: number[] = [];
	let run = 0;
	for (let ms = FROM_MS; ms < DURATION_MS; ms += 1) {
		const count = perMs.get(ms) ?? 0;
		run += count;
		if (count === 4) continue;
		if (run > 0) found.push(run);
		run = 0;
	}
	return found;
}

describe("the simulated car", () => {
	for (const generation of GENERATIONS) {
		const facts = family(generation === 5 ? "mqb" : "pq");
		let frames: SentFrame[];
		let chassis: SentFrame[];
		before(() => {
			frames = drive(generation, IDLING, DURATION_MS).frames.filter(({ timeMs }) => timeMs >= FROM_MS);
			chassis = frames.filter(({ bus }) => bus === "chassis");
		});
		const of = (bus: SentFrame["bus"], name: string) => frames.filter((frame) => frame.bus === bus && frame.id === Number(name));

		it(`sends the frames of a car with a coupling of generation ${generation}: DLC, period, bytes, counters, checksums`, () => {
			for (const [name, fact] of Object.entries(facts.frames)) compare(name, fact, of("chassis", name));
			const known = [...Object.keys(facts.frames), ...Object.keys(facts.assumed)].map(Number);
			assert.deepEqual(
				[...new Set(chassis.map(({ id }) => id))].filter((id) => !known.includes(id)),
				[],
				"no others",
			);
		});

		it(`reports as a coupling of generation ${generation} does`, () => {
			const reports = facts.couplings[generation];
			for (const [name, fact] of Object.entries(reports)) compare(name, fact, of("coupling", name));
			assert.deepEqual(
				[...new Set(frames.filter(({ bus }) => bus === "coupling").map(({ id }) => id))].sort(),
				Object.keys(reports).map(Number).sort(),
			);
		});

		it(`sends in bursts as a car does, generation ${generation}`, () => {
			const found = runs(chassis);
			const long = found.filter((length) => length >= 8).length / ((DURATION_MS - FROM_MS) / 1000);
			assert.ok(Math.max(...found) >= 20 && Math.max(...found) <= facts.burst.longest, `${Math.max(...found)} in a row`);
			assert.ok(Math.abs(long - facts.burst.runsOf8PerSecond) < 10, `${long} runs of 8 or more a second`);
		});
	}
});
