/**
 * Inputs that fall silent or carry error codes: ramp to 0, stock, and control again once they are good.
 * docs/decisions.md 5.
 */
import assert from "node:assert/strict";
import { type Bench, withBench } from "./bench-car.js";
import * as car from "./car-rows.js";
import { now, sleep } from "./wait.js";

const RAMP_MS = 500;
const SETTLE_MS = 500;
const TICK_MS = 10;
const MARKER_PERIOD_MS = 10;
/**
 * Between an event on the bus and its effect there: one tick, one period of the frame that shows it, and the
 * machine.
 */
const LATENESS_MS = TICK_MS + MARKER_PERIOD_MS;

const NO_SPEED = "no valid vehicle speed";
const NO_PEDAL = "no valid pedal position";
const NO_INTERVENTIONS = "no frames that tell of ABS and ESP: 0x1A0, on generation 5 0x0FD";
const NO_FEEDBACK = "no frames in which the coupling reports: 0x2C0, on generation 5 0x118";

/**
 * Silences the rows and follows docs/decisions.md 5 to the end.
 * @param ids the first is the input itself, whose last frame counts
 */
async function silence(bench: Bench, ids: readonly number[], expiryMs: number, reason: string): Promise<void> {
	const full = await bench.steadyCommand();
	const { id, index } = car.marker(bench.generation);
	const silentFrom = now();
	for (const silent of ids) bench.row(silent).silent = true;
	const lastAt = Math.max(
		...[...bench.chassis.sent, ...bench.coupling.sent].filter((frame) => ids.includes(frame.id)).map((frame) => frame.at),
	);
	await bench.untilStock(expiryMs + RAMP_MS + 1000);
	const status = await bench.status();
	assert.deepEqual([status.effectiveMode, status.reason, status.controlActive], ["STOCK", reason, false]);

	const after = bench.passed(id, silentFrom);
	const falls = after.find(({ data, rewritten }) => rewritten && data[index] < full);
	const stock = after.find(({ rewritten }) => !rewritten);
	assert.ok(stock !== undefined);
	const fallsMs = (falls ?? stock).sentAt - lastAt;
	const stockMs = stock.sentAt - lastAt;
	assert.ok(fallsMs >= expiryMs - TICK_MS, `falls after ${fallsMs} ms`);
	assert.ok(fallsMs <= expiryMs + LATENESS_MS, `falls only after ${fallsMs} ms`);
	assert.ok(stockMs <= expiryMs + RAMP_MS + LATENESS_MS, `stock only after ${stockMs} ms`);
	after.reduce((last, { data, rewritten }) => {
		assert.ok(!rewritten || data[index] <= last, "the ramp only falls");
		return rewritten ? data[index] : last;
	}, full);

	const backAt = now();
	for (const silent of ids) bench.row(silent).silent = false;
	await bench.untilCommand(full);
	const first = bench.passed(id, backAt).find(({ rewritten }) => rewritten);
	assert.ok(first !== undefined);
	assert.ok(first.at - backAt >= SETTLE_MS - TICK_MS, `control after ${first.at - backAt} ms`);
	// how soon after that the campaign judges, in virtual time: a tick that this machine delays does not
	// count whole
}

/** These rows may stay silent without any effect on the command. */
async function unaffected(bench: Bench, ids: readonly number[]): Promise<void> {
	const command = await bench.steadyCommand();
	const from = now();
	for (const silent of ids) bench.row(silent).silent = true;
	await sleep(900);
	const { id, index } = car.marker(bench.generation);
	assert.ok(bench.passed(id, from).every(({ rewritten, data }) => rewritten && data[index] === command));
	assert.equal((await bench.status()).reason, "control is active");
	for (const silent of ids) bench.row(silent).silent = false;
}

/**
 * Shows something wrong until the car is stock for this reason, then what is right until it is in command
 * again.
 */
async function goesStock(bench: Bench, what: string, reason: string, wrong: () => void, right: () => void): Promise<void> {
	const command = await bench.steadyCommand();
	wrong();
	await bench.untilStatus((status) => status.effectiveMode === "STOCK", 1500, `stock with ${what}`);
	assert.equal((await bench.status()).reason, reason, what);
	await bench.untilStock();
	right();
	await bench.untilCommand(command);
}

describe("system: inputs", () => {
	it("MAP needs speed and pedal, generation 5", () =>
		withBench({}, async (bench) => {
			bench.show(20, 80);
			await silence(bench, [0x0fd, 0x0b2], 300, NO_SPEED);
			await silence(bench, [0x121], 300, NO_PEDAL);
		}));

	for (const generation of [5, 4] as const)
		it(`every mode needs a coupling that reports, generation ${generation}, unless the driver has one that never does`, () =>
			withBench({ generation, settings: { mode: "5050" } }, async (bench) => {
				bench.show(20, 80);
				await bench.untilCommand(car.marker(generation).base);
				const id = generation === 5 ? 0x118 : 0x2c0;
				await silence(bench, [id], 500, NO_FEEDBACK);
				const { code } = await bench.ask("POST", "/api/settings", JSON.stringify({ controlWithoutFeedback: true }));
				assert.equal(code, 200);
				await unaffected(bench, [id]);
			}));

	for (const [generation, id, byte, bit] of [
		[5, 0x0fd, 7, 1],
		[1, 0x1a0, 0, 4],
	] as const)
		it(`every mode needs to know of interventions, generation ${generation}, and a flag does not outlast its frame`, () =>
			withBench({ generation, settings: { mode: "5050" } }, async (bench) => {
				bench.show(20, 80);
				await bench.untilCommand(car.marker(generation).base);
				await silence(bench, [id], 300, NO_INTERVENTIONS);
				bench.row(id).data[byte] |= bit;
				await bench.untilCommand(0);
				bench.row(id).silent = true;
				await bench.untilStock(300 + LATENESS_MS);
				assert.equal((await bench.status()).reason, NO_INTERVENTIONS);
			}));

	it("takes error codes and quality bits of generation 5 for no values", () =>
		withBench({ settings: { mode: "MAP", releaseRate: 0 } }, async (bench) => {
			bench.show(20, 80);
			const { chassisRows: rows } = bench;
			const pedal = () => car.setRawPedal(rows, 5, 200);
			for (const code of [0xfe, 0xff])
				await goesStock(bench, `pedal ${code}`, NO_PEDAL, () => car.setRawPedal(rows, 5, code), pedal);
			const speed = () => car.setRawSpeed(rows, 5, 2000);
			for (const code of [0xfffd, 0xfffe, 0xffff])
				await goesStock(bench, `speed ${code}`, NO_SPEED, () => car.setRawSpeed(rows, 5, code), speed);
			const toggle = (id: number, byte: number, bit: number) => () => {
				bench.row(id).data[byte] ^= 1 << bit;
			};
			await goesStock(bench, "pedal with its quality bit", NO_PEDAL, toggle(0x121, 2, 4), toggle(0x121, 2, 4));
			await goesStock(bench, "speed with its quality bit", NO_SPEED, toggle(0x0fd, 6, 7), toggle(0x0fd, 6, 7));
		}));
});
