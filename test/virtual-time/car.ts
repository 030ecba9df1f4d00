/** The simulated car, or other frames, in front of the real controller in virtual time. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { EXTENDED } from "../../tools/campaign/frame-judge.js";
import { type Bus, Lockstep } from "../../tools/campaign/lockstep.js";
import { wrongAnswer } from "../../tools/openapi.js";
import type { CouplingOptions } from "../../tools/vehicle/coupling-ecu.js";
import { Vehicle } from "../../tools/vehicle/vehicle.js";
import { PROGRAM } from "../hal/host/host-program.js";
import { type Generation, marker } from "../system/car-rows.js";

/** Until the coupling gets the frames that left. */
const STEP_MS = 50;
/** The longest step while no frame comes. */
const SILENT_STEP_MS = 1000;

/** Lets a frame arrive. */
export type Send = (bus: Bus, id: number, data: Uint8Array, extended?: boolean) => void;

/** A frame that left; `ms` of the controller's clock. */
export interface Sent {
	readonly ms: number;
	readonly bus: Bus;
	readonly id: number;
	readonly data: Uint8Array;
}

export interface CarOptions {
	readonly coupling?: CouplingOptions;
	readonly speedKmh?: number;
	/** Further files on flash, content by path. */
	readonly files?: Readonly<Record<string, string>>;
	/** Arguments of the program at each start; `FOLDER` stands for a folder of the test. */
	readonly args?: readonly string[];
	/** What comes in each ms, in the place of the car's frames; null: nothing. */
	readonly comes?: ((send: Send, ms: number) => void) | null;
}

export class Car {
	readonly vehicle: Vehicle;
	readonly folder = mkdtempSync(join(tmpdir(), "oc-virtual-"));
	lockstep!: Lockstep;
	comes: ((send: Send, ms: number) => void) | null;
	readonly #args: readonly string[];
	#later: Sent[] = [];
	/** The latest marker frame, as the car sent it and as it left. */
	#received: Uint8Array | undefined;
	#sent: Uint8Array | undefined;

	private constructor(generation: Generation, { coupling, speedKmh = 0, args = [], comes }: CarOptions) {
		const selector = speedKmh > 0 ? "D" : "P";
		this.vehicle = new Vehicle(generation, { speedKmh, pedalPercent: 0, brakePercent: 0, steeringDeg: 0, selector }, coupling);
		this.#args = args;
		this.comes = comes === undefined ? this.drives : comes;
	}

	/** The frames of the simulated car, for `comes`. */
	readonly drives = (send: Send): void => {
		const on = (bus: Bus) => (id: number, extended: boolean, data: Uint8Array) => send(bus, id, data, extended);
		this.vehicle.step(on(0), on(1));
	};

	static async start(generation: Generation, settings: Record<string, unknown>, options: CarOptions = {}): Promise<Car> {
		const car = new Car(generation, options);
		const files = { ...options.files, "settings.json": JSON.stringify({ format: 1, generation, ...settings }) };
		for (const [path, content] of Object.entries(files)) {
			mkdirSync(dirname(join(car.flash, path)), { recursive: true });
			writeFileSync(join(car.flash, path), content);
		}
		await car.boot();
		return car;
	}

	get flash(): string {
		return join(this.folder, "flash");
	}

	async boot(): Promise<void> {
		const http = join(this.folder, "http");
		rmSync(http, { force: true });
		const args = this.#args.map((arg) => arg.replace("FOLDER", this.folder));
		this.lockstep = await Lockstep.start(PROGRAM, http, ["--flash", this.flash, ...args]);
	}

	/** The power is cut and returns. */
	async restart(): Promise<void> {
		await this.lockstep.kill();
		await this.boot();
	}

	/** Content of a file on flash; "" = there is none. */
	stored(name: string): string {
		try {
			return readFileSync(join(this.flash, name), "utf8");
		} catch {
			return "";
		}
	}

	command(text: string): void {
		this.lockstep.command(text);
	}

	/** The command in the latest marker frame on the coupling bus; undefined = as the car sent it. */
	get commanded(): number | undefined {
		const { index } = marker(this.vehicle.generation);
		return this.#sent === undefined || this.#sent[index] === this.#received?.[index] ? undefined : this.#sent[index];
	}

	/** A frame beside those of the car, when time goes on. */
	send(bus: Bus, id: number, data: Uint8Array, afterMs = 0): void {
		this.#later.push({ ms: this.lockstep.ms + afterMs, bus, id, data });
	}

	/** @returns frames that left */
	async run(ms: number): Promise<Sent[]> {
		const { id: marked } = marker(this.vehicle.generation);
		const left: Sent[] = [];
		let restMs = ms;
		do {
			const stepMs = Math.min(this.comes === null ? SILENT_STEP_MS : STEP_MS, restMs);
			for (let at = this.lockstep.ms, end = at + stepMs; at < end; at++) {
				for (const { ms: due, bus, id, data } of this.#later)
					if (due === at) this.lockstep.arrive(at, bus, { id, flags: 0, data });
				this.comes?.((bus, id, frame, extended = false) => {
					const data = Uint8Array.from(frame);
					if (bus === 0 && id === marked) this.#received = data;
					this.lockstep.arrive(at, bus, { id, flags: extended ? EXTENDED : 0, data });
				}, at);
			}
			this.#later = this.#later.filter(({ ms: due }) => due >= this.lockstep.ms + stepMs);
			for (const output of await this.lockstep.run(stepMs))
				if (output.kind === "frame") {
					const { id, flags, data } = output.frame;
					left.push({ ms: output.ms, bus: output.bus, id, data });
					if (output.bus === 0) continue;
					if (id === marked) this.#sent = data;
					this.vehicle.receiveOnCouplingBus({ id, extended: flags !== 0, rtr: false, data });
				}
			restMs -= stepMs;
		} while (restMs > 0);
		return left;
	}

	/** @returns the answer, which has this status code and is as the description says */
	// biome-ignore lint/suspicious/noExplicitAny: tests look at all kinds of answers
	async ask(method: string, path: string, body: unknown = "", code = 200): Promise<any> {
		const text = typeof body === "string" ? body : JSON.stringify(body);
		const answer = await this.lockstep.ask(method, path, text, async (ms) => void (await this.run(ms)));
		assert.ok(answer !== undefined, `${method} ${path} is not answered`);
		assert.equal(answer.code, code, `${method} ${path} ${text}: ${answer.text}`);
		assert.equal(wrongAnswer(method, path, answer.code, answer.type, answer.text), "");
		return JSON.parse(answer.text);
	}

	// biome-ignore lint/suspicious/noExplicitAny: as above
	status(): Promise<any> {
		return this.ask("GET", "/api/status");
	}

	async end(): Promise<void> {
		await this.lockstep.kill();
		rmSync(this.folder, { recursive: true, force: true });
	}
}

export async function withCar(
	generation: Generation,
	settings: Record<string, unknown>,
	use: (car: Car) => Promise<void>,
	options: CarOptions = {},
): Promise<void> {
	const car = await Car.start(generation, settings, options);
	try {
		await use(car);
	} finally {
		await car.end();
	}
}
