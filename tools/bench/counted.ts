/**
 * The controller under callgrind, in lock-step with a simulated car. Each turn of its event loop is counted
 * by itself and time goes on only when it is told to, so the same work costs the same instructions, however
 * slow and busy the machine is.
 */
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { dirname } from "node:path";
import { AnswerReader, type Heard } from "../campaign/answers.js";
import { type Bus, Lockstep, type PORT } from "../campaign/lockstep.js";
import type { Generation } from "../vehicle/chassis.js";
import type { ControlUnit } from "../vehicle/control-unit/knowledge.js";
import { CYCLES, type Cycle } from "../vehicle/cycles.js";
import { Vehicle } from "../vehicle/vehicle.js";
import { request } from "./driver.js";

// relative to the root, which is where it runs: how long the path of this checkout is must not count
const PROGRAM = "build/host/opencoupling";
const FOLDER = "build/bench";
/** Until control is active and no ramp, freshness or table of names changes any more. */
export const SETTLE_MS = 3000;
/** A multiple of all periods of the application's timers: each such window has the same number of each. */
const WINDOW_MS = 1000;
/** How long time goes on at once, and how long a frame of the coupling's control unit waits. */
const PIECE_MS = 10;
const ANSWER_LIMIT_MS = 20_000;
const SLOT_BYTES = 16; // of a board
/** The same functions of the C library on each computer: it has others for newer processors. */
const PLAIN_LIBC = "glibc.cpu.hwcaps=-AVX,-AVX2,-AVX_Fast_Unaligned_Load,-ERMS,-FSRM,-FMA,-FMA4";
const TURN = /\*\* turn (\D+)(\d+) bytecodes (\d+) slots (-?\d+) chunks (-?\d+) collections (\d+)/;

/** What one turn took. */
interface Turn {
	/** "timer10" (fired each 10 ms), "timer0" (once), "socket", "collection", "start". */
	readonly kind: string;
	readonly instructions: number;
	readonly bytecodes: number;
	/** Of a board's heap; undefined if garbage was collected meanwhile. */
	readonly heapBytes: number | undefined;
	readonly collections: number;
}

/** The slowest turn of its kind in some work. */
export interface Slowest {
	readonly kind: string;
	readonly instructions: number;
	readonly during: string;
	/** No lock is commanded meanwhile, or from then on: it matters less how long a control tick waits. */
	readonly inStock: boolean;
}

/**
 * What a unit of some work takes, less what the same timers take when nobody is connected; without
 * collections of garbage, as where they fall is chance: what one takes has rows of its own.
 */
export interface Row {
	readonly name: string;
	readonly per: string;
	readonly instructions: number;
	/** Of the slowest turn, a first time included, whole; as `turnHeapBytes`. */
	readonly turnInstructions: number;
	readonly bytecodes: number;
	readonly turnHeapBytes: number;
	readonly collections: number;
}

type Figure = "instructions" | "bytecodes" | "collections";
const sum = (turns: readonly Turn[], figure: Figure): number => turns.reduce((total, turn) => total + turn[figure], 0);
const isControlTick = ({ kind }: Turn): boolean => kind === "timer10";

/** What callgrind needs and this machine lacks. */
export function missingForCounting(): string | undefined {
	if (spawnSync("valgrind", ["--version"]).status !== 0) return "valgrind (apt-get install valgrind)";
	return existsSync(`${dirname(PROGRAM)}/with-callgrind`) ? undefined : "<valgrind/callgrind.h>, then npm run setup";
}

/** What valgrind's log says of the turns (`hal/host/loop.h`), as far as it has been written. */
class TurnLog {
	readonly #file: number;
	#at = 0;
	#instructions = 0;

	constructor(path: string) {
		writeFileSync(path, "");
		this.#file = openSync(path, "r");
	}

	/** The turns since the last call. */
	take(): Turn[] {
		const said = Buffer.alloc(fstatSync(this.#file).size - this.#at);
		this.#at += readSync(this.#file, said, 0, said.length, this.#at);
		const turns: Turn[] = [];
		let before = 0;
		for (const line of said.toString("latin1").split("\n")) {
			if (line.startsWith("events-1: ")) {
				before = this.#instructions;
				this.#instructions = Number(line.slice(10));
			}
			const match = TURN.exec(line);
			if (!match) continue;
			const [interval, bytecodes, slots, chunkBytes, collections] = match.slice(2).map(Number) as [
				number,
				number,
				number,
				number,
				number,
			];
			const heapBytes = collections === 0 ? slots * SLOT_BYTES + chunkBytes : undefined;
			const kind = `${match[1]}${match[1] === "timer" ? interval : ""}`;
			turns.push({ kind, instructions: this.#instructions - before, bytecodes, heapBytes, collections });
		}
		return turns;
	}

	close(): void {
		closeSync(this.#file);
	}
}

/** A client's connection; `answer` is what has come since `send` was last called. */
export class Client {
	answer = Buffer.alloc(0);
	closed = false;
	readonly #socket: Socket;

	constructor(socket: Socket) {
		this.#socket = socket;
		socket.on("data", (data) => (this.answer = Buffer.concat([this.answer, data])));
		const close = (): void => {
			this.closed = true;
		};
		socket.on("close", close).on("end", close).on("error", close);
	}

	/** Resolves when the controller can read it. */
	send(bytes: string | Uint8Array): Promise<unknown> {
		this.answer = Buffer.alloc(0);
		return new Promise((resolve) => this.#socket.write(bytes, resolve));
	}

	/** `answer` as that to a request of this method; undefined: it is not whole. */
	heard(method: string): Heard | undefined {
		const reader = new AnswerReader();
		reader.expect(method);
		reader.take(this.answer);
		return reader.heard[0];
	}

	close(): void {
		this.#socket.destroy();
	}
}

/** What a controller starts with. */
interface Beginning {
	readonly settings: { readonly generation: Generation; readonly mode?: string };
	readonly cycle: keyof typeof CYCLES | Cycle;
	/** Further files of its flash: text, or what is stored as JSON, by path. */
	readonly files?: Readonly<Record<string, string | object>>;
	readonly args?: readonly string[];
	/** PORT if it is also somebody's client: what it sends him nobody counts. */
	readonly http?: typeof PORT;
}

export class Counted {
	readonly rows: Row[] = [];
	readonly slowest: Slowest[] = [];
	/** Folder. */
	readonly flash: string;
	/** No lock is commanded, or the turns that come end that. */
	inStock: boolean;
	readonly #lockstep: Lockstep;
	readonly #vehicle: Vehicle;
	readonly #log: TurnLog;
	#atMs: number;
	/** What each repeating timer takes on average while nobody is connected. */
	readonly #idle = new Map<string, { readonly instructions: number; readonly bytecodes: number }>();
	/** Instructions of the last collection that was asked for. */
	#collection = 0;
	#client: Client | undefined;

	private constructor(lockstep: Lockstep, vehicle: Vehicle, log: TurnLog, flash: string, inStock: boolean) {
		this.inStock = inStock;
		this.#lockstep = lockstep;
		this.#vehicle = vehicle;
		this.#log = log;
		this.flash = flash;
		this.#atMs = lockstep.ms;
	}

	/** Counts what some work takes on a controller of its own. */
	static async counted(
		{ settings, cycle, files, args = [], http }: Beginning,
		work: (counted: Counted) => Promise<void>,
	): Promise<Counted> {
		const folder = `${FOLDER}/count`;
		const flash = `${folder}/flash`;
		rmSync(folder, { recursive: true, force: true });
		for (const inside of ["logs", "maps", "partitions"]) mkdirSync(`${flash}/${inside}`, { recursive: true });
		for (const [path, content] of Object.entries({ "settings.json": { format: 1, ...settings }, ...files }))
			writeFileSync(`${flash}/${path}`, typeof content === "string" ? content : JSON.stringify(content));
		const log = new TurnLog(`${folder}/valgrind.log`);
		const program = [
			...["env", "-i", `PATH=${process.env["PATH"]}`, `GLIBC_TUNABLES=${PLAIN_LIBC}`],
			...[
				"valgrind",
				"--tool=callgrind",
				"--instr-atstart=no",
				`--log-file=${folder}/valgrind.log`,
				"--callgrind-out-file=/dev/null",
			],
			PROGRAM,
		];
		const lockstep = await Lockstep.start(program, http ?? `${folder}/http`, ["--flash", flash, "--count-turns", ...args]);
		const vehicle = new Vehicle(settings.generation, typeof cycle === "string" ? CYCLES[cycle] : cycle);
		const counted = new Counted(lockstep, vehicle, log, flash, settings.mode === "STOCK");
		try {
			await work(counted);
			return counted;
		} catch (error) {
			if (lockstep.hasEnded) throw new Error(`the controller ended: ${lockstep.complaints}`, { cause: error });
			throw error;
		} finally {
			await lockstep.kill();
			log.close();
		}
	}

	/** Time goes on, the car with it. 0: only what can be done now is done. */
	run = async (ms: number): Promise<void> => {
		const end = this.#atMs + ms;
		do {
			const to = Math.min(end, this.#atMs + PIECE_MS);
			for (; this.#atMs < to; this.#atMs++) this.#vehicle.step(this.#sending(0), this.#sending(1));
			for (const output of await this.#lockstep.run(to - this.#lockstep.ms))
				if (output.kind === "frame" && output.bus === 1)
					this.#vehicle.receiveOnCouplingBus({ ...output.frame, extended: output.frame.flags > 0, rtr: false });
			await this.#lockstep.delivered();
		} while (this.#atMs < end && !this.#lockstep.hasEnded);
	};

	#sending(bus: Bus) {
		return (id: number, extended: boolean, data: Uint8Array): void => {
			const frame = { id, flags: extended ? 0x8000_0000 : 0, data: Uint8Array.from(data) };
			this.#lockstep.arrive(this.#atMs + 1, bus, frame);
		};
	}

	/** Of the coupling: what it answers may be replaced. */
	get controlUnit(): ControlUnit {
		return this.#vehicle.coupling.controlUnit;
	}

	/** A command of `hal/host/README.md`, "Virtual time". */
	command(text: string): void {
		this.#lockstep.command(text);
	}

	/** A connection that is not the server's: what is sent on it is waited for, too. */
	waitedFor = (socket: Socket): Socket => this.#lockstep.counted(socket);

	async connect(): Promise<Client> {
		return new Client(await this.#lockstep.connect());
	}

	/** Until it is so. */
	async until(name: string, isSo: () => Promise<boolean>, limitMs = 3000): Promise<void> {
		for (let ms = 0; ms < limitMs; ms += 100) {
			await this.run(100);
			if (await isSo()) return;
		}
		throw new Error(`${name}: has not come within ${limitMs} ms`);
	}

	/** @returns undefined: the connection was closed before */
	async #askOn(client: Client, text: string): Promise<Heard | undefined> {
		const [method] = text.split(" ", 1);
		await client.send(text);
		await this.run(0);
		for (let ms = 0; ; ) {
			const heard = client.heard(method!);
			if (heard !== undefined || client.closed) return heard;
			const before = client.answer.length;
			await this.run(0); // more of an answer that was too long for the socket
			if (client.answer.length !== before) continue;
			if (ms >= ANSWER_LIMIT_MS) throw new Error(`no answer to ${text.split("\r\n")[0]}`);
			await this.run(PIECE_MS); // some answers come with the next control tick
			ms += PIECE_MS;
		}
	}

	/** On the connection that there is, or a new one. @returns the whole answer */
	async ask(text: string): Promise<Buffer> {
		if (this.#client === undefined || this.#client.closed) this.#client = await this.connect();
		const heard = await this.#askOn(this.#client, text);
		if (heard !== undefined && heard.status >= 500) throw new Error(`${text.split("\r\n")[0]}: ${this.#client.answer}`);
		return this.#client.answer;
	}

	async disconnect(): Promise<void> {
		this.#client?.close();
		this.#client = undefined;
		await this.run(0);
		this.turns("disconnecting");
	}

	/** Asks on a connection of its own. @throws {Error} the answer is another than 200 */
	call = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
		const client = await this.connect();
		const answer = await this.#askOn(client, request(method, path, body));
		client.close();
		if (answer?.status !== 200) throw new Error(`${method} ${path}: ${client.answer}`);
		return JSON.parse(answer.text);
	};

	post = (path: string, body?: object): Promise<Record<string, unknown>> => this.call("POST", path, body);

	/** Sends this on a connection of its own, and hangs up after `ms`. */
	async send(text: string, ms: number): Promise<void> {
		const client = await this.connect();
		await client.send(text);
		await this.run(ms);
		client.close();
		await this.run(0);
	}

	/** The turns since it was last called. */
	turns(during: string): Turn[] {
		const turns = this.#log.take();
		const slowest = new Map<string, number>();
		for (const { kind, instructions } of turns) slowest.set(kind, Math.max(instructions, slowest.get(kind) ?? 0));
		const { inStock } = this;
		this.slowest.push(...[...slowest].map(([kind, instructions]) => ({ kind, instructions, during, inStock })));
		return turns;
	}

	/** Does some work of which only the slowest turns are wanted. */
	during = async (name: string, work: () => Promise<unknown>): Promise<void> => {
		await work();
		this.turns(name);
	};

	/**
	 * @param turns of all units
	 * @param first of a first time: they count for the slowest turn only
	 */
	add(name: string, per: string, units: number, turns: readonly Turn[], first: readonly Turn[] = []): void {
		const slowest = (figure: Figure | "heapBytes") => Math.max(...[...first, ...turns].map((turn) => turn[figure] ?? 0));
		const own = (figure: "instructions" | "bytecodes") => {
			const idle = turns.reduce((total, { kind }) => total + (this.#idle.get(kind)?.[figure] ?? 0), 0);
			return Math.round((sum(turns, figure) - idle) / units);
		};
		const garbage = turns.filter(({ kind }) => kind !== "collection");
		this.rows.push({
			name,
			per,
			instructions: own("instructions") - Math.round((sum(garbage, "collections") * this.#collection) / units),
			turnInstructions: slowest("instructions"),
			bytecodes: own("bytecodes"),
			turnHeapBytes: slowest("heapBytes"),
			collections: Number((sum(turns, "collections") / units).toFixed(2)),
		});
	}

	/** What some work takes, from a heap without garbage. @param work gives the number of units */
	async count(name: string, per: string, work: () => Promise<number>, first?: readonly Turn[]): Promise<void> {
		await this.collect(name);
		const units = await work();
		if (!(units > 0)) throw new Error(`${name}: nothing was done`);
		this.add(name, per, units, this.turns(name), first);
	}

	/**
	 * Collects garbage, so that what is counted next does not depend on what was before.
	 * @param before for what the turns until now were
	 * @returns the collection
	 */
	async collect(before: string): Promise<Turn[]> {
		this.turns(before);
		await this.#lockstep.collect();
		const turns = this.turns("collection");
		this.#collection = Math.max(...turns.map(({ instructions }) => instructions));
		return turns;
	}

	/** Time goes on by a second, nobody connected. */
	async #window(name: string): Promise<Turn[]> {
		await this.disconnect();
		await this.collect(name);
		await this.run(WINDOW_MS);
		return this.turns(name);
	}

	/** Nobody connected: from now on what its timers take is left out. @param name of a row for that */
	async idle(name?: string): Promise<void> {
		this.#idle.clear();
		const turns = await this.#window(name ?? "nobody connected");
		if (name !== undefined) this.add(name, "second", WINDOW_MS / 1000, turns);
		for (const kind of new Set(turns.map((turn) => turn.kind).filter((kind) => /^timer[1-9]/.test(kind)))) {
			const these = turns.filter((turn) => turn.kind === kind);
			const mean = (figure: Figure) => sum(these, figure) / these.length;
			this.#idle.set(kind, { instructions: mean("instructions"), bytecodes: mean("bytecodes") });
		}
	}

	/** The start, and the tick that finds the inputs valid and hands the frame plan to the gateway. */
	async start(generation: number): Promise<void> {
		await this.run(0);
		this.add(`start, generation ${generation}`, "once", 1, this.turns("start").slice(0, 1));
		await this.run(SETTLE_MS);
		const ticks = this.turns("frame plan").filter(isControlTick);
		const slowest = ticks.reduce((most, tick) => (tick.instructions > most.instructions ? tick : most));
		this.add(`tick that takes a frame plan, generation ${generation}`, "once", 1, [slowest]);
	}

	async ticks(name: string): Promise<void> {
		const ticks = (await this.#window(name)).filter(isControlTick);
		this.#idle.clear();
		this.add(name, "tick", ticks.length, ticks);
	}

	/**
	 * Requests on a kept connection, after the first one.
	 * @param texts sent in turn
	 * @param prepare before each, not counted
	 * @param afterMs what the change still causes after its answer
	 */
	async requests(
		name: string,
		texts: readonly string[],
		times: number,
		{ prepare = async () => {}, afterMs = 0 }: { prepare?: () => Promise<unknown>; afterMs?: number } = {},
	): Promise<void> {
		const one = async (i: number) => {
			await prepare();
			this.turns("preparing");
			await this.ask(texts[i % texts.length]!);
			await this.run(afterMs);
			return this.turns(name);
		};
		const first = await one(0);
		await this.collect(name);
		const turns: Turn[] = [];
		for (let i = 1; i <= times; i++) turns.push(...(await one(i)));
		this.add(name, "request", times, turns, first);
		await this.disconnect();
	}
}
