// A car that drives, is parked and falls silent, around the real controller in virtual time.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Answer, type Bus, Lockstep, type Output } from "../../tools/campaign/lockstep.js";
import { Vehicle } from "../../tools/vehicle/vehicle.js";
import { PROGRAM } from "../hal/host/host-program.js";
import type { Generation } from "../system/car-rows.js";

const STEP_MS = 10;
const EXTENDED = 1;
/** Of a car without a driver in which nothing is asked of the controller. */
const LONGEST_STEP_MS = 1000;
/** Settings under which the controller sleeps as soon as it may. */
export const SLEEPY = {
	setupDone: true,
	sleepAllowed: true,
	lowPower: { sleepEnabled: true, sleepDelayMs: 5000, wakeTimerSeconds: 300, probeDurationMs: 1200 },
};

/** What the status says of sleep. */
export interface Power {
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

export class ParkedCar {
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
