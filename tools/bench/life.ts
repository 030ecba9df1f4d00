/**
 * The controller under callgrind, in lock-step with a simulated car: what each of its turns takes while
 * something is done.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { type Bus, Lockstep, PORT } from "../campaign/lockstep.js";
import type { Generation } from "../vehicle/chassis.js";
import type { ControlUnit } from "../vehicle/control-unit/knowledge.js";
import { CYCLES, type Cycle } from "../vehicle/cycles.js";
import { Vehicle } from "../vehicle/vehicle.js";
import { countedBy, type Slowest, slowestOf, TurnLog } from "./turn-log.mjs";

const HOST = "build/host/opencoupling";
const FOLDER = "build/bench/every-turn";
/** How long time goes on at once, and how long a frame of the coupling's control unit waits. */
const PIECE_MS = 10;
const STREAM_HZ = 20;

export class Life {
	readonly slowest: Slowest[] = [];
	readonly #log: TurnLog;
	readonly #lockstep: Lockstep;
	readonly #vehicle: Vehicle;
	#at = 0;

	private constructor(lockstep: Lockstep, log: TurnLog, generation: Generation, cycle: Cycle) {
		this.#lockstep = lockstep;
		this.#log = log;
		this.#vehicle = new Vehicle(generation, cycle);
		this.#at = lockstep.ms;
	}

	/**
	 * @param files of the flash, content by path @param http name of its socket; PORT if it is also
	 * somebody's client: what it sends him nobody counts
	 */
	static async begin(
		name: string,
		settings: { readonly generation: Generation },
		cycle: keyof typeof CYCLES | Cycle,
		files: Readonly<Record<string, string>>,
		args: readonly string[] = [],
		http = "http",
	): Promise<Life> {
		const folder = `${FOLDER}/${name}`;
		rmSync(folder, { recursive: true, force: true });
		for (const inside of ["logs", "partitions"]) mkdirSync(`${folder}/flash/${inside}`, { recursive: true });
		for (const [path, text] of Object.entries({ "settings.json": JSON.stringify({ format: 1, ...settings }), ...files }))
			writeFileSync(`${folder}/flash/${path}`, text);
		const log = new TurnLog(`${folder}/turns.log`);
		const program = [...countedBy(`${folder}/turns.log`), HOST];
		const flash = ["--flash", `${folder}/flash`, "--count-turns", ...args];
		const lockstep = await Lockstep.start(program, http === PORT ? PORT : `${folder}/${http}`, flash);
		return new Life(lockstep, log, settings.generation, typeof cycle === "string" ? CYCLES[cycle] : cycle);
	}

	/** Time goes on, the car with it. */
	run = async (ms: number): Promise<void> => {
		const end = this.#at + ms;
		do {
			const to = Math.min(end, this.#at + PIECE_MS);
			for (; this.#at < to; this.#at++) this.#vehicle.step(this.#sending(0), this.#sending(1));
			const left = await this.#lockstep.run(to - this.#lockstep.ms);
			for (const output of left)
				if (output.kind === "frame" && output.bus === 1)
					this.#vehicle.receiveOnCouplingBus({ ...output.frame, extended: output.frame.flags > 0, rtr: false });
			await this.#lockstep.delivered();
		} while (this.#at < end && !this.#lockstep.hasEnded);
	};

	#sending(bus: Bus) {
		return (id: number, extended: boolean, data: Uint8Array): void => {
			const frame = { id, flags: extended ? 0x8000_0000 : 0, data: Uint8Array.from(data) };
			this.#lockstep.arrive(this.#at + 1, bus, frame);
		};
	}

	/** Does some work and takes what its turns say. */
	async during(name: string, work: () => Promise<unknown>): Promise<void> {
		await work();
		const turns = this.#log.take().filter(({ kind }) => name === "start" || kind !== "start");
		this.slowest.push(...slowestOf(name, turns));
	}

	/** @throws the answer is another than 200 */
	async ask(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
		const text = body === undefined ? "" : JSON.stringify(body);
		const answer = await this.#lockstep.ask(method, path, text, this.run);
		if (answer?.code !== 200) throw new Error(`${method} ${path}: ${answer?.code} ${answer?.text}`);
		return JSON.parse(answer.text);
	}

	post = (path: string, body?: object): Promise<Record<string, unknown>> => this.ask("POST", path, body);

	/** Of the coupling: what it answers may be replaced. */
	get controlUnit(): ControlUnit {
		return this.#vehicle.coupling.controlUnit;
	}

	fault(text: string): void {
		this.#lockstep.command(`fault ${text}`);
	}

	command(text: string): void {
		this.#lockstep.command(text);
	}

	/** A connection that is not the server's: what is sent on it is waited for, too. */
	counted = (socket: Socket): Socket => this.#lockstep.counted(socket);

	async stream(): Promise<Socket> {
		const socket = await this.#lockstep.connect();
		socket.write(`GET /api/events?hz=${STREAM_HZ} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
		await this.run(0);
		return socket;
	}

	/** Sends this on a connection of its own, and hangs up after `ms`. */
	async send(text: string, ms: number): Promise<void> {
		const socket = await this.#lockstep.connect();
		socket.resume();
		socket.write(text);
		await this.run(ms);
		socket.destroy();
		await this.run(0);
	}

	/** Until it is so, or a second has passed. */
	async until(name: string, isSo: () => Promise<boolean>, limitMs = 3000): Promise<void> {
		for (let ms = 0; ms < limitMs; ms += 100) {
			await this.run(100);
			if (await isSo()) return;
		}
		throw new Error(`${name}: has not come within ${limitMs} ms`);
	}

	async end(): Promise<readonly Slowest[]> {
		await this.#lockstep.kill();
		this.#log.close();
		return this.slowest;
	}
}

/** What the stories of every-turn.ts need of a life. */
export const bound = (life: Life) => ({ run: life.run, post: life.post, during: life.during.bind(life) });
