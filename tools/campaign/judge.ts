/**
 * The judge: sees all that comes to the controller's pins and all that leaves them, and complains. It is one for
 * every unit, whether there is a car or none, and whether the car's frames are rewritten or frames are generated:
 * `tables.ts` says what may be sent, `demands.ts` how much lock may be asked for, `moments.ts` when frames are
 * generated. Shares no code with `src/`.
 */
import { Demands, LEASE_MS, TOLERANCE_PERCENT, type Wishes } from "./demands.js";
import { FrameJudge, type Reading, type WireFrame } from "./frame-judge.js";
import type { Bus } from "./lockstep.js";
import { Moments } from "./moments.js";
import { type Arrived, Losses, OLD_MS, PassingFrames } from "./passage.js";
import { type FrameChoice, type Generation, lockOf, type Profile, STATUS_ID } from "./tables.js";

/** The content of the status frame is renewed every 50 ms, in a tick. */
const STATUS_RENEWED_MS = 100;
const PWM_FULL = 1023;
/** From a start until the output is driven. */
const OUTPUT_MS = 100;
/** All that is generated comes anew within this. */
const FRESH_MS = 30;
/** A share that is known as exactly as this tells what is asked for. */
const EXACT_SHARE = 512;
const LEVER_MODES: Readonly<Record<string, true>> = { "5050": true, "6040": true, "7030": true, "8020": true, "9010": true };

/** Judges each frame and output of the controller at the moment it leaves, and collects complaints. */
export class Judge {
	readonly demands: Demands;
	/** When frames may and must be generated; where none are, never. */
	readonly moments: Moments;
	readonly complaints: string[] = [];
	/** Frames that left and were judged, and how many of them were commands. */
	readonly figures = { frames: 0, commands: 0 };
	nowMs = 0;
	/** When the process started. */
	bootMs = 0;
	/** Of the last frame that could be rewritten: a command, or as it came. */
	lastCommandMs = Number.NEGATIVE_INFINITY;
	lastStockMs = Number.NEGATIVE_INFINITY;
	/** When what is asked for changed last, so that status and frames may differ for a moment. */
	changedMs = Number.NEGATIVE_INFINITY;
	lastLock: { readonly least: number; readonly most: number } = { least: 0, most: 0 };
	/** Name of the trial, for complaints. */
	subject = "";
	/** Identifiers of frames by which diagnosis asks, on the coupling bus. */
	questions: ReadonlySet<number> = new Set();
	/** Identifiers of the answers to these questions. The controller may keep them back from the car. */
	answers: ReadonlySet<number> = new Set();
	readonly #profile: Profile;
	readonly #invertsPwm: boolean;
	#choice: FrameChoice;
	#frames!: FrameJudge;
	readonly #losses = new Losses();
	readonly #passing = new PassingFrames((bus, { ms, frame, passes }) => {
		if (bus === 0) this.#frames.lose(frame);
		// of frames with the same bytes a later one may have been taken for one that was lost
		const mayBeLost = this.#losses.mayLose(ms) || this.#losses.mayLose(ms - OLD_MS);
		if (passes && !mayBeLost) this.complain(`a frame 0x${frame.id.toString(16)} of bus ${bus} was lost or came late`);
	});
	/** When the car began to have to be stock; Infinity: it need not be stock now. */
	#stockMs = Number.POSITIVE_INFINITY;
	#duty = 0;
	readonly #seen = new Set<string>();

	/** @param choice of the frames, as the settings say it */
	constructor(profile: Profile, wishes: Wishes, choice: FrameChoice = {}, invertsPwm = false) {
		this.#profile = profile;
		this.#choice = choice;
		this.#invertsPwm = invertsPwm;
		this.demands = new Demands(wishes);
		this.moments = new Moments(this.demands, this.#losses);
		this.#beginWith(wishes.generation);
	}

	#beginWith(generation: Generation): void {
		this.#frames = new FrameJudge(generation, this.#profile, this.demands.wishes.isAlone, this.#choice);
		this.moments.rows = this.#frames.rows.filter(({ periodMs }) => periodMs > 0);
	}

	/** The controller starts. */
	begin(): void {
		this.bootMs = this.nowMs;
		this.#passing.clear();
		this.#beginWith(this.demands.wishes.generation);
		// an output that nobody drives is low
		this.#duty = this.#invertsPwm ? PWM_FULL : 0;
		this.demands.boot(this.nowMs);
		this.moments.boot(this.nowMs);
		this.lastLock = { least: 0, most: 0 };
		this.lastCommandMs = Number.NEGATIVE_INFINITY;
	}

	/** Another coupling is chosen. */
	changeGeneration(generation: Generation): void {
		this.demands.changeGeneration({ ...this.demands.wishes, generation }, this.nowMs);
		this.changedMs = this.nowMs;
		// it begins with all frames: identifiers of one mean others in another
		this.#choice = { ...this.#choice, off: [] };
		this.demands.standing.delete("noFrames");
		this.lastLock = { least: 0, most: 0 };
		this.#beginWith(generation);
		this.moments.resume(this.nowMs);
		this.forgetPlan();
	}

	/** Whether another plan was active meanwhile, nobody saw: counters may be anything. */
	forgetPlan(): void {
		this.#frames.forget();
		this.moments.startOver(this.nowMs);
	}

	/** Adds a complaint, unless there is one of its kind. */
	complain(text: string): void {
		const line = `${this.subject}: ${text}`;
		// the first of a kind says enough
		const kind = line.replace(/[\d.]+( ms| %)|0x[\da-f]+|PWM \d+|bus \d was|\b[\dA-Fa-f]{2,16}\b/g, "");
		if (this.#seen.has(kind)) return;
		this.#seen.add(kind);
		this.complaints.push(`${line} [at ${(this.nowMs - this.bootMs).toFixed(0)} ms]`);
	}

	/**
	 * Frames may be lost from now on for this long. The host's switches need its loop: one that is due in a stall
	 * of the script takes effect behind it.
	 * @param waits the coupling bus takes no frame meanwhile
	 */
	loseFor(ms: number, waits = false): void {
		const backMs = Math.max(this.nowMs, this.demands.isStalledAt(this.nowMs) ? this.demands.stalledUntilMs : 0) + ms;
		this.#losses.begin(this.nowMs, backMs, waits);
	}

	/** Frames may be lost from now on. @returns ends that */
	lose(): () => void {
		const end = this.#losses.begin(this.nowMs, Number.POSITIVE_INFINITY);
		return () => end(this.nowMs);
	}

	/** No JavaScript runs for this long. What is switched on stays so until its end. */
	stall(ms: number): void {
		this.demands.stall(this.nowMs, ms);
		// what its lease runs out on returns slowly (docs/decisions.md 20 and 29)
		if (this.isCommanding && ms > LEASE_MS) this.demands.resumes(this.demands.stalledUntilMs);
		this.#losses.stall(this.nowMs, this.nowMs + ms);
		this.moments.changes(this.demands.stalledUntilMs);
	}

	/** The controller can send nothing on the bus from now on. */
	busDown(bus: Bus): void {
		this.demands.busDown(bus, this.nowMs);
	}

	/**
	 * @param isCertain false: what keeps the controller off the bus is over, and the first frame that passes
	 * says when it is back
	 */
	busUp(bus: Bus, isCertain: boolean): void {
		if (isCertain) this.demands.busUp(bus, this.nowMs);
		else this.demands.busRecovers(bus, this.nowMs);
		this.moments.listen(this.nowMs);
	}

	/** A frame reaches the controller's pins. */
	arrives(ms: number, bus: Bus, frame: WireFrame): void {
		this.demands.arrives(ms, bus, frame);
		this.moments.arrives(ms, bus, frame);
		this.#passing.arrives(bus, { ms, frame, passes: bus === 1 || this.moments.passesAt(ms, frame) });
	}

	/** A frame leaves on the chassis bus: one of the coupling, or the status frame. */
	toChassis(ms: number, sent: WireFrame): void {
		this.figures.frames++;
		if (sent.id === STATUS_ID && sent.flags === 0) {
			this.#judgeBroadcast(ms, sent.data);
			return;
		}
		if (this.answers.has(sent.id)) return;
		const matched = this.#passing.leave(ms, 1, sent, (received) => Buffer.compare(received.data, sent.data) === 0);
		if (matched !== undefined) this.#passes(ms, 1, matched);
		else this.complain(`0x${sent.id.toString(16)} ${hex(sent)} reaches the car, and the coupling did not send it`);
	}

	/** A frame leaves on the coupling bus: one of the car, as it came or rewritten, or one that is generated. */
	toCoupling(ms: number, sent: WireFrame): void {
		this.figures.frames++;
		this.#frames.modes = this.#modes(ms);
		const mayLose = this.#losses.mayLose(ms);
		const readings: Reading[] = [];
		const fits = (received: WireFrame): boolean =>
			readings.push(this.#frames.read(received, sent)) > 0 && readings.at(-1)?.kind !== "wrong";
		// of frames with the same bytes those before were kept back
		const isLatest = this.moments.generates && !mayLose;
		const matched = this.#passing.leave(ms, 0, sent, fits, isLatest);
		if (matched !== undefined) this.#passes(ms, 0, matched);
		else if (this.questions.has(sent.id)) return;
		else {
			if (mayLose && this.moments.generates) this.#frames.forget();
			readings.push(this.#frames.read(undefined, sent));
		}
		const reading = readings.at(-1) as Reading;
		if (matched?.passes === false) this.complain(`0x${sent.id.toString(16)} of the chassis passes while frames are generated`);
		if (reading.kind === "wrong") this.complain((readings[0] as typeof reading).why);
		else if (reading.kind === "command") this.#takeCommand(ms, reading, matched);
		else this.#takeStock(ms, reading);
	}

	#takeStock(ms: number, reading: Reading): void {
		if (reading.kind !== "stock" || reading.brake) return;
		if (this.isCommanding) this.changedMs = ms;
		this.lastStockMs = ms;
	}

	/** @param matched the car's frame that was rewritten; undefined: it was generated */
	#takeCommand(ms: number, { share, row, mode }: Reading & { kind: "command" }, matched: Arrived | undefined): void {
		if (matched === undefined) {
			const why = this.moments.sends(ms, row);
			if (why !== "") this.complain(why);
			// a queue that was full is no silence
			if (!this.#isFresh(ms) && ms > this.#losses.untilMs && this.lastLock.least > 0) this.demands.resumes(ms);
		} else if (!this.isCommanding) this.changedMs = ms;
		// 3.12: in profile corrected the brake system's frames pass meanwhile
		if (row.brake && matched !== undefined && this.demands.intervenedAt(ms) && this.demands.intervenedAt(matched.ms))
			this.complain(`0x${row.id.toString(16)} of the brake system is rewritten although ABS or ESP intervene`);
		const isOfCalibration = this.demands.isOfCalibration(ms, share);
		const lock = lockOf(share, this.#profile);
		if (!isOfCalibration && lock === undefined) {
			this.complain(`0x${row.id.toString(16)} says no lock that can be asked for`);
			if (matched !== undefined) return;
		}
		this.lastCommandMs = ms;
		// most generated frames say nothing of lock
		if (matched === undefined && share.most - share.least > EXACT_SHARE) return;
		this.figures.commands++;
		if (isOfCalibration || lock === undefined) return;
		this.lastLock = lock;
		this.#judgeCommand(ms, lock.least, mode, matched !== undefined && this.#losses.mayHaveWaited(ms) ? matched.ms : ms);
	}

	#passes(ms: number, bus: Bus, { ms: arrivedMs, frame }: Arrived): void {
		if (!this.demands.passes(ms, bus, arrivedMs)) return;
		this.demands.arrives(ms, bus, frame);
		this.moments.arrives(ms, bus, frame);
		this.moments.hasReturned(ms);
	}

	/**
	 * Modes whose rows may be sent: the one that is wished for, and FWD's for what opens; of a calibration
	 * 5050's.
	 */
	#modes(ms: number): string[] {
		return [...this.demands.modesAt(ms), "FWD", ...(this.demands.calibration === undefined ? [] : ["5050"])];
	}

	/** @param cameMs when what has waited for the bus was rewritten: it says what was asked for then */
	#judgeCommand(ms: number, percent: number, mode = "", cameMs = ms): void {
		const { most, because } = this.demands.demandAt(ms);
		const isTooMuch = (limit = this.#stockPercent): boolean => percent > limit + TOLERANCE_PERCENT;
		if (isTooMuch(most) && (cameMs === ms || isTooMuch(this.demands.demandAt(cameMs).most))) {
			const said = `commands ${percent.toFixed(1)} %`;
			this.complain(most === undefined ? `${said} although ${because}` : `${said}, ${most.toFixed(1)} % at most: ${because}`);
		}
		if (mode in LEVER_MODES && this.demands.closedAt(ms)) this.complain(`${mode}'s rows are sent although it asks for 0 %`);
		const duty = (this.#duty / PWM_FULL) * 100;
		if (most !== undefined && duty > most + TOLERANCE_PERCENT)
			this.complain(`PWM ${duty.toFixed(1)} %, ${most.toFixed(1)} % at most: ${because}`);
	}

	/** The most that frames may say when the car has to be stock: no lock where they are generated, else nothing. */
	get #stockPercent(): number {
		return this.moments.generates ? 0 : Number.NEGATIVE_INFINITY;
	}

	/** The PWM output changes. */
	duty(ms: number, duty: number): void {
		this.#duty = this.#invertsPwm ? PWM_FULL - duty : duty;
		this.#judgeOutput(ms);
	}

	#judgeOutput(ms: number): void {
		if (this.#duty > 0 && this.demands.demandAt(ms).most === undefined)
			this.complain(`PWM ${this.#duty} although ${this.demands.demandAt(ms).because}`);
	}

	#judgeBroadcast(ms: number, data: Uint8Array): void {
		const { most, because } = this.demands.demandAt(ms);
		const stale = this.demands.isStalledAt(ms) || ms - Math.max(this.changedMs, this.#stockMs) < STATUS_RENEWED_MS;
		if (data.length !== 8) this.complain(`the status frame has ${data.length} bytes`);
		else if (most === undefined && !stale && (data[3] > 0 || data[6] !== 0))
			this.complain(`the status frame says ${data[3]} % in mode ${data[6]} although ${because}`);
	}

	/** True if the last frames were commands, or are generated. */
	get isCommanding(): boolean {
		return this.moments.generates ? this.#isFresh(this.nowMs) : this.lastCommandMs > this.lastStockMs;
	}

	#isFresh(ms: number): boolean {
		return ms - this.lastCommandMs < FRESH_MS;
	}

	/** What has not come until now. */
	expire(): void {
		this.#passing.expire(this.nowMs);
	}

	/** Time has gone on: what is due, and has not come, and the output. */
	goesOn(): void {
		for (const late of this.moments.lateAt(this.nowMs)) this.complain(late);
		const isStock = this.demands.demandAt(this.nowMs).most === undefined;
		this.#stockMs = isStock ? Math.min(this.nowMs, this.#stockMs) : Number.POSITIVE_INFINITY;
		if (this.nowMs - this.bootMs > OUTPUT_MS) this.#judgeOutput(this.nowMs);
	}

	/** What has to be commanded when all is well, percent; undefined: the car has to be stock. */
	get #target(): number | undefined {
		const { most } = this.demands.demandAt(this.nowMs);
		if (most !== undefined) return Math.min(this.demands.targetPercent, most);
		return this.moments.generates && this.isCommanding ? 0 : undefined;
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
			this.complain(`${when}: commands although ${this.demands.demandAt(this.nowMs).because}`);
		if (this.moments.generates && !this.isCommanding) {
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
		if (this.moments.generates) return target !== undefined && this.moments.mustSendAt(this.nowMs) && this.#isAt(target);
		if (target === undefined) return this.demands.isStockForGood && !this.isCommanding;
		// what was commanded before the frames stopped says nothing
		return this.#isFresh(this.nowMs) && this.#isAt(target);
	}
}

const hex = ({ data }: WireFrame): string => Buffer.from(data).toString("hex").toUpperCase();
