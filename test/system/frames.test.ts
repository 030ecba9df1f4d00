/**
 * Frames of the wrong shape and bytes that are no frames: neither decoded nor rewritten, forwarded untouched,
 * counted. docs/decisions.md 9.
 */
import assert from "node:assert/strict";
import { type Bench, withBench } from "./bench-car.js";
import { passages } from "./bus-peer.js";
import { bytes } from "./car-rows.js";
import { now, until } from "./wait.js";

const refused = async (bench: Bench): Promise<number> => (await bench.status()).gateway["refused"];

/**
 * A rule's frame in a wrong shape leaves as it came and is counted, if it is a data frame's identifier that
 * has the rule.
 */
async function leftAlone(bench: Bench, id: number, change: { data?: Uint8Array; rtr?: boolean; extended?: boolean }) {
	const row = bench.row(id);
	const proper = { data: row.data, rtr: false, extended: false };
	const before = await refused(bench);
	const from = now();
	Object.assign(row, change);
	const shaped = () => passages(bench.chassis, bench.coupling, id, from, row.extended, row.rtr);
	await until(() => shaped().length >= 5, 1000, `5 frames 0x${id.toString(16)}`);
	const { rtr, extended } = row;
	const found = passages(bench.chassis, bench.coupling, id, from, extended, rtr);
	Object.assign(row, proper);
	if (change.data) {
		const short = found.filter(({ sent }) => sent.length === change.data?.length);
		assert.ok(short.length >= 4);
		assert.ok(
			short.every(({ rewritten }) => !rewritten),
			"untouched",
		);
	} else
		assert.ok(
			found.every(({ rewritten }) => !rewritten),
			"untouched",
		);
	const counted = (await refused(bench)) - before;
	if (extended) assert.equal(counted, 0, "another identifier is no refused frame");
	else assert.ok(counted >= 4, `${counted} refused`);
}

/** An input in a wrong shape is no input. */
async function notDecoded(
	bench: Bench,
	id: number,
	reason: string,
	change: { data?: Uint8Array; rtr?: boolean; extended?: boolean },
) {
	const command = await bench.untilCommand();
	const row = bench.row(id);
	const proper = { data: row.data, rtr: false, extended: false };
	Object.assign(row, change);
	await bench.untilStatus((status) => status.effectiveMode === "STOCK", 1500, `stock without 0x${id.toString(16)}`);
	assert.equal((await bench.status()).reason, reason);
	await bench.untilStock();
	Object.assign(row, proper);
	await bench.untilCommand(command);
}

describe("system: wrong frames", () => {
	it("frames with a rule but another DLC, RTR or an extended identifier leave as they came", () =>
		withBench({}, async (bench) => {
			bench.show(20, 80);
			await bench.untilCommand();
			await leftAlone(bench, 0x0a7, { data: bytes("00 40 11 22 33 44 FF") });
			await leftAlone(bench, 0x08a, { data: new Uint8Array(0) });
			await leftAlone(bench, 0x0a7, { rtr: true, data: new Uint8Array(0) });
			await leftAlone(bench, 0x0a7, { extended: true });
			assert.equal((await bench.status()).reason, "control is active");
			assert.equal((await bench.status()).gateway["malformed"], 0);
		}));

	it("inputs with another DLC, RTR or an extended identifier are not decoded, generation 5", () =>
		withBench({ settings: { mode: "THROTTLE", releaseRate: 0 } }, async (bench) => {
			bench.show(20, 80);
			const reason = "no valid pedal position";
			await notDecoded(bench, 0x121, reason, { data: bytes("00 80") });
			await notDecoded(bench, 0x121, reason, { rtr: true });
			await notDecoded(bench, 0x121, reason, { extended: true });
		}));
});
