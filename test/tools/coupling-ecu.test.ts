/**
 * The simulated coupling against what was measured of real ones, and that it does not follow this controller
 * where a real one could not.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { FrameProfile } from "../../src/coupling/couplings/couplings.js";
import { chosenPlan } from "../../src/coupling/frame-plan.js";
import { DEFAULT_SETTINGS } from "../../src/settings/settings.js";
import type { Generation } from "../../tools/vehicle/chassis.js";
import { reportedPercent, reportOf } from "../../tools/vehicle/coupling-ecu.js";
import type { Character } from "../../tools/vehicle/coupling-inputs.js";
import { CYCLES } from "../../tools/vehicle/cycles.js";
import { mqbChecksum } from "../../tools/vehicle/integrity.js";
import { bytesOf, hexOf, PlanBench } from "../coupling/plan-bench.js";
import { drive, field, PARKED, type Rewrite } from "./vehicle-bus.js";

const MQB = JSON.parse(readFileSync("test/cars/mqb.json", "utf8")).closed as {
	readonly countsPerNm: readonly { selector: "P" | "D"; gear?: number; kmh: number; torqueNm: number; countsPerNm: number }[];
	readonly mostCounts: { readonly counts: number; readonly torqueNm: number };
	readonly fullCounts: { readonly counts: number };
	readonly delayMs: readonly [number, number];
	readonly holdMs: readonly [number, number];
	readonly mostRisePerS: number;
	readonly mostFallPerS: number;
	readonly opensWithoutFramesMs: number;
};
const CHARACTERS: readonly Character[] = ["lenient", "strict"];

/** What the controller sends. @param factorPercent scales its bytes, 0 to 100 */
function sentBy(generation: 1 | 2 | 4 | 5, factorPercent: number, profile: FrameProfile = "reference"): Rewrite {
	const plan = PlanBench.of(generation, profile);
	return (id, data) => bytesOf(plan.pass(256 * factorPercent, id, hexOf(data)));
}

/** 0x0A7 with this actual torque. */
const torque =
	(nm: (ms: number) => number): Rewrite =>
	(id, data, { car }) => {
		if (id !== 0x0a7) return undefined;
		const raw = Math.round(nm(car.timeMs)) + 509;
		data[2] = (data[2] & 0x3f) | ((raw & 3) << 6);
		data[3] = raw >> 2;
		data[0] = mqbChecksum(id, data) as number;
		return data;
	};

const CRUISE = { ...PARKED, speedKmh: 60, pedalPercent: 30 };
const engaged = (...[generation, how, durationMs, rewrite, options]: Parameters<typeof drive>) =>
	drive(generation, how, durationMs, rewrite, options).vehicle.coupling.engagementPercent;

describe("the simulated coupling", () => {
	it("closes by gear for the engine's torque as measured in a car", () => {
		for (const { selector, gear, kmh, torqueNm, countsPerNm } of MQB.countsPerNm) {
			const rewrite: Rewrite = (id, data, vehicle) => {
				if (id === 0x0ad && gear !== undefined) {
					data[7] = gear << 4;
					data[0] = mqbChecksum(id, data) as number;
					return data;
				}
				return torque(() => torqueNm)(id, data, vehicle);
			};
			const percent = engaged(5, { ...PARKED, selector, speedKmh: kmh }, 2500, rewrite);
			const counts = (percent * MQB.fullCounts.counts) / 100;
			assert.ok(Math.abs(counts - countsPerNm * torqueNm) < 1.5, `${selector} ${gear}: ${counts} counts at ${torqueNm} Nm`);
		}
	});

	it("follows a blip of the pedal with a car's delay, rise, hold and fall", () => {
		const blip = torque((ms) => (ms >= 1000 && ms < 1400 ? MQB.mostCounts.torqueNm : 0));
		const at = new Map<number, number>();
		drive(5, { ...PARKED, selector: "P" }, 3000, (id, data, vehicle) => {
			at.set(vehicle.car.timeMs, vehicle.coupling.engagementPercent);
			return blip(id, data, vehicle);
		});
		const times = [...at.keys()];
		const peak = Math.max(...at.values());
		assert.ok(Math.abs((peak * MQB.fullCounts.counts) / 100 - MQB.mostCounts.counts) < 10, `${peak} %`);
		const startMs = times.find((ms) => (at.get(ms) as number) > 0) as number;
		const between = (value: number, [least, most]: readonly number[], slack = 12) => value >= least - 1 && value <= most + slack;
		assert.ok(between(startMs - 1000, MQB.delayMs), `begins after ${startMs - 1000} ms`);
		const fallMs = times.find((ms) => ms > 1400 && (at.get(ms) as number) < peak - 0.3) as number;
		assert.ok(between(fallMs - 1400 - 40, MQB.holdMs, 20), `falls after ${fallMs - 1400} ms`);
		for (const [i, ms] of times.slice(1).entries()) {
			const [before, now] = [at.get(times[i]) as number, at.get(ms) as number];
			const perS = ((now - before) * 1000) / (ms - times[i]);
			assert.ok(perS <= MQB.mostRisePerS + 1 && perS >= -MQB.mostFallPerS - 1, `${perS} %/s at ${ms} ms`);
		}
	});

	for (const generation of [1, 2, 4, 5] as const) {
		it(`generation ${generation}: with the default profile a lenient one closes the further, the more is asked, and opens`, () => {
			const reached = [0, 25, 45, 65, 100].map((factor) => engaged(generation, CRUISE, 2500, sentBy(generation, factor)));
			assert.ok(reached[0] < 1 && reached[4] > 95, `${reached}`);
			for (const [i, percent] of reached.slice(1).entries()) assert.ok(percent > reached[i], `${reached}`);
		});

		for (const character of CHARACTERS) {
			it(`generation ${generation}, ${character}: acts for the car's own frames as from the factory, standing and as it launches`, () => {
				const stock = { most: 0, standing: 0 };
				drive(
					generation,
					CYCLES.city,
					10_000,
					(_id, _data, { car, coupling }) => {
						stock.most = Math.max(stock.most, coupling.engagementPercent);
						if (car.velocityKmh === 0 && car.timeMs < 3000) stock.standing = Math.max(stock.standing, coupling.engagementPercent);
						return undefined;
					},
					{ character },
				);
				assert.ok(stock.most > 20, `a launch makes it close: ${stock.most} %`);
				assert.ok(stock.standing < 8, `standing it is all but open: ${stock.standing} %`);
			});

			it(`generation ${generation}, ${character}: opens in one step without frames, and when the bytes ask for none`, () => {
				const [full, none] = [sentBy(generation, 100), sentBy(generation, 0)];
				const { vehicle } = drive(generation, CRUISE, 1500, full, { character });
				const silent = () => {};
				for (let ms = 0; ms < MQB.opensWithoutFramesMs + 10; ms += 1) vehicle.step(silent, silent);
				assert.equal(vehicle.coupling.engagementPercent, 0);
				const noneLater: Rewrite = (id, data, driven) => (driven.car.timeMs > 1000 ? none : full)(id, data, driven);
				const percent = engaged(generation, CRUISE, 2500, noneLater, { character });
				assert.ok(percent < 1, `${percent} %`);
			});
		}
	}

	it("of a strict character does not close for checksums that do not verify, nor while a flag of ABS is set", () => {
		assert.ok(engaged(5, CRUISE, 1500, sentBy(5, 100)) > 95);
		assert.equal(engaged(5, CRUISE, 1500, sentBy(5, 100), { character: "strict" }), 0);
		assert.ok(engaged(5, CRUISE, 1500, sentBy(5, 100, "corrected"), { character: "strict" }) > 85);
		const full = sentBy(4, 100);
		const abs: Rewrite = (id, data, vehicle) => {
			const sent = full(id, data, vehicle);
			if (id === 0x1a0 && sent !== undefined) sent[0] |= 0x04;
			return sent;
		};
		assert.ok(engaged(4, CRUISE, 1500, abs) > 95);
		assert.equal(engaged(4, CRUISE, 1500, abs, { character: "strict" }), 0);
	});

	it("contradicts bytes that it does not read: lock that is asked for in them alone closes nothing", () => {
		const stock = engaged(5, CRUISE, 1500);
		const lastBytes: Rewrite = (id, data) => {
			if (id === 0x0a7) data.fill(0xfa, 6, 8);
			if (id === 0x08a) data[7] = 0;
			data[0] = mqbChecksum(id, data) ?? data[0];
			return data;
		};
		assert.ok(stock > 5, `${stock} %`);
		assert.equal(engaged(5, CRUISE, 1500, lastBytes), stock);
		const unread: Rewrite = (id, data) => {
			if (id === 0x5a0) data.fill(0x7f, 4, 6);
			if (id === 0x380) data[2] = 0xfe;
			if (id === 0x1a0) data.fill(0xfe, 4, 6);
			return data;
		};
		assert.equal(engaged(4, CRUISE, 1500, unread), engaged(4, CRUISE, 1500));
	});

	for (const character of CHARACTERS)
		it(`generation 5, ${character}: follows what profile corrected asks: open at 0 % while the engine pulls, more with more lock`, () => {
			const plan = PlanBench.of(5, "corrected");
			const asked = (lock: number) =>
				engaged(5, CRUISE, 2500, (id, data) => bytesOf(plan.rewrite(lock, id, hexOf(data))), { character });
			const stock = engaged(5, CRUISE, 2500, undefined, { character });
			assert.ok(stock > 5, `${stock} % from the factory`);
			const reached = [0, 10, 50, 90, 100].map(asked);
			// what is left is the slip of the front wheels, which the profile does not hide
			assert.ok(reached[0] < 3 && reached[0] < stock / 3, `${reached}, from the factory ${stock}`);
			for (const [i, percent] of reached.slice(1).entries()) assert.ok(percent > reached[i], `${reached}`);
		});

	for (const frameProfile of ["reference", "corrected"] as const)
		it(`a 554K hunts at partial lock with pinned torques and is steady with proportional ones, ${frameProfile}`, () => {
			const spread = (torqueModel: "pinned" | "proportional", factorPercent: number): readonly [number, number] => {
				const choice = { ...DEFAULT_SETTINGS, generation: 5, frameProfile, torqueModel, torqueCeilingNm: 400 } as const;
				const plan = new PlanBench(chosenPlan(choice, 2), frameProfile);
				const seen: number[] = [];
				const how = { ...PARKED, selector: "P" } as const;
				const rewrite: Rewrite = (id, data, { car, coupling }) => {
					if (car.timeMs > 1500) seen.push(coupling.engagementPercent);
					return bytesOf(plan.pass(factorPercent * 256, id, hexOf(data)));
				};
				drive(5, how, 3000, rewrite, { character: "554k" });
				return [Math.min(...seen), Math.max(...seen)];
			};
			for (const factor of [40, 70]) {
				const [low, high] = spread("pinned", factor);
				assert.ok(high - low > 15, `${low} to ${high} %`);
			}
			assert.ok(spread("pinned", 0)[1] < 1);
			assert.ok(spread("pinned", 100)[0] > 95);
			const steady = [0, 40, 70, 100].map((factor) => spread("proportional", factor));
			for (const [low, high] of steady) assert.ok(high - low < 0.5, `${low} to ${high} %`);
			assert.ok(steady[0][1] < 5 && steady[1][0] > 30 && steady[3][0] === 100, `${steady}`);
		});

	it("reads 01 to 7E in 0x2A0 as no request, 7F as 'open at once', 80 to FE as 'close'", () => {
		const request = (byte: number): Rewrite => {
			return (id, data) => {
				if (id === 0x2a0) {
					data[0] = byte;
					data[7] = data.subarray(0, 7).reduce((sum, each) => sum ^ each, 0);
				}
				return data;
			};
		};
		const stock = engaged(4, CRUISE, 1500);
		assert.ok(stock > 5);
		assert.equal(engaged(4, CRUISE, 1500, request(0x72)), stock);
		assert.equal(engaged(4, CRUISE, 1500, request(0x7f)), 0);
		assert.ok(engaged(4, CRUISE, 1500, request(0xfe)) > 99);
	});

	it("reports torque that saturates on PQ, and all of 254 counts on MQB", () => {
		const raw = (generation: Generation, percent: number) => reportOf(generation, percent, 0)[generation === 5 ? 2 : 1];
		assert.deepEqual([raw(4, 0), raw(4, 18.9), raw(4, 22.8), raw(4, 43.5), raw(4, 100)], [0x80, 0xb7, 0xc2, 0xfe, 0xfe]);
		assert.deepEqual([raw(2, 0), raw(2, 100), raw(5, 39), raw(5, 100)], [0x88, 0xfe, 99, 254]);
		assert.deepEqual([reportedPercent(4, 43.5), reportedPercent(4, 21.7) | 0, reportedPercent(5, 40)], [100, 49, 40]);
		assert.deepEqual([reportOf(4, 0, 0)[0], reportOf(4, 40, 0)[0]], [0x08, 0]);
		assert.equal(reportOf(4, 0, 0, 26)[4], 86, "temperature, raw - 60");
	});
});

describe("faults of the simulated car", () => {
	const frame = (faults: Parameters<ReturnType<typeof drive>["vehicle"]["breakDown"]>[0], generation: Generation, id: number) => {
		const { vehicle } = drive(generation, CRUISE, 1000);
		vehicle.breakDown(faults);
		const sent: Uint8Array[] = [];
		const collect = (one: number, _extended: boolean, data: Uint8Array) => {
			if (one === id) sent.push(Uint8Array.from(data));
		};
		for (let ms = 0; ms < 500; ms += 1) vehicle.step(collect, collect);
		return sent;
	};

	it("put a code in place of a signal, and leave counter and checksum right", () => {
		for (const data of frame(["speed-error"], 4, 0x1a0)) assert.equal(field(data, 17, 15), 0x7fe6);
		for (const data of frame(["pedal-error"], 5, 0x121)) {
			assert.equal(field(data, 12, 8), 0xff);
			assert.equal(data[0], mqbChecksum(0x121, data));
		}
	});

	it("freeze frames, stop counters, spoil checksums", () => {
		assert.equal(new Set(frame(["frozen-speed"], 5, 0x0fd).map((data) => Buffer.from(data).toString("hex"))).size, 1);
		const standing = frame(["counter-stands"], 5, 0x0fd);
		assert.deepEqual(new Set(standing.map((data) => data[1] & 15)), new Set([0]));
		for (const data of standing) assert.equal(data[0], mqbChecksum(0x0fd, data));
		for (const data of frame(["wrong-checksum"], 5, 0x0fd)) assert.notEqual(data[0], mqbChecksum(0x0fd, data));
	});

	it("send reports of another length, slowly, or nothing", () => {
		assert.deepEqual(new Set(frame(["report-short"], 4, 0x2c0).map(({ length }) => length)), new Set([2]));
		assert.equal(frame(["slow-frames"], 4, 0x1a0).length, 1);
		assert.equal(frame(["silence"], 4, 0x1a0).length, 0);
		assert.equal(frame(["ignition-off"], 4, 0x280).length, 0);
		for (const [terminals] of frame(["ignition-off"], 4, 0x572)) assert.equal(terminals, 1);
		for (const data of frame(["emergency", "warm-oil"], 4, 0x2c0)) assert.deepEqual([data[0] & 0x10, data[4]], [0x10, 0x9a]);
	});
});
