import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { makeFlash, runScript } from "./host-program.js";

const IMPORT = `
	import { CanGateway, COUNTER_COUNT, GATEWAY_COUNTER, LATEST_BYTES } from "../../modules/can-gateway/can-gateway.js";
	import { GatewayCore } from "../../modules/can-gateway/gateway-core.js";
	import { FrameLines } from "../../modules/frame-text/frame-text.js";
	import { LatestFrames } from "../../src/vehicle/latest-frames.js";
	// Byte 0 of chassis frame 0x280 becomes 0x55, byte 1 is 200 scaled.
	const plan = new Uint8Array(12 + 44);
	plan.set([2, 1, 0, 0, 0, 0, 0, 1], 0);
	plan.set([0x80, 2, 0, 0, 0, 0, 1, 0, 1, 0x55, 0, 2, 200, 0], 12);
	const attempt = (what: () => unknown) => {
		try { what(); print("accepted"); } catch (error) { print(String(error)); }
	};
`;

async function lines(script: string, ...args: string[]): Promise<string[]> {
	const outcome = await runScript(IMPORT + script, ...args);
	assert.equal(outcome.code, 0, outcome.stderr);
	return outcome.lines;
}

describe("modules/can-gateway on XS", () => {
	it("passes frames through a private core, and says what was sent", async () => {
		assert.deepEqual(
			await lines(`
				const core = new GatewayCore();
				const data = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]);
				print(core.pass(0, 0x280, 3, data, 0) + ": " + data.join());
				core.loadPlan(plan);
				core.commit(12800, 1, 250, 0);
				data.set([1, 2, 3, 4, 5, 6, 7, 8]);
				print(core.pass(0, 0x280, 8, data, 249) + ": " + data.join());
				print(core.pass(0, 0x80000280, 2, data, 249) + ": " + data.join());
				print(core.pass(0, 0x40000280, 5, data, 249) + ": " + data.join());
				print(core.pass(0, 0x800, 5, data, 249));
				print(core.pass(0, 0x280, 0, data, 250) + ": " + data.join());
				core.commit(25600, 1, 250, 250);
				core.release();
				print(core.pass(0, 0x280, 1, data, 250));
			`),
			[
				"3: 1,2,3,0,0,0,0,0",
				"8: 85,100,3,4,5,6,7,8",
				"2: 85,100,0,0,0,0,0,0",
				"5: 0,0,0,0,0,0,0,0",
				"-1",
				"0: 0,0,0,0,0,0,0,0",
				"1",
			],
		);
	});

	it("rejects wrong values with RangeError and wrong types with TypeError, naming value and limits", async () => {
		assert.deepEqual(
			await lines(`
				const gateway = new CanGateway();
				const bytes = new Uint8Array(8);
				attempt(() => gateway.commit(25601, 0, 1));
				attempt(() => gateway.commit(0, 0, 0));
				attempt(() => gateway.commit(NaN, 0, 1001));
				attempt(() => gateway.commit("1" as any, 0, 1));
				attempt(() => gateway.setCyclic(8, 0, 1, 1, 1, bytes));
				attempt(() => gateway.setCyclic(0, 0, 0x800, 1, 1, bytes));
				attempt(() => gateway.setCyclic(0, 0, 1, 1, 60001, bytes));
				attempt(() => gateway.setCyclic(0, 0, 1, 1, 1, new Uint8Array(9)));
				attempt(() => gateway.guardPwm(64, 0));
				attempt(() => gateway.sample(new Uint8Array(15)));
				attempt(() => gateway.counters(new Uint32Array(3)));
				attempt(() => gateway.watch(new Uint8Array([1, 0, 0, 0, 7, 0, 0, 0])));
				plan[12 + 6] = 9;
				attempt(() => gateway.loadPlan(plan));
				attempt(() => gateway.readLatest(0, 1, bytes));
				attempt(() => gateway.readLatest(2, 1, bytes));
			`),
			[
				"RangeError: factor is 25601, must be an integer 0..25600",
				"RangeError: leaseMs is 0, must be an integer 1..1000",
				"RangeError: factor is nan, must be an integer 0..25600",
				"TypeError: factor is not a number",
				"RangeError: slot is 8, must be an integer 0..7",
				"RangeError: id is 0x800, must be 0..0x7FF, or 29 bits with bit 31 set",
				"RangeError: leaseMs is 60001, must be an integer 1..60000",
				"RangeError: payload has 9 bytes, at most 8 are allowed",
				"RangeError: pin is 64, must be an integer 0..63",
				"RangeError: sample buffer has 15 bytes, needs 24",
				"RangeError: counters has 12 bytes, needs 108",
				"RangeError: watch list: frame 0: bus above 1",
				"RangeError: plan: rule 0: minDlc above 8",
				"RangeError: latest buffer has 8 bytes, needs 52",
				"RangeError: bus is 2, must be an integer 0..1",
			],
		);
	});

	it("rejects a wrong receiver, and a number in place of a buffer", async () => {
		const output = await lines(`
			const gateway = new CanGateway();
			attempt(() => gateway.release.call({} as any));
			attempt(() => (gateway.release as any).call(new GatewayCore()));
			attempt(() => gateway.sample(undefined as any));
			attempt(() => gateway.loadPlan([1, 2, 3] as any));
			attempt(() => gateway.counters({ byteOffset: 1e9, byteLength: 1e9, buffer: new ArrayBuffer(8) } as any));
			attempt(() => gateway.counters({ byteOffset: -4, byteLength: 92, buffer: new ArrayBuffer(200) } as any));
		`);
		assert.equal(output.length, 6);
		for (const line of output) assert.match(line, /^(SyntaxError|TypeError|RangeError)/);
	});

	it("shows its own cyclic frames among the latest and recent ones, and counts", async () => {
		const output = await lines(`
			import Timer from "timer";
			const gateway = new CanGateway();
			const sample = new Uint8Array(36);
			gateway.watch(new Uint8Array([0x80, 2, 0, 0, 1, 8, 0, 0]));
			gateway.sample(sample);
			print(sample.subarray(4).join());
			const lines = new FrameLines(1, 15);
			gateway.setCyclic(0, 1, 0x6b0, 10, 60_000, new Uint8Array([1, 2]));
			// the gateway's thread begins when the machine lets it
			const asking = Timer.repeat(() => {
				const counters = new Uint32Array(COUNTER_COUNT + 2);
				gateway.counters(counters.subarray(1));
				if (counters[1 + GATEWAY_COUNTER.cyclicDropped] === 0) return;
				Timer.clear(asking);
				const latest = new Uint8Array(LATEST_BYTES);
				print(gateway.readLatest(0, 0x6b0, latest) + " " + lines.write(new Uint8Array(300), 0, 300));
				const byName = Object.fromEntries(Object.entries(GATEWAY_COUNTER).map(([name, at]) => [name, counters[1 + at]]));
				const areSame = Object.values(byName).join() === counters.subarray(1, 1 + COUNTER_COUNT).join();
				print(counters[0] + " " + (byName.cyclicDropped > 0) + " " + areSame + " " + counters.at(-1));
			}, 25);
		`);
		// no bus is connected: nothing is sent
		assert.deepEqual(output, [
			"0,0,0,0,255,255,255,255,0,0,0,0,0,0,0,0,0,0,0,0,255,255,0,128,0,0,0,0,0,0,0,0",
			"false 0",
			"0 true true 0",
		]);
	});

	it("rewrites a replayed log by a plan that the script commits, and lists what passed", async () => {
		const flash = makeFlash();
		const log = Array.from(
			{ length: 10 },
			(_, i) => `(100.${String(i * 10000 + 5000).padStart(6, "0")}) can0 280#0102030405060708\n`,
		);
		writeFileSync(`${flash}/in.log`, log.join(""));
		const [isSeen, received, rewrittenNow, ...output] = await lines(
			`
			import Timer from "timer";
			const gateway = new CanGateway();
			gateway.loadPlan(plan);
			Timer.set(() => gateway.commit(25600, 1, 30), 20);
			const latest = new LatestFrames(gateway);
			Timer.set(() => {
				print(latest.read(0, 0x280));
				for (const { ageMs, count, dlc, generated, bytes, dataAt } of [latest.received, latest.sent])
					print([ageMs < 10, count, dlc, generated, bytes.subarray(dataAt, dataAt + dlc).join(" ")].join());
			}, 45);
			Timer.set(() => {
				const text = new Uint8Array(1400);
				const lines = new FrameLines(1, 15);
				print(latest.read(0, 0x280) + " " + latest.received.bytes.join());
				print(latest.read(1, 0x280));
				print(lines.lookBack(1000));
				print(String.fromCharCode(...text.subarray(0, lines.write(text, 0, 1400))));
			}, 150);
			`,
			...["--replay", `${flash}/in.log`, "--record", `${flash}/out.log`, "--pace", "max"],
		);
		const sent = readFileSync(`${flash}/out.log`, "utf8").split("\n").slice(0, -1);
		assert.equal(sent.length, 10);
		const rewritten = sent.map((line) => line.endsWith("280#55C8030405060708"));
		// committed at 20 ms with a lease of 30 ms; the first frame is at 0 ms of virtual time
		assert.deepEqual(rewritten.slice(0, 8), [false, false, rewritten[2], true, true, rewritten[5], false, false]);
		assert.deepEqual(
			[isSeen, received, rewrittenNow],
			["true", "true,5,8,false,1 2 3 4 5 6 7 8", "true,5,8,true,85 200 3 4 5 6 7 8"],
		);
		assert.match(output[0], /^true 128,2,0,0,0,0,0,0,\d+,\d+,0,0,10,0,0,0,8,0,0,0,1,2,3,4,5,6,7,8,/);
		assert.deepEqual(output.slice(1, 3), ["false", "150"]);
		assert.equal(output.length, 3 + 2 * 10 + 1);
		assert.match(output[3 + 2 * 3]!, /^\(\d{10}\.\d{6}\) can0 280#0102030405060708$/);
		assert.match(output[3 + 2 * 3 + 1]!, /^\(\d{10}\.\d{6}\) can1 280#55C8030405060708$/);
	});
});
