// A simulated car whose coupling has a character of its own, in front of the real controller in virtual time:
// what a calibration is for.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bus, Lockstep } from "../../tools/campaign/lockstep.js";
import type { CouplingOptions } from "../../tools/vehicle/coupling-ecu.js";
import { BENT, type ClutchCurve } from "../../tools/vehicle/coupling-ecu.js";
import { Vehicle } from "../../tools/vehicle/vehicle.js";
import { PROGRAM } from "../hal/host/host-program.js";
import { wrongAnswer } from "../support/openapi.js";
import { type Generation, marker } from "../system/car-rows.js";

/** Until the coupling has what left. */
const STEP_MS = 50;
const RAMP_MS = 2500;
const EXTENDED = 1;
const PARKED = { speedKmh: 0, pedalPercent: 0, brakePercent: 0, steeringDeg: 0, selector: "P" } as const;

/** Percent of the most that a clutch closes, from which on the report says no more. */
const REPORTED: Readonly<Record<Generation, number>> = { 1: 24.1, 2: 43.4, 4: 43.4, 5: 100, 51: 43.4, 53: 100 };
/** A weaker clutch, which the report follows to its end. */
const bentWithin = (mostPercent: number): ClutchCurve => ({
	reaches: (share) => (BENT.reaches(share) * mostPercent) / 100,
	frictionPercent: (BENT.frictionPercent * mostPercent) / 100,
});

/** What `GET /api/learn/status` answers. */
export interface Learn {
	readonly active: boolean;
	readonly progress: number;
	readonly tableValid: boolean;
	readonly currentCF: number;
	readonly currentEng: number;
	readonly problem: string;
	readonly measured: readonly number[];
	readonly unsteady: readonly number[];
}

export class CalibrationCar {
	readonly vehicle: Vehicle;
	/** Changes a frame before it is on the bus; false: it is not sent. */
	spoil: (bus: Bus, id: number, data: Uint8Array) => boolean = () => true;
	readonly #folder = mkdtempSync(join(tmpdir(), "oc-calibration-"));
	#lockstep!: Lockstep;
	#nowMs = 0;
	#bootMs = 0;
	/** The latest marker frame, as the car sent it and as it left. */
	readonly #marked: { received?: Uint8Array; sent?: Uint8Array } = {};

	private constructor(generation: Generation, coupling: CouplingOptions) {
		this.vehicle = new Vehicle(generation, PARKED, coupling);
	}

	/** @param coupling absent: a bent one */
	static async start(
		generation: Generation,
		settings: Record<string, unknown>,
		coupling: CouplingOptions = { curve: bentWithin(REPORTED[generation]) },
	): Promise<CalibrationCar> {
		const car = new CalibrationCar(generation, coupling);
		mkdirSync(car.#flash);
		writeFileSync(join(car.#flash, "settings.json"), JSON.stringify({ format: 1, generation, ...settings }));
		await car.#boot();
		return car;
	}

	async #boot(): Promise<void> {
		this.#lockstep = await Lockstep.start(PROGRAM, join(this.#folder, "http"), ["--flash", this.#flash]);
		this.#bootMs = this.#nowMs;
		await this.run(2500);
	}

	/** The power is cut and returns. */
	async restart(): Promise<void> {
		await this.#lockstep.kill();
		rmSync(join(this.#folder, "http"), { force: true });
		await this.#boot();
	}

	/** The command in the latest marker frame on the coupling bus; undefined = as the car sent it. */
	get commanded(): number | undefined {
		const { index } = marker(this.vehicle.generation);
		const { sent, received } = this.#marked;
		return sent === undefined || sent[index] === received?.[index] ? undefined : sent[index];
	}

	get #flash(): string {
		return join(this.#folder, "flash");
	}

	/** Content of a file on flash; "" = there is none. */
	stored(name: string): string {
		try {
			return readFileSync(join(this.#flash, name), "utf8");
		} catch {
			return "";
		}
	}

	/** A command of the program in lock-step. */
	command(text: string): void {
		this.#lockstep.command(text);
	}

	/** What LED and outputs did since this was last asked. */
	takeControls(): string[] {
		const lines = this.#lockstep.controls.map(({ text }) => text);
		this.#lockstep.controls = [];
		return lines;
	}

	/** The latest marker frame on the coupling bus. */
	get sent(): Uint8Array {
		return this.#marked.sent ?? new Uint8Array(0);
	}

	/** A frame of somebody else, now. */
	send(bus: Bus, id: number, data: Uint8Array): void {
		this.#lockstep.arrive(this.#nowMs - this.#bootMs, bus, { id, flags: 0, data });
	}

	async run(ms: number): Promise<void> {
		const { id: marked } = marker(this.vehicle.generation);
		for (const endMs = this.#nowMs + ms; this.#nowMs < endMs; ) {
			const from = this.#nowMs;
			const stepMs = Math.min(STEP_MS, endMs - from);
			for (let at = from; at < from + stepMs; at++) {
				const send = (bus: Bus) => (id: number, extended: boolean, frame: Uint8Array) => {
					const data = Uint8Array.from(frame);
					if (!this.spoil(bus, id, data)) return;
					if (bus === 0 && id === marked) this.#marked.received = data;
					this.#lockstep.arrive(at - this.#bootMs, bus, { id, flags: extended ? EXTENDED : 0, data });
				};
				this.vehicle.step(send(0), send(1));
			}
			this.#nowMs += stepMs;
			for (const output of await this.#lockstep.run(stepMs))
				if (output.kind === "frame" && output.bus === 1) {
					const { id, flags, data } = output.frame;
					if (id === marked) this.#marked.sent = data;
					this.vehicle.receiveOnCouplingBus({ id, extended: flags !== 0, rtr: false, data });
				}
		}
	}

	async ask(method: string, path: string, body = ""): Promise<Record<string, unknown>> {
		const answer = await this.#lockstep.ask(method, path, body, (ms) => this.run(ms));
		assert.ok(answer !== undefined, `${method} ${path} is not answered`);
		assert.equal(wrongAnswer(method, path, answer.code, answer.type, answer.text), "");
		return JSON.parse(answer.text) as Record<string, unknown>;
	}

	async learn(): Promise<Learn> {
		return (await this.ask("GET", "/api/learn/status")) as unknown as Learn;
	}

	/** Until control is active, and then for as long as its ramps take. */
	async untilControlled(limitMs: number): Promise<void> {
		for (const limit = this.#nowMs + limitMs; ; ) {
			const { reason } = await this.ask("GET", "/api/status");
			if (reason === "control is active") break;
			assert.ok(this.#nowMs < limit, `after ${limitMs} ms: ${reason}`);
			await this.run(250);
		}
		await this.run(RAMP_MS);
	}

	/** @param trial what is tried in the place of the settings */
	async begin(trial: object = {}): Promise<void> {
		const body = JSON.stringify({ confirmed: true, date: "2026-11-23", ...trial });
		const answer = await this.ask("POST", "/api/learn/start", body);
		assert.deepEqual(answer, { ok: true });
	}

	/** The page that has begun it, until a step is reached or it has ended. */
	async stay(untilStep = 200): Promise<Learn> {
		for (;;) {
			await this.ask("POST", "/api/learn/alive");
			const learn = await this.learn();
			if (!learn.active || learn.progress >= untilStep) return learn;
			await this.run(Math.min(1000, Math.max(10, (untilStep - learn.progress) * 600 - 300)));
		}
	}

	async end(): Promise<void> {
		await this.#lockstep.kill();
		rmSync(this.#folder, { recursive: true, force: true });
	}
}

export async function withCar(
	generation: Generation,
	settings: Record<string, unknown>,
	use: (car: CalibrationCar) => Promise<void>,
	coupling?: CouplingOptions,
): Promise<void> {
	const car = await CalibrationCar.start(generation, settings, coupling);
	try {
		await use(car);
	} finally {
		await car.end();
	}
}
