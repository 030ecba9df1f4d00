/**
 * The controller's state and its step: a gateway sample and the time in; what to command out.
 * It touches no platform: the control loop in `runtime/` feeds it and hands its results to gateway and PWM.
 * A step allocates nothing unless the driver changed something.
 */

import type { LearnedTable } from "../calibration/learning.js";
import { CalibrationProblem } from "../calibration/sweep.js";
import { isRunning } from "../can/bus.js";
import type { MappedKeys } from "../coupling/coupling.js";
import { chosenPlan, isOtherPlan, openingFactor, planFollowsMode, planMode, type Trial } from "../coupling/frame-plan.js";
import { ALL_GROUPS, WITHOUT_BRAKE_GROUP } from "../coupling/plan-format.js";
import { FWD, type ModeNumber, STOCK } from "../lock/modes.js";
import type { StoredMap } from "../lock/tuning.js";
import { inputKeys, type PwmSettings, type Settings, watchedKeys } from "../settings/settings.js";
import { upperCase } from "../text/characters.js";
import type { FrameHabits } from "../vehicle/frame-guard.js";
import {
	HEARD_ON_COUPLING,
	NEVER_MS,
	NOTHING_HEARD,
	PLAN_ACTIVE,
	WORD_CHASSIS_AGE,
	WORD_COUPLING_AGE,
	WORD_FLAGS,
	WORD_HEARD,
	WORD_INVALID,
	WORD_NOW,
	WORD_STATES,
	wordsOf,
} from "../vehicle/sample.js";
import type { SignalInput } from "../vehicle/signal-input.js";
import { Telemetry } from "../vehicle/telemetry.js";
import type { VehicleState } from "../vehicle/vehicle-state.js";
import { WatchList } from "../vehicle/watch-list.js";
import { CALIBRATION_MODE } from "./arbiter.js";
import { CalibrationRun } from "./calibration-run.js";
import { type Condition, type ConditionState, Conditions } from "./conditions.js";
import { InputSupervisor } from "./input-supervisor.js";
import { LockCommand } from "./lock-command.js";
import { FULL_FACTOR, LockFactor } from "./lock-factor.js";
import { type Doubt, HeldBy, Reason } from "./reason.js";
import { Steering, steeringInput } from "./steering.js";
import type { ControllerView, LoopFigures } from "./view.js";

const FACTOR_PER_PERCENT = FULL_FACTOR / 100;

/** What reads the signals that the settings name: made anew before other settings take effect. */
interface Prepared {
	readonly telemetry: Telemetry;
	readonly conditions: Conditions;
	/** Where the steering angle comes from; undefined = from nowhere. */
	readonly steeringInput: SignalInput | undefined;
}

/** All of it for `settings`. @param habits what the car has shown before. */
function prepare(settings: Settings, habits?: FrameHabits): Prepared {
	const telemetry = new Telemetry(settings.generation, inputKeys(settings), !settings.standalone, new WatchList(habits));
	const conditions = new Conditions(settings, telemetry.watch);
	return { telemetry, conditions, steeringInput: steeringInput(settings, telemetry.watch) };
}

/** What of it is another for `settings` than for `old`, for which there is `now`. */
function prepareAnew(now: Prepared, old: Settings, settings: Settings): Prepared {
	const otherConditions = settings.conditions !== old.conditions;
	const otherFrames =
		isOtherCoupling(settings, old) ||
		settings.inputMappings !== old.inputMappings ||
		((otherConditions || settings.steeringGain !== old.steeringGain) && watchedKeys(settings) !== watchedKeys(old));
	if (otherFrames) return prepare(settings, now.telemetry.watch.habits);
	return otherConditions ? { ...now, conditions: new Conditions(settings, now.telemetry.watch) } : now;
}

/** A request that is meant for one must not reach the other in its frames. */
function isOtherCoupling(settings: Settings, old: Settings): boolean {
	return settings.generation !== old.generation || settings.standalone !== old.standalone;
}

/** There is one. `step` is called by the control loop alone; everything else between two steps. */
export class Controller implements ControllerView {
	// The engine looks for a member from the first one that was set: what each step reads is set first, here.
	telemetry: Telemetry;
	#sample: Uint8Array | undefined = undefined;
	/** The last sample in words; before the first one nobody is connected and nothing was received. */
	#words: Uint16Array = Uint16Array.of(0, 0, 0, 0, NEVER_MS, NEVER_MS, 0, 0, 0, 0, 0, 0);
	/**
	 * Time of the last step, ms modulo 2^32: the gateway's clock, and from a step back of that on so much
	 * ahead of it.
	 */
	nowMs = 0;
	#aheadMs = 0;
	#started = false;
	readonly supervisor: InputSupervisor;
	readonly #command = new LockCommand();
	readonly calibration = new CalibrationRun();
	readonly factors = new LockFactor();
	/** Of the calibration that runs: what its plan has in the place of the settings. Stored nowhere. */
	#trial: Trial | undefined;
	#settings: Settings;
	/** True while lock is asked for or commanded to 0 %: frames are rewritten, or generated, for it. */
	controlActive = false;
	/**
	 * True if a plan is to be active: the loop commits `factor` and `groups`, and releases the plan otherwise. As
	 * `controlActive`, but always true where frames are generated: the coupling is then open, not without frames.
	 */
	planActive = false;
	/** Lock asked for, 0..100; 0 in stock, where nothing is asked. */
	lockPercent = 0;
	/** Rises with every change that was asked for. */
	revision = 0;
	/** The latest revision that a step has applied. */
	activeRevision = 0;
	factor = 0;
	groups = ALL_GROUPS;
	#generates = false;
	#planFollowsMode = false;
	/** The mode whose rows the plan has; means something only where they follow the mode. */
	#planMode: ModeNumber = STOCK;
	/** True if the gateway's plan is not the one for what is active: the loop then takes the new one. */
	planStale = true;
	readonly loop: LoopFigures = { ticks: 0, periodUs: 0, periodMaxUs: 0, jitterMaxUs: 0, overruns: 0, lateMaxUs: 0 };
	/** Frequency and active polarity: the loop drives the output with them. */
	pwm: PwmSettings;
	/** Somebody else sends the status frame; the loop writes it. */
	statusFrameElsewhere = false;
	/** Rises when the watch list is another one; the loop hands it to the gateway. */
	watchRevision = 1;

	#conditions: Conditions;
	readonly steering: Steering;
	readonly #onSettings: (settings: Settings) => void;

	/** @param onSettings told of every change that must survive a power cut */
	constructor(settings: Settings, onSettings: (settings: Settings) => void) {
		this.#settings = settings;
		this.#onSettings = onSettings;
		this.pwm = settings.pwm;
		const { telemetry, conditions, steeringInput } = prepare(settings);
		this.telemetry = telemetry;
		this.#conditions = conditions;
		this.steering = new Steering(this.#command.lock, settings.steeringGain, steeringInput);
		this.supervisor = new InputSupervisor(settings, this.#conditions, this.steering);
		this.#derive(settings);
	}

	/** One tick with a fresh sample. Never throws. */
	step(sample: Uint8Array): void {
		if (sample !== this.#sample) {
			this.#sample = sample;
			this.#words = wordsOf(sample);
			this.supervisor.sample = sample;
		}
		const words = this.#words;
		const supervisor = this.supervisor;
		let nowMs = ((words[WORD_NOW] | (words[WORD_NOW + 1] << 16)) + this.#aheadMs) >>> 0;
		let elapsedMs = this.#started ? (nowMs - this.nowMs) | 0 : this.#start();
		if (elapsedMs < 0) {
			// else what is known would seem younger than it is by as much
			this.#aheadMs -= elapsedMs;
			nowMs = this.nowMs;
			elapsedMs = 0;
		}
		this.nowMs = nowMs;
		// the lease ran out: the car has been stock since, whatever was asked for
		const leaseLost = this.controlActive && (words[WORD_FLAGS] & PLAN_ACTIVE) === 0;
		if (leaseLost) {
			this.#command.interrupt();
			supervisor.lookAgain();
		}

		const telemetry = this.telemetry;
		telemetry.update(sample, words, nowMs);
		const vehicle = telemetry.state;
		supervisor.step(words, vehicle, nowMs, elapsedMs);
		this.#generates = supervisor.generates;
		if (this.calibration.runs && this.#calibrate(vehicle, leaseLost)) return;
		const settings = this.#settings;
		const command = this.#command;
		const interrupted = supervisor.interrupted;
		// while its flag is unknown, an intervention goes on: the flag may have been set until just now;
		// without a car no frame tells of its end
		const unknown = command.intervening && !settings.standalone && (interrupted || !vehicle.interventionsValid);
		const intervention = (vehicle.interventionActive || unknown) && settings.respectInterventions;
		if (interrupted) command.interrupt();
		const active = command.step(supervisor.verdict, intervention, vehicle, supervisor.tuning, elapsedMs, this.#conditions);
		const lockPercent = command.lock.lockPercent;
		this.controlActive = active;
		this.lockPercent = lockPercent;
		this.activeRevision = this.revision;
		this.planActive = active || this.#generates;
		if (!active) {
			this.factor = 0;
			this.groups = ALL_GROUPS;
			if (this.#generates && this.#planFollowsMode) this.#followMode(command.opening);
			return;
		}
		const factor = this.factors.of(lockPercent);
		this.factor = this.#planFollowsMode && this.#followMode(command.opening) === FWD ? openingFactor(factor) : factor;
		this.groups = command.intervening ? WITHOUT_BRAKE_GROUP : ALL_GROUPS;
	}

	/** @returns false if the calibration is over: what was active before returns, from an open coupling on */
	#calibrate(vehicle: VehicleState, leaseLost: boolean): boolean {
		const command = this.#command;
		if (!this.calibration.step(this.supervisor.calibrationDoubt, vehicle, leaseLost, this.nowMs)) {
			command.interrupt();
			this.#try(undefined);
			return false;
		}
		const percent = this.calibration.sweep.factorPercent;
		command.mode = CALIBRATION_MODE;
		command.reason = Reason.CALIBRATING;
		this.controlActive = this.planActive = true;
		this.lockPercent = percent;
		this.factor = percent * FACTOR_PER_PERCENT;
		this.groups = ALL_GROUPS;
		this.activeRevision = this.revision;
		if (this.#planFollowsMode) this.#followMode(false);
		return true;
	}

	/**
	 * Begins a calibration, from the next step on.
	 * @param trial what it tries in the place of the settings, which are active again as soon as it is over
	 * @returns why not, a `Reason` or a `CalibrationProblem`; "" = it has begun
	 */
	startCalibration(trial?: Trial): string {
		this.revision++;
		const doubt = this.supervisor.calibrationDoubt ?? this.#command.heldOpen;
		const problem = this.calibration.start(doubt, this.vehicle, this.nowMs);
		if (problem === "") {
			this.#command.interrupt();
			this.#try(trial);
		}
		return problem;
	}

	#try(trial: Trial | undefined): void {
		if (trial === this.#trial) return;
		this.#trial = trial;
		this.planStale = true;
	}

	/** From the next step on; a table of another generation or frame profile waits for it. */
	useLearned(learned: LearnedTable): void {
		this.revision++;
		this.factors.applySettings(this.#settings, learned);
	}

	/** The stored maps that conditions select, from the next step on; one that is missing can't be used. */
	useStoredMaps(maps: readonly StoredMap[]): void {
		this.revision++;
		this.supervisor.useMaps(maps);
	}

	/** Before the first step no time has passed. */
	#start(): number {
		this.#started = true;
		return 0;
	}

	/** @returns the mode whose rows are to be active */
	#followMode(opening: boolean): ModeNumber {
		const mode = planMode(this.#command.mode, opening);
		if (mode !== this.#planMode) {
			this.#planMode = mode;
			this.planStale = true;
		}
		return mode;
	}

	/**
	 * The frame plan, if the gateway's is not the one for what is active now. For the loop, while control is
	 * active.
	 * @returns undefined if the gateway has it
	 */
	takePlan(): Uint8Array | undefined {
		const { generation } = this.#settings;
		if (generation === 0 || !this.planStale) return undefined;
		this.planStale = false;
		return chosenPlan({ ...this.#settings, ...this.#trial, generation }, this.#planMode);
	}

	/**
	 * Ends control for good after a fault of ours: stock, and the view says so. Only `look` may be called
	 * from then on. Never throws.
	 */
	fail(): void {
		this.calibration.fail();
		this.#command.disengage();
		this.#command.reason = Reason.FAULT;
		// from now on nothing changes what is active
		this.activeRevision = Number.POSITIVE_INFINITY;
		this.controlActive = this.planActive = false;
		this.lockPercent = 0;
		this.factor = 0;
		const vehicle = this.telemetry.state;
		vehicle.speedValid = vehicle.pedalValid = vehicle.rpmValid = vehicle.engagementValid = false;
		vehicle.motion = "unknown";
	}

	/** After a fault: time, buses and ages of a sample are told on, and nothing is asked for. Allocates. */
	look(sample: Uint8Array): void {
		const words = wordsOf(sample);
		this.#words = words;
		this.nowMs = ((words[WORD_NOW] | (words[WORD_NOW + 1] << 16)) + this.#aheadMs) >>> 0;
	}

	get settings(): Settings {
		return this.#settings;
	}

	/**
	 * Applies new settings, whole, from the next step on, and has them stored. What can fail comes first:
	 * then nothing has changed.
	 */
	applySettings(settings: Settings): void {
		const old = this.#settings;
		const now = { telemetry: this.telemetry, conditions: this.#conditions, steeringInput: this.steering.input };
		const { telemetry, conditions, steeringInput } = prepareAnew(now, old, settings);
		const otherGeneration = isOtherCoupling(settings, old);
		this.#settings = settings;
		this.#conditions = conditions;
		this.steering.applySettings(settings.steeringGain, steeringInput, otherGeneration);
		this.supervisor.applySettings(settings, conditions);
		this.#derive(settings);
		if (telemetry !== this.telemetry) this.watchRevision++;
		this.telemetry = telemetry;
		if (otherGeneration) this.#command.disengage();
		if (isOtherPlan(settings, old)) this.planStale = true;
		this.calibration.sweep.abort(CalibrationProblem.SETTINGS_CHANGED);
		this.revision++;
		this.#onSettings(settings);
	}

	/** Sets what follows from the settings. */
	#derive(settings: Settings): void {
		this.#planFollowsMode = planFollowsMode(settings.generation, settings.frameProfile);
		this.#generates = this.supervisor.generates;
		this.factors.applySettings(settings);
		this.pwm = settings.pwm;
	}

	/** While an update is in progress the car is stock. */
	setUpdating(updating: boolean): void {
		this.revision++;
		this.supervisor.setUpdating(updating);
	}

	/** The controller restarted too often: the car is stock until the next start. */
	setBootLoop(): void {
		this.supervisor.setBootLoop();
		this.#generates = false;
	}

	/** While anybody in reach could use the interface, unasked, the car is stock. Idempotent. */
	setOpenNetwork(open: boolean): void {
		this.supervisor.setOpenNetwork(open);
	}

	selectMode(mode: ModeNumber): void {
		if (this.supervisor.captureActive && mode !== STOCK) return;
		this.applySettings({ ...this.#settings, mode, disableController: mode === STOCK });
	}

	setCapture(active: boolean): void {
		this.revision++;
		this.supervisor.setCapture(active, this.nowMs);
	}

	get effectiveMode(): ModeNumber {
		return this.#command.mode;
	}
	get reason(): Reason {
		const { reason } = this.#command;
		return reason === Reason.STANDALONE_WAITS ? (this.standaloneDoubt ?? reason) : reason;
	}
	get reasonDetail(): string {
		const { reason } = this;
		if (reason === Reason.MAP_UNREADABLE) return this.supervisor.unreadableMap;
		if (reason === Reason.SELECTED_BY_CONDITION) return this.supervisor.conditionMap;
		return reason === this.standaloneDoubt ? this.standaloneHeard : "";
	}
	get conditionMap(): string {
		return this.controlActive ? this.supervisor.conditionMap : "";
	}
	get heldBy(): HeldBy {
		return this.controlActive ? this.#command.heldBy(this.vehicle, this.supervisor.tuning) : HeldBy.NOTHING;
	}
	get standaloneGenerating(): boolean {
		return this.#generates && (this.#words[WORD_FLAGS] & PLAN_ACTIVE) !== 0;
	}
	get standaloneDoubt(): Doubt {
		if (!this.#generates || this.standaloneGenerating) return undefined;
		if (!isRunning(this.chassisState)) return Reason.CHASSIS_BUS_DOWN;
		if (!isRunning(this.couplingBusState)) return Reason.COUPLING_BUS_DOWN;
		const low = this.#words[WORD_HEARD];
		const high = this.#words[WORD_HEARD + 1];
		if (high === NOTHING_HEARD || (low === 0 && high === 0)) return Reason.STANDALONE_WAITS;
		return (high & HEARD_ON_COUPLING) === 0 ? Reason.STANDALONE_HEARD_CAR : Reason.STANDALONE_HEARD_COUPLING;
	}
	get standaloneHeard(): string {
		const doubt = this.standaloneDoubt;
		if (doubt !== Reason.STANDALONE_HEARD_CAR && doubt !== Reason.STANDALONE_HEARD_COUPLING) return "";
		return `0x${upperCase(this.#words[WORD_HEARD].toString(16))}`;
	}
	get invalidFrame(): string {
		const id = this.#words[WORD_INVALID] | (this.#words[WORD_INVALID + 1] << 16);
		return id === 0 ? "" : `0x${upperCase(id.toString(16))}`;
	}
	get broadcastOverCan(): boolean {
		return this.supervisor.captureActive || this.#settings.broadcastOverCan;
	}
	get effectiveBroadcastOverCan(): boolean {
		return this.supervisor.conditionSelects ? this.supervisor.conditionBroadcasts : this.broadcastOverCan;
	}
	conditionAt(index: number): ConditionState | undefined {
		return this.#conditions.at(index);
	}
	/**
	 * The conditions for which the coupling's control unit is to be asked: none while they do nothing, and
	 * unless coupling and car are heard.
	 */
	get asking(): readonly Condition[] | undefined {
		const { engagementValid, ignition, rpmValid, speedValid } = this.vehicle;
		const isInUse = ignition !== "off" && (speedValid || rpmValid || this.#settings.standalone);
		return engagementValid && isInUse && !this.supervisor.ignoresConditions ? this.#conditions.asking : undefined;
	}
	get busStates(): number {
		return this.#words[WORD_STATES];
	}
	get chassisState(): number {
		return this.#words[WORD_STATES] & 0xff;
	}
	get couplingBusState(): number {
		return this.#words[WORD_STATES] >> 8;
	}
	get chassisAgeMs(): number {
		return this.#words[WORD_CHASSIS_AGE];
	}
	get couplingAgeMs(): number {
		return this.#words[WORD_COUPLING_AGE];
	}
	get inputMappings(): MappedKeys {
		return inputKeys(this.#settings);
	}
	get vehicle(): VehicleState {
		return this.telemetry.state;
	}
}
