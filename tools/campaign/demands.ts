/**
 * How much lock the controller may command at most at each moment, and when the car has to be stock, by what
 * the car sends and what clients ask for. Written from `docs/decisions.md` and
 * `docs/control-and-can.md` 1.3 to 1.5, 2.1, 2.6 and 8.1; shares no code with `src/`. It does not foresee
 * what the controller does, only what it must never do, and what it must do when all is well.
 */
import { CarReader, type Input, KnownInputs, SPEED_IDS, type Told } from "./car-reader.js";
import { REMOTE, type WireFrame } from "./frame-judge.js";
import type { Bus } from "./lockstep.js";
import {
	CalibrationJudge,
	ConditionJudge,
	type ConditionWish,
	DEFAULT_TABLES,
	Envelope,
	MAX_KMH,
	PRESETS,
	SLACK_MS,
	SteeringJudge,
	type SteeringWish,
	type Tables,
	targetPercent,
} from "./restraints.js";
import type { Generation, Share } from "./tables.js";

/** What a driver wishes for: what the controller is set to. */
export interface Wishes {
	readonly generation: Generation;
	/** "STOCK" or a mode. */
	readonly mode: string;
	/** There is no car: frames are generated. */
	readonly isAlone?: boolean;
	/**
	 * The mode while the trigger's signal (ESP switched off by the driver) is set; undefined: there is no
	 * trigger.
	 */
	readonly triggerMode?: string;
	/** It acts while STOCK is selected, too. */
	readonly triggerFromStock?: true;
	/** A condition on the hazard lights. */
	readonly condition?: ConditionWish;
	/** Less lock while the driver steers; undefined: it is off. */
	readonly steering?: SteeringWish;
	/** Presets ask for lock up to this speed; 0: at any. */
	readonly disableSpeedKmh: number;
	/** Percent per second; 0: at once. */
	readonly releaseRate: number;
	/** Default: those that a controller starts with. */
	readonly tables?: Tables;
}

/** Why the car has to be stock, and what the status may say then. */
const STANDING = {
	stock: /^stock mode is selected$/,
	disabled: /^the controller is disabled$|^stock mode is selected$/,
	capture: /^CAN capture is running$|^stock mode is selected$/,
	update: /^an update is in progress$/,
	bootLoop: /^the controller restarted too often/,
	verboseLogging: /^verbose logging is on$|^stock mode is selected$/,
	noFrames: /^all frames are switched off$|^stock mode is selected$/,
	openNetwork: /^the controller's network has no password|^stock mode is selected$/,
	unusableMap: /^a map that is needed can't be read: load or change one \(\/maps\/.*\)$|^stock mode is selected$/,
	fault: /^the controller has a fault/,
	noCondition:
		/^a condition that opens|^no |^(start|wait)ing|bus is not running|has a fault|^stock mode is selected$|^the ignition is off|contradict/,
} as const;
/** The name of such a reason. */
export type Standing = keyof typeof STANDING;

/** What must be so at a moment. */
interface Demand {
	/** Percent; undefined: the car must be stock. */
	readonly most: number | undefined;
	/** Reasons of which the status may name one; empty: none, control may be active. */
	readonly reasons: readonly RegExp[];
	/** What a complaint says. */
	readonly because: string;
}

/** The car must be stock. */
function stock(because: string, ...reasons: readonly RegExp[]): Demand {
	return { most: undefined, reasons, because };
}

/** What the status says while a bus is down. */
const BUS_REASONS = /bus is not running|no frames arrive|controller has a fault/;
/** What it says while something is missing, or not yet trusted. */
const DOUBTS = new RegExp(
	[
		"^no |^a condition that opens .* gets no |^starting|^waiting|bus is not running",
		"controller has a fault|^the ignition is off|contradict|^standalone operation",
	].join("|"),
);
/** Between what a byte can say and what was asked for. */
export const TOLERANCE_PERCENT = 1.5;

const [RAMP_MS, BOOT_SETTLE_MS, SETTLE_MS] = [500, 1000, 500];
const [INTERVENTION_MS, INTERVENTION_HOLD_MS, GATE_HOLD_MS, TRIGGER_SIGNAL_MS] = [100, 1000, 300, 1500];
/** Lock returns by at most 25 % in 100 ms after an intervention and on a bus that has returned. */
const RISE_PER_MS = 0.25;
/** A plan is active for this long without the script. */
export const LEASE_MS = 250;
const [COOL_DOWN_MS, SILENT_MS] = [10_000, 200];
/**
 * Sources of the speed contradict each other from there on, while they are as young as a speed has to be.
 * docs/decisions.md 47
 */
const [CONTRADICTION_KMH, SPEED_MS, TERMINAL_MS] = [20, 300, 1000];
/** Speeds are compared this often. docs/decisions.md 47 */
const COMPARED_MS = 100;
/** A car stands for certain only while each source that has told a speed is as young as this. 47 */
const SPEED_LOST_MS = 500;
/**
 * Of the report of PQ: too hot, errors and emergency mode, which is no fault without a car.
 * docs/decisions.md 38
 */
const [HOT_BITS, EMERGENCY_BIT] = [0b0000_0111, 0b0001_0000];

interface Value {
	readonly ms: number;
	readonly value: number;
}

const NEVER = Number.NEGATIVE_INFINITY;

/** Follows the car's frames and the clients' requests. Tells the most lock that is allowed at a moment, and why. */
export class Demands {
	/** What a client is about to wish for: until it is answered, and in effect, either may be active. */
	wishing: Wishes | undefined;
	readonly standing = new Set<Standing>();
	/** The last one that was begun since the start. */
	calibration: CalibrationJudge | undefined;
	readonly steering: SteeringJudge | undefined;
	/** Condition and steering stay those of the start. */
	wishes: Wishes;
	readonly #condition: ConditionJudge | undefined;
	readonly #inputs = new KnownInputs();
	/** Of each bus: when it returned last, and since when it is down and the controller tries to get back onto it. */
	readonly #upMs = [NEVER, NEVER];
	readonly #downMs: (number | undefined)[] = [undefined, undefined];
	readonly #recoveringMs: (number | undefined)[] = [undefined, undefined];
	/** What the mode has asked for of late: a gate, a trigger or the next tick may still be at any of it. */
	readonly #envelope = new Envelope(GATE_HOLD_MS + SLACK_MS);
	#chassisMs = NEVER;
	#bootMs = 0;
	/** The script does not run between these. */
	#stalledFromMs = Number.POSITIVE_INFINITY;
	stalledUntilMs = NEVER;
	/** When a script that does not run has renewed its lease last. */
	#leasedMs = NEVER;
	#flagFromMs = NEVER;
	#flagMs = NEVER;
	#hotFromMs = NEVER;
	#hotMs = NEVER;
	/** When frames that had asked for lock do so again. */
	#resumedMs = NEVER;
	readonly #signals = { speed: 0, pedal: 0, rpm: 0 };
	/** By identifier, the last speed and the last state of a terminal that it told. */
	readonly #speeds = new Map<number, Value>();
	readonly #terminals = new Map<number, Value>();
	/** When the sources of the speed agreed last. */
	#agreedMs = NEVER;
	#triggerMs = NEVER;
	#triggerOn = false;
	#triggerChangedMs = NEVER;
	readonly #reader = new CarReader();

	constructor(wishes: Wishes) {
		this.wishes = wishes;
		this.#condition = wishes.condition && new ConditionJudge(wishes.condition);
		this.steering = wishes.steering && new SteeringJudge(wishes.steering);
	}

	/** The controller starts: it knows nothing of before. */
	boot(ms: number): void {
		this.#bootMs = ms;
		this.stalledUntilMs = NEVER;
		this.#startOver();
		// it is on each bus that it was getting back onto
		this.#upMs.fill(NEVER);
		for (const bus of [0, 1]) if (this.#recoveringMs[bus] !== undefined) this.#downMs[bus] = this.#recoveringMs[bus] = undefined;
		this.#flagFromMs = this.#flagMs = this.#hotFromMs = this.#hotMs = this.#resumedMs = NEVER;
		this.standing.delete("fault");
		this.calibration = undefined;
	}

	/** Another generation: nothing that was known counts (docs/decisions.md 22). */
	changeGeneration(wishes: Wishes, ms: number): void {
		this.wishes = wishes;
		this.#bootMs = ms;
		this.#startOver();
		this.calibration?.end(ms, "another coupling was chosen");
	}

	#startOver(): void {
		this.#inputs.forget();
		this.#envelope.forget();
		this.#condition?.forget();
		this.steering?.forget();
		this.#reader.forget();
		this.#agreedMs = NEVER;
		this.#speeds.clear();
		this.#terminals.clear();
	}

	/**
	 * No JavaScript runs for this long; one that is switched on in another takes effect behind it, and
	 * between them the script may look.
	 */
	stall(fromMs: number, ms: number): void {
		const goesOn = this.isStalledAt(fromMs);
		this.#leasedMs = goesOn ? this.stalledUntilMs : fromMs;
		if (!goesOn) this.#stalledFromMs = fromMs;
		this.stalledUntilMs = this.#leasedMs + ms;
	}

	/** True while no JavaScript runs. */
	isStalledAt(ms: number): boolean {
		return ms >= this.#stalledFromMs && ms < this.stalledUntilMs;
	}

	/**
	 * For how long the script has been able to notice what began at `fromMs`. What it asked for before a stall
	 * stays in effect until its lease ends.
	 */
	noticedMs(fromMs: number, ms: number): number {
		return this.isStalledAt(ms) ? 0 : ms - Math.max(fromMs, this.stalledUntilMs);
	}

	/** True while the script has not run for longer than its lease. */
	hasNoLease(ms: number): boolean {
		return this.isStalledAt(ms) && ms - this.#leasedMs > LEASE_MS;
	}

	/** The controller can send nothing on the bus. */
	busDown(bus: Bus, ms: number): void {
		this.#downMs[bus] ??= ms;
		this.calibration?.end(ms, `bus ${bus} is down`);
	}

	/** Whether the bus is down, and has been since before `ms`. */
	isDown(bus: Bus, ms = Number.POSITIVE_INFINITY): boolean {
		const downMs = this.#downMs[bus];
		return downMs !== undefined && ms > downMs;
	}

	/** The bus is back. */
	busUp(bus: Bus, ms: number): void {
		if (this.#downMs[bus] === undefined) return;
		this.#downMs[bus] = this.#recoveringMs[bus] = undefined;
		this.#upMs[bus] = ms;
	}

	/** What keeps the controller off a bus is over: the first frame that passes says when it is back. */
	busRecovers(bus: Bus, ms: number): void {
		if (this.#downMs[bus] !== undefined) this.#recoveringMs[bus] = ms;
	}

	/**
	 * A frame that came at `arrivedMs` on a bus leaves on the other.
	 * @returns whether that shows that the bus is back
	 */
	passes(ms: number, bus: Bus, arrivedMs: number): boolean {
		const isBack = arrivedMs >= (this.#recoveringMs[bus] ?? Number.POSITIVE_INFINITY);
		if (isBack) this.busUp(bus, ms);
		return isBack;
	}

	/** Frames are generated or rewritten again from then on, after they had asked for lock. */
	resumes(ms: number): void {
		this.#resumedMs = ms;
	}

	/** A frame reaches the controller's pins. */
	arrives(ms: number, bus: Bus, frame: WireFrame): void {
		if (frame.flags & REMOTE || this.#downMs[bus] !== undefined) return;
		this.#lookAtCalibration(ms);
		if (bus === 0) this.#chassisMs = ms;
		if (frame.flags !== 0) return;
		const told = this.#reader.read(this.wishes.generation, ms, bus, frame);
		if (told === undefined) return;
		this.#take(ms, frame.id, told);
		if (!this.#speedsDiffer(ms)) this.#agreedMs = ms;
		if (ms - this.#agreedMs <= COMPARED_MS) this.#good("agreement", ms);
		if (!this.#isIgnitionOff(ms)) this.#good("ignition", ms);
		this.#follow(ms);
	}

	#good(input: Input, ms: number): void {
		this.#inputs.good(input, ms, !this.isStalledAt(ms));
	}

	#take(ms: number, id: number, told: Told): void {
		const { kmh, signals = {}, trigger, hazardLights, steeringDeg, report, isGood = false } = told;
		if (told.intervenes !== undefined) this.#flags(ms, told.intervenes, isGood);
		if (kmh !== undefined) {
			this.#speeds.set(id, { ms, value: kmh });
			if (Math.floor(kmh + 0.5) > MAX_KMH) {
				this.calibration?.mayEnd(ms);
				// the car's own speed is not only compared
				this.calibration?.end(ms + (signals.speed === undefined ? COMPARED_MS : 0), "the car moves");
			}
		}
		for (const signal of ["speed", "pedal", "rpm"] as const) {
			const value = signals[signal];
			if (value === undefined) continue;
			this.#signals[signal] = value;
			this.#good(signal, ms);
		}
		if (trigger !== undefined) {
			this.#triggerMs = ms;
			if (trigger !== this.#triggerOn) this.#triggerChangedMs = ms;
			this.#triggerOn = trigger;
		}
		if (hazardLights !== undefined) this.#hazardLights(ms, hazardLights);
		if (steeringDeg !== undefined) this.steering?.takes(ms, steeringDeg);
		if (told.doubtsAngle) this.steering?.loses(ms);
		if (report !== undefined) this.#feedback(ms, report, isGood);
		if (told.terminal !== undefined) this.#terminals.set(id, { ms, value: Number(told.terminal) });
	}

	/** Whether all sources that there are have been young for certain, and differ. */
	#speedsDiffer(ms: number): boolean {
		const young = SPEED_IDS[this.wishes.generation].map((id) => this.#speeds.get(id)).filter((told) => told !== undefined);
		if (young.length < 2 || young.some((told) => ms - told.ms > SPEED_MS - SLACK_MS)) return false;
		return Math.abs(young[0].value - young[1].value) > CONTRADICTION_KMH + 1;
	}

	/** Whether each terminal that has told something of late says so. */
	#isIgnitionOff(ms: number): boolean {
		const told = [...this.#terminals.values()].filter((terminal) => ms - terminal.ms <= TERMINAL_MS);
		return told.length > 0 && told.every(({ value }) => value === 0);
	}

	#flags(ms: number, set: boolean, isGood: boolean): void {
		if (isGood) this.#good("flags", ms);
		if (!set) return;
		this.calibration?.end(ms, "ABS or ESP intervene");
		if (ms - this.#flagMs > INTERVENTION_HOLD_MS) this.#flagFromMs = ms;
		this.#flagMs = ms;
	}

	#feedback(ms: number, state: number, isGood: boolean): void {
		if (isGood) this.#good("feedback", ms);
		if ((state & (HOT_BITS | (this.wishes.isAlone ? 0 : EMERGENCY_BIT))) === 0) return;
		this.calibration?.end(ms, "the coupling is too hot or faulty");
		if (ms - this.#hotMs > COOL_DOWN_MS) this.#hotFromMs = ms;
		this.#hotMs = ms;
	}

	#hazardLights(ms: number, on: boolean): void {
		this.#good("condition", ms);
		// of what came in a stall the script finds the last alone
		const isSeen = !this.isStalledAt(ms);
		this.#condition?.takes(ms, isSeen ? on : undefined);
		if (on && isSeen && this.#condition !== undefined) this.calibration?.end(ms, "a condition is active");
	}

	/** What is wished for: the mode that counts now. */
	get mode(): string {
		const { mode, triggerMode } = this.wishes;
		return triggerMode !== undefined && this.#mayTrigger && this.#triggerOn ? triggerMode : mode;
	}

	get #mayTrigger(): boolean {
		const { mode, triggerMode, triggerFromStock } = this.wishes;
		return triggerMode !== undefined && (mode !== "STOCK" || triggerFromStock === true);
	}

	/** Modes that may be active at this moment: around a change of the trigger's signal both. */
	modesAt(ms: number): readonly string[] {
		const { mode, triggerMode } = this.wishes;
		const others = this.wishing === undefined ? [] : [this.wishing.mode];
		if (triggerMode === undefined || !this.#mayTrigger) return [mode, ...others];
		const isLost = ms - this.#triggerMs > TRIGGER_SIGNAL_MS - SLACK_MS;
		return isLost || this.#isTriggering(ms) ? [mode, triggerMode, ...others] : [this.mode, ...others];
	}

	#isTriggering(ms: number): boolean {
		return ms - this.#triggerChangedMs <= GATE_HOLD_MS + SLACK_MS;
	}

	/** What the mode asks for with what the car shows now, behind the gates, without ramps. */
	get targetPercent(): number {
		return this.#targetOf(this.mode);
	}

	#targetOf(mode: string): number {
		const { disableSpeedKmh, tables = DEFAULT_TABLES } = this.wishes;
		const whole = targetPercent(mode, tables, disableSpeedKmh, this.#signals);
		return whole * (this.steering?.share ?? 1);
	}

	#follow(ms: number): void {
		this.steering?.follow(ms, !this.isStalledAt(ms));
		const { mode, triggerMode, releaseRate } = this.wishes;
		let percent = this.wishing === undefined ? this.targetPercent : 100;
		// while a trigger has just changed the other mode may still, or already, be active
		if (triggerMode !== undefined && this.#isTriggering(ms))
			percent = Math.max(this.#targetOf(mode), this.#targetOf(triggerMode));
		this.#envelope.follow(ms, percent, releaseRate);
	}

	/** Inputs without which this mode may not command. */
	get #needed(): readonly Input[] {
		const { mode } = this;
		const { isAlone, condition, disableSpeedKmh } = this.wishes;
		const needed: Input[] = isAlone ? ["feedback"] : ["flags", "feedback", "agreement", "ignition"];
		if (condition?.effect === "open") needed.push("condition");
		if (this.wishing !== undefined) return needed;
		if (mode === "MAP" || mode === "SPEED" || (mode in PRESETS && disableSpeedKmh !== 0)) needed.push("speed");
		if (mode === "MAP" || mode === "THROTTLE") needed.push("pedal");
		if (mode === "RPM") needed.push("rpm");
		return needed;
	}

	/**
	 * Since when the coupling has reported without a break, and until when the last report counts: in a car
	 * nothing is generated without (3.9).
	 */
	get reported(): { readonly sinceMs: number; readonly untilMs: number } {
		const { isAlone, generation } = this.wishes;
		if (isAlone === true || generation !== 53) return { sinceMs: NEVER, untilMs: Number.POSITIVE_INFINITY };
		const { sinceMs } = this.#inputs.of("feedback");
		return { sinceMs: Number.isFinite(sinceMs) ? sinceMs : NEVER, untilMs: this.#inputs.endMs("feedback") };
	}

	/** A client asks for a calibration. @returns the one that may run from now on */
	calibrate(ms: number): CalibrationJudge {
		this.calibration = new CalibrationJudge(ms);
		return this.calibration;
	}

	/** True while a calibration may run. */
	mayCalibrate(ms: number): boolean {
		const { calibration } = this;
		return calibration !== undefined && this.noticedMs(calibration.endAt(ms), ms) <= SLACK_MS;
	}

	/** Why none may begin now; "": one may. */
	whyNoCalibration(ms: number): string {
		if (ms - this.#flagMs < INTERVENTION_HOLD_MS - SLACK_MS) return "ABS or ESP have just intervened";
		return ms - this.#hotMs < COOL_DOWN_MS - SLACK_MS ? "the coupling has not cooled down" : "";
	}

	/** Whether a calibration commands this. */
	isOfCalibration(ms: number, share: Share): boolean {
		this.#lookAtCalibration(ms);
		const { goodMs } = this.#inputs.of("feedback");
		return this.standing.size === 0 && this.mayCalibrate(ms) && this.calibration?.commands(ms, share, goodMs) === true;
	}

	#lookAtCalibration(ms: number): void {
		const { calibration } = this;
		if (calibration === undefined) return;
		const needed: Input[] = ["speed", "flags", "feedback", "agreement", "ignition"];
		if (this.wishes.condition?.effect === "open") needed.push("condition");
		for (const input of needed) {
			const endMs = this.#inputs.endMs(input);
			if (ms > endMs) calibration.end(endMs, `${input} is missing`);
		}
		for (const told of this.#speeds.values()) {
			const endMs = told.ms + SPEED_LOST_MS + COMPARED_MS;
			if (ms > endMs) calibration.end(endMs, "a source of the speed is missing");
		}
		if (ms - this.#chassisMs > SILENT_MS) calibration.end(this.#chassisMs + SILENT_MS, "the car is silent");
		if (this.hasNoLease(ms)) calibration.end(this.#leasedMs + LEASE_MS, "the script is stalled");
	}

	/** True while the coupling has to be open because ABS or ESP intervene or have just done so. */
	intervenedAt(ms: number): boolean {
		const isHeld = ms - this.#flagMs < INTERVENTION_HOLD_MS - SLACK_MS;
		return isHeld && this.noticedMs(this.#flagFromMs, ms) > INTERVENTION_MS + SLACK_MS;
	}

	/** True if nothing is asked for, long enough that gates and ticks have noticed. */
	closedAt(ms: number): boolean {
		this.#follow(ms);
		return this.#envelope.isOnly(ms, 0);
	}

	/** Nothing but a client or a restart ends it. */
	get isStockForGood(): boolean {
		return this.standing.size > 0 || this.mode === "STOCK";
	}

	/** What must be so at this moment. */
	demandAt(ms: number): Demand {
		let demand = this.#demandOfMode(ms);
		// a lost signal is STOCK again
		if (this.wishes.triggerFromStock && demand.most === undefined)
			demand = { ...demand, reasons: [...demand.reasons, STANDING.stock] };
		this.#lookAtCalibration(ms);
		if (this.standing.size > 0 || !this.mayCalibrate(ms)) return demand;
		const most = this.calibration?.mostAt(ms) ?? 0;
		return most > (demand.most ?? -1) ? { most, reasons: [], because: "of a calibration" } : demand;
	}

	#demandOfMode(ms: number): Demand {
		const { wishes, standing } = this;
		if (standing.size > 0 && this.wishing === undefined)
			return stock([...standing].join(), ...[...standing].map((name) => STANDING[name]));
		const mayChange = this.#mayTrigger && this.#isTriggering(ms);
		if (this.mode === "STOCK" && this.wishing === undefined && !mayChange) return stock("mode STOCK", STANDING.stock);
		if (this.hasNoLease(ms)) return stock("the script is stalled");
		for (const bus of [0, 1] as const) {
			if (this.isDown(bus, ms - SLACK_MS)) return stock(`bus ${bus} is down`, BUS_REASONS);
			if (ms - this.#upMs[bus] < SETTLE_MS - SLACK_MS) return stock(`bus ${bus} is not back for 0.5 s`, DOUBTS);
		}
		let most = 100;
		let because = "full lock";
		const limit = (percent: number, why: string): void => {
			if (percent < most) [most, because] = [Math.max(0, percent), why];
		};
		for (const input of this.#needed) {
			if (!this.isStalledAt(ms)) this.#inputs.expire(input, ms);
			const known = this.#inputs.of(input);
			const settle = known.sinceMs - this.#bootMs < BOOT_SETTLE_MS ? BOOT_SETTLE_MS : SETTLE_MS;
			if (!(ms - this.#bootMs >= BOOT_SETTLE_MS - SLACK_MS)) return stock(`${input} is starting`, DOUBTS);
			if (Number.isNaN(known.missingMs)) {
				if (!(ms - known.sinceMs >= settle - SLACK_MS)) return stock(`${input} is starting`, DOUBTS);
				continue;
			}
			const missingMs = ms - known.missingMs;
			const backMs = ms <= this.#inputs.endMs(input) ? ms - known.sinceMs : 0;
			if (backMs >= SETTLE_MS - SLACK_MS) {
				known.missingMs = Number.NaN;
				continue;
			}
			if (missingMs > RAMP_MS + SLACK_MS) return stock(`${input} is missing for ${missingMs.toFixed(0)} ms`, DOUBTS);
			limit(100 - (missingMs - SLACK_MS) / 5, `${input} is missing for ${missingMs.toFixed(0)} ms`);
		}
		if (!wishes.isAlone && ms - this.#chassisMs > SILENT_MS + SLACK_MS)
			return stock(`the car is silent for ${(ms - this.#chassisMs).toFixed(0)} ms`, DOUBTS);
		const rises = (sinceMs: number, why: string): void => {
			const rosePercent = (ms - sinceMs + SLACK_MS) * RISE_PER_MS;
			if (rosePercent >= 0) limit(rosePercent, why);
		};
		if (this.intervenedAt(ms)) limit(0, "ABS or ESP intervene");
		rises(this.#flagMs + INTERVENTION_HOLD_MS, "ABS or ESP have intervened");
		for (const upMs of this.#upMs) rises(upMs + SETTLE_MS, "a bus has just come back");
		rises(this.#resumedMs, "frames ask for lock again after a silence or a lease");
		rises(this.calibration?.lastMs ?? NEVER, "a calibration has just ended");
		if (ms - this.#hotMs < COOL_DOWN_MS - SLACK_MS && ms - this.#hotFromMs > RAMP_MS + SLACK_MS) limit(0, "heat or fault");
		const condition = this.#condition;
		if (condition !== undefined)
			limit(condition.mostAfter(this.noticedMs(condition.fromAt(ms), ms) - SLACK_MS, wishes.releaseRate), "of a condition");
		this.#follow(ms);
		limit(this.#envelope.mostPercent, "of what the mode asks for");
		return { most, reasons: [], because };
	}
}
