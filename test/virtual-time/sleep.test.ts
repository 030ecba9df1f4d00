/**
 * Parked sleep, from outside: when it sleeps, what wakes it, what keeps it awake, and that nothing is lost or
 * stored by it. SAFETY.md H29.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Answer, type Bus, Lockstep, type Output } from "../../tools/campaign/lockstep.js";
import { Vehicle } from "../../tools/vehicle/vehicle.js";
import { PROGRAM } from "../hal/host/host-program.js";
import type { Generation } from "../system/car-rows.js";

const DELAY_MS = 5000;
const AWAKE_LEAST_MS = 60_000;
/** Without a reason to stay awake it would sleep by then. */
const ASLEEP_BY_MS = AWAKE_LEAST_MS + 3 * DELAY_MS;
/** Pedal and engine speed of generations 1 to 4: none, in a frame of zeros. */
const ENGINE_FRAME = 0x280;
const SPEED_FRAME = 0x1a0;

const STEP_MS = 10;
const EXTENDED = 1;
/** Of a car without a driver in which nothing is asked of the controller. */
const LONGEST_STEP_MS = 1000;
/** Settings under which the controller sleeps as soon as it may. */
const SLEEPY = {
	setupDone: true,
	sleepAllowed: true,
	lowPower: { sleepEnabled: true, sleepDelayMs: 5000, wakeTimerSeconds: 300, probeDurationMs: 1200 },
};

/** What the status says of sleep. */
interface Power {
	readonly active: boolean;
	readonly maintenanceOverride: boolean;
	readonly ignitionSeen: boolean;
	readonly ignitionOn: boolean;
	readonly ignitionSource: string;
	readonly wakeCause: string;
	readonly deepSleepEntries: number;
	readonly waits: string;
	readonly sleepsInMs: number;
	readonly framesPerS: number;
	readonly parkedBelowFramesPerS: number;
}

/** A car that drives, is parked and falls silent, around the real controller. */
class ParkedCar {
	readonly #folder = mkdtempSync(join(tmpdir(), "oc-sleep-"));
	readonly #flash = join(this.#folder, "flash");
	readonly vehicle: Vehicle;
	lockstep!: Lockstep;
	/** What left the controller since it was last asked for. */
	sent: Output[] = [];

	private constructor(generation: Generation, speedKmh: number) {
		const selector = speedKmh > 0 ? "D" : "P";
		this.vehicle = new Vehicle(generation, { speedKmh, pedalPercent: 20, brakePercent: 0, steeringDeg: 0, selector });
	}

	static async start(
		generation: Generation,
		settings: Record<string, unknown> = {},
		{ speedKmh = 0, args = [] as string[] } = {},
	): Promise<ParkedCar> {
		const car = new ParkedCar(generation, speedKmh);
		mkdirSync(car.#flash);
		const stored = { format: 1, generation, mode: "MAP", ...SLEEPY, ...settings };
		writeFileSync(join(car.#flash, "settings.json"), JSON.stringify(stored));
		car.lockstep = await Lockstep.start(PROGRAM, join(car.#folder, "http"), ["--flash", car.#flash, ...args]);
		return car;
	}

	/** All its frames come. */
	async drive(ms: number): Promise<void> {
		for (let at = 0; at < ms; at += STEP_MS) {
			for (let in10 = 0; in10 < STEP_MS; in10++) {
				const send = (bus: Bus) => (id: number, extended: boolean, data: Uint8Array) => this.frame(bus, id, data, extended, in10);
				this.vehicle.step(send(0), send(1));
			}
			await this.pass(STEP_MS);
		}
	}

	/** Lets one frame arrive. */
	frame(bus: Bus, id: number, data: Uint8Array, extended = false, inMs = 0): void {
		this.lockstep.arrive(this.lockstep.ms + inMs, bus, { id, flags: extended ? EXTENDED : 0, data: Uint8Array.from(data) });
	}

	/** Nothing comes. */
	async pass(ms: number): Promise<void> {
		for (let left = ms; left > 0; left -= LONGEST_STEP_MS)
			this.sent.push(...(await this.lockstep.run(Math.min(left, LONGEST_STEP_MS))));
	}

	/**
	 * The same until the controller sleeps.
	 * @returns after how many ms, to a second; undefined = it has not, in that time
	 */
	async passUntilAsleep(ms: number): Promise<number | undefined> {
		const sleeps = this.sleeps;
		for (let at = 0; at < ms; at += LONGEST_STEP_MS) {
			if (this.sleeps > sleeps) return at;
			await this.pass(LONGEST_STEP_MS);
		}
		return this.sleeps > sleeps ? ms : undefined;
	}

	/** How often it has fallen asleep. */
	get sleeps(): number {
		return this.lockstep.log.filter((line) => line.startsWith("asleep: ")).length;
	}

	/** Frames that left since then, or since this was last asked, by bus. */
	takeSent(bus: Bus): number[] {
		const ids = this.sent.flatMap((output) => (output.kind === "frame" && output.bus === bus ? [output.frame.id] : []));
		this.sent = this.sent.filter((output) => output.kind !== "frame" || output.bus !== bus);
		return ids;
	}

	async ask(method: string, path: string, body: object = {}): Promise<Answer> {
		const answer = await this.lockstep.ask(method, path, method === "GET" ? "" : JSON.stringify(body), async (ms) => {
			this.sent.push(...(await this.lockstep.run(ms)));
		});
		if (answer === undefined) throw new Error(`no answer to ${method} ${path}`);
		return answer;
	}

	async power(): Promise<Power> {
		return JSON.parse((await this.ask("GET", "/api/status")).text).power;
	}

	/** Content of a file on flash. */
	stored(name: string): string {
		return readFileSync(join(this.#flash, name), "utf8");
	}

	/** When each file and folder on flash was last changed, by the machine's clock. */
	changedMs(): Record<string, number> {
		const names = ["", ...(readdirSync(this.#flash, { recursive: true }) as string[])].sort();
		return Object.fromEntries(names.map((name) => [name, statSync(join(this.#flash, name)).mtimeMs]));
	}

	async end(): Promise<void> {
		await this.lockstep.kill();
		rmSync(this.#folder, { recursive: true });
	}
}

async function withCar(
	use: (car: ParkedCar) => Promise<void>,
	settings: Record<string, unknown> = {},
	options: { speedKmh?: number; args?: string[]; generation?: 1 | 2 | 4 | 5 } = {},
): Promise<void> {
	const car = await ParkedCar.start(options.generation ?? 4, settings, options);
	try {
		await use(car);
	} finally {
		await car.end();
	}
}

describe("parked sleep", function () {
	this.timeout(120_000);

	it("begins in a silent parked car, ends with its first frame, and forwards the next before any script runs", () =>
		withCar(async (car) => {
			await car.drive(3000);
			car.frame(0, ENGINE_FRAME, new Uint8Array(8));
			const stored = car.stored("settings.json");
			assert.ok(((await car.passUntilAsleep(ASLEEP_BY_MS)) ?? 0) >= AWAKE_LEAST_MS - 4000);
			assert.equal(car.stored("settings.json"), stored, "nothing of it is stored");
			assert.match(car.stored("logs/all.txt"), /parked sleep begins/);

			await car.pass(20_000);
			car.takeSent(0);
			car.takeSent(1);
			car.frame(1, 0x2c0, Uint8Array.of(1, 2, 3));
			await car.pass(1000);
			assert.deepEqual([...car.takeSent(0), ...car.takeSent(1)], [], "asleep it bridges nothing");
			assert.equal(car.lockstep.starts, 1, "the coupling does not wake it");

			car.frame(0, SPEED_FRAME, new Uint8Array(8));
			await car.pass(1000);
			assert.equal(car.lockstep.starts, 2);
			const ran = car.lockstep.log.find((line) => line.startsWith("frames are forwarded after"));
			const [, operations] = /after (\d+) storage operations, before the engine starts/.exec(ran ?? "") ?? [];
			assert.ok(Number(operations) <= 8, ran);
			car.frame(0, SPEED_FRAME, new Uint8Array(8));
			await car.pass(10);
			assert.deepEqual(car.takeSent(1), [SPEED_FRAME]);

			await car.drive(3000);
			const { mode, effectiveMode, bootReason, power } = JSON.parse((await car.ask("GET", "/api/status")).text);
			assert.deepEqual([mode, effectiveMode, bootReason], ["MAP", "MAP", "wake"]);
			assert.deepEqual([power.wakeCause, power.deepSleepEntries], ["can_rx", 1]);
		}));

	it("stores what was changed right before", () =>
		withCar(async (car) => {
			await car.pass(AWAKE_LEAST_MS);
			assert.equal((await car.ask("POST", "/api/mode", { mode: "7030" })).code, 200);
			assert.notEqual(await car.passUntilAsleep(3 * DELAY_MS), undefined);
			assert.equal(JSON.parse(car.stored("settings.json")).mode, "7030");
		}));

	it("ends by timer, keeps the bus silent, changes no file, and begins again", () =>
		withCar(async (car) => {
			await car.passUntilAsleep(ASLEEP_BY_MS);
			car.takeSent(0);
			const changed = car.changedMs();
			await car.passUntilAsleep(400_000);
			assert.deepEqual([car.lockstep.starts, car.sleeps], [2, 2]);
			assert.deepEqual(car.changedMs(), changed);
			assert.deepEqual(car.takeSent(0), []);
			assert.deepEqual(
				car.lockstep.log.filter((line) => line.startsWith("woken")),
				["woken after 300 s: timer"],
			);
		}));

	it("switches only the radio off while a parked car sends 800 frames/s, and forwards each", () =>
		withCar(
			async (car) => {
				const send = async (seconds: number, ignitionOn: boolean): Promise<void> => {
					for (let second = 0; second < seconds; second++) {
						for (let ms = 0; ms < 1000; ms++)
							if (ms % 5 !== 0) car.frame(0, 0x5f0, Uint8Array.of(ms, second), false, ms);
							else if (ms === 500) car.frame(0, 0x3c0, Uint8Array.of(0, 0, ignitionOn ? 2 : 0, 0), false, ms);
						await car.pass(1000);
					}
				};
				const tells = (text: string) => car.lockstep.log.some((line) => line.includes(text));
				await send(58, false);
				assert.ok(!tells("Wi-Fi is off"));
				car.takeSent(1);
				await send(10, false);
				assert.ok(tells("Wi-Fi is off, and frames are forwarded"));
				assert.ok(car.takeSent(1).filter((id) => id === 0x5f0).length >= 7990);
				assert.equal(car.sleeps, 0);
				await send(2, true);
				assert.ok(tells("Wi-Fi is on again"));
				const { framesPerS, parkedBelowFramesPerS } = await car.power();
				assert.ok(framesPerS >= 700 && parkedBelowFramesPerS === 1100, `${framesPerS} ${parkedBelowFramesPerS}`);
			},
			{ logging: { serial: true } },
			{ generation: 5 },
		));

	it("does not come for an hour in a car that moved when its bus was lost", () =>
		withCar(
			async (car) => {
				await car.drive(2000);
				assert.equal(await car.passUntilAsleep(ASLEEP_BY_MS), undefined);
				assert.match((await car.power()).waits, /^the car moved when its speed was last known/);
				// nor after settings that look at other signals
				assert.equal((await car.ask("POST", "/api/settings", { steeringGain: { enabled: true } })).code, 200);
				assert.equal(await car.passUntilAsleep(ASLEEP_BY_MS), undefined);
				assert.match((await car.power()).waits, /^the car moved when its speed was last known/);
			},
			{},
			{ speedKmh: 80 },
		));

	it("does not begin while the bus is off after errors, or as a clock jumps", () =>
		withCar(
			async (car) => {
				assert.equal(await car.passUntilAsleep(ASLEEP_BY_MS), undefined);
				assert.match((await car.power()).waits, /^a CAN controller has switched itself off/);
			},
			{},
			{ args: ["--fault", "bus-off-chassis", "--fault", "clock-jump=5000:600000", "--fault", "clock-jump-back=9000:600000"] },
		));

	it("does not begin while an event stream is open", () =>
		withCar(async (car) => {
			const socket = await car.lockstep.connect();
			socket.resume();
			socket.write("GET /api/events?hz=1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
			assert.equal(await car.passUntilAsleep(ASLEEP_BY_MS), undefined);
			socket.destroy();
			await once(socket, "close");
			assert.notEqual(await car.passUntilAsleep(4 * DELAY_MS), undefined);
		}));

	it("does not begin during a capture, logging or standalone operation", async () => {
		for (const settings of [{ logging: { can: true } }, { standalone: true }])
			await withCar(async (car) => {
				assert.equal(await car.passUntilAsleep(ASLEEP_BY_MS), undefined, JSON.stringify(settings));
			}, settings);
		await withCar(async (car) => {
			await car.ask("POST", "/api/canview/capture", { active: true });
			assert.equal(await car.passUntilAsleep(ASLEEP_BY_MS), undefined);
		});
	});

	it("does not begin with the ignition of generation 5 on", () =>
		withCar(
			async (car) => {
				car.frame(0, 0x3c0, Uint8Array.of(0, 0, 2, 0));
				await car.pass(1500);
				const { ignitionSeen, ignitionOn, ignitionSource, waits } = await car.power();
				assert.deepEqual([ignitionSeen, ignitionOn, ignitionSource], [true, true, "ZAS_Kl_15"]);
				assert.equal(waits, "the ignition is on");
			},
			{},
			{ generation: 5 },
		));
});
