import assert from "node:assert/strict";
import { type Car, newCar, stepCar } from "../../tools/vehicle/car.js";
import { ChassisBus, type Generation } from "../../tools/vehicle/chassis.js";
import { CYCLES } from "../../tools/vehicle/cycles.js";
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

	it("hold exactly the speed and the pedal that the command line asks for", () => {
		const { frames } = drive(5, { ...PARKED, speedKmh: 70, pedalPercent: 50 }, 3000);
		for (const { data } of chassis(frames, 0x0fd)) assert.equal(field(data, 32, 16), 7000);
		for (const { data } of chassis(frames, 0x121)) assert.equal(field(data, 12, 8), 125);
	});
});

describe("the vehicle's drive cycles", () => {
	/** The car every 10 ms; the coupling hears its frames. */
	function carsIn(name: keyof typeof CYCLES, durationMs: number): Car[] {
		const vehicle = new Vehicle(5, CYCLES[name]);
		const cars: Car[] = [];
		for (let ms = 1; ms <= durationMs; ms += 1) {
			vehicle.step(
				(id, extended, data) => vehicle.receiveOnCouplingBus({ id, extended, rtr: false, data }),
				() => {},
			);
			if (ms % 10 === 0) cars.push({ ...vehicle.car });
		}
		return cars;
	}

	it("launch accelerates from rest, engine speed following", () => {
		const cars = carsIn("launch", 9000);
		const [first, last] = [cars[0]!.velocityKmh, cars.at(-1)!.velocityKmh];
		assert.ok(first < 0.01 && last > 60 && last < 130, `${first} to ${last} km/h`);
		const rpm = cars.map((car) => car.rpm);
		assert.ok(Math.min(...rpm) >= 700 && Math.max(...rpm) > 3000 && Math.max(...rpm) < 7000);
	});

	it("cruise keeps its speed within 3 km/h", () => {
		for (const { velocityKmh } of carsIn("cruise", 10_000)) assert.ok(Math.abs(velocityKmh - 70) < 3, `${velocityKmh}`);
	});

	it("braking comes to a stop without ever rolling back", () => {
		const speeds = carsIn("braking", 4900).map((car) => car.velocityKmh);
		assert.equal(speeds.at(-1), 0);
		for (const [i, kmh] of speeds.slice(1).entries()) assert.ok(kmh >= 0 && kmh <= speeds[i]!, `${kmh} after ${speeds[i]}`);
	});

	it("corner turns its outer wheels faster, left and right", () => {
		const cars = carsIn("corner", 12_000).filter(({ timeMs }) => timeMs % 6000 > 3000);
		for (const { timeMs, wheelRearLeftKmh, wheelRearRightKmh } of cars)
			assert.equal(wheelRearRightKmh > wheelRearLeftKmh, timeMs < 6000, `at ${timeMs} ms`);
	});

	it("hairpin turns its wheel by 400 degrees to either side, slowly", () => {
		const cars = carsIn("hairpin", 20_000);
		const angles = cars.map((car) => car.steeringDeg);
		assert.deepEqual([Math.min(...angles), Math.max(...angles)], [-400, 400]);
		assert.ok(Math.max(...cars.map((car) => car.velocityKmh)) < 25);
	});

	for (const generation of [4, 5] as const) {
		const run = (name: keyof typeof CYCLES, durationMs: number) => drive(generation, CYCLES[name], durationMs).frames;
		const [speedId, speedStart, speedLength] = generation === 5 ? [0x0fd, 32, 16] : [0x1a0, 17, 15];

		it(`reverse: generation ${generation} rolls slowly with the reversing light on`, () => {
			const frames = run("reverse", 7000);
			const kmh = chassis(frames, speedId).map(({ data }) => field(data, speedStart, speedLength) / 100);
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
});
