/**
 * Both frame profiles on all generations, whole frames: checksums, counters, what is left alone.
 * docs/decisions.md 1.
 */
import assert from "node:assert/strict";
import { dataIdsOf } from "../../src/can/data-ids.js";
import { endToEndChecksum } from "../support/checksum.js";
import { type Bench, withBench } from "./bench-car.js";
import { adjusted, hex, marker } from "./car-rows.js";
import { until } from "./wait.js";

/** Lock in mode 6040 and its factor, where both profiles agree. */
const LOCK = 40;
const scale = (base: number): number => adjusted(base, LOCK);
const CORRECTED = { mode: "6040", frameProfile: "corrected" };

/** The bytes that differ between what was sent and what left. */
async function rewrittenBytes(bench: Bench, id: number): Promise<number[]> {
	const [{ sent, data }] = await bench.next(id, 1);
	assert.equal(data.length, sent.length);
	return [...data.keys()].filter((i) => data[i] !== sent[i]);
}

async function untouched(bench: Bench, ...ids: number[]): Promise<void> {
	for (const id of ids) assert.deepEqual(await rewrittenBytes(bench, id), [], `0x${id.toString(16)}`);
}

const FOREIGN = [0x6f1];

async function commanded(bench: Bench, profile = "reference"): Promise<void> {
	bench.show(30, 30);
	await bench.untilCommand(scale(marker(bench.generation, profile).base));
}

describe("system: frame profiles", () => {
	it("corrected, generation 5: received counters, valid checksums, only lock changed, odometers left alone", () =>
		withBench({ settings: CORRECTED }, async (bench) => {
			await commanded(bench, "corrected");
			for (const { sent, data } of await bench.next(0x0a7, 20)) {
				assert.equal(hex(data.subarray(1, 3)), hex(sent.subarray(1, 3)));
				assert.equal(data[3], 0x7f + scale(0x37));
				assert.equal(hex(data.subarray(4)), hex(sent.subarray(4)));
				assert.equal(data[0], endToEndChecksum(data, dataIdsOf(0x0a7, "autosar") ?? [], "autosar"));
			}
			for (const { sent, data } of await bench.next(0x08a, 20)) {
				assert.equal(hex(data.subarray(1, 7)), hex(sent.subarray(1, 7)));
				assert.equal(data[7], scale(0xfa));
				assert.equal(data[0], endToEndChecksum(data, dataIdsOf(0x08a, "autosar") ?? [], "autosar"));
			}
			const [wheels] = await bench.next(0x0b2, 1);
			const words = (data: Uint8Array): number[] => [...new Uint16Array(Uint8Array.from(data).buffer)];
			const faster = scale(0xca);
			assert.deepEqual(
				words(wheels.data),
				words(wheels.sent).map((word, i) => (i < 2 ? word : word + faster)),
			);
			await untouched(bench, 0x0fd, 0x121, 0x0a8, 0x116, 0x106, 0x3be, 0x6b2, 0x6b7, ...FOREIGN);
		}));

	it("corrected, generation 5: a frame whose checksum does not verify is left alone and counted, the others are rewritten", () =>
		withBench({ settings: CORRECTED }, async (bench) => {
			await commanded(bench, "corrected");
			assert.equal((await bench.status()).gateway["unverified"], 0);
			bench.row(0x08a).spoiled = true;
			await until(async () => (await bench.status()).gateway["unverified"] > 10, 3000, "frames that do not verify");
			for (const { sent, data } of await bench.next(0x08a, 5)) assert.equal(hex(data), hex(sent));
			for (const { data } of await bench.next(0x0a7, 5)) assert.equal(data[3], 0x7f + scale(0x37));
		}));
});
