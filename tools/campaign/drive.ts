/**
 * A drive of the hostile car with the controller in lock-step and the judges looking on: lets time go on,
 * hands each frame to the controller and to the judges, and collects complaints and figures.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Character } from "../vehicle/coupling-inputs.js";
import { HAZARD } from "./car-reader.js";
import { CommandJudge, TOLERANCE_PERCENT, type Wishes } from "./command-judge.js";
import { FrameJudge, type Reading, type WireFrame } from "./frame-judge.js";
import { GeneratorJudge } from "./generator-judge.js";
import { HostileCar } from "./hostile-car.js";
import { type Answer, type Bus, Lockstep, PORT } from "./lockstep.js";
import { type Arrival, type Arrived, type Listener, Losses, OLD_MS, PassingFrames, tellInOrder } from "./passage.js";
import { type FrameChoice, type Generation, isGenerated, lockOf, type Profile, tableOf } from "./tables.js";

const PIECE_MS = 50;
const STATUS_ID = 0x6b0;
/** Its content is renewed every 50 ms, in a tick. */
const STATUS_RENEWED_MS = 100;
const PWM_FULL = 1023;
const CRASHED = 105;
/** From full lock to open: delay, hold, fall at 140 %/s; and a piece of time. */
const OPENING_MS = 1100;
const STOCK_PIECES = 20;
const STOCK_TOLERANCE_PERCENT = 5;
/** All that is generated comes anew within this. */
const FRESH_MS = 30;
/** A share that is known as exactly as this tells what is asked for. */
const EXACT_SHARE = 512;
const LEVER_MODES: Readonly<Record<string, true>> = { "5050": true, "6040": true, "7030": true, "8020": true, "9010": true };

export interface Figures {
	/** Frames that left and were judged. */
	frames: number;
	commands: number;
	/** Highest command, percent, from 0.13 s after a flag of ABS or ESP until 1 s after the last. */
	worstAfterIntervention: number;
}

/** What a drive begins with: the controller's settings, its flash, and what the car does. */
export interface Setting {
	readonly generation: Generation;
	readonly profile: Profile;
	/** Of the coupling; default: lenient. */
	readonly character?: Character | undefined;
	/** Content of settings.json beside generation and profile. */
	readonly settings: Readonly<Record<string, unknown>>;
	readonly wishes: Omit<Wishes, "generation">;
	/** What is chosen of the frames, as the settings say it. */
	readonly frames?: FrameChoice | undefined;
	/** A flash folder to begin with. */
	readonly flash?: string | undefined;
	/** Further files on flash, content by path. */
	readonly files?: Readonly<Record<string, string>> | undefined;
	/** What the car does from the start on. */
	readonly prepare?: ((car: HostileCar) => void) | undefined;
	/** Arguments of the program at each start. */
	readonly args?: readonly string[] | undefined;
	/** The server has a port, and its clients have addresses. */
	readonly onPort?: boolean;
}

/** Makes the flash folder: that of the setting, or an empty one, with its settings and files. */
function prepareFlash(folder: string, { generation, profile, settings, wishes, frames, flash, files = {} }: Setting): void {
	if (flash === undefined) mkdirSync(folder);
	else cpSync(flash, folder, { recursive: true });
	const { condition, isAlone = false } = wishes;
	const own = tableOf(generation, profile, isAlone, "FWD").rows.map(({ id }) => id);
	const off = (frames?.off ?? []).filter((id) => own.includes(id)).sort((a, b) => a - b);
	const { key } = generation === 5 ? HAZARD.mqb : HAZARD.pq;
	const stored = condition && `true ${condition.effect} gte 1 ${condition.holdMs} ${condition.limitPercent} MAP true ${key}`;
	const all = {
		...{ format: 1, generation, frameProfile: profile, standalone: isAlone, logging: { serial: true } },
		...(stored && { conditions: [stored] }),
		framesOff: off.map((id) => `0x${id.toString(16).toUpperCase().padStart(3, "0")}`).join(" "),
		...settings,
	};
	for (const [path, content] of Object.entries({ ...files, "settings.json": JSON.stringify(all) })) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), content);
	}
}

export class Drive {
	readonly car: HostileCar;
	readonly judge: CommandJudge;
	readonly complaints: string[] = [];
	readonly figures: Figures = { frames: 0, commands: 0, worstAfterIntervention: 0 };
	nowMs = 0;
	/** Of the last frame that could be rewritten: a command, or as it came. */
	lastCommandMs = Number.NEGATIVE_INFINITY;
	lastStockMs = Number.NEGATIVE_INFINITY;
	/** When what is asked for changed last, so that status and frames may differ for a moment. */
	changedMs = Number.NEGATIVE_INFINITY;
	lastLock: { readonly least: number; readonly most: number } = { least: 0, most: 0 };
	/** After each piece of time: clients beside. */
	between: (() => Promise<void>) | undefined;
	/** How long time goes on at once, ms. */
	pieceMs = PIECE_MS;
	/** Goes on with a request that is under way. */
	keepAlive: (() => void) | undefined;
	/** Name of what is being tried, for complaints. */
	subject = "";
	/**
	 * Identifiers of frames that the controller may send of its own on the coupling bus beside commands:
	 * diagnosis asks.
	 */
	questions: ReadonlySet<number> = new Set();
	/** And of frames that it may keep back from the car then. */
	answers: ReadonlySet<number> = new Set();
	/** Hears the questions. */
	asked: ((ms: number, question: WireFrame) => void) | undefined;
	/** A calibration runs: any lock is asked for. */
	isCalibrating = false;
	lockstep!: Lockstep;
	/** Without a car. */
	generator: GeneratorJudge | undefined;
	readonly #setting: Setting;
	readonly #program: string | readonly string[];
	readonly #folder = mkdtempSync(join(tmpdir(), "oc-campaign-"));
	#choice: FrameChoice;
	#frames: FrameJudge;
	#bootMs = 0;
	readonly #losses = new Losses();
	#arrivals: Arrival[] = [];
	readonly #listener: Listener = {
		arrives: ({ ms, bus, frame }) => {
			this.judge.arrives(ms, bus, frame);
			this.generator?.arrives(ms, bus, frame);
			const passes = bus === 1 || this.generator === undefined || this.generator.passesAt(ms, frame);
			this.#passing.arrives(bus, { ms, frame, passes });
		},
		toCoupling: (ms, frame) => this.#judgeToCoupling(ms, frame),
		toChassis: (ms, frame) => this.#judgeToChassis(ms, frame),
		duty: (ms, duty) => this.#takeDuty(ms, duty),
	};
	readonly #passing = new PassingFrames((bus, { ms, frame, passes }) => {
		if (bus === 0 && this.generator === undefined) this.#frames.lose(frame);
		// of frames with the same bytes a later one may have been taken for one that was lost
		const mayBeLost = this.#losses.mayLose(ms) || this.#losses.mayLose(ms - OLD_MS);
		if (passes && !mayBeLost) this.complain(`a frame 0x${frame.id.toString(16)} of bus ${bus} was lost or came late`);
	});
	/** Whether the car had to be stock already when the last status frame was sent. */
	#broadcastInStock = false;
	#duty = 0;
	#processes = 0;
	/** Lines of the processes before this one. */
	readonly #earlierLog: string[] = [];
	readonly #seen = new Set<string>();
	/** When lock was asked for last. */
	#askedMs = Number.NEGATIVE_INFINITY;
	/** How far the coupling of a stock car has been closed of late. */
	readonly #stockPercents: number[] = [];

	private constructor(program: string | readonly string[], setting: Setting) {
		this.#program = program;
		this.#setting = setting;
		this.#choice = setting.frames ?? {};
		const { generation, character, wishes } = setting;
		this.car = new HostileCar(generation, character, wishes.isAlone);
		setting.prepare?.(this.car);
		this.judge = new CommandJudge({ generation, ...wishes });
		this.#frames = this.#frameJudge(generation);
		this.generator = this.#generatorJudge(generation);
		prepareFlash(this.flash, setting);
	}

	#frameJudge(generation: Generation): FrameJudge {
		const { profile, wishes } = this.#setting;
		return new FrameJudge(generation, profile, wishes.isAlone, this.#choice);
	}

	#generatorJudge(generation: Generation): GeneratorJudge | undefined {
		if (!isGenerated(generation, this.#setting.wishes.isAlone === true)) return undefined;
		return new GeneratorJudge(this.#frames.rows, this.judge, this.#losses);
	}

	static async start(program: string | readonly string[], setting: Setting, args: readonly string[] = []): Promise<Drive> {
		const drive = new Drive(program, setting);
		await drive.boot(args);
		return drive;
	}

	get flash(): string {
		return join(this.#folder, "flash");
	}

	/**
	 * Starts the controller, again if it has ended or is switched off for it. Time does not go on meanwhile.
	 */
	async boot(args: readonly string[] = []): Promise<void> {
		if (this.#processes > 0) {
			await this.lockstep.kill();
			this.#earlierLog.push(...this.lockstep.log);
		}
		this.#processes++;
		const all = ["--flash", this.flash, ...(this.#setting.args ?? []), ...args];
		this.lockstep = await Lockstep.start(this.#program, this.#setting.onPort ? PORT : join(this.#folder, "http"), all);
		this.#begin();
	}

	#begin(): void {
		this.#bootMs = this.nowMs;
		this.#passing.clear();
		this.#frames = this.#frameJudge(this.judge.wishes.generation);
		this.#duty = 0;
		this.judge.boot(this.nowMs);
		this.generator?.boot(this.nowMs);
		this.lastLock = { least: 0, most: 0 };
		this.lastCommandMs = Number.NEGATIVE_INFINITY;
	}

	/** The mode of the state that is tried. */
	get mode(): string {
		return this.#setting.wishes.mode;
	}

	/** Another coupling is chosen. */
	regenerate(generation: Generation): void {
		this.judge.regenerate({ ...this.judge.wishes, generation }, this.nowMs);
		this.changedMs = this.nowMs;
		// it begins with all frames: identifiers of one mean others in another
		this.#choice = { ...this.#choice, off: [] };
		this.judge.standing.delete("noFrames");
		this.#frames = this.#frameJudge(generation);
		this.lastLock = { least: 0, most: 0 };
		this.generator = this.#generatorJudge(generation);
		this.generator?.resume(this.nowMs);
		this.forgetPlan();
	}

	/** Whether another plan was active meanwhile, nobody saw: counters may be anything. */
	forgetPlan(): void {
		this.#frames.forget();
		this.generator?.startOver(this.nowMs);
	}

	complain(text: string): void {
		const line = `${this.subject}: ${text}`;
		// the first of a kind says enough
		const kind = line.replace(/[\d.]+( ms| %)|0x[\da-f]+|PWM \d+|bus \d was|\b[\dA-Fa-f]{2,16}\b/g, "");
		if (this.#seen.has(kind)) return;
		this.#seen.add(kind);
		this.complaints.push(`${line} [at ${(this.nowMs - this.#bootMs).toFixed(0)} ms]`);
	}

	/** Frames may be lost from now on for this long, or until `loseNoMore`. */
	loseFor(ms?: number): void {
		this.#losses.begin(this.nowMs, ms === undefined ? undefined : this.#switchedBackMs(ms));
	}

	/**
	 * The host's switches need its loop: one that is due in a stall of the script takes effect behind it.
	 * @param ms it is on
	 */
	#switchedBackMs(ms: number): number {
		return Math.max(this.nowMs, this.judge.isStalledAt(this.nowMs) ? this.judge.stalledUntilMs : 0) + ms;
	}

	/** No JavaScript runs for this long. What is switched on stays so until its end. */
	stall(ms: number): void {
		this.judge.stall(this.nowMs, ms);
		this.#losses.stall(this.nowMs, this.nowMs + ms);
		this.generator?.changes(this.judge.stalledUntilMs);
	}

	/** Nothing runs for this long but what passes frames on. */
	blind(ms: number): void {
		this.judge.blind(this.nowMs, ms);
		this.#losses.stall(this.nowMs, this.nowMs + ms);
		// nothing is generated either, for less than the lease
		if (this.generator !== undefined) this.#losses.begin(this.nowMs, this.judge.stalledUntilMs);
		this.generator?.changes(this.judge.stalledUntilMs);
	}

	busDown(bus: Bus): void {
		this.judge.busDown(bus, this.nowMs);
	}

	/**
	 * @param isCertain false: what keeps the controller off the bus is over, and the first frame that passes
	 * says when it is back
	 */
	busUp(bus: Bus, isCertain: boolean): void {
		if (isCertain) this.judge.busUp(bus, this.nowMs);
		else this.judge.busRecovers(bus, this.nowMs);
		this.generator?.listen(this.nowMs);
	}

	#passes(ms: number, bus: Bus, { ms: arrivedMs, frame }: Arrived): void {
		if (!this.judge.passes(ms, bus, arrivedMs)) return;
		this.judge.arrives(ms, bus, frame);
		this.generator?.hasReturned(ms);
	}

	/** The coupling bus takes no frame for this long. */
	blockFor(ms: number): void {
		this.#losses.block(this.nowMs, this.#switchedBackMs(ms));
	}

	/** As often as it was called without a time. */
	loseNoMore(): void {
		this.#losses.end(this.nowMs);
	}

	/** Lets time go on. The controller may end meanwhile: `lockstep.hasEnded`. */
	async run(ms: number): Promise<void> {
		for (let left = ms; left > 0 || ms === 0; left -= this.pieceMs) {
			const piece = Math.min(left, this.pieceMs);
			const starts = this.lockstep.starts;
			for (let i = 0; i < piece; i++) this.#drive(this.nowMs + i);
			const output = await this.lockstep.run(piece);
			tellInOrder(this.#arrivals.splice(0), output, this.#bootMs, this.#listener);
			this.car.tellTwin();
			this.#passing.expire(this.nowMs);
			this.nowMs += piece;
			this.#judgeCoupling();
			await this.between?.();
			if (this.lockstep.hasEnded || ms === 0) return;
			if (this.lockstep.starts !== starts) this.#begin();
			else for (const late of this.generator?.lateAt(this.nowMs) ?? []) this.complain(late);
		}
	}

	#drive(ms: number): void {
		this.car.step(ms, (bus, frame) => {
			if (bus === 0 || !this.answers.has(frame.id)) this.#arrivals.push({ ms, bus, frame });
			this.lockstep.arrive(ms - this.#bootMs, bus, frame);
		});
	}

	/**
	 * Unless lock is asked for, and for the time that it takes to open, the coupling must not be closed
	 * further than in a stock car.
	 */
	#judgeCoupling(): void {
		if (this.judge.wishes.isAlone) return;
		const { percent, inStock } = this.car.engaged;
		this.#stockPercents.push(inStock);
		if (this.#stockPercents.length > STOCK_PIECES) this.#stockPercents.shift();
		if ((this.lastLock.most > 0 && this.isCommanding) || this.judge.mayCalibrate(this.nowMs)) this.#askedMs = this.nowMs;
		if (this.nowMs - Math.max(this.#askedMs, this.judge.calibration?.lastMs ?? 0) < OPENING_MS) return;
		const most = Math.max(...this.#stockPercents) + STOCK_TOLERANCE_PERCENT;
		if (percent > most) this.complain(`the coupling is closed by ${percent.toFixed(1)} %, ${most.toFixed(1)} % at most in stock`);
	}

	#judgeToChassis(ms: number, sent: WireFrame): void {
		this.figures.frames++;
		if (sent.id === STATUS_ID && sent.flags === 0) {
			this.#judgeBroadcast(ms, sent.data);
			return;
		}
		if (this.answers.has(sent.id)) return;
		const matched = this.#passing.leave(ms, 1, sent, isSame(sent));
		if (matched !== undefined) this.#passes(ms, 1, matched);
		else this.complain(`0x${sent.id.toString(16)} ${hex(sent)} reaches the car, and the coupling did not send it`);
	}

	#judgeToCoupling(ms: number, sent: WireFrame): void {
		this.figures.frames++;
		if (this.generator !== undefined) {
			this.#judgeGenerated(ms, sent, this.generator);
			return;
		}
		this.#frames.modes = this.#modes(ms);
		const readings: Reading[] = [];
		const fits = (received: WireFrame): boolean =>
			readings.push(this.#frames.read(received, sent)) > 0 && readings[readings.length - 1].kind !== "wrong";
		const matched = this.#passing.leave(ms, 0, sent, fits);
		const reading = readings.at(-1);
		if (matched === undefined || reading === undefined) {
			if (this.questions.has(sent.id)) {
				this.asked?.(ms, sent);
				return;
			}
			const [first] = readings;
			this.complain(
				first?.kind === "wrong" ? first.why : `0x${sent.id.toString(16)} reaches the coupling, and the car did not send it`,
			);
			return;
		}
		this.#passes(ms, 0, matched);
		this.car.hears(ms, sent);
		const isCommand = reading.kind === "command";
		if (isCommand !== this.isCommanding && (isCommand || (reading.kind === "stock" && !reading.brake))) this.changedMs = ms;
		if (reading.kind === "stock" && !reading.brake) {
			this.lastStockMs = ms;
			this.judge.steering?.leavesStock(ms);
		}
		if (reading.kind !== "command") return;
		if (this.judge.isOfCalibration(ms, reading.share)) {
			this.lastCommandMs = ms;
			this.figures.commands++;
			return;
		}
		const lock = lockOf(reading.share, this.#setting.profile);
		if (lock === undefined && this.isCalibrating) return;
		if (lock === undefined) {
			this.complain(`0x${sent.id.toString(16)} ${hex(sent)} says no lock that can be asked for`);
			return;
		}
		this.lastCommandMs = ms;
		this.lastLock = lock;
		this.figures.commands++;
		this.#judgeCommand(ms, lock.least, reading.mode, this.#losses.mayHaveWaited(ms) ? matched.ms : ms);
	}

	/** Of a coupling without a car: a frame of the chassis, or one that was generated. */
	#judgeGenerated(ms: number, sent: WireFrame, generator: GeneratorJudge): void {
		const passed = this.#passing.leave(ms, 0, sent, isSame(sent), !this.#losses.mayLose(ms));
		this.car.hears(ms, sent);
		if (passed !== undefined) {
			this.#passes(ms, 0, passed);
			this.judge.steering?.leavesStock(ms);
			if (passed.passes === false) this.complain(`0x${sent.id.toString(16)} of the chassis passes while frames are generated`);
			return;
		}
		this.#frames.modes = this.#modes(ms);
		if (this.#losses.mayLose(ms)) this.#frames.forget();
		const reading = this.#frames.readGenerated(sent);
		const why = reading.kind === "wrong" ? reading.why : reading.kind === "command" ? generator.sends(ms, reading.row) : "";
		if (why !== "") this.complain(why);
		if (reading.kind !== "command") return;
		// a queue that was full is no silence
		if (!this.isCommandingAt(ms) && ms > this.#losses.untilMs && this.lastLock.most > 0) this.judge.resumes(ms);
		this.lastCommandMs = ms;
		if (this.judge.isOfCalibration(ms, reading.share)) {
			this.figures.commands++;
			return;
		}
		const lock = lockOf(reading.share, this.#setting.profile);
		if (lock === undefined) this.complain(`0x${sent.id.toString(16)} ${hex(sent)} says no lock that can be asked for`);
		else if (reading.share.most - reading.share.least <= EXACT_SHARE) {
			this.figures.commands++;
			this.lastLock = lock;
			if (lock.most === 0) this.judge.steering?.leavesStock(ms);
			this.#judgeCommand(ms, lock.least);
		}
	}

	/**
	 * Modes whose rows may be sent: the one that is wished for, and FWD's for what opens; of a calibration
	 * 5050's.
	 */
	#modes(ms: number): string[] {
		const calibrates = this.isCalibrating || this.judge.calibration !== undefined;
		return [...this.judge.modesAt(ms), "FWD", ...(calibrates ? ["5050"] : [])];
	}

	/** @param cameMs when what has waited for the bus was rewritten: it says what was asked for then */
	#judgeCommand(ms: number, percent: number, mode = "", cameMs = ms): void {
		const { most, because } = this.judge.demandAt(ms);
		if (this.judge.intervenedAt(ms)) this.figures.worstAfterIntervention = Math.max(this.figures.worstAfterIntervention, percent);
		const isTooMuch = (limit = this.#stockPercent): boolean => percent > limit + TOLERANCE_PERCENT;
		if (isTooMuch(most) && (cameMs === ms || isTooMuch(this.judge.demandAt(cameMs).most))) {
			const said = `commands ${percent.toFixed(1)} %`;
			this.complain(most === undefined ? `${said} although ${because}` : `${said}, ${most.toFixed(1)} % at most: ${because}`);
		}
		if (mode in LEVER_MODES && this.judge.closedAt(ms)) this.complain(`${mode}'s rows are sent although it asks for 0 %`);
		const duty = (this.#duty / PWM_FULL) * 100;
		if (most !== undefined && duty > most + TOLERANCE_PERCENT)
			this.complain(`PWM ${duty.toFixed(1)} %, ${most.toFixed(1)} % at most: ${because}`);
	}

	/**
	 * What frames may say when the car has to be stock: nothing at all, or no lock where they are generated.
	 */
	get #stockPercent(): number {
		return this.generator === undefined ? Number.NEGATIVE_INFINITY : 0;
	}

	#takeDuty(ms: number, duty: number): void {
		const { pwm } = this.#setting.settings as { readonly pwm?: { readonly inverted: boolean } };
		duty = pwm?.inverted ? PWM_FULL - duty : duty;
		this.#duty = duty;
		if (duty > 0 && this.judge.demandAt(ms).most === undefined)
			this.complain(`PWM ${duty} although ${this.judge.demandAt(ms).because}`);
	}

	#judgeBroadcast(ms: number, data: Uint8Array): void {
		const { most, because } = this.judge.demandAt(ms);
		const stale = this.judge.isStalledAt(ms) || ms - this.changedMs < STATUS_RENEWED_MS || !this.#broadcastInStock;
		this.#broadcastInStock = most === undefined;
		if (data.length !== 8) this.complain(`the status frame has ${data.length} bytes`);
		else if (most === undefined && !stale && (data[3] > 0 || data[6] !== 0))
			this.complain(`the status frame says ${data[3]} % in mode ${data[6]} although ${because}`);
	}

	/** True if the last frames were commands, or are generated. */
	get isCommanding(): boolean {
		return this.generator === undefined ? this.lastCommandMs > this.lastStockMs : this.isCommandingAt(this.nowMs);
	}

	isCommandingAt(ms: number): boolean {
		return ms - this.lastCommandMs < FRESH_MS;
	}

	async ask(method: string, path: string, body = ""): Promise<Answer | undefined> {
		return this.lockstep.ask(method, path, body, (ms) => this.run(ms));
	}

	async must(method: string, path: string, body: string): Promise<void> {
		const answer = await this.ask(method, path, body);
		if (answer?.code !== 200) this.complain(`${method} ${path} answers ${answer?.code ?? "nothing"} ${answer?.text ?? ""}`);
	}

	/** Whoever sends requests beside says how often to ask. */
	askStatus: () => Promise<Answer | undefined> = () => this.ask("GET", "/api/status");

	/** All lines of the log, since the first start. */
	get log(): readonly string[] {
		return [...this.#earlierLog, ...this.lockstep.log];
	}

	/** What has to be commanded when all is well, percent; undefined: the car has to be stock. */
	get #target(): number | undefined {
		const { most } = this.judge.demandAt(this.nowMs);
		if (most !== undefined) return Math.min(this.judge.targetPercent, most);
		return this.generator !== undefined && this.isCommanding ? 0 : undefined;
	}

	#isAt(percent: number): boolean {
		const { least, most } = this.lastLock;
		return this.isCommanding && least <= percent + TOLERANCE_PERCENT && most >= percent - TOLERANCE_PERCENT;
	}

	/**
	 * All is well: what the mode asks for must be commanded, or the car be stock.
	 * @param when for the complaint
	 */
	judgeSteady(when: string): void {
		const target = this.#target;
		if (target === undefined && this.isCommanding)
			this.complain(`${when}: commands although ${this.judge.demandAt(this.nowMs).because}`);
		if (this.generator !== undefined && !this.isCommanding) {
			// whether frames must be generated it looks at by itself
			if (this.#duty > 0) this.complain(`${when}: PWM ${this.#duty} without frames`);
			return;
		}
		if (target === undefined || this.#isAt(target)) return;
		const said = `${this.lastLock.least.toFixed(1)} to ${this.lastLock.most.toFixed(1)} % commanded`;
		this.complain(`${when}: ${this.isCommanding ? said : "stock"}, ${target.toFixed(1)} % expected`);
	}

	/** True if what is commanded now is what the mode asks for, and goes on. */
	get isSteady(): boolean {
		const target = this.#target;
		if (this.generator !== undefined) return target !== undefined && this.generator.mustSendAt(this.nowMs) && this.#isAt(target);
		if (target === undefined) return this.judge.isStockForGood && !this.isCommanding;
		// what was commanded before the frames stopped says nothing
		return this.isCommandingAt(this.nowMs) && this.#isAt(target);
	}

	/** The exit code of what a fault may end, as the controller would restart on a board. */
	get crashed(): boolean {
		return this.lockstep.exitCode === CRASHED;
	}

	async end(): Promise<void> {
		await this.lockstep.kill();
		rmSync(this.#folder, { recursive: true, force: true });
	}
}

const hex = ({ data }: WireFrame): string => Buffer.from(data).toString("hex").toUpperCase();
const isSame =
	(sent: WireFrame) =>
	(received: WireFrame): boolean =>
		Buffer.compare(received.data, sent.data) === 0;
