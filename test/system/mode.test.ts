/** POST /api/mode: what it changes on the coupling bus, and how fast. */
import assert from "node:assert/strict";
import { type Bench, withBench } from "./bench-car.js";
import { adjusted, marker } from "./car-rows.js";
import { until } from "./wait.js";

/** From a request to the frame that obeys it. */
const MODE_CHANGE_MS = 50;
const REPEATS = 12;

const percentile = (values: readonly number[], share: number): number =>
	[...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];

/** Posts a mode; @returns ms from the request to the first frame that shows it: to its sending and to its arrival. */
async function changeMode(bench: Bench, mode: string, shows: (data: Uint8Array) => boolean): Promise<[number, number]> {
	const { id } = marker(bench.generation);
	const from = performance.now();
	const answer = bench.mode(mode);
	const first = await until(() => bench.passed(id, from).find(({ data }) => shows(data)), 1000, `mode ${mode} on the bus`);
	assert.equal((await answer).code, 200);
	return [first.sentAt - from, first.at - from];
}

describe("system: POST /api/mode", function () {
	this.timeout(30_000);

	it("changes what is on the coupling bus within 50 ms", () =>
		withBench({ settings: { mode: "FWD", releaseRate: 0 } }, async (bench) => {
			bench.show(30, 30);
			await bench.untilCommand(0);
			const { index, base } = marker(5);
			const arrivals: number[] = [];
			for (let i = 0; i < REPEATS; i++) {
				const [mode, lock] = i % 2 === 0 ? (["5050", 100] as const) : (["9010", 10] as const);
				const [sentMs, arrivedMs] = await changeMode(bench, mode, (data) => data[index] === adjusted(base, lock));
				assert.ok(sentMs <= MODE_CHANGE_MS, `${mode} only in a frame sent ${sentMs.toFixed(1)} ms after the request`);
				arrivals.push(arrivedMs);
			}
			const figures = `median ${percentile(arrivals, 0.5).toFixed(1)} ms, longest ${percentile(arrivals, 1).toFixed(1)} ms`;
			console.log(`      mode change on the coupling bus: ${figures}`);
			assert.ok(percentile(arrivals, 0.75) <= MODE_CHANGE_MS, figures);
		}));

	it("with STOCK leaves the frames unmodified within 50 ms, without a ramp", () =>
		withBench({ settings: { mode: "5050" } }, async (bench) => {
			bench.show(30, 30);
			const { id, index } = marker(5);
			for (let i = 0; i < 3; i++) {
				await bench.mode("5050");
				await bench.untilCommand(0xfa);
				const from = performance.now();
				const [sentMs] = await changeMode(bench, "STOCK", (data) => data[index] === 0xff);
				assert.ok(sentMs <= MODE_CHANGE_MS, `stock only after ${sentMs.toFixed(1)} ms`);
				for (const { rewritten, data } of bench.passed(id, from)) assert.ok(!rewritten || data[index] === 0xfa, "a ramp");
				const status = await bench.status();
				assert.deepEqual([status.effectiveMode, status.reason], ["STOCK", "stock mode is selected"]);
			}
		}));

	it("takes aliases in any case, and refuses what is no mode without changing anything", () =>
		withBench({ settings: { mode: "FWD", releaseRate: 0 } }, async (bench) => {
			bench.show(30, 30);
			await bench.untilCommand(0);
			const aliases: [unknown, string, number][] = [
				["lock", "5050", 100],
				["60:40", "6040", 40],
				["7525", "7030", 30],
				[8020, "8020", 20],
				["expert", "MAP", 20],
				[" 100:0 ", "FWD", 0],
			];
			for (const [alias, mode, lock] of aliases) {
				assert.deepEqual(JSON.parse((await bench.mode(alias)).text), { ok: true, mode });
				await bench.untilCommand(adjusted(0xfa, lock), 500);
				assert.equal((await bench.status()).mode, mode);
			}
			for (const wrong of ["SPORT", "", null, 6, true, ["MAP"]]) assert.equal((await bench.mode(wrong)).code, 400);
			assert.equal((await bench.ask("POST", "/api/mode", "{")).code, 400);
			const status = await bench.status();
			assert.deepEqual([status.mode, bench.command()], ["FWD", 0]);
			await bench.mode("PASSTHRU");
			await bench.untilStock(500);
		}));
});
