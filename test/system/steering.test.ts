/** Steering as a driver does it: the wheel on the bus, and what the coupling is asked for then. */
import assert from "node:assert/strict";
import { type Bench, type Status, withBench } from "./bench-car.js";
import type { Generation, Row } from "./car-rows.js";
import { sleep } from "./wait.js";

const PATIENT_MS = 8000;
/** An angle is lost after 200 ms, and the fade takes 500. */
const LOST_MS = 700;
/** 100 % up to 90 degrees, 20 % from 290 on; 60 % without an angle. */
const GAIN = { enabled: true, startDeg: 90, fullDeg: 290, leastPercent: 20, lostPercent: 60 };
const REDUCED = "the steering angle reduces the lock";
const LOST = "the steering angle is not valid: lock as chosen for that";

interface Steered extends Status {
	readonly steeringGain: Readonly<Record<string, unknown>>;
}

/** The frame that carries the angle; on MQB the car gets one. */
function wheelOf(bench: Bench): Row {
	const id = bench.generation === 5 ? 0x086 : 0x0c2;
	const known = bench.chassisRows.find((row) => row.id === id);
	if (known !== undefined) return known;
	const row: Row = { ...bench.row(0x0fd), id, periodMs: 10, data: new Uint8Array(8) };
	bench.chassisRows.push(row);
	return row;
}

/** @param deg negative to the right: the sign is a bit of its own */
function turn(bench: Bench, wheel: Row, deg: number): void {
	const isPq = bench.generation !== 5;
	const raw = Math.round(Math.abs(deg) / (isPq ? 0.04375 : 0.1));
	const at = isPq ? 0 : 2;
	const sign = deg < 0 ? (isPq ? 0x80 : 0x20) : 0;
	wheel.data[at] = raw & 0xff;
	wheel.data[at + 1] = (raw >> 8) | sign;
}

const shown = async (bench: Bench) => ((await bench.status()) as Steered).steeringGain;
const lockAt = (bench: Bench, percent: number, reason: string): Promise<Status> =>
	bench.untilStatus(
		(now) => Math.abs((now.telemetry["spec"] ?? -1) - percent) <= 1 && now.reason === reason && now.controlActive,
		PATIENT_MS,
		`${percent} % because ${reason}`,
	);

async function set(bench: Bench, body: unknown): Promise<number> {
	return (await bench.ask("POST", "/api/settings", JSON.stringify(body))).code;
}

const steered = (generation: Generation, also = {}) => ({
	generation,
	settings: { mode: "5050", releaseRate: 0, steeringGain: GAIN, ...also },
});

describe("system: steering", () => {
	for (const generation of [1, 5] as const)
		it(`leaves less lock at larger angles, whichever way, on generation ${generation}, and says so`, () =>
			withBench(steered(generation), async (bench) => {
				const wheel = wheelOf(bench);
				turn(bench, wheel, 0);
				await lockAt(bench, 100, "control is active");
				for (const [deg, percent] of [
					[190, 60],
					[-190, 60],
					[400, 20],
				] as const) {
					turn(bench, wheel, deg);
					await lockAt(bench, percent, REDUCED);
				}
				const { angleDeg, ...now } = await shown(bench);
				assert.ok(Math.abs((angleDeg as number) - 400) < 0.1);
				const signal =
					generation === 5 ? "chassis|0x86|lwi lenkradwinkel|unit_degreofarc" : "chassis|0xc2|lw1 steering angle|deg";
				assert.deepEqual(now, { ...GAIN, signal, valid: true, gainPercent: 20 });
				turn(bench, wheel, -20);
				await lockAt(bench, 100, "control is active");
			}));

	it("commands open at 0 %, not stock, and previews what it would leave", () =>
		withBench(steered(5), async (bench) => {
			const wheel = wheelOf(bench);
			turn(bench, wheel, 0);
			await lockAt(bench, 100, "control is active");
			assert.equal(await set(bench, { steeringGain: { leastPercent: 0 } }), 200);
			turn(bench, wheel, 500);
			await bench.untilCommand(0);
			assert.equal((await lockAt(bench, 0, REDUCED)).effectiveMode, "5050");
			const ask = async (query: string) => JSON.parse((await bench.ask("GET", `/api/preview?mode=7030${query}`)).text);
			assert.deepEqual([(await ask("&steering=190")).lock, (await ask("&steering=190")).gainPercent], [15, 50]);
			const { steering, lock, ungated } = await ask("");
			assert.deepEqual([steering, lock, ungated], [500, 0, 30]);
			assert.equal((await bench.ask("GET", "/api/preview?steering=721")).code, 400);
		}));

	it("a lost angle fades to what was chosen for that, an error code too; one that flickers moves nothing", () =>
		withBench(steered(4), async (bench) => {
			const wheel = wheelOf(bench);
			turn(bench, wheel, 400);
			await lockAt(bench, 20, REDUCED);
			wheel.silent = true;
			await sleep(LOST_MS);
			await lockAt(bench, 60, LOST);
			wheel.silent = false;
			turn(bench, wheel, 0);
			await lockAt(bench, 100, "control is active");
			for (const wrong of [() => wheel.data.set([0xff, 0x7f]), () => (wheel.data[5] |= 0x04)]) {
				wrong();
				await lockAt(bench, 60, LOST);
				turn(bench, wheel, 0);
				wheel.data[5] = 0;
				await lockAt(bench, 100, "control is active");
			}
			wheel.silent = true;
			await lockAt(bench, 60, LOST);
			for (let round = 0; round < 6; round++) {
				wheel.silent = round % 2 === 0;
				await sleep(300);
				const { reason, telemetry } = await bench.status();
				assert.deepEqual([reason, Math.round(telemetry["spec"] ?? -1)], [LOST, 60], `round ${round}`);
			}
		}));
});
