/**
 * The soak: the whole controller at a board's heap sizes under two full buses, with eight clients that do
 * everything at random, while the driver changes modes and maps and everything goes wrong that does not end
 * it; in the first quarter also what does. Judged by the campaign's judge, frame by frame. Time is the
 * controller's own (`hal/host/README.md`, "Virtual time"): a machine that pauses changes nothing.
 */
import { generateKeyPairSync } from "node:crypto";
import { TURN_BYTECODES } from "../bench/limits.js";
import { happen, recover, restart } from "../campaign/campaign.js";
import { Drive } from "../campaign/drive.js";
import { FAULTS, type Fault } from "../campaign/faults.js";
import { judgeErrors, judgeStatus } from "../campaign/status-judge.js";
import type { Generation, Profile } from "../campaign/tables.js";
import { anImage } from "../device/sample-image.js";
import { publicKeyOf, signImage } from "../device/sign.mjs";
import { generator, type Random } from "../random.js";
import { ANSWERS, fillBuses, QUESTIONS } from "./buses.js";
import { Client, Counts } from "./client.js";
import { Driver } from "./driver.js";
import { growthOf, type Held, look } from "./growth.js";
import { SavvyCans } from "./savvycans.js";

/** Of the owner, who signs the updates. */
const OWN_KEY = generateKeyPairSync("ed25519").privateKey;
const CLIENTS = 8;
/** How often clients act. */
const STEP_MS = 50;
const GENERATIONS: readonly Generation[] = [5, 4, 2, 1];
const PROFILES: readonly Profile[] = ["reference", "corrected"];
/** Part of the time in which the controller also ends, and starts anew. */
const RESTARTS_SHARE = 0.25;
/** A crash sooner after the start counts towards a boot loop. */
const NO_LOOP_MS = 31_000;
/** How often it looks at what is held. */
const LOOK_MS = 60_000;
/** Until the server has noticed that all have gone, and all is written. */
const REST_MS = 4000;
/** Until what was changed is on flash. */
const STORED_MS = 3500;
const STEADY_MS = 5000;
/** From a start until control may be there. */
const READY_MS = 2500;
/** Since the start: by then each of the things that are kept has been used. */
const SETTLED_MS = 300_000;
/** By then everything in `Options.least` has been seen, whatever the sockets did. */
const LEAST_LIMIT_MINUTES = 5;
/** A write that is to fail may have waited for long. */
const FLASH_MS = 20_000;
/**
 * They choose a mode or generation themselves, which is the driver's business here, or start it with other
 * arguments.
 */
const NOT_HERE = /is chosen for a moment|trigger|listener-fails|too-hot|emergency/;
const FLASH = /^flash-(write|full)|power-cut/;
/** Lines of the log that a fault explains. */
const EXPLAINED = /bus-off|can't be stored|can't be (?:used|read)|control has ended|can't open|update|lines? (?:was|were) lost/i;
/** Of firmware images. */
const VERSION = "v0.2.0";

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
	/** It ends, with a complaint, after this many further minutes: 5 unless given. */
	readonly leastLimitMinutes?: number;
}

export interface Result {
	/** Of the controller's time. */
	readonly minutes: number;
	readonly frames: number;
	readonly counts: Counts;
	readonly complaints: readonly string[];
}

/** Eight seeds in a row have each generation and profile. */
export async function soak(options: Options): Promise<Result> {
	const { seed, program, args } = options;
	const generation = GENERATIONS[seed % GENERATIONS.length];
	const profile = PROFILES[Math.floor(seed / GENERATIONS.length) % PROFILES.length];
	const drive = await Drive.start(program, {
		generation,
		profile,
		onPort: true,
		args: ["--analyzer", "0", ...args, "--update-key", publicKeyOf(OWN_KEY)],
		wishes: { mode: "MAP" },
	});
	drive.subject = `seed ${seed}, generation ${generation}, ${profile}`;
	return new Soak(options, drive).run();
}

class Soak {
	#clients: Client[];
	#flashFaultMs = Number.NEGATIVE_INFINITY;
	#before: Held | undefined;
	/** Complaints that were told. */
	#told = 0;
	readonly #counts = new Counts();
	readonly #options: Options;
	readonly #ms: number;
	readonly #random: Random;
	readonly #drive: Drive;
	readonly #driver: Driver;
	readonly #savvycans: SavvyCans;

	constructor(options: Options, drive: Drive) {
		const random = generator(options.seed);
		const counts = this.#counts;
		this.#options = options;
		this.#ms = options.minutes * 60_000;
		this.#random = random;
		this.#drive = drive;
		const another = (): Random => generator(random.below(2 ** 31));
		drive.pieceMs = STEP_MS;
		drive.questions = QUESTIONS;
		drive.answers = ANSWERS;
		const flashFails = (): boolean => this.#flashFails;
		const driver = new Driver(drive, random, counts, flashFails);
		this.#driver = driver;
		drive.ask = (method, path, body) => driver.ask(method, path, body);
		fillBuses(drive.car, another(), counts, options.framesPerSecond);
		// two of them behind one address
		const addresses = Array.from({ length: CLIENTS }, (_, i) => `127.0.0.${2 + (i % (CLIENTS - 1))}`);
		this.#clients = addresses.map((address) => new Client(drive, address, another(), counts, flashFails));
		this.#savvycans = new SavvyCans(another(), counts);
	}

	async run(): Promise<Result> {
		const drive = this.#drive;
		try {
			await drive.run(READY_MS);
			drive.between = async () => {
				await drive.lockstep.delivered();
				if (drive.lockstep.hasEnded) return;
				for (const client of this.#clients) client.step(drive.nowMs);
				this.#savvycans.step(drive.nowMs);
			};
			const mostMs = this.#ms + 60_000 * (this.#options.leastLimitMinutes ?? LEAST_LIMIT_MINUTES);
			const goesOn = (): boolean => drive.nowMs < this.#ms || (this.#missing.length > 0 && drive.nowMs < mostMs);
			for (let lookMs = drive.nowMs + LOOK_MS; goesOn(); ) {
				await this.#round();
				if (drive.nowMs < lookMs && goesOn()) continue;
				await this.#look(drive.nowMs - drive.bootMs > Math.min(this.#ms / 2, SETTLED_MS));
				lookMs = drive.nowMs + LOOK_MS;
			}
			for (const missing of this.#missing) drive.complain(missing);
		} catch (error) {
			drive.complain(`${error instanceof Error ? error.stack : error}\n${drive.lockstep.complaints.slice(-2000)}`);
		}
		this.#leave();
		judgeErrors(drive, drive.log, [EXPLAINED]);
		this.#tell();
		await drive.end();
		this.#counts.add("commands", drive.figures.commands);
		const { complaints, figures, nowMs } = drive;
		return { minutes: nowMs / 60_000, frames: figures.frames, counts: this.#counts, complaints };
	}

	get #flashFails(): boolean {
		return this.#drive.nowMs - this.#flashFaultMs < FLASH_MS;
	}

	/** Whether the controller may end: settings are on flash, and a crash counts towards no boot loop. */
	get #mayEnd(): boolean {
		const { nowMs, bootMs } = this.#drive;
		return nowMs < RESTARTS_SHARE * this.#ms && nowMs - bootMs > NO_LOOP_MS && !this.#flashFails;
	}

	/** What was seen less often than it is to be. */
	get #missing(): string[] {
		const seen: Record<string, number> = { ...this.#counts.of, commands: this.#drive.figures.commands };
		return Object.entries(this.#options.least ?? {})
			.filter(([name, times]) => !(seen[name] >= times))
			.map(([name, times]) => `${name}: ${seen[name]} instead of ${times} after ${this.#drive.nowMs} ms`);
	}

	async #round(): Promise<void> {
		const [drive, random] = [this.#drive, this.#random];
		const { wishes } = drive.demands;
		this.#savvycans.port = await this.#driver.analyzerPort();
		await this.#driver.driveOn();
		const what = random.below(10);
		if (what < 5) await this.#driver.change();
		else if (what < 9)
			await this.#fail(random.of(FAULTS.filter(({ only }) => only?.({ name: "soak", wishes }, wishes.generation) ?? true)));
		else if (this.#mayEnd || random.below(3) === 0) await this.#update();
		this.#tell();
		await this.#steady("all is well");
		await drive.run(random.below(3000));
		await judgeStatus(drive);
	}

	async #steady(when: string): Promise<void> {
		const drive = this.#drive;
		const { releaseRate } = drive.demands.wishes;
		const fromMs = drive.nowMs;
		const mostMs = STEADY_MS + (releaseRate === 0 ? 0 : 100_000 / releaseRate);
		while (drive.nowMs - fromMs < mostMs && !drive.isSteady && !drive.lockstep.hasEnded) await drive.run(50);
		if (drive.lockstep.hasEnded) throw new Error(`the controller has ended with ${drive.lockstep.exitCode}`);
		drive.judgeSteady(when);
	}

	async #fail(fault: Fault): Promise<void> {
		const drive = this.#drive;
		if (NOT_HERE.test(fault.name) || (fault.fatal && !this.#mayEnd)) return;
		await this.#steady("before a fault");
		this.#counts.add("faults");
		if (FLASH.test(fault.name)) this.#flashFaultMs = drive.nowMs;
		if (fault.fatal) await drive.run(STORED_MS);
		const before = drive.subject;
		drive.subject = `${before}: ${fault.name}`;
		await happen(drive, [fault]);
		if (fault.fatal) {
			this.#leave();
			await restart(drive, { name: "soak", wishes: drive.demands.wishes }, fault);
			this.#hasRestarted();
		} else await recover(drive, fault.backMs);
		drive.subject = before;
	}

	#hasRestarted(): void {
		this.#counts.add("restarts");
		this.#before = undefined;
	}

	/** One that is right starts the controller anew. */
	async #update(): Promise<void> {
		const [drive, random] = [this.#drive, this.#random];
		const isWhole = this.#mayEnd && random.below(3) > 0;
		const { starts } = drive.lockstep;
		this.#counts.add("images");
		await drive.run(STORED_MS);
		const refused = await this.#driver.update(this.#image(isWhole));
		if (refused === "" && !isWhole) drive.complain("an image with a wrong bit was taken");
		if (isWhole && /signed|signature|not an image/.test(refused)) drive.complain(`an image was rejected: ${refused}`);
		if (refused === "") {
			this.#counts.add("installs");
			await drive.run(READY_MS);
		}
		await this.#driver.driveOn();
		if (drive.lockstep.starts !== starts) this.#hasRestarted();
	}

	/** @param isWhole else a bit is wrong in code, data, digest or trailer, behind the description */
	#image(isWhole: boolean): Buffer {
		const image = anImage({ version: VERSION, segments: [600, 40, 3000] });
		const signed = signImage(image, { projectName: "opencoupling-host", version: VERSION }, OWN_KEY);
		if (!isWhole) signed[300 + this.#random.below(signed.length - 300)] ^= 1 << this.#random.below(8);
		return signed;
	}

	/**
	 * Everybody goes, and what is still held then is looked at.
	 * @param isSettled everything has been used by now
	 */
	async #look(isSettled: boolean): Promise<void> {
		const drive = this.#drive;
		const clients = this.#clients;
		this.#leave();
		this.#clients = [];
		await this.#driver.untilDiagnosed();
		await drive.run(REST_MS);
		const held = await look(drive.lockstep, drive.flash);
		if (held.longestTurnBytecodes > TURN_BYTECODES)
			drive.complain(`a control tick may have waited for ${held.longestTurnBytecodes} bytecodes`);
		if (this.#before !== undefined) for (const complaint of growthOf(this.#before, held)) drive.complain(complaint);
		if (isSettled) this.#before ??= held;
		this.#clients = clients;
		const { youngestNames: _, ...figures } = held;
		const minutes = (drive.nowMs / 60_000).toFixed(1);
		this.#options.log(`${minutes} min: ${JSON.stringify(figures)}, ${drive.figures.frames} frames judged`);
		this.#tell();
	}

	#leave(): void {
		for (const client of this.#clients) client.leave();
		this.#savvycans.leave();
	}

	/** Complaints as they come, with what was changed before. */
	#tell(): void {
		for (const complaint of this.#drive.complaints.slice(this.#told))
			this.#options.log(`${complaint}; before it ${this.#driver.last}`);
		this.#told = this.#drive.complaints.length;
	}
}
