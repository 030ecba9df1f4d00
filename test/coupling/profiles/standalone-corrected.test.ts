import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { framePlan } from "../../../src/coupling/frame-plan.js";
import { MAP } from "../../../src/lock/modes.js";
import { PlanInterpreter } from "../../support/plan-interpreter.js";

/** All that is sent at half lock within two seconds, by identifier. */
function sent(generation: 2 | 4 | 5): Map<number, Uint8Array[]> {
	const interpreter = new PlanInterpreter();
	interpreter.load(framePlan(generation, "corrected", MAP, true));
	interpreter.commit(50 * 256, 0);
	const found = new Map<number, Uint8Array[]>();
	for (let t = 0; t < 2000; t += 5)
		for (const frame of interpreter.generated(t)) {
			const id = frame[0] * 256 + frame[1];
			found.set(id, [...(found.get(id) ?? []), frame.subarray(2)]);
		}
	return found;
}

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
	it("have DLC, period, counter and checksum of cars, where test/cars has the frame; what differs is listed with its reason", () => {
		const differs: string[] = [];
		for (const [generation, family] of [
			[2, "pq"],
			[4, "pq"],
			[5, "mqb"],
		] as const) {
			const facts = JSON.parse(readFileSync(`test/cars/${family}.json`, "utf8")).frames as Record<string, Fact>;
			for (const [id, frames] of sent(generation)) {
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
});
