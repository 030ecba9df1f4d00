import assert from "node:assert/strict";
import { type Car, newCar, stepCar } from "../../tools/vehicle/car.js";
import { ChassisBus, type Generation } from "../../tools/vehicle/chassis.js";
import { CYCLES } from "../../tools/vehicle/cycles.js";
import { crc8Autosar, MQB_DATA_IDS } from "../../tools/vehicle/integrity.js";
import { Vehicle } from "../../tools/vehicle/vehicle.js";
import { drive, field, PARKED, type SentFrame } from "./vehicle-bus.js";

/** One second of chassis frames of a car in a given state: the latest per identifier. */
function framesOf(generation: Generation, state: Partial<Car>): Map<number, Uint8Array> {
	const bus = new ChassisBus(generation);
	const latest = new Map<number, Uint8Array>();
	for (let timeMs = 1; timeMs <= 1000; timeMs += 1)
		bus.step({ ...newCar(), ...state, timeMs }, (id, _extended, data) => latest.set(id, Uint8Array.from(data)));
	return latest;
}

const hex = (data: Uint8Array) => Buffer.from(data).toString("hex");
const chassis = (frames: readonly SentFrame[], id: number) =>
	frames.filter((frame) => frame.bus === "chassis" && frame.id === id);

describe("the vehicle's signals", () => {
	it("stand where section 9.4 of the specification reads them (PQ)", () => {
		const frames = framesOf(4, { velocityKmh: 50.6, rpm: 2000, pedalPercent: 50 });
		assert.equal(hex(frames.get(0x1a0)!.subarray(2, 4)), "8827");
		assert.equal(hex(frames.get(0x280)!.subarray(2, 4)), "401f");
		assert.equal(frames.get(0x280)![5], 0x7d);
	});

	it("stand where section 9.4 of the specification reads them (MQB)", () => {
		const wheel = 49.995;
		const wheels = { wheelFrontLeftKmh: wheel, wheelFrontRightKmh: wheel, wheelRearLeftKmh: wheel, wheelRearRightKmh: wheel };
		const frames = framesOf(5, { velocityKmh: 50, rpm: 2000, pedalPercent: 50, ...wheels });
		assert.equal(hex(frames.get(0x0b2)!), "0a1a0a1a0a1a0a1a");
		assert.equal(hex(frames.get(0x0fd)!.subarray(4, 6)), "8813");
		assert.equal(hex(frames.get(0x0a8)!.subarray(6, 8)), "401f");
		const pedal = frames.get(0x121)!;
		assert.equal((pedal[1] >> 4) | ((pedal[2] & 0x0f) << 4), 125);
	});

	it("carry directions as sign bits, never as negative numbers", () => {
		const left = { steeringDeg: 70, yawDegps: 12, velocityKmh: 40 };
		const right = { steeringDeg: -70, yawDegps: -12, velocityKmh: 40 };
		for (const [state, sign] of [
			[left, 0],
			[right, 1],
		] as const) {
			const pq = framesOf(4, state);
			assert.deepEqual([field(pq.get(0x0c2)!, 0, 15), field(pq.get(0x0c2)!, 15, 1)], [1600, sign]);
			assert.deepEqual([field(pq.get(0x4a8)!, 0, 14), field(pq.get(0x4a8)!, 15, 1)], [1200, sign]);
			const mqb = framesOf(5, state);
			assert.deepEqual([field(mqb.get(0x086)!, 16, 13), field(mqb.get(0x086)!, 29, 1)], [700, sign]);
			assert.deepEqual([field(mqb.get(0x101)!, 40, 14), field(mqb.get(0x101)!, 54, 1)], [1200, sign]);
		}
	});

	it("show brake, ABS, ESP and reverse gear", () => {
		const state = { brakePercent: 50, absActive: true, espActive: true, selector: "R", gear: -1, velocityKmh: -9 } as const;
		const bits = (generation: Generation, places: [number, number][], car: Partial<Car>) => {
			const frames = framesOf(generation, car);
			return places.map(([id, bit]) => field(frames.get(id)!, bit, 1));
		};
		const pq: [number, number][] = [
			[0x288, 16],
			[0x4a8, 43],
			[0x1a0, 2],
			[0x1a0, 4],
			[0x390, 17],
		];
		const mqb: [number, number][] = [
			[0x106, 26],
			[0x3be, 28],
			[0x0fd, 56],
			[0x0fd, 61],
			[0x3db, 25],
		];
		for (const [generation, places] of [
			[2, pq],
			[5, mqb],
		] as const) {
			assert.deepEqual(bits(generation, places, state), [1, 1, 1, 1, 1]);
			assert.deepEqual(bits(generation, places, { velocityKmh: 30 }), [0, 0, 0, 0, 0]);
		}
		assert.equal(field(framesOf(4, state).get(0x1a0)!, 17, 15), 900, "speed is a magnitude");
	});

	it("hold exactly the speed and the pedal that the command line asks for", () => {
		const { frames } = drive(5, { ...PARKED, speedKmh: 70, pedalPercent: 50 }, 3000);
		for (const { data } of chassis(frames, 0x0fd)) assert.equal(field(data, 32, 16), 7000);
		for (const { data } of chassis(frames, 0x121)) assert.equal(field(data, 12, 8), 125);
	});
});

describe("the vehicle's drive cycles", () => {
	const SPEED = { 4: [0x1a0, 17, 15, 0.01], 5: [0x0fd, 32, 16, 0.01] } as const;
	for (const generation of [4, 5] as const) {
		const [speedId, speedStart, speedLength, speedFactor] = SPEED[generation];
		const rpmOf = (data: Uint8Array) => (generation === 5 ? field(data, 48, 16) : field(data, 16, 16)) * 0.25;
		const speeds = (frames: SentFrame[]) =>
			chassis(frames, speedId).map((f) => field(f.data, speedStart, speedLength) * speedFactor);
		const run = (name: keyof typeof CYCLES, durationMs: number) => drive(generation, CYCLES[name], durationMs).frames;

		it(`launch: generation ${generation} accelerates from rest, engine speed following`, () => {
			const kmh = speeds(run("launch", 9000));
			assert.equal(kmh[0], 0);
			assert.ok(kmh[kmh.length - 1] > 60 && kmh[kmh.length - 1] < 130, `${kmh[kmh.length - 1]} km/h`);
			const rpm = chassis(run("launch", 9000), generation === 5 ? 0x0a8 : 0x280).map((frame) => rpmOf(frame.data));
			assert.ok(Math.min(...rpm) >= 700 && Math.max(...rpm) > 3000 && Math.max(...rpm) < 7000);
		});

		it(`cruise: generation ${generation} keeps its speed within 3 km/h`, () => {
			for (const kmh of speeds(run("cruise", 10_000))) assert.ok(Math.abs(kmh - 70) < 3, `${kmh}`);
		});

		it(`braking: generation ${generation} comes to a stop without ever rolling back`, () => {
			const kmh = speeds(run("braking", 4900));
			assert.equal(kmh[kmh.length - 1], 0);
			for (let i = 1; i < kmh.length; i += 1) assert.ok(kmh[i] <= kmh[i - 1] + 0.011);
		});

		it(`corner: generation ${generation} turns its outer wheels faster, left and right`, () => {
			const frames = run("corner", 12_000);
			const wheels = chassis(frames, generation === 5 ? 0x0b2 : 0x4a0).filter(({ timeMs }) => timeMs % 6000 > 3000);
			assert.ok(wheels.length > 100);
			for (const { timeMs, data } of wheels) {
				const [rearLeft, rearRight] =
					generation === 5 ? [field(data, 0, 16), field(data, 16, 16)] : [field(data, 33, 15), field(data, 49, 15)];
				assert.equal(rearRight > rearLeft, timeMs < 6000, `at ${timeMs} ms: ${rearLeft} ${rearRight}`);
			}
		});

		it(`hairpin: generation ${generation} turns its wheel by 400 degrees to either side, slowly`, () => {
			const frames = run("hairpin", 20_000);
			const [id, start, length, factor, sign] = generation === 5 ? [0x086, 16, 13, 0.1, 29] : [0x0c2, 0, 15, 0.04375, 15];
			const angles = chassis(frames, id).map((f) => field(f.data, start, length) * factor * (field(f.data, sign, 1) ? -1 : 1));
			assert.deepEqual([Math.round(Math.min(...angles)), Math.round(Math.max(...angles))], [-400, 400]);
			assert.ok(Math.max(...speeds(frames)) < 25);
		});

		it(`reverse: generation ${generation} rolls slowly with the reversing light on`, () => {
			const frames = run("reverse", 7000);
			const kmh = speeds(frames);
			assert.ok(Math.max(...kmh) > 5 && Math.max(...kmh) < 12);
			const light = chassis(frames, generation === 5 ? 0x3db : 0x390).map(({ data }) =>
				field(data, generation === 5 ? 25 : 17, 1),
			);
			assert.deepEqual(new Set(light.slice(1)), new Set([1]));
		});

		it(`ignition-off: generation ${generation} keeps only the gateway's frames, terminal 15 off, and a silent coupling`, () => {
			const frames = run("ignition-off", 3000);
			const seen = new Set(frames.map(({ id }) => id));
			assert.ok(!seen.has(speedId) && seen.size < 6, [...seen].join());
			const terminal = chassis(frames, generation === 5 ? 0x3c0 : 0x570);
			assert.ok(terminal.length > 20);
			for (const { data } of terminal) assert.equal(field(data, generation === 5 ? 17 : 1, 1), 0);
			assert.equal(frames.filter(({ bus }) => bus === "coupling").length, 0);
		});
	}

	it("city goes through all of them, returns after the ignition was off, and ends where it began", () => {
		const lengthMs = CYCLES.city.phases.reduce((sum, { durationS }) => sum + durationS * 1000, 0);
		const { vehicle, frames } = drive(5, CYCLES.city, lengthMs);
		const kmh = chassis(frames, 0x0fd).map(({ data }) => field(data, 32, 16) / 100);
		assert.ok(Math.max(...kmh) > 65 && Math.max(...kmh) < 110, `${Math.max(...kmh)}`);
		assert.equal(vehicle.car.velocityKmh, 0);
		assert.equal(vehicle.car.ignitionOn, true);
		const terminal = chassis(frames, 0x3c0).map(({ data }) => field(data, 17, 1));
		assert.deepEqual(
			terminal.filter((bit, i) => bit !== terminal[i - 1]),
			[1, 0, 1],
		);
	});

	it("gives the same frames every time", () => {
		assert.deepEqual(drive(2, CYCLES.city, 6000).frames, drive(2, CYCLES.city, 6000).frames);
	});

	it("slips less at the front axle the further the coupling is closed", () => {
		const slip = (engagedPercent: number) => {
			const car = newCar();
			const driver = { pedalPercent: 100, brakePercent: 0, steeringDeg: 0, selector: "D", ignitionOn: true } as const;
			let most = 0;
			for (let ms = 0; ms < 2500; ms += 1) {
				stepCar(car, driver, engagedPercent);
				most = Math.max(most, car.slipKmh);
			}
			return most;
		};
		assert.ok(slip(0) > 3 * slip(100), `${slip(0)} and ${slip(100)}`);
	});
});

describe("the vehicle's frames", () => {
	it("are those of another platform once the car has got another coupling, and the car drives on", () => {
		const vehicle = new Vehicle(5, { ...PARKED, speedKmh: 50 });
		const identifiers = (): Set<number> => {
			const sent = new Set<number>();
			const send = (id: number) => sent.add(id);
			for (let ms = 0; ms < 1000; ms += 1) vehicle.step(send, send);
			return sent;
		};
		const before = identifiers();
		vehicle.refit(4);
		const after = identifiers();
		assert.deepEqual([before.has(0x118), before.has(0x2c0), after.has(0x118), after.has(0x2c0)], [true, false, false, true]);
		assert.deepEqual([before.has(0x1a0), after.has(0x1a0), vehicle.car.velocityKmh], [false, true, 50]);
	});

	it("carry the MQB checksums that the recorded vehicle frames of section 9.2 carry", () => {
		assert.equal(crc8Autosar(Buffer.from("123456789")), 0xdf);
		for (const [id, frame] of [
			[0x086, "6b00bd0000000000"],
			[0x0ad, "f8e0bfff5f202020"],
			[0x106, "908064000000e710"],
			[0x116, "2d00d5989f26250f"],
			[0x121, "b90000c039467efe"],
		] as const) {
			const data = Buffer.from(frame, "hex");
			const list = Buffer.from(MQB_DATA_IDS[id], "hex");
			assert.equal(crc8Autosar([...data.subarray(1), list[list.length === 1 ? 0 : data[1] & 15]]), data[0]);
		}
	});
});
