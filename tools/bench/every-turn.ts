/**
 * A short life of the controller under callgrind, in which each kind of event happens, each timer fires and each file is written: the dearest
 * turn of each. Requests and control ticks by themselves, and what clients do on purpose, are counted in `work.mjs`.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { type Bus, Lockstep } from "../campaign/lockstep.js";
import type { Generation } from "../vehicle/chassis.js";
import { CYCLES } from "../vehicle/cycles.js";
import { Vehicle } from "../vehicle/vehicle.js";
import { countedBy, TurnLog } from "./turn-log.mjs";

const HOST = "build/host/opencoupling";
const FOLDER = "build/bench/every-turn";
/** How long time goes on at once: a frame of the coupling's control unit waits so long. */
const PIECE_MS = 10;
const SETTLE_MS = 2500;
const STREAM_HZ = 20;
const STREAMS = 4;
/** A log that is about to be rotated. */
const FULL_LOG = "a line of the log that was there before\n".repeat(6550);
const BOOT_LOOP = "2";
const HOUR_MS = 3_600_000;
const WIFI = { format: 1, ssid: "Garage", password: "correct horse", accessPointPassword: "password1" };
/** What SavvyCAN says when it connects, and a frame that it sends. */
const HELLO = "e7e7f10cf106f107f101f109f10d";
const A_FRAME = "f100230100000008010203040506070800";
const DIAGNOSIS = ["/api/uds/probe", "/api/uds/identity", "/api/uds/dtc", "/api/uds/read"];

/** The dearest turn of what was done under one name. */
export interface Dearest {
	readonly name: string;
	/** As in `turn-log.mjs`. */
	readonly kind: string;
	readonly instructions: number;
	readonly turns: number;
}

class Life {
	readonly dearest: Dearest[] = [];
	readonly #log: TurnLog;
	readonly #lockstep: Lockstep;
	readonly #vehicle: Vehicle;
	#at = 0;

	private constructor(lockstep: Lockstep, log: TurnLog, generation: Generation, cycle: keyof typeof CYCLES) {
		this.#lockstep = lockstep;
		this.#log = log;
		this.#vehicle = new Vehicle(generation, CYCLES[cycle]);
		this.#at = lockstep.ms;
	}

	/** @param files of the flash, content by path */
	static async begin(
		name: string,
		settings: { readonly generation: Generation },
		cycle: keyof typeof CYCLES,
		files: Readonly<Record<string, string>>,
		args: readonly string[] = [],
	): Promise<Life> {
		const folder = `${FOLDER}/${name}`;
		rmSync(folder, { recursive: true, force: true });
		for (const inside of ["logs", "partitions"]) mkdirSync(`${folder}/flash/${inside}`, { recursive: true });
		for (const [path, text] of Object.entries({ "settings.json": JSON.stringify({ format: 1, ...settings }), ...files }))
			writeFileSync(`${folder}/flash/${path}`, text);
		const log = new TurnLog(`${folder}/turns.log`);
		const program = [...countedBy(`${folder}/turns.log`), HOST];
		const flash = ["--flash", `${folder}/flash`, "--count-turns", ...args];
		const lockstep = await Lockstep.start(program, `${folder}/http`, flash);
		return new Life(lockstep, log, settings.generation, cycle);
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
		const turns = this.#log.take().filter(({ kind }) => kind !== "collection" && (name === "start" || kind !== "start"));
		for (const kind of new Set(turns.map((turn) => turn.kind))) {
			const these = turns.filter((turn) => turn.kind === kind);
			const instructions = Math.max(...these.map((turn) => turn.instructions));
			this.dearest.push({ name, kind, instructions, turns: these.length });
		}
	}

	/** @throws the answer is another than 200 */
	async ask(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
		const text = body === undefined ? "" : JSON.stringify(body);
		const answer = await this.#lockstep.ask(method, path, text, this.run);
		if (answer?.code !== 200) throw new Error(`${method} ${path}: ${answer?.code} ${answer?.text}`);
		return JSON.parse(answer.text);
	}

	post = (path: string, body?: object): Promise<Record<string, unknown>> => this.ask("POST", path, body);

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

	/** Until it is so, or a second has passed. */
	async until(name: string, isSo: () => Promise<boolean>, limitMs = 3000): Promise<void> {
		for (let ms = 0; ms < limitMs; ms += 100) {
			await this.run(100);
			if (await isSo()) return;
		}
		throw new Error(`${name}: has not come within ${limitMs} ms`);
	}

	async end(): Promise<readonly Dearest[]> {
		await this.#lockstep.kill();
		this.#log.close();
		return this.dearest;
	}
}

/** What a driver and his car do. */
async function driving(): Promise<readonly Dearest[]> {
	const files = { "wifi.json": JSON.stringify(WIFI), "logs/all.txt": FULL_LOG };
	const life = await Life.begin("driving", { generation: 5 }, "cruise", files, ["--analyzer", "0"]);
	const { run, post, during } = bound(life);
	const streams: Socket[] = [];
	await during("start", () => run(0));
	await during("inputs become valid, the log is rotated", () => run(SETTLE_MS));
	await during("event streams open", async () => {
		for (let i = 0; i < STREAMS; i++) streams.push(await life.stream());
		await run(600);
	});
	await during("a mode comes in force", async () => {
		for (const mode of ["MAP", "5050", "RPM"]) {
			await post("/api/mode", { mode });
			await run(1100);
		}
	});
	await during("another generation comes in force", async () => {
		await post("/api/settings", { haldexGeneration: 4, frameProfile: "corrected" });
		await run(300);
		await post("/api/settings", { haldexGeneration: 5 });
		await run(2500);
	});
	await during("the mode trigger", async () => {
		const signal = "chassis|0x107|mo drehzahl 01|";
		await post("/api/settings", { modeTrigger: { enabled: true, signal, operator: ">=", value: 1, mode: "FWD" } });
		await run(700);
		await post("/api/settings", { modeTrigger: { enabled: false } });
	});
	await during("bus-off and recovery", async () => {
		for (const bus of ["chassis", "coupling"]) {
			life.fault(`bus-off-${bus}=0:200`);
			await run(900);
		}
	});
	await during("the car goes away and comes back", async () => {
		life.command("disconnect chassis");
		await run(600);
		life.command("connect chassis");
		await run(1200);
	});
	await during("the script stalls beyond its lease", async () => {
		life.fault("script-stalled=0:400");
		await run(2500);
	});
	await during("Wi-Fi is lost and comes back", async () => {
		life.fault("wifi-lost=0:600");
		await run(1500);
	});
	await during("storage fails, and works again", async () => {
		life.fault("flash-write-fails=1");
		await post("/api/settings", { disableThrottle: 7 });
		await run(2400);
		await post("/api/settings", { disableThrottle: 8 });
		await run(2400);
	});
	await during("a map is tried, kept and undone", async () => {
		const map = await life.ask("GET", "/api/map");
		await post("/api/map", { ...map, try: true });
		await post("/api/maps/save", { name: "Kept" });
		await run(2400);
	});
	await during("a capture begins, and ends by itself", async () => {
		await post("/api/canview/capture", { active: true });
		await run(300);
		life.fault("clock-jump=0:600000");
		await run(600);
	});
	await during("sessions and time-outs, hours later", async () => {
		life.fault(`clock-jump=0:${7 * HOUR_MS}`);
		await run(1500);
	});
	for (const socket of streams) socket.destroy();
	await during("BOOT is pressed", async () => {
		life.fault("boot-key=0:2500");
		await run(2700);
	});
	return life.end();
}

/** What SavvyCAN and diagnosis do, and the CAN log; all of it in stock, of a car that stands. */
async function standing(): Promise<readonly Dearest[]> {
	const files = { "wifi.json": JSON.stringify(WIFI) };
	const life = await Life.begin("standing", { generation: 5 }, "standing", files, ["--analyzer", "0"]);
	const { run, post, during } = bound(life);
	await run(SETTLE_MS);
	await during("start in stock", () => run(0));
	await during("SavvyCAN connects, looks and sends", async () => {
		await post("/api/analyzer", { enabled: true });
		await run(200);
		await post("/api/analyzer", { maySend: true }).catch(() => undefined);
		const { port } = await life.ask("GET", "/api/analyzer");
		const clients = [0, 1].map(() => life.counted(connect({ host: "127.0.0.1", port: Number(port) })));
		const heard = clients.map(() => 0);
		for (const [i, client] of clients.entries()) {
			client.on("error", () => {}).on("data", (data) => (heard[i] += data.length));
			client.write(Buffer.from(HELLO, "hex"));
		}
		await life.until("SavvyCAN's frames", async () => heard.every((bytes) => bytes > 2000));
		for (const client of clients) for (let i = 0; i < 20; i++) client.write(Buffer.from(A_FRAME, "hex"));
		await run(300);
		for (const client of clients) client.destroy();
		await run(200);
		await post("/api/analyzer", { enabled: false });
		await run(200);
	});
	for (const path of DIAGNOSIS) {
		await during(`the control unit answers ${path}`, async () => {
			await post(path, path.endsWith("read") ? { did: "F190" } : undefined);
			await life.until(path, async () => (await life.ask("GET", "/api/uds/status"))["active"] !== true, 20_000);
		});
	}
	await during("frames are logged", async () => {
		await post("/api/settings", { logCanToFileEnabled: true, logDebugCanEnabled: true });
		await run(2500);
	});
	return life.end();
}

/** What runs after three crashes in a row. */
async function bootLoop(): Promise<readonly Dearest[]> {
	const files = { crashes: BOOT_LOOP, "partitions/crashed": "" };
	const life = await Life.begin("boot-loop", { generation: 5 }, "standing", files);
	const { run, during } = bound(life);
	await during("start", () => run(0));
	await during("a boot loop", async () => {
		await run(1000);
		const { bootLoop: isOne } = await life.ask("GET", "/api/status");
		if (isOne !== true) throw new Error("the start is no boot loop");
	});
	return life.end();
}

const bound = (life: Life) => ({ run: life.run, post: life.post, during: life.during.bind(life) });

/** @param isShort without the driver and his car: that takes half a minute */
export async function everyTurn(isShort: boolean): Promise<readonly Dearest[]> {
	const all = [...(await standing()), ...(await bootLoop())];
	return isShort ? all : [...(await driving()), ...all];
}
