/**
 * Standalone operation from outside: a coupling that has no car's bus. In virtual time, so every count is
 * exact. docs/control-and-can.md 3.9.
 */
import assert from "node:assert/strict";
import { framePlan } from "../../src/coupling/frame-plan.js";
import { bytes, couplingRows, type Generation, hex, marker } from "../system/car-rows.js";
import { type Car, type Sent, withCar } from "./car.js";

/** Speed in 0.01 km/h in a frame that no generation has: the installer's own sensor. */
const SPEED_ID = 0x555;
const LISTEN_MS = 3000;
const SETTLED_MS = 1500;

/** What comes beside the coupling's report. */
interface Beside {
	/** Frames of foreign identifiers each millisecond on both buses. */
	load: number;
	/** Shown in the frame of the car that has it, every 20 ms. */
	speedKmh: number | undefined;
}

/** A coupling on a bench, which reports. */
function withCoupling(
	generation: Generation,
	settings: Record<string, unknown>,
	use: (car: Car, beside: Beside) => Promise<void>,
): Promise<void> {
	const beside: Beside = { load: 0, speedKmh: undefined };
	const [report] = couplingRows(generation);
	const speed = bytes("00001F8000000000");
	return withCar(generation, { standalone: true, ...settings }, (car) => use(car, beside), {
		comes: (send, ms) => {
			if (ms % 20 === 0) send(1, report.id, report.data);
			if (ms % 20 === 0 && beside.speedKmh !== undefined) {
				new DataView(speed.buffer).setUint16(4, beside.speedKmh * 100, true);
				send(0, 0x0fd, speed);
			}
			for (let i = 0; i < beside.load; i++) {
				send(0, 0x6f1, new Uint8Array(8));
				send(1, 0x6f2, new Uint8Array(8));
			}
		},
	});
}

/** Periods by identifier, read from the plan's bytes as modules/can-gateway/README.md has them. */
function periodsOf(generation: Generation, profile: "reference" | "corrected"): Map<number, number[]> {
	const plan = framePlan(generation, profile, 1, true);
	const periods = new Map<number, number[]>();
	for (let at = 12 + plan[5] * 4 + plan[6] * 16; at < plan.length; at += 44) {
		const id = plan[at] | (plan[at + 1] << 8);
		if (plan[at + 6] > 0) periods.set(id, [...(periods.get(id) ?? []), plan[at + 6] * 5]);
	}
	return periods;
}

const toCoupling = (sent: readonly Sent[]): Sent[] => sent.filter(({ bus }) => bus === 1);
const GENERATIONS: readonly Generation[] = [1, 2, 4, 5];

describe("virtual time: standalone operation", function () {
	this.timeout(120_000);

	for (const [generation, profile] of [
		[1, "reference"],
		[2, "corrected"],
		[4, "reference"],
		[5, "corrected"],
	] as const)
		it(`sends each frame of generation ${generation}, ${profile}, within 1 ms of its period while both buses are full`, () =>
			withCoupling(generation, { mode: "5050", frameProfile: profile }, async (car, beside) => {
				assert.deepEqual(toCoupling(await car.run(LISTEN_MS - 100)), []);
				await car.run(SETTLED_MS);
				beside.load = 4;
				const sent = toCoupling(await car.run(4000));
				const periods = periodsOf(generation, profile);
				assert.deepEqual(new Set(sent.map(({ id }) => id)), new Set(periods.keys()));
				for (const [id, [periodMs, second]] of periods) {
					if (second !== undefined) continue;
					const times = sent.filter((one) => one.id === id).map(({ ms }) => ms);
					assert.ok(Math.abs(times.length - 4000 / periodMs) <= 1, `0x${id.toString(16)}: ${times.length} in 4 s`);
					const gaps = times.slice(1).map((ms, i) => Math.abs(ms - times[i] - periodMs));
					assert.ok(Math.max(0, ...gaps) <= 1, `0x${id.toString(16)}: ${Math.max(...gaps)} ms off its period`);
				}
			}));

	for (const generation of GENERATIONS)
		it(`commands a coupling of generation ${generation} by mode, and holds it open in STOCK or without a needed speed`, () =>
			withCoupling(
				generation,
				{
					mode: "5050",
					disableSpeed: 100,
					inputMappings: { speed: `chassis|0x${SPEED_ID.toString(16)}|x|`, throttle: "", rpm: "" },
				},
				async (car) => {
					const { id, index, base } = marker(generation);
					const command = (sent: readonly Sent[]): number[] => [
						...new Set(sent.filter((one) => one.bus === 1 && one.id === id).map(({ data }) => data[index])),
					];
					await car.run(LISTEN_MS + SETTLED_MS);
					assert.deepEqual(command(await car.run(200)), [0]);
					const without = await car.status();
					assert.deepEqual([without.effectiveMode, without.standalone.generating], ["STOCK", true]);
					assert.equal(without.reason, "no valid vehicle speed");
					await car.ask("POST", "/api/settings", { disableSpeed: 0 });
					await car.run(SETTLED_MS);
					assert.deepEqual(command(await car.run(200)), [base]);
					await car.ask("POST", "/api/mode", { mode: "STOCK" });
					await car.run(100);
					assert.deepEqual(command(await car.run(200)), [0]);
				},
			));

	it("follows the speed that a frame tells, and opens when it is lost", () =>
		withCoupling(5, { mode: "5050", disableSpeed: 80 }, async (car, beside) => {
			const lever = async () => {
				const frames = toCoupling(await car.run(100)).filter(({ id }) => id === 0x08a);
				assert.ok(frames.length >= 9, `${frames.length} frames`);
				return [...new Set(frames.map(({ data }) => data[7]))];
			};
			beside.speedKmh = 30;
			await car.run(LISTEN_MS + SETTLED_MS);
			assert.deepEqual(await lever(), [0xfe]);
			beside.speedKmh = undefined;
			await car.run(1000);
			assert.deepEqual(await lever(), [0]);
		}));

	for (const bus of [0, 1] as const)
		it(`falls silent at once when another sender sends its frame on bus ${bus}, says so, passes all, and goes on 3 s after the last`, () =>
			withCoupling(4, { mode: "5050" }, async (car) => {
				await car.run(LISTEN_MS + SETTLED_MS);
				assert.equal((await car.status()).effectiveMode, "5050");
				const at = car.lockstep.ms + 5;
				car.send(bus, 0x280, bytes("0102030405060708"), 5);
				const sent = await car.run(500);
				const own = sent.filter((one) => one.bus === 1 && one.id !== 0x280 && one.ms > at + 1);
				assert.deepEqual(own, []);
				const other = await car.status();
				assert.equal(other.standalone.generating, false);
				assert.match(other.standalone.waits, /^standalone operation waits: somebody else sends its frames \(0x280 from the /);
				assert.equal(other.reason, other.standalone.waits);
				assert.deepEqual([other.effectiveMode, other.controlActive], ["STOCK", false]);
				const passed = sent.filter((one) => one.bus !== bus && one.id === 0x280);
				assert.equal(hex(passed[passed.length - 1].data), "0102030405060708");
				await car.run(LISTEN_MS + SETTLED_MS);
				const after = await car.status();
				assert.deepEqual([after.standalone.generating, after.effectiveMode], [true, "5050"]);
			}));

	it("is silent within 250 ms of a stalled script, and forwards all frames", () =>
		withCoupling(2, { mode: "5050" }, async (car, beside) => {
			await car.run(LISTEN_MS + SETTLED_MS);
			beside.load = 1;
			const held = await car.run(100);
			assert.equal(held.filter(({ bus, id }) => bus === 1 && id === 0x6f1).length, 0);
			car.command("fault script-stalled=0:5000");
			await car.run(250);
			const sent = toCoupling(await car.run(500));
			assert.deepEqual([...new Set(sent.map(({ id }) => id))], [0x6f1]);
		}));

	it("forwards only diagnosis from the chassis, and everything from the coupling", () =>
		withCoupling(5, { mode: "FWD" }, async (car) => {
			await car.run(LISTEN_MS + SETTLED_MS);
			for (const id of [0x764, 0x200, 0x710, 0x71d, 0x70f, 0x123, 0x7df]) car.send(0, id, Uint8Array.of(2, 0x3e, 0), 20);
			car.send(1, 0x779, Uint8Array.of(2, 0x7e, 0), 20);
			const sent = await car.run(100);
			const passed = sent.filter(({ bus, data }) => bus === 1 && data.length === 3).map(({ id }) => id);
			assert.deepEqual(passed, [0x764, 0x200, 0x710, 0x71d, 0x70f]);
			assert.equal(sent.filter(({ bus, id }) => bus === 0 && id === 0x779).length, 1);
			assert.ok(((await car.status()).gateway["withheld"] ?? 0) >= 2);
		}));

	it("starts and ends with the setting, and tells displays", () =>
		withCoupling(1, { mode: "5050", standalone: false }, async (car) => {
			await car.run(5000);
			assert.deepEqual(
				toCoupling(await car.run(100)).map(({ id }) => id),
				[],
			);
			assert.equal((await car.ask("POST", "/api/settings", { isStandalone: true })).isStandalone, true);
			assert.match((await car.status()).standalone.waits, /^standalone operation listens/);
			await car.run(LISTEN_MS);
			const sent = await car.run(1000);
			assert.ok(toCoupling(sent).length > 190);
			assert.deepEqual(
				sent.filter(({ bus, id }) => bus === 0 && id === 0x6b0).map(({ data }) => data[1]),
				[1, 1, 1, 1, 1],
			);
			await car.ask("POST", "/api/settings", { isStandalone: false });
			assert.deepEqual(toCoupling(await car.run(500)), []);
		}));
});
