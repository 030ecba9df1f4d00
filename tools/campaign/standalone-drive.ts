/**
 * A coupling without a car before the controller in lock-step, and its judges: lets time go on, hands each frame over, collects complaints.
 * The coupling reports, somebody on the chassis sends frames that nobody generates, and whatever a fault adds.
 */

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reportOf } from "../vehicle/coupling-ecu.js";
import { TOLERANCE_PERCENT } from "./demand.js";
import type { WireFrame } from "./frame-judge.js";
import { STATUS_IDS } from "./hostile-car.js";
import { type Arrival, type Listener, tellInOrder } from "./in-order.js";
import { type Answer, type Bus, Lockstep } from "./lockstep.js";
import { OLD_MS } from "./losses.js";
import { StandaloneDemand } from "./standalone-demand.js";
import { StandaloneJudge } from "./standalone-judge.js";
import { type Generation, lockOf, type Profile } from "./tables.js";

const PIECE_MS = 50;
const BROADCAST_ID = 0x6b0;
const FOREIGN_ID = 0x6f1;
const PWM_FULL = 1023;
/** A share that is known as exactly as this tells what is asked for. */
const EXACT_SHARE = 512;
/** All that is generated comes anew within this. */
const FRESH_MS = 30;

export type Put = (bus: Bus, frame: WireFrame) => void;

export interface StandaloneSetting {
	readonly generation: Generation;
	readonly profile: Profile;
	readonly mode: string;
	/** Content of settings.json beside. */
	readonly settings: Readonly<Record<string, unknown>>;
	/** A flash folder to begin with. */
	readonly flash?: string | undefined;
}

interface Pending {
	readonly ms: number;
	readonly frame: WireFrame;
	readonly text: string;
	/** It has to pass, has not to; undefined: may. */
	readonly passes: boolean | undefined;
}

interface Status {
	readonly standalone: { readonly generating: boolean; readonly waits: string };
	readonly controlActive: boolean;
	readonly effectiveMode: string;
	readonly reason: string;
}

const textOf = ({ id, flags, data }: WireFrame): string => `${id} ${flags} ${Buffer.from(data).toString("hex")}`;

export class StandaloneDrive {
	readonly judge: StandaloneJudge;
	readonly demand: StandaloneDemand;
	readonly complaints: string[] = [];
	readonly generation: Generation;
	nowMs = 0;
	frames = 0;
	commands = 0;
	/** State byte of the coupling's report (generations 1, 2, 4). */
	couplingState = 0;
	reports = true;
	/** Somebody on the chassis sends frames of an identifier that nobody generates. */
	chassisSends = true;
	/** Frames beside, by what adds them; in each ms. */
	readonly beside = new Map<string, (ms: number, put: Put) => void>();
	subject = "";
	lockstep!: Lockstep;
	readonly #program: string;
	readonly #setting: StandaloneSetting;
	readonly #folder = mkdtempSync(join(tmpdir(), "oc-standalone-"));
	readonly #pending: [Pending[], Pending[]] = [[], []];
	#arrivals: Arrival[] = [];
	readonly #listener: Listener = {
		arrives: (arrival) => this.#arrive(arrival),
		toCoupling: (ms, frame) => this.#judgeToCoupling(ms, frame),
		toChassis: (ms, frame) => this.#judgeToChassis(ms, frame),
		duty: (ms, duty) => this.#takeDuty(ms, duty),
	};
	#bootMs = 0;
	#reportCount = 0;
	#lossyFromMs = Number.POSITIVE_INFINITY;
	#lossyUntilMs = Number.NEGATIVE_INFINITY;
	#generatedMs = Number.NEGATIVE_INFINITY;
	#lock = { least: 0, most: 0 };
	#duty = 0;
	#lines: string[] = [];
	readonly #seen = new Set<string>();

	private constructor(program: string, setting: StandaloneSetting) {
		this.#program = program;
		this.#setting = setting;
		const { generation, profile, mode } = setting;
		this.generation = generation;
		this.judge = new StandaloneJudge(generation, profile);
		this.demand = new StandaloneDemand(mode);
		if (setting.flash === undefined) mkdirSync(this.#flash);
		else cpSync(setting.flash, this.#flash, { recursive: true });
		const stored = {
			format: 1,
			generation,
			frameProfile: profile,
			standalone: true,
			mode,
			logging: { serial: true },
			...setting.settings,
		};
		writeFileSync(join(this.#flash, "settings.json"), JSON.stringify(stored));
	}

	static async start(program: string, setting: StandaloneSetting): Promise<StandaloneDrive> {
		const drive = new StandaloneDrive(program, setting);
		await drive.boot();
		return drive;
	}

	get #flash(): string {
		return join(this.#folder, "flash");
	}

	/** Starts the controller, again if it has ended or is switched off for it. */
	async boot(): Promise<void> {
		await this.lockstep?.kill();
		this.#lines.push(...(this.lockstep?.log ?? []));
		this.lockstep = await Lockstep.start(this.#program, join(this.#folder, "http"), ["--flash", this.#flash]);
		this.#begin();
	}

	#begin(): void {
		this.#bootMs = this.nowMs;
		this.#pending[0].length = this.#pending[1].length = 0;
		this.#duty = 0;
		this.#lock = { least: 0, most: 0 };
		this.#generatedMs = Number.NEGATIVE_INFINITY;
		this.judge.boot(this.nowMs);
		this.demand.boot(this.nowMs);
	}

	/** Lines of the log since the first start. */
	get log(): readonly string[] {
		return [...this.#lines, ...this.lockstep.log];
	}

	complain(text: string): void {
		const line = `${this.subject}: ${text}`;
		// the first of a kind says enough
		const kind = line.replace(/[\d.]+ (ms|%)|\b[\dA-F]{4,}\b/g, "");
		if (this.#seen.has(kind)) return;
		this.#seen.add(kind);
		this.complaints.push(`${line} [at ${(this.nowMs - this.#bootMs).toFixed(0)} ms]`);
	}

	/** Frames may be lost from now on for so long. */
	loseFor(ms: number): void {
		if (!(this.nowMs <= this.#lossyUntilMs)) this.#lossyFromMs = this.nowMs - OLD_MS;
		this.#lossyUntilMs = Math.max(this.#lossyUntilMs, this.nowMs + ms + OLD_MS);
		this.judge.lossyUntilMs = this.#lossyUntilMs;
		this.judge.forgetCounters();
	}

	/** No JavaScript runs for so long. */
	stall(ms: number): void {
		this.judge.stall(this.nowMs, ms);
	}

	/** Lets time go on. The controller may end meanwhile. */
	async run(ms: number): Promise<void> {
		for (let left = ms; left > 0 || ms === 0; left -= PIECE_MS) {
			const piece = Math.min(left, PIECE_MS);
			const { starts } = this.lockstep;
			for (let i = 0; i < piece; i++) this.#put(this.nowMs + i);
			const output = await this.lockstep.run(piece);
			tellInOrder(this.#arrivals.splice(0), output, this.#bootMs, this.#listener);
			this.#expire(0);
			this.#expire(1);
			this.nowMs += piece;
			if (this.lockstep.hasEnded || ms === 0) return;
			if (this.lockstep.starts !== starts) this.#begin();
			else for (const late of this.judge.lateAt(this.nowMs)) this.complain(late);
		}
	}

	#put(ms: number): void {
		const put: Put = (bus, frame) => {
			this.#arrivals.push({ ms, bus, frame });
			this.lockstep.arrive(ms - this.#bootMs, bus, frame);
		};
		if (this.reports && ms % 20 === 0) {
			const data = reportOf(this.generation, 50, this.#reportCount++);
			if (this.generation !== 5) data[0] = this.couplingState;
			put(1, { id: STATUS_IDS[this.generation], flags: 0, data });
		}
		if (this.chassisSends && ms % 40 === 7)
			put(0, { id: FOREIGN_ID, flags: 0, data: Uint8Array.of(ms & 0xff, (ms >> 8) & 0xff, (ms >> 16) & 0xff, 1) });
		for (const send of this.beside.values()) send(ms, put);
	}

	#arrive({ ms, bus, frame }: Arrival): void {
		this.judge.arrives(ms, bus, frame);
		if (bus === 1 && frame.id === STATUS_IDS[this.generation])
			this.demand.reports(ms, this.generation !== 5 && (frame.data[0] & 0b0001_0111) !== 0);
		this.#pending[bus].push({ ms, frame, text: textOf(frame), passes: bus === 1 || this.judge.passesAt(ms, frame) });
	}

	#expire(bus: Bus): void {
		const queue = this.#pending[bus];
		while (queue.length > 0 && this.nowMs - queue[0].ms > OLD_MS) {
			const { ms, frame, passes } = queue.shift() as Pending;
			if (passes === true && (ms < this.#lossyFromMs || ms > this.#lossyUntilMs))
				this.complain(`0x${frame.id.toString(16)} of bus ${bus}, which must pass, was lost`);
		}
	}

	#take(ms: number, bus: Bus, frame: WireFrame): Pending | undefined {
		const queue = this.#pending[bus];
		const text = textOf(frame);
		const at = queue.findIndex((pending) => pending.text === text && ms - pending.ms <= OLD_MS);
		return at < 0 ? undefined : queue.splice(at, 1)[0];
	}

	#judgeToChassis(ms: number, frame: WireFrame): void {
		this.frames++;
		if (frame.id === BROADCAST_ID) {
			const isOn = frame.data[1] === 1;
			if (isOn && this.judge.isOn === false && this.demand.standing.has("standalone off"))
				this.complain("displays are told that it is on");
		} else if (this.#take(ms, 1, frame) === undefined)
			this.complain(`0x${frame.id.toString(16)} reaches the chassis, and the coupling did not send it`);
	}

	#judgeToCoupling(ms: number, frame: WireFrame): void {
		this.frames++;
		const forwarded = this.#take(ms, 0, frame);
		if (forwarded !== undefined) {
			if (forwarded.passes === false)
				this.complain(`0x${frame.id.toString(16)} of the chassis passes while frames are generated`);
			return;
		}
		this.judge.modes = [...this.demand.modes, "FWD"];
		const sent = this.judge.sends(ms, frame);
		if (sent.kind === "wrong") {
			this.complain(sent.why);
			return;
		}
		// a queue that was full is no silence
		if (ms - this.#generatedMs > FRESH_MS && ms > this.#lossyUntilMs && this.#lock.most > 0) this.demand.resume(ms);
		this.#generatedMs = ms;
		const lock = lockOf(sent.share, this.#setting.profile);
		if (lock === undefined) this.complain(`0x${frame.id.toString(16)} says no lock that can be asked for`);
		else if (sent.share.most - sent.share.least <= EXACT_SHARE) {
			this.commands++;
			this.#lock = lock;
			this.#judgeLock(ms, lock.least, "commands");
		}
	}

	#judgeLock(ms: number, percent: number, what: string): void {
		const { most, because } = this.demand.at(ms);
		if (percent > Math.max(0, most) + TOLERANCE_PERCENT)
			this.complain(`${what} ${percent.toFixed(1)} %, ${most.toFixed(1)} % at most: ${because}`);
	}

	#takeDuty(ms: number, duty: number): void {
		this.#duty = duty;
		this.#judgeLock(ms, (duty / PWM_FULL) * 100, "PWM");
	}

	async ask(method: string, path: string, body = ""): Promise<Answer | undefined> {
		return this.lockstep.ask(method, path, body, (ms) => this.run(ms));
	}

	/** All is well, or all is silent: what leaves, the PWM and the status must say so. @param when for the complaint */
	async judgeSteady(when: string): Promise<void> {
		const answer = await this.ask("GET", "/api/status");
		if (answer?.code !== 200) {
			this.complain(`${when}: the status answers ${answer?.code ?? "nothing"}`);
			return;
		}
		const { standalone, controlActive, effectiveMode, reason } = JSON.parse(answer.text) as Status;
		const said = `"${standalone.waits}", ${effectiveMode}, "${reason}"`;
		const flows = this.nowMs - this.#generatedMs < FRESH_MS;
		if (standalone.generating !== flows) this.complain(`${when}: frames ${flows ? "" : "do not "}flow, the status says ${said}`);
		if (standalone.generating === (standalone.waits !== "") && this.judge.isOn) this.complain(`${when}: the status says ${said}`);
		if (controlActive && !flows) this.complain(`${when}: control without frames: ${said}`);
		const { most } = this.demand.at(this.nowMs);
		const target = flows ? Math.min(this.demand.targetPercent, most) : 0;
		if (!flows && this.#duty > 0) this.complain(`${when}: PWM ${this.#duty} without frames`);
		if (flows && this.#lock.most < target - TOLERANCE_PERCENT)
			this.complain(`${when}: ${this.#lock.most.toFixed(1)} % commanded, ${target.toFixed(1)} % expected: ${said}`);
	}

	async end(): Promise<void> {
		await this.lockstep.kill();
		rmSync(this.#folder, { recursive: true, force: true });
	}
}
