/**
 * The soak: the whole controller at a board's heap sizes under two full buses, with eight clients that do
 * everything at random, while the driver changes modes and everything goes wrong that does not end it. Judged by
 * the campaign's judge, frame by frame; heap, names, memory and files must not grow. Time is the controller's own
 * (`hal/host/README.md`, "Virtual time"): a machine that pauses changes nothing.
 */
import { wrongAnswer } from "../../test/support/openapi.js";
import { generator, type Random } from "../../test/support/random.js";
import { TURN_BYTECODES } from "../bench/limits.mjs";
import { happen, recover } from "../campaign/campaign.js";
import { Drive } from "../campaign/drive.js";
import { FAULTS, type Fault } from "../campaign/faults.js";
import type { Answer } from "../campaign/lockstep.js";
import { judgeErrors, judgeStatus } from "../campaign/status-judge.js";
import type { Generation, Profile } from "../campaign/tables.js";
import { ANSWERS, fillBuses, QUESTIONS } from "./buses.js";
import { Client, Counts } from "./client.js";
import { growthOf, type Held, look } from "./growth.js";
import { SavvyCans } from "./savvycans.js";

const CLIENTS = 8;
/** How often clients act. */
const STEP_MS = 50;
const GENERATIONS: readonly Generation[] = [5, 4, 2, 1];
const PROFILES: readonly Profile[] = ["reference", "corrected"];
/** How often it looks at what is held. */
const LOOK_MS = 60_000;
/** Until the server has noticed that all clients have gone, and all is written. */
const REST_MS = 4000;
const STEADY_MS = 5000;
/** From a start until control may be there. */
const READY_MS = 2500;
/** By then everything that is kept has been used. */
const SETTLED_MS = 300_000;
/** It goes on for this long until it has seen everything in `Options.least`. */
const LEAST_LIMIT_MS = 300_000;
/** A write that is to fail may wait for this long. */
const FLASH_MS = 20_000;
/** A request that was answered 503 is sent again after this, and this often. */
const [AGAIN_MS, TRIES] = [100, 40];
/** How often it is asked whether diagnosis has ended. */
const DIAGNOSIS_STEP_MS = 2000;
/** Capture and logging of frames last for this long. */
const ACTS_MS = 2500;
/** Each frame that tells something of the car comes within that. */
const ARRIVED_MS = 50;
/** A car that stands takes an update, which keeps it stock; beside a gate's threshold lock depends on before. */
const SPEEDS_KMH = [15, 25, 35, 45, 55, 75, 85, 95, 115, 135] as const;
/** Of the others, clients change map and curves. */
const MODES = ["STOCK", "FWD", "5050", "6040", "7030", "8020", "9010"] as const;
/** Faults that choose a mode or generation, for which there is no trigger, or after which it is open for 10 s. */
const NOT_HERE = /is chosen for a moment|trigger|too-hot|emergency/;
/** Lines of the log that a fault explains. */
const EXPLAINED = /bus-off|can't be stored|can't be (?:used|read)|can't open|update|lines? (?:was|were) lost/i;

export interface Options {
	readonly minutes: number;
	readonly seed: number;
	/** Frames a second on each bus. */
	readonly framesPerSecond: number;
	readonly program: string;
	/** Further arguments of the program. */
	readonly args: readonly string[];
	readonly log: (text: string) => void;
	/** It goes on after its minutes until each of these happened this often, by the names of `Result.counts`. */
	readonly least?: Readonly<Record<string, number>>;
}

export interface Result {
	/** Of the controller's time. */
	readonly minutes: number;
	readonly frames: number;
	readonly counts: Readonly<Record<string, number>>;
	readonly complaints: readonly string[];
}

export async function soak(options: Options): Promise<Result> {
	const { program, args, seed } = options;
	const generation = GENERATIONS[seed % 4];
	const profile = PROFILES[(seed >> 2) % 2];
	const setting = { generation, profile, onPort: true, args: ["--analyzer", "0", ...args], wishes: { mode: "5050" } };
	const drive = await Drive.start(program, setting);
	drive.subject = `seed ${seed}, generation ${generation}, ${profile}`;
	const { counts } = await new Soak(options, drive).run();
	const { frames, commands } = drive.figures;
	return { minutes: drive.nowMs / 60_000, frames, counts: { ...counts.of, commands }, complaints: drive.complaints };
}

class Soak {
	readonly counts = new Counts();
	readonly #options: Options;
	readonly #drive: Drive;
	readonly #random: Random;
	readonly #savvycans: SavvyCans;
	#clients: readonly Client[];
	#flashFaultMs = Number.NEGATIVE_INFINITY;
	#before: Held | undefined;

	constructor(options: Options, drive: Drive) {
		const { counts } = this;
		const random = generator(options.seed);
		this.#options = options;
		this.#drive = drive;
		this.#random = random;
		const another = (): Random => generator(random.below(2 ** 31));
		drive.pieceMs = STEP_MS;
		drive.questions = QUESTIONS;
		drive.answers = ANSWERS;
		drive.ask = (method, path, body) => this.#ask(method, path, body);
		fillBuses(drive.car, another(), counts, options.framesPerSecond);
		// two of them behind one address
		const addresses = Array.from({ length: CLIENTS }, (_, i) => `127.0.0.${2 + (i % (CLIENTS - 1))}`);
		this.#clients = addresses.map((address) => new Client(drive, address, another(), counts, () => this.#flashFails));
		this.#savvycans = new SavvyCans(another(), counts);
	}

	async run(): Promise<this> {
		const drive = this.#drive;
		const endMs = 60_000 * this.#options.minutes;
		try {
			await drive.run(READY_MS);
			drive.between = async () => {
				await drive.lockstep.delivered();
				if (drive.lockstep.hasEnded) return;
				for (const client of this.#clients) client.step(drive.nowMs);
				this.#savvycans.step(drive.nowMs);
			};
			const goesOn = (): boolean => drive.nowMs < endMs || (this.#missing !== "" && drive.nowMs < endMs + LEAST_LIMIT_MS);
			for (let lookMs = LOOK_MS; goesOn(); ) {
				await this.#round();
				if (drive.nowMs < lookMs && goesOn()) continue;
				await this.#look(drive.nowMs > Math.min(endMs / 2, SETTLED_MS));
				lookMs = drive.nowMs + LOOK_MS;
			}
			if (this.#missing !== "") drive.complain(this.#missing);
		} catch (error) {
			drive.complain(`${error instanceof Error ? error.stack : error}\n${drive.lockstep.complaints.slice(-2000)}`);
		}
		this.#leave();
		judgeErrors(drive, drive.log, [EXPLAINED]);
		await drive.end();
		return this;
	}

	get #flashFails(): boolean {
		return this.#drive.nowMs - this.#flashFaultMs < FLASH_MS;
	}

	/** Kinds that were seen too seldom, "" = none. */
	get #missing(): string {
		const seen: Record<string, number> = { ...this.counts.of, commands: this.#drive.figures.commands };
		return Object.entries(this.#options.least ?? {})
			.filter(([name, times]) => !(seen[name] >= times))
			.map(([name, times]) => `${name}: ${seen[name]} instead of ${times}`)
			.join(", ");
	}

	/** Asks as the driver, until the answer is not 503, and judges it by the description. */
	async #ask(method: string, path: string, body = ""): Promise<Answer> {
		const drive = this.#drive;
		for (let tries = 0; tries < TRIES && !drive.lockstep.hasEnded; tries++) {
			const answer = await drive.lockstep.ask(method, path, body, (ms) => drive.run(ms));
			const problem = answer && answer.code !== 500 ? wrongAnswer(method, path, answer.code, answer.type, answer.text) : "";
			if (problem !== "") drive.complain(problem);
			if (answer !== undefined && answer.code !== 503) return answer;
			// the driver has an address of their own, so the server evicts others
			if (answer === undefined) drive.complain(`${method} ${path} of the driver has no answer`);
			await drive.run(AGAIN_MS);
		}
		drive.complain(`${method} ${path} of the driver has no answer after ${TRIES} tries`);
		return { code: 0, text: "{}", type: "" };
	}

	async #round(): Promise<void> {
		const [drive, random] = [this.#drive, this.#random];
		const { wishes } = drive.demands;
		const analyzer = JSON.parse((await this.#ask("POST", "/api/analyzer", '{"enabled":true}')).text) as { port?: number };
		this.#savvycans.port = analyzer.port ?? 0;
		drive.car.speedKmh = random.of(SPEEDS_KMH);
		drive.car.pedalPercent = random.below(101);
		await drive.run(ARRIVED_MS);
		if (random.below(2) === 0) await this.#change();
		else await this.#fail(random.of(FAULTS.filter(({ only }) => only?.({ name: "soak", wishes }, wishes.generation) ?? true)));
		await this.#steady("all is well");
		await drive.run(random.below(3000));
		await judgeStatus(drive);
	}

	/** The driver changes something. */
	async #change(): Promise<void> {
		const random = this.#random;
		const { wishes } = this.#drive.demands;
		const mode = random.of(MODES);
		const disableSpeedKmh = random.of([0, 60, 100]);
		const releaseRate = random.of([0, 50, 120, 500]);
		const settings = { disableSpeed: disableSpeedKmh, lockReleaseRatePctPerSec: releaseRate };
		const what = random.below(8);
		this.counts.add("changes");
		if (what === 0) await this.#capture();
		else if (what === 1) await this.#logFrames();
		else if (what < 4) await this.#set("/api/settings", settings, { ...wishes, disableSpeedKmh, releaseRate });
		else await this.#set("/api/mode", { mode }, { ...wishes, mode });
	}

	/** @returns whether it was taken */
	async #set(path: string, value: unknown, wishes: Drive["demands"]["wishes"]): Promise<boolean> {
		const answer = await this.#drive.change(path, value, wishes);
		// a full or failing flash rejects what must be stored before the answer
		if (answer?.code !== 200 && !this.#flashFails)
			this.#drive.complain(`the driver's ${path} ${JSON.stringify(value)} is answered ${answer?.code} ${answer?.text}`);
		return answer?.code === 200;
	}

	async #capture(): Promise<void> {
		const { demands } = this.#drive;
		if (!(await this.#set("/api/canview/capture", { active: true }, demands.wishes))) return;
		demands.standing.add("capture");
		await this.#drive.run(ACTS_MS);
		demands.standing.delete("capture");
		await this.#set("/api/canview/capture", { active: false }, demands.wishes);
	}

	/** Frames of two full buses go to the log, which is rotated. It selects STOCK. */
	async #logFrames(): Promise<void> {
		const { demands } = this.#drive;
		const stock = { ...demands.wishes, mode: "STOCK" };
		const logs = (on: boolean) => ({ logCanToFileEnabled: on, logDebugCanEnabled: on });
		if (!(await this.#set("/api/settings", logs(true), stock))) return;
		await this.#drive.run(ACTS_MS);
		await this.#set("/api/settings", logs(false), stock);
	}

	async #steady(when: string): Promise<void> {
		const drive = this.#drive;
		const { releaseRate } = drive.demands.wishes;
		const untilMs = drive.nowMs + STEADY_MS + (releaseRate === 0 ? 0 : 100_000 / releaseRate);
		while (drive.nowMs < untilMs && !drive.isSteady && !drive.lockstep.hasEnded) await drive.run(STEP_MS);
		if (drive.lockstep.hasEnded) throw new Error(`the controller has ended with ${drive.lockstep.exitCode}`);
		drive.judgeSteady(when);
	}

	async #fail(fault: Fault): Promise<void> {
		const drive = this.#drive;
		if (NOT_HERE.test(fault.name) || fault.fatal) return;
		await this.#steady("before a fault");
		this.counts.add("faults");
		if (fault.name.startsWith("flash-")) this.#flashFaultMs = drive.nowMs;
		const before = drive.subject;
		drive.subject = `${before}: ${fault.name}`;
		await happen(drive, [fault]);
		await recover(drive, fault.backMs);
		drive.subject = before;
	}

	/** All clients go, and what is still held then is looked at. */
	async #look(isSettled: boolean): Promise<void> {
		const drive = this.#drive;
		const clients = this.#clients;
		this.#leave();
		this.#clients = [];
		const isDiagnosing = async () =>
			(JSON.parse((await this.#ask("GET", "/api/uds/status")).text) as { active?: boolean }).active;
		for (let tries = 0; await isDiagnosing(); tries++) {
			if (tries === TRIES) throw new Error("diagnosis does not end");
			await drive.run(DIAGNOSIS_STEP_MS);
		}
		await drive.run(REST_MS);
		const held = await look(drive.lockstep, drive.flash);
		if (held.longestTurnBytecodes > TURN_BYTECODES)
			drive.complain(`a control tick may have waited for ${held.longestTurnBytecodes} bytecodes`);
		if (this.#before !== undefined) for (const complaint of growthOf(this.#before, held)) drive.complain(complaint);
		if (isSettled) this.#before ??= held;
		this.#clients = clients;
		const { youngestNames: _, ...figures } = held;
		this.#options.log(
			`${(drive.nowMs / 60_000).toFixed(1)} min: ${JSON.stringify(figures)}, ${drive.figures.frames} frames judged`,
		);
	}

	#leave(): void {
		for (const client of this.#clients) client.leave();
		this.#savvycans.leave();
	}
}
