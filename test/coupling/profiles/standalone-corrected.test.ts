import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dataIdsOf } from "../../../src/can/layouts/mqb.js";
import { framePlan } from "../../../src/coupling/frame-plan.js";
import { MAP } from "../../../src/lock/modes.js";
import { endToEndChecksum } from "../../support/checksum.js";
import { PlanInterpreter } from "../../support/plan-interpreter.js";

type Generation = 1 | 2 | 4 | 5;
const GENERATIONS: readonly Generation[] = [1, 2, 4, 5];

/** All that is sent within two seconds, by identifier. */
function sent(generation: Generation, percent: number): Map<number, Uint8Array[]> {
	const interpreter = new PlanInterpreter();
	interpreter.load(framePlan(generation, "corrected", MAP, true));
	interpreter.commit(percent * 256, 0);
	const found = new Map<number, Uint8Array[]>();
	for (let t = 0; t < 2000; t += 5)
		for (const frame of interpreter.generated(t)) {
			const id = frame[0] * 256 + frame[1];
			found.set(id, [...(found.get(id) ?? []), frame.subarray(2)]);
		}
	return found;
}

const framesOf = (generation: Generation, id: number, percent = 0): Uint8Array[] => sent(generation, percent).get(id) ?? [];
/** A row of test/cars. */
interface Fact {
	readonly dlc: number;
	readonly periodMs?: number;
	readonly bytes: string;
	readonly step?: number;
}

/** Whether the counter of a fact goes on from one frame to the next; true if it has none. */
function counts({ bytes, step = 1 }: Fact, last: Uint8Array, frame: Uint8Array): boolean {
	return bytes.split(" ").every((token, i) => {
		if (!/n/.test(token)) return true;
		const shift = token[0] === "n" ? 4 : 0;
		return (((frame[i] - last[i]) >> shift) & 15) === step;
	});
}

const xor = (frame: Uint8Array): number => frame.reduce((sum, byte) => sum ^ byte, 0);

describe("standalone frames, profile corrected", () => {
	it("have valid checksums: the XOR of PQ, the sum of the steering angle, MQB's with the DataID last", () => {
		const withXor = { 2: [0x0ae, 0x3a0, 0x4a8, 0x480, 0x2a0], 4: [0x2a0, 0x0ae] } as const;
		for (const generation of [2, 4] as const)
			for (const id of withXor[generation]) {
				const frames = framesOf(generation, id);
				assert.ok(frames.length > 50);
				for (const frame of frames) assert.equal(xor(frame), 0, `generation ${generation} 0x${id.toString(16)}`);
			}
		for (const generation of [2, 4] as const)
			for (const frame of framesOf(generation, 0x0c2)) {
				const sum = frame[0] + frame[1] + frame[2] + frame[3] + frame[5];
				assert.deepEqual([frame[6], frame[7]], [0, (0xff - sum) & 0xff]);
			}
		for (const percent of [0, 37, 100])
			for (const [id, frames] of sent(5, percent)) {
				const dataIds = dataIdsOf(id, "autosar");
				if (dataIds !== undefined && id !== 0x5be)
					for (const frame of frames) assert.equal(frame[0], endToEndChecksum(frame, dataIds, "autosar"));
			}
	});

	it("count by one step of four bits for each frame", () => {
		const nibbles: readonly (readonly [Generation, number, number, number])[] = [
			[1, 0x1a0, 7, 0],
			[2, 0x1a0, 7, 0],
			[2, 0x5a0, 3, 4],
			[2, 0x4a8, 6, 4],
			[2, 0x2a0, 6, 4],
			[4, 0x2a0, 6, 4],
			[2, 0x0ae, 1, 4],
			[2, 0x3a0, 1, 0],
			[2, 0x0c2, 5, 4],
			[4, 0x1a0, 7, 0],
			[4, 0x0c2, 5, 4],
			[5, 0x30b, 1, 0],
			[5, 0x392, 1, 0],
			[5, 0x0a7, 1, 0],
		];
		for (const [generation, id, at, shift] of nibbles)
			framesOf(generation, id).forEach((frame, i, all) => {
				const last = all[i - 1];
				if (last === undefined) return;
				assert.equal(
					(frame[at] >> shift) & 15,
					(((last[at] >> shift) & 15) + 1) & 15,
					`generation ${generation} 0x${id.toString(16)}`,
				);
				assert.equal(frame[at] & (shift === 0 ? 0xf0 : 0x0f), last[at] & (shift === 0 ? 0xf0 : 0x0f), "payload beside it");
			});
	});

	it("say 0 Nm without lock and 220 Nm at full lock in 0x0A7, where a real coupling reads the engine's torque", () => {
		const torqueNm = (percent: number, start: number): number => {
			const frame = Buffer.from(framesOf(5, 0x0a7, percent)[0]);
			return Number((frame.readBigUInt64LE(0) >> BigInt(start)) & 1023n) - 509;
		};
		assert.deepEqual(
			[0, 100].map((percent) => torqueNm(percent, 22)),
			[0, 220],
		);
		for (const start of [12, 32, 42]) assert.equal(torqueNm(100, start), 0, `requested, inertia, filtered: bit ${start}`);
		for (const frame of framesOf(5, 0x0a7, 100)) assert.equal(frame[7] & 0xe0, 0x20, "normal operation, exact");
	});

	it("have one length for each identifier, and of Kombi_3 one source", () => {
		for (const generation of GENERATIONS)
			for (const [id, frames] of sent(generation, 50))
				assert.equal(new Set(frames.map(({ length }) => length)).size, 1, `generation ${generation} 0x${id.toString(16)}`);
		assert.equal(framesOf(4, 0x520).length, 80);
		assert.equal(new Set(framesOf(4, 0x520).map((frame) => frame[1])).size, 1);
	});

	it("follow the lock in Bremse_4 of generation 4, and in every mode in the lever of generation 1", () => {
		for (const [generation, id, at, values] of [
			[4, 0x2a0, 0, [0, 0x81, 0xbf, 0xfe]],
			[1, 0x280, 6, [0xfe, 0xfc, 0x8a, 0x16]],
		] as const)
			assert.deepEqual(
				[0, 1, 50, 100].map((percent) => framesOf(generation, id, percent)[0][at]),
				values,
			);
	});

	it("come as often as in cars, and ESP_23 with neither counter nor checksum", () => {
		for (const [generation, id, periodMs] of [
			[2, 0x4a8, 20],
			[5, 0x08a, 1000],
			[5, 0x0ad, 50],
			[5, 0x30b, 50],
			[5, 0x5be, 1000],
		] as const)
			assert.equal(framesOf(generation, id).length, 2000 / periodMs, `0x${id.toString(16)}`);
		for (const frame of framesOf(5, 0x5be, 100)) assert.deepEqual([...frame], [0, 0xb0, 0xbf, 0x7f, 0, 0, 0x7c, 0x78]);
	});

	it("have DLC, period, counter and checksum of cars, where test/cars has the frame; what differs is listed with its reason", () => {
		const differs: string[] = [];
		for (const [generation, family] of [
			[2, "pq"],
			[4, "pq"],
			[5, "mqb"],
		] as const) {
			const facts = JSON.parse(readFileSync(`test/cars/${family}.json`, "utf8")).frames as Record<string, Fact>;
			for (const [id, frames] of sent(generation, 50)) {
				const name = `0x${id.toString(16).toUpperCase().padStart(3, "0")}`;
				const fact = facts[name];
				if (fact === undefined) continue;
				const found = [
					...(frames[0].length === fact.dlc ? [] : ["DLC"]),
					...(fact.periodMs === undefined || frames.length === 2000 / fact.periodMs ? [] : ["period"]),
					...(frames.slice(1).every((frame, i) => counts(fact, frames[i], frame)) ? [] : ["counter"]),
					...(fact.bytes.includes("X") && frames.some((frame) => xor(frame) !== 0) ? ["checksum"] : []),
				];
				if (found.length > 0) differs.push(`${generation} ${name} ${found.join()}`);
			}
		}
		assert.deepEqual(differs.sort(), [
			"2 0x288 period", // 10 ms in one car, 20 ms in another
			"2 0x320 period,counter", // 25 ms by the maker's table, 20 ms in cars, of which two of three count
			"4 0x320 period,counter",
			"4 0x5D0 DLC", // six bytes in one car, eight in two
			"5 0x0AD counter", // only each fifth frame passes a car's gateway
		]);
	});

	it("show no counter in engine speed and wheel direction of generation 5, and begin within their range", () => {
		for (const frame of framesOf(5, 0x0a8, 100)) assert.equal(frame[7], 0);
		for (const frame of framesOf(5, 0x116, 100)) assert.equal(frame[7], 0);
		assert.deepEqual(framesOf(5, 0x0b2, 100)[0][1], 1);
		assert.equal(framesOf(5, 0x392)[0][1], 0);
	});
});
