/**
 * Judges whether and how much is asked for: from what the car sends and what clients ask, how much lock may be commanded at most at each
 * moment, and when the car has to be stock. Written from `docs/decisions.md` and `docs/control-and-can.md` 1.3 to 1.5, 2.1, 2.6 and 8.1;
 * shares no code with `src/`. It does not foresee what the controller does, only what it must never do, and what it must do when all is well.
 */
import { CalibrationJudge, MAX_KMH } from "./calibration-judge.js";
import { type Listener, readFrame } from "./car-reader.js";
import { ConditionJudge } from "./condition-judge.js";
import { BUS_REASONS, type Demand, DOUBTS, STANDING, type Standing, stock } from "./demand.js";
import { REMOTE, type WireFrame } from "./frame-judge.js";
import { KnownBuses } from "./known-buses.js";
import { type Input, KnownInputs } from "./known-inputs.js";
import type { Bus } from "./lockstep.js";
import { DEFAULT_TABLES, PRESETS, targetPercent } from "./mode-targets.js";
import { SteeringJudge } from "./steering-judge.js";
import type { Share } from "./tables.js";
import { TargetEnvelope } from "./target-envelope.js";
import type { Wishes } from "./wishes.js";

/** A control tick, and what a frame may have been ahead of it. */
const SLACK_MS = 30;
const [RAMP_MS, BOOT_SETTLE_MS, SETTLE_MS] = [500, 1000, 500];
const [INTERVENTION_MS, INTERVENTION_HOLD_MS, GATE_HOLD_MS, TRIGGER_SIGNAL_MS] = [100, 1000, 300, 1500];
/** Lock comes back by at most 25 % in 100 ms after an intervention and on a bus that has returned. */
const RISE_PER_MS = 0.25;
const [COOL_DOWN_MS, LEASE_MS, SILENT_MS] = [10_000, 250, 200];

export class CommandJudge {
	wishes: Wishes;
	/** What a client is about to wish for: until it is answered, and has been taken over, either may be in force. */
	wishing: Wishes | undefined;
	readonly standing = new Set<Standing>();
	/** The last one that was begun since the start. */
	calibration: CalibrationJudge | undefined;
	readonly #inputs = new KnownInputs();
	#chassisMs = Number.NEGATIVE_INFINITY;
	#bootMs = 0;
	readonly #buses = new KnownBuses();
	/** Neither script nor the gateway's task look at anything between these. */
	#blindFromMs = Number.POSITIVE_INFINITY;
	#blindUntilMs = Number.NEGATIVE_INFINITY;
	/** When a script that does not run has renewed its lease last. */
	#leasedMs = Number.NEGATIVE_INFINITY;
	/** State of the hazard lights that came while the script did not run, and that it finds afterwards. */
	#unseenLights: boolean | undefined;
	#flagFromMs = Number.NEGATIVE_INFINITY;
	#flagMs = Number.NEGATIVE_INFINITY;
	#hotFromMs = Number.NEGATIVE_INFINITY;
	#hotMs = Number.NEGATIVE_INFINITY;
	#speedKmh = 0;
	#pedalPercent = 0;
	#rpm = 0;
	#triggerMs = Number.NEGATIVE_INFINITY;
	#triggerOn = false;
	#triggerChangedMs = Number.NEGATIVE_INFINITY;
	readonly #envelope = new TargetEnvelope(GATE_HOLD_MS + SLACK_MS);
	readonly #condition: ConditionJudge | undefined;
	readonly steering: SteeringJudge | undefined;
	readonly #listener: Listener = {
		speed: (ms, kmh) => this.#speed(ms, kmh),
		pedal: (ms, percent) => this.#pedal(ms, percent),
		engine: (ms, rpm) => this.#engine(ms, rpm),
		flags: (ms, set) => this.#flags(ms, set),
		trigger: (ms, on) => this.#trigger(ms, on),
		hazardLights: (ms, on) => this.#hazardLights(ms, on),
		steering: (ms, deg) => this.steering?.takes(ms, deg),
		steeringDoubted: (ms) => this.steering?.loses(ms),
		feedback: (ms, hot) => this.#feedback(ms, hot),
	};

	constructor(wishes: Wishes) {
		this.wishes = wishes;
		this.#condition = wishes.condition && new ConditionJudge(wishes.condition, SLACK_MS);
		this.steering = wishes.steering && new SteeringJudge(wishes.steering, SLACK_MS);
	}

	/** The controller starts: it knows nothing of before. */
	boot(ms: number): void {
		this.#bootMs = ms;
		this.#inputs.stalledUntilMs = this.#inputs.unseenUntilMs = Number.NEGATIVE_INFINITY;
		this.#startOver();
		this.#buses.boot();
		this.#unseenLights = undefined;
		this.#flagFromMs = this.#flagMs = this.#hotFromMs = this.#hotMs = Number.NEGATIVE_INFINITY;
		this.standing.delete("fault");
		this.calibration = undefined;
	}

	/** Another generation: nothing that was known counts (docs/decisions.md 22). */
	regenerate(wishes: Wishes, ms: number): void {
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
	}

	/** No JavaScript runs for so long; one that is switched on in another takes effect behind it, and between them the script may look. */
	stall(fromMs: number, ms: number): void {
		const inputs = this.#inputs;
		const goesOn = this.isStalledAt(fromMs);
		this.#leasedMs = goesOn ? inputs.stalledUntilMs : fromMs;
		if (!goesOn) inputs.stalledFromMs = fromMs;
		inputs.stalledUntilMs = this.#leasedMs + ms;
	}

	/** Nothing runs but what passes frames on. */
	blind(fromMs: number, ms: number): void {
		this.stall(fromMs, ms);
		this.#blindFromMs = this.#leasedMs;
		this.#blindUntilMs = this.stalledUntilMs;
	}

	/** End of the last stall, -Infinity: there was none since the start. */
	get stalledUntilMs(): number {
		return this.#inputs.stalledUntilMs;
	}

	isStalledAt(ms: number): boolean {
		return ms >= this.#inputs.stalledFromMs && ms < this.stalledUntilMs;
	}

	busDown(bus: Bus, ms: number): void {
		this.#buses.down(bus, ms);
		this.calibration?.end(ms, `bus ${bus} is down`);
	}

	busUp(bus: Bus, ms: number): void {
		this.#buses.up(bus, ms, (downMs) => downMs >= this.#blindFromMs && ms <= this.#blindUntilMs);
	}

	/** What keeps the controller off a bus is over: the first frame that passes says when it is back. */
	busRecovers(bus: Bus, ms: number): void {
		this.#buses.recovers(bus, ms);
	}

	/** A frame that came at `arrivedMs` on a bus leaves on the other. */
	passes(ms: number, bus: Bus, arrivedMs: number): void {
		if (this.#buses.isShownBy(bus, arrivedMs)) this.busUp(bus, ms);
	}

	/** A frame reaches the controller's pins. */
	arrives(ms: number, bus: Bus, frame: WireFrame): void {
		if (frame.flags & REMOTE || this.#buses.downMs[bus] !== undefined) return;
		this.#lookAtCalibration(ms);
		if (bus === 0) this.#chassisMs = ms;
		if (frame.flags !== 0) return;
		if (readFrame(this.#listener, this.wishes.generation, ms, bus, frame.id, frame.data)) this.#follow(ms);
	}

	#speed(ms: number, kmh: number): void {
		this.#speedKmh = Math.floor(kmh + 0.5);
		if (this.#speedKmh > MAX_KMH) this.calibration?.end(ms, "the car moves");
		this.#inputs.good("speed", ms);
	}

	#pedal(ms: number, percent: number): void {
		this.#pedalPercent = percent;
		this.#inputs.good("pedal", ms);
	}

	#engine(ms: number, rpm: number): void {
		this.#rpm = Math.floor(rpm);
		this.#inputs.good("rpm", ms);
	}

	#flags(ms: number, set: boolean): void {
		this.#inputs.good("flags", ms);
		if (!set) return;
		this.calibration?.end(ms, "ABS or ESP intervene");
		if (ms - this.#flagMs > INTERVENTION_HOLD_MS) this.#flagFromMs = ms;
		this.#flagMs = ms;
	}

	#trigger(ms: number, on: boolean): void {
		this.#triggerMs = ms;
		if (on === this.#triggerOn) return;
		this.#triggerOn = on;
		this.#triggerChangedMs = ms;
	}

	#feedback(ms: number, hot: boolean): void {
		this.#inputs.good("feedback", ms);
		if (!hot) return;
		this.calibration?.end(ms, "the coupling is too hot or faulty");
		if (ms - this.#hotMs > COOL_DOWN_MS) this.#hotFromMs = ms;
		this.#hotMs = ms;
	}

	#hazardLights(ms: number, on: boolean): void {
		this.#inputs.good("condition", ms);
		this.#findLights(ms);
		if (ms < this.stalledUntilMs + SLACK_MS) this.#unseenLights = on;
		else this.#seeLights(ms, on);
	}

	#seeLights(ms: number, on: boolean): void {
		this.#condition?.takes(ms, on);
		if (on && this.#condition !== undefined) this.calibration?.end(ms, "a condition is in force");
	}

	/** What a script finds that runs again is the last value only, a moment after the stall's end. */
	#findLights(ms: number): void {
		const on = this.#unseenLights;
		if (on === undefined || ms < this.stalledUntilMs + SLACK_MS) return;
		this.#unseenLights = undefined;
		this.#seeLights(this.stalledUntilMs + SLACK_MS, on);
	}

	/** What is wished for: the mode that counts now. */
	get mode(): string {
		return this.#triggered ? (this.wishes.triggerMode as string) : this.wishes.mode;
	}

	get #triggered(): boolean {
		const { mode, triggerMode } = this.wishes;
		return triggerMode !== undefined && mode !== "STOCK" && this.#triggerOn;
	}

	/** Modes that may be in force at this moment: around a change of the trigger's signal both. */
	modesAt(ms: number): readonly string[] {
		const { wishing } = this;
		return wishing === undefined ? this.#modesAt(ms) : [...this.#modesAt(ms), wishing.mode];
	}

	#modesAt(ms: number): readonly string[] {
		const { mode, triggerMode } = this.wishes;
		if (triggerMode === undefined || mode === "STOCK") return [mode];
		const lost = ms - this.#triggerMs > TRIGGER_SIGNAL_MS - SLACK_MS;
		const changing = ms - this.#triggerChangedMs <= GATE_HOLD_MS + SLACK_MS;
		if (lost || changing) return [mode, triggerMode];
		return [this.mode];
	}

	/** What the mode asks for with what the car shows now, behind the gates, without ramps. */
	get targetPercent(): number {
		return this.#targetOf(this.mode);
	}

	#targetOf(mode: string): number {
		const { disableSpeedKmh, tables = DEFAULT_TABLES } = this.wishes;
		const whole = targetPercent(mode, tables, disableSpeedKmh, this.#speedKmh, this.#pedalPercent, this.#rpm);
		return whole * (this.steering?.share ?? 1);
	}

	/** The least and most that was asked for of late: what a gate, a trigger or the next tick may still be at. */
	#follow(ms: number): void {
		this.steering?.follow(ms, !this.isStalledAt(ms));
		let percent = this.wishing === undefined ? this.targetPercent : 100;
		// while a trigger has just changed the other mode may still, or already, be in force
		if (this.wishes.triggerMode !== undefined && ms - this.#triggerChangedMs <= GATE_HOLD_MS + SLACK_MS)
			percent = Math.max(this.#targetOf(this.wishes.mode), this.#targetOf(this.wishes.triggerMode));
		this.#envelope.follow(ms, percent, this.wishes.releaseRate);
	}

	/** Inputs without which this mode may not command. */
	get #needed(): readonly Input[] {
		const { mode } = this;
		const needed: Input[] = ["flags", "feedback"];
		if (this.wishes.condition?.effect === "open") needed.push("condition");
		if (this.wishing !== undefined) return needed;
		if (mode === "MAP" || mode === "SPEED" || (mode in PRESETS && this.wishes.disableSpeedKmh !== 0)) needed.push("speed");
		if (mode === "MAP" || mode === "THROTTLE") needed.push("pedal");
		if (mode === "RPM") needed.push("rpm");
		return needed;
	}

	/** When the script looked last: what one that has stalled asked for before stands until its lease ends. */
	#seenAt(ms: number): number {
		return this.isStalledAt(ms) ? this.#inputs.stalledFromMs : ms;
	}

	/** A client asks for a calibration. @returns the one that may run from now on */
	calibrate(ms: number): CalibrationJudge {
		this.calibration = new CalibrationJudge(ms, SLACK_MS);
		return this.calibration;
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
		return this.standing.size === 0 && this.calibration?.commands(ms, this.#seenAt(ms), share, goodMs) === true;
	}

	#lookAtCalibration(ms: number): void {
		const { calibration } = this;
		if (calibration === undefined) return;
		const needed: Input[] = ["speed", "flags", "feedback"];
		if (this.wishes.condition?.effect === "open") needed.push("condition");
		for (const input of needed) {
			const endMs = this.#inputs.endMs(input);
			if (ms > endMs) calibration.end(endMs, `${input} is missing`);
		}
		if (ms - this.#chassisMs > SILENT_MS) calibration.end(this.#chassisMs + SILENT_MS, "the car is silent");
		if (this.#hasNoLease(ms)) calibration.end(this.#leasedMs + LEASE_MS, "the script is stalled");
	}

	/** True while the coupling has to be open because ABS or ESP intervene or have just done so. */
	intervenedAt(ms: number): boolean {
		const seenMs = this.#seenAt(ms);
		return ms - this.#flagMs < INTERVENTION_HOLD_MS - SLACK_MS && seenMs - this.#flagFromMs > INTERVENTION_MS + SLACK_MS;
	}

	/** True if nothing is asked for, long enough that gates and ticks have noticed. */
	closedAt(ms: number): boolean {
		this.#follow(ms);
		return this.#envelope.isClosedAt(ms);
	}

	/** Nothing but a client or a restart ends it. */
	get isStockForGood(): boolean {
		return this.standing.size > 0 || this.mode === "STOCK";
	}

	/** What must be so at this moment. */
	demandAt(ms: number): Demand {
		const demand = this.#demandOfMode(ms);
		this.#lookAtCalibration(ms);
		const seenMs = this.#seenAt(ms);
		if (this.standing.size > 0 || !this.calibration?.mayRunAt(ms, seenMs)) return demand;
		const most = this.calibration.mostAt(seenMs);
		return most > (demand.most ?? -1) ? { most, reasons: [], because: "of a calibration" } : demand;
	}

	#hasNoLease(ms: number): boolean {
		return this.isStalledAt(ms) && ms - this.#leasedMs > LEASE_MS;
	}

	#demandOfMode(ms: number): Demand {
		this.#findLights(ms);
		if (this.standing.size > 0 && this.wishing === undefined)
			return stock([...this.standing].join(), ...[...this.standing].map((name) => STANDING[name]));
		if (this.mode === "STOCK" && this.wishing === undefined) return stock("mode STOCK", STANDING.stock);
		if (this.#hasNoLease(ms)) return stock("the script is stalled");
		for (const bus of [0, 1] as const) {
			const downMs = this.#buses.downMs[bus];
			if (downMs !== undefined && ms - downMs > SLACK_MS) return stock(`bus ${bus} is down`, BUS_REASONS);
			if (ms - this.#buses.upMs[bus] < SETTLE_MS - SLACK_MS) return stock(`bus ${bus} is not back for 0.5 s`, DOUBTS);
		}
		let most = 100;
		let because = "full lock";
		const limit = (percent: number, why: string): void => {
			if (percent < most) [most, because] = [Math.max(0, percent), why];
		};
		for (const input of this.#needed) {
			this.#inputs.expire(input, ms);
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
		if (ms - this.#chassisMs > SILENT_MS + SLACK_MS) return stock("the car is silent", DOUBTS);
		const freeMs = ms - this.#flagMs - INTERVENTION_HOLD_MS;
		if (this.intervenedAt(ms)) limit(0, "ABS or ESP intervene");
		else if (freeMs >= -SLACK_MS) limit((freeMs + SLACK_MS) * RISE_PER_MS, "ABS or ESP have intervened");
		const unseenMs = ms - this.#inputs.unseenUntilMs;
		if (unseenMs >= 0) limit((unseenMs + SLACK_MS) * RISE_PER_MS, "an input was away while the script was stalled");
		for (const upMs of this.#buses.upMs) limit((ms - upMs - SETTLE_MS + SLACK_MS) * RISE_PER_MS, "a bus has just come back");
		if (ms - this.#hotMs < COOL_DOWN_MS - SLACK_MS && ms - this.#hotFromMs > RAMP_MS + SLACK_MS) limit(0, "heat or fault");
		const calibratedMs = ms - (this.calibration?.lastMs ?? Number.NEGATIVE_INFINITY);
		limit((calibratedMs + SLACK_MS) * RISE_PER_MS, "a calibration has just ended");
		const { wishes } = this;
		limit(this.#condition?.mostAt(ms, this.#seenAt(ms), wishes.releaseRate) ?? 100, "of a condition");
		this.#follow(ms);
		limit(this.#envelope.mostPercent, "of what the mode asks for");
		return { most, reasons: [], because };
	}
}
