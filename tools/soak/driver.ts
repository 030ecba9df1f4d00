/**
 * Who drives: changes what is asked of the coupling, one thing after the other, and tells the judge.
 * Everybody else's requests do not.
 */
import { uploadHead } from "../campaign/clients.js";
import type { Wishes } from "../campaign/demands.js";
import type { Drive } from "../campaign/drive.js";
import type { Answer } from "../campaign/lockstep.js";
import { DEFAULT_TABLES, mapOf, type Tables } from "../campaign/restraints.js";
import { wrongAnswer } from "../openapi.js";
import type { Random } from "../random.js";
import { aMap, type Counts } from "./client.js";

/** Until all know that the car stands. */
const RESTS_MS = 1500;
/** Until the map of an answer has taken effect. */
const TAKES_EFFECT_MS = 60;
/** A request that was answered 503 is sent again after this, and this often. */
const [AGAIN_MS, TRIES] = [100, 40];
/** Each frame that tells something of the car comes within that. */
const ARRIVED_MS = 50;
/**
 * A car that does not stand takes no update, which would keep it stock; beside a gate's threshold what it
 * asks for depends on before.
 */
const SPEEDS_KMH = [15, 25, 35, 45, 55, 75, 85, 95, 115, 135] as const;
const MODES = ["STOCK", "FWD", "5050", "6040", "7030", "8020", "9010", "MAP", "SPEED", "THROTTLE", "RPM"] as const;
const CURVE_POINTS = 5;
/** How often it is asked whether diagnosis has ended, for whose answers nobody waits any more. */
const DIAGNOSIS_STEP_MS = 2000;
/** What means stock lasts for this long. */
const ACTS_MS = 2500;
const CURVES = { SPEED: "speed", THROTTLE: "throttle", RPM: "rpm" } as const;

const rowsOfMap = ({ speedBins, throttleBins, lockTable }: ReturnType<typeof aMap>): Tables["MAP"] =>
	mapOf(speedBins, throttleBins, lockTable);

export class Driver {
	/** What was changed last. */
	last = "nothing";
	readonly #drive: Drive;
	readonly #random: Random;
	readonly #counts: Counts;
	readonly #flashFails: () => boolean;

	/** @param flashFails flash may be failing: 500 is right then */
	constructor(drive: Drive, random: Random, counts: Counts, flashFails: () => boolean) {
		this.#drive = drive;
		this.#random = random;
		this.#counts = counts;
		this.#flashFails = flashFails;
	}

	/** Asks until there is an answer other than 503, and judges it by the description. */
	async ask(method: string, path: string, body = ""): Promise<Answer> {
		const drive = this.#drive;
		for (let tries = 1; tries <= TRIES; tries++) {
			const { starts } = drive.lockstep;
			const answer = await drive.lockstep.ask(method, path, body, (ms) => drive.run(ms));
			if (answer?.code === 500) {
				if (!this.#flashFails()) drive.complain(`${method} ${path} of the driver is answered 500 ${answer.text}`);
			} else if (answer !== undefined) {
				const problem = wrongAnswer(method, path, answer.code, answer.type, answer.text);
				if (problem !== "") drive.complain(problem);
			}
			if (answer !== undefined && answer.code !== 503) return answer;
			if (drive.lockstep.hasEnded) break;
			// no other client has this address: the server must answer
			if (answer === undefined && drive.lockstep.starts === starts)
				drive.complain(`${method} ${path} of the driver has no answer`);
			await drive.run(AGAIN_MS);
		}
		drive.complain(`${method} ${path} of the driver has no answer after ${TRIES} tries`);
		return { code: 0, text: "{}", type: "" };
	}

	async #json<T>(method: string, path: string, body = ""): Promise<T> {
		return JSON.parse((await this.ask(method, path, body)).text) as T;
	}

	/** A change of what is asked for. @returns whether it was taken */
	async #change(path: string, value: unknown, wishes: Wishes): Promise<boolean> {
		this.last = `${path} ${JSON.stringify(value)}`;
		const { code, text } = (await this.#drive.change(path, value, wishes)) as Answer;
		// a full or failing flash rejects a change that must be stored before the answer; `ask` judges 500
		const isOfFlash = this.#flashFails() && /flash|space|failed/.test(text);
		if (code !== 200 && code !== 500 && !isOfFlash) this.#drive.complain(`the driver's ${this.last} is answered ${code} ${text}`);
		this.#counts.add("changes");
		return code === 200;
	}

	get #wishes(): Wishes {
		return this.#drive.demands.wishes;
	}

	/**
	 * Somewhere else, at another pace: one quantity after the other, and all that tells of it has arrived. In
	 * between the mode would ask for what belongs to neither, by the order in which frames are read; and no
	 * car is twice as fast in the moment in which its speed is lost.
	 */
	async driveOn(): Promise<void> {
		const { car } = this.#drive;
		car.speedKmh = this.#random.of(SPEEDS_KMH);
		await this.#drive.run(ARRIVED_MS);
		car.pedalPercent = this.#random.below(101);
		await this.#drive.run(ARRIVED_MS);
		car.rpm = 700 + this.#random.below(6000);
		await this.#drive.run(ARRIVED_MS);
	}

	/** One change. */
	async change(): Promise<void> {
		const random = this.#random;
		const makers: readonly (() => Promise<unknown>)[] = [
			() => this.mode(random.of(MODES)),
			() => this.mode(random.of(MODES)),
			() => this.mode(random.of(["MAP", "5050", "SPEED", "THROTTLE", "RPM"])),
			() => this.#settings(),
			() => this.#map(),
			() => this.#curve(random.of(["SPEED", "THROTTLE", "RPM"])),
			() =>
				this.#takeMap("/api/maps/load", { name: random.of(["aggressive", "conservative", "danger", "fwd", "m0", "m1", "m2"]) }),
			() => this.ask("POST", "/api/maps/save", JSON.stringify({ name: `m${random.below(3)}` })),
			() => this.#takeMap("/api/map/swap", {}),
			() => this.#inStock("capture", "/api/canview/capture", (active) => ({ active })),
			// CAN frames of two full buses go to the log, which is rotated
			() => this.#inStock("verboseLogging", "/api/settings", (on) => ({ logCanToFileEnabled: on, logDebugCanEnabled: on })),
			() => this.ask("POST", "/api/analyzer", '{"enabled":false}'),
		];
		await random.of(makers)();
	}

	async mode(mode: string): Promise<void> {
		await this.#change("/api/mode", { mode }, { ...this.#wishes, mode });
	}

	async #settings(): Promise<void> {
		const disableSpeedKmh = this.#random.of([0, 60, 100]);
		const releaseRate = this.#random.of([0, 50, 120, 500]);
		const value = { disableSpeed: disableSpeedKmh, lockReleaseRatePctPerSec: releaseRate };
		await this.#change("/api/settings", value, { ...this.#wishes, disableSpeedKmh, releaseRate });
	}

	#with(tables: Partial<Tables>): Wishes {
		return { ...this.#wishes, tables: { ...(this.#wishes.tables ?? DEFAULT_TABLES), ...tables } };
	}

	async #map(): Promise<void> {
		const map = aMap(this.#random);
		const value = this.#random.below(2) === 0 ? map : { ...map, try: true };
		await this.#change("/api/map", value, this.#with({ MAP: rowsOfMap(map) }));
	}

	async #curve(mode: keyof typeof CURVES): Promise<void> {
		const step = mode === "RPM" ? 1500 : mode === "SPEED" ? 40 : 18;
		const points: [number, number][] = [];
		for (let x = 1; points.length < CURVE_POINTS; x += 1 + this.#random.below(step)) points.push([x, this.#random.below(101)]);
		const value = { points: points.map(([at, lock]) => ({ x: at, lock })) };
		await this.#change(`/api/curve/${CURVES[mode]}`, value, this.#with({ [mode]: points }));
	}

	/** Another map becomes active: which, the answer to a read says. */
	async #takeMap(path: string, value: unknown): Promise<void> {
		const { demands } = this.#drive;
		demands.wishing = demands.wishes;
		this.last = path;
		await this.ask("POST", path, JSON.stringify(value));
		const { code, text } = await this.ask("GET", "/api/map");
		if (code === 200) demands.wishes = this.#with({ MAP: rowsOfMap(JSON.parse(text)) });
		await this.#drive.run(TAKES_EFFECT_MS);
		demands.wishing = undefined;
	}

	/** Stock from one answer to the next. Logging of frames selects STOCK. */
	async #inStock(name: "capture" | "verboseLogging", path: string, bodyOf: (on: boolean) => unknown): Promise<void> {
		const { demands } = this.#drive;
		const during = name === "capture" ? this.#wishes : { ...this.#wishes, mode: "STOCK" };
		if (!(await this.#change(path, bodyOf(true), during))) return;
		demands.standing.add(name);
		await this.#drive.run(ACTS_MS);
		demands.standing.delete(name);
		await this.#change(path, bodyOf(false), during);
	}

	/** Lets diagnosis come to its end: nobody begins another job meanwhile. */
	async untilDiagnosed(): Promise<void> {
		for (let tries = 0; tries < TRIES; tries++) {
			if (!(await this.#json<{ active?: boolean }>("GET", "/api/uds/status")).active) return;
			await this.#drive.run(DIAGNOSIS_STEP_MS);
		}
		this.#drive.complain(`diagnosis does not end: ${(await this.ask("GET", "/api/uds/status")).text}`);
	}

	/** Of the analyzer, which it switches on if it is off; 0 = that failed. */
	async analyzerPort(): Promise<number> {
		const { port } = await this.#json<{ port?: number }>("GET", "/api/analyzer");
		return port || ((await this.#json<{ port?: number }>("POST", "/api/analyzer", '{"enabled":true}')).port ?? 0);
	}

	/** An image into a car that stands. @returns "" if it was taken, or the answer */
	async update(image: Buffer): Promise<string> {
		const { car, lockstep } = this.#drive;
		await this.mode("STOCK");
		car.speedKmh = car.pedalPercent = 0;
		await this.#drive.run(RESTS_MS);
		const socket = lockstep.dial();
		let text = "";
		socket.on("data", (chunk) => (text += chunk));
		socket.write(uploadHead(image.length));
		const { starts } = lockstep;
		for (let i = 0; i < image.length / 700 + 100 && !/\r\n\r\n\w/.test(text) && lockstep.starts === starts; i++) {
			socket.write(image.subarray(i * 700, (i + 1) * 700));
			await this.#drive.run(20);
		}
		socket.destroy();
		await this.#drive.run(500);
		return /^HTTP\/1\.1 200 /.test(text) ? "" : text || "no answer";
	}
}
