/**
 * The soak: the whole controller at a board's heap sizes under two full buses, with eight clients that do
 * everything at random, while the driver changes modes and maps and everything goes wrong that does not end
 * it; in a first part also what does. Judged by the campaign's judges, frame by frame. Time is the
 * controller's own (`hal/host/README.md`, "Virtual time"): a machine that pauses changes nothing.
 */

import { existsSync } from "node:fs";
import { generator, type Random } from "../../test/support/random.js";
import { OWN_KEY } from "../../test/support/update-bench.js";
import { TURN_BYTECODES } from "../bench/bus-load.mjs";
import { countedBy, type Turn, TurnLog } from "../bench/turn-log.mjs";
import { recover } from "../campaign/campaign.js";
import { Drive } from "../campaign/drive.js";
import { FAULTS, type Fault } from "../campaign/faults.js";
import { judgeStatus } from "../campaign/status-judge.js";
import type { Generation, Profile } from "../campaign/tables.js";
import { publicKeyOf } from "../device/sign.mjs";
import { Client, type Counts } from "./client.js";
import { ANSWERS, ControlUnit, QUESTIONS } from "./control-unit.js";
import { type Driven, Driver } from "./driver.js";
import { fillBuses } from "./full-buses.js";
import { growthOf, type Held, look } from "./growth.js";
import { IMAGES, imageOf, NOT_OURS } from "./images.js";
import { SavvyCans } from "./savvycans.js";
import { noWaits, takeWaits, type Waits } from "./waits.js";

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

export interface Options {
	readonly minutes: number;
	readonly seed: number;
	/** Frames a second on each bus. */
	readonly framesPerSecond: number;
	readonly program: string;
	/** Further arguments of the program. */
	readonly args: readonly string[];
	readonly log: (text: string) => void;
	/**
	 * Counts instructions, into a file of this name: far slower, and the controller does not end meanwhile.
	 */
	readonly countInto?: string;
	/**
	 * It goes on after its minutes until it has seen each of these so often: figures of `Result`, kinds of
	 * requests and codes of answers by name.
	 */
	readonly least?: Readonly<Record<string, number>>;
	/** It ends, with a complaint, after so many further minutes: 5 unless given. */
	readonly leastLimitMinutes?: number;
}

export interface Result extends Driven {
	/** Of the controller's time. */
	minutes: number;
	frames: number;
	commands: number;
	faults: number;
	restarts: number;
	/** Images that were taken, and that were sent. */
	installs: number;
	images: number;
	/** Frames that diagnosis asked the control unit, and was answered. */
	readonly diagnosis: { asked: number; answered: number };
	/** Connections of SavvyCAN, frames that they were told of, and that they wanted sent. */
	readonly analyzer: { connections: number; frames: number; wanted: number };
	longestTurnBytecodes: number;
	/** In instructions, if they are counted. */
	readonly waits: Waits;
	readonly counts: Counts;
	/** After each minute. */
	readonly held: Held[];
	readonly complaints: string[];
}

export async function soak(options: Options): Promise<Result> {
	const counts: Counts = { sent: {}, answered: {}, connections: 0, bytes: 0 };
	const result: Result = {
		minutes: 0,
		frames: 0,
		commands: 0,
		faults: 0,
		changes: 0,
		restarts: 0,
		longestTurnBytecodes: 0,
		mostTries: 0,
		installs: 0,
		images: 0,
		owned: 0,
		conditions: 0,
		calibrations: 0,
		diagnosis: { asked: 0, answered: 0 },
		waits: noWaits(),
		counts,
		analyzer: { connections: 0, frames: 0, wanted: 0 },
		held: [],
		complaints: [],
	};
	const random = generator(options.seed);
	const first = random.below(GENERATIONS.length);
	const all = options.minutes * 60_000;
	const restartsMs = options.countInto === undefined ? all * RESTARTS_SHARE : 0;
	for (const [i, ms] of [restartsMs, all - restartsMs].entries()) {
		if (ms === 0) continue;
		const life = new Life(options, result, random, GENERATIONS[(first + i) % 4], PROFILES[(options.seed + i) % 2]);
		await life.run(ms, i === 0, i === 1);
	}
	return result;
}

/** A controller on a flash of its own. */
class Life {
	#drive!: Drive;
	#driver!: Driver;
	#clients: Client[] = [];
	#savvycans!: SavvyCans;
	#turnLog: TurnLog | undefined;
	#lastTurn: Turn | undefined;
	#flashFaultMs = Number.NEGATIVE_INFINITY;
	#bootMs = 0;
	/** When the driver last changed something. */
	#changedMs = 0;
	#before: Held | undefined;
	/** Complaints that were told. */
	#told = 0;
	readonly #options: Options;
	readonly #result: Result;
	readonly #random: Random;
	readonly #generation: Generation;
	readonly #profile: Profile;
	/** It takes only what the owner has signed. */
	readonly #isKeyed: boolean;

	constructor(options: Options, result: Result, random: Random, generation: Generation, profile: Profile) {
		this.#options = options;
		this.#result = result;
		this.#random = random;
		this.#generation = generation;
		this.#profile = profile;
		this.#isKeyed = random.below(4) > 0;
	}

	/** @param mayEnd things happen that end the controller @param isLast no other controller comes after it */
	async run(ms: number, mayEnd: boolean, isLast: boolean): Promise<void> {
		const { args, framesPerSecond, countInto } = this.#options;
		const isCounted = countInto !== undefined;
		const program = isCounted ? [...countedBy(countInto), this.#options.program] : this.#options.program;
		if (isCounted) this.#turnLog = new TurnLog(countInto);
		const [generation, profile, random] = [this.#generation, this.#profile, this.#random];
		this.#drive = await Drive.start(program, {
			generation,
			profile,
			onPort: true,
			args: [
				"--analyzer",
				"0",
				...args,
				...(isCounted ? ["--count-turns"] : []),
				...(this.#isKeyed ? ["--update-key", publicKeyOf(OWN_KEY)] : []),
			],
			settings: { mode: "MAP", logging: { serial: true } },
			wishes: { mode: "MAP", disableSpeedKmh: 0, releaseRate: 120 },
		});
		const drive = this.#drive;
		drive.subject = `seed ${this.#options.seed}, generation ${generation}, ${profile}`;
		drive.pieceMs = STEP_MS;
		drive.questions = QUESTIONS;
		drive.answers = ANSWERS;
		const unit = new ControlUnit(generation, generator(random.below(2 ** 31)), this.#result.diagnosis);
		drive.asked = (ms, question) => unit.receive(ms, question);
		const driver = new Driver(drive, random, this.#result);
		this.#driver = driver;
		drive.ask = (method, path, body) => driver.ask(method, path, body);
		fillBuses(drive.car, unit, random, framesPerSecond);
		this.#clients = Array.from({ length: CLIENTS }, (_, i) => this.#client(i));
		this.#savvycans = new SavvyCans(generator(random.below(2 ** 31)), this.#result.analyzer, (text) => drive.complain(text));
		try {
			await drive.run(2500);
			drive.between = async () => {
				await drive.lockstep.delivered();
				if (drive.lockstep.hasEnded) return;
				for (const client of this.#clients) client.step(drive.nowMs);
				this.#savvycans.step(drive.nowMs);
			};
			const mostMs = ms + 60_000 * (this.#options.leastLimitMinutes ?? LEAST_LIMIT_MINUTES);
			const goesOn = (): boolean => drive.nowMs < ms || (isLast && this.#missing.length > 0 && drive.nowMs < mostMs);
			for (let lookMs = drive.nowMs + LOOK_MS; goesOn(); ) {
				await this.#round(mayEnd);
				if (drive.nowMs < lookMs && goesOn()) continue;
				await this.#look(drive.nowMs - this.#bootMs > Math.min(ms / 2, SETTLED_MS));
				lookMs = drive.nowMs + LOOK_MS;
			}
			if (isLast) for (const missing of this.#missing) drive.complain(missing);
		} catch (error) {
			drive.complain(`${error instanceof Error ? error.stack : error}\n${drive.lockstep.complaints.slice(-2000)}`);
		}
		await this.#end();
	}

	#client(i: number): Client {
		const drive = this.#drive;
		return new Client({
			dial: (address) => drive.lockstep.dial(address),
			// two of them behind one address
			address: `127.0.0.${2 + (i % (CLIENTS - 1))}`,
			random: generator(this.#random.below(2 ** 31)),
			counts: this.#result.counts,
			complain: (text) => drive.complain(text),
			flashFails: () => drive.nowMs - this.#flashFaultMs < FLASH_MS,
		});
	}

	/** What was seen less often than it is to be. */
	get #missing(): string[] {
		const [{ least = {} }, { counts, analyzer, waits, ...result }] = [this.#options, this.#result];
		const seen: Readonly<Record<string, unknown>> = {
			...result,
			...counts.sent,
			...counts.answered,
			commands: result.commands + this.#drive.figures.commands,
			questions: result.diagnosis.asked,
			answers: result.diagnosis.answered,
			"analyzer frames": analyzer.frames,
			ticks: waits.ticks,
			"ticks behind others": waits.behindOthers,
			"longest wait": waits.longest,
		};
		return Object.entries(least)
			.filter(([name, times]) => !(Number(seen[name]) >= times))
			.map(([name, times]) => `${name}: ${seen[name]} instead of ${times} after ${this.#drive.nowMs} ms`);
	}

	/** All that can happen to this car. */
	get #faults(): readonly Fault[] {
		const { wishes } = this.#drive.demands;
		return FAULTS.filter(({ only }) => only?.({ name: "soak", wishes }, this.#generation) ?? true);
	}

	async #round(mayEnd: boolean): Promise<void> {
		const [drive, random] = [this.#drive, this.#random];
		this.#savvycans.port = await this.#driver.analyzerPort();
		await this.#driver.driveOn();
		const what = random.below(10);
		if (what < 5) {
			await this.#driver.change();
			this.#changedMs = drive.nowMs;
		} else if (what < 9) await this.#fail(random.of(this.#faults), mayEnd);
		else if (mayEnd || random.below(3) === 0) await this.#update(mayEnd);
		this.#tell();
		await this.#steady("all is well");
		await drive.run(random.below(3000));
		await judgeStatus(drive);
		this.#takeTurns();
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

	async #fail(fault: Fault, mayEnd: boolean): Promise<void> {
		const drive = this.#drive;
		if (NOT_HERE.test(fault.name)) return;
		if (fault.fatal && !(mayEnd && drive.nowMs - this.#bootMs > NO_LOOP_MS)) return;
		await this.#steady("before a fault");
		this.#result.faults++;
		if (FLASH.test(fault.name)) this.#flashFaultMs = drive.nowMs;
		if (fault.fatal && drive.nowMs - this.#changedMs < STORED_MS) await drive.run(STORED_MS);
		const isCertain = drive.nowMs - this.#flashFaultMs > FLASH_MS;
		const before = drive.subject;
		drive.subject = `${before}: ${fault.name}`;
		await fault.begin(drive);
		await drive.run(fault.ms);
		if (fault.fatal) await this.#restart(fault, isCertain);
		else {
			if (!drive.demands.isStalledAt(drive.nowMs - 1)) await judgeStatus(drive);
			await fault.end?.(drive);
			await recover(drive, fault.backMs);
		}
		drive.subject = before;
	}

	/** As a board does, or as its owner who switches the supply off and on. */
	async #restart(fault: Fault, isCertain: boolean): Promise<void> {
		const drive = this.#drive;
		if (!fault.boots) {
			this.#leave();
			await drive.boot();
		}
		this.#result.restarts++;
		this.#bootMs = drive.nowMs;
		this.#before = undefined;
		await this.#driver.resume(isCertain);
		await drive.run(2500);
		await this.#steady("after the restart");
	}

	async #update(mayEnd: boolean): Promise<void> {
		const [drive, random, result] = [this.#drive, this.#random, this.#result];
		const version = `v0.2.${random.below(9)}`;
		const newest = await this.#driver.newestKept();
		const mayBeWhole = mayEnd && drive.nowMs - this.#bootMs > NO_LOOP_MS;
		const kind = mayBeWhole && random.below(2) === 0 ? IMAGES[0] : random.of(IMAGES.slice(1, this.#isKeyed ? undefined : 2));
		const isRight = kind === "whole" && (newest === "" || version >= newest);
		const what = `${kind === "whole" ? `${version} after ${newest}` : kind}`;
		const starts = drive.lockstep.starts;
		result.images++;
		const refused = await this.#driver.update(imageOf(kind, version, this.#isKeyed, random));
		if (refused === "" && !isRight) drive.complain(`an image was taken: ${what}`);
		if (isRight && NOT_OURS.test(refused)) drive.complain(`an image was refused: ${what}: ${refused}`);
		if (refused === "") {
			result.installs++;
			await drive.run(2500);
		}
		await this.#driver.driveOn();
		if (drive.lockstep.starts === starts) return;
		result.restarts++;
		this.#bootMs = drive.nowMs;
		this.#before = undefined;
		await this.#driver.resume(true);
	}

	/**
	 * Everybody goes, and what is still held then is looked at.
	 * @param isSettled everything has been used by now
	 */
	async #look(isSettled: boolean): Promise<void> {
		const [drive, result] = [this.#drive, this.#result];
		const clients = this.#clients;
		this.#leave();
		this.#clients = [];
		await this.#driver.untilDiagnosed();
		await drive.run(REST_MS);
		const held = await look(drive.lockstep, drive.flash);
		result.held.push(held);
		result.longestTurnBytecodes = Math.max(result.longestTurnBytecodes, held.longestTurnBytecodes);
		if (held.longestTurnBytecodes > TURN_BYTECODES)
			drive.complain(`a control tick may have waited for ${held.longestTurnBytecodes} bytecodes`);
		if (this.#before !== undefined) for (const complaint of growthOf(this.#before, held)) drive.complain(complaint);
		if (isSettled) this.#before ??= held;
		this.#clients = clients;
		const { slots, chunkBytes, names, descriptors, residentKb, files } = held;
		const minutes = (result.minutes + drive.nowMs / 60_000).toFixed(1);
		const has = `${slots} slots, ${chunkBytes} bytes, ${names} names, ${descriptors} descriptors, ${residentKb} KB, ${files} files`;
		const wait = `${held.longestTurnBytecodes} bytecodes`;
		this.#options.log(`${minutes} min: ${has}, longest wait ${wait}; ${result.frames + drive.figures.frames} frames judged`);
		this.#tell();
	}

	#takeTurns(): void {
		const turns = this.#turnLog?.take() ?? [];
		for (const complaint of takeWaits(this.#result.waits, turns, this.#lastTurn)) this.#drive.complain(complaint);
		this.#lastTurn = turns.at(-1) ?? this.#lastTurn;
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

	async #end(): Promise<void> {
		const [drive, result] = [this.#drive, this.#result];
		this.#leave();
		this.#takeTurns();
		this.#turnLog?.close();
		for (const line of drive.log)
			if (/^\d+\tERROR\t/.test(line) && !EXPLAINED.test(line))
				drive.complain(`the log has an error that nothing explains: ${line}`);
		result.minutes += drive.nowMs / 60_000;
		result.frames += drive.figures.frames;
		result.commands += drive.figures.commands;
		this.#tell();
		result.complaints.push(...drive.complaints);
		if (existsSync(drive.flash)) await drive.end();
	}
}
