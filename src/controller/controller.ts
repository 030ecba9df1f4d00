/**
 * The controller's state and its step: a gateway sample and the time in; what to command out.
 * It touches no platform: the control loop in `runtime/` feeds it and hands its results to gateway and PWM.
 * A step allocates nothing unless the driver changed something.
 */

import type { LearnedTable } from "../calibration/learning.js";
import { CalibrationProblem } from "../calibration/sweep.js";
import { isRunning } from "../can/bus.js";
import { chosenPlan, isOtherPlan, openingFactor, planFollowsMode, planMode, type Trial } from "../coupling/frame-plan.js";
import { ALL_GROUPS, WITHOUT_BRAKE_GROUP } from "../coupling/plan-format.js";
import { FWD, type ModeNumber, STOCK } from "../lock/modes.js";
import type { StoredMap } from "../lock/tuning.js";
import { inputKeys, type Settings, watchedKeys } from "../settings/settings.js";
import { upperCase } from "../text/characters.js";
import type { FrameHabits } from "../vehicle/frame-guard.js";
import {
	HEARD_ON_COUPLING,
	NOTHING_HEARD,
	PLAN_ACTIVE,
	SampleHeader,
	WORD_FLAGS,
	WORD_HEARD,
	WORD_NOW,
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

const FACTOR_PER_PERCENT = FULL_FACTOR / 100;

/** Counts of the control loop; it writes them. Microseconds unless said. */
export interface LoopFigures {
	/** Ticks so far. */
	ticks: number;
	/** Between the last two ticks; 0 if the clock stepped back, and before the second. */
	periodUs: number;
	/** The longest. */
	periodMaxUs: number;
	/** The largest difference from 10 ms, either way. */
	jitterMaxUs: number;
	/** Ticks that were missed because an earlier one, or anything else, took too long. */
	overruns: number;
	/** How much the longest period is above 10 ms. */
	lateMaxUs: number;
}

/** Reads the signals that the settings name: made anew before other settings take effect. */
interface Prepared {
	readonly telemetry: Telemetry;
	readonly conditions: Conditions;
	readonly steeringInput: SignalInput | undefined;
}

/** @param habits of the car, shown before */
function prepare(settings: Settings, habits?: FrameHabits): Prepared {
	const telemetry = new Telemetry(settings.generation, inputKeys(settings), !settings.standalone, new WatchList(habits));
	const conditions = new Conditions(settings, telemetry.watch);
	return { telemetry, conditions, steeringInput: steeringInput(settings, telemetry.watch) };
}

/** `now` was made for `old`: what is the same for `settings` is kept. */
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
export class Controller {
	// The engine looks for a member from the first one that was set: what each step reads is set first, here.
	telemetry: Telemetry;
	#buffer: Uint8Array | undefined = undefined;
	readonly sample = new SampleHeader();
	/**
	 * Time of the last step, ms modulo 2^32: the gateway's clock, and after a step back of that, ahead of it
	 * by the step.
	 */
	nowMs = 0;
	#aheadMs = 0;
	/** Before the first step no time has passed. */
	#started = false;
	readonly supervisor: InputSupervisor;
	readonly #command = new LockCommand();
	readonly calibration = new CalibrationRun();
	readonly factors = new LockFactor();
	/** What the plan of a running calibration has in place of the settings. Stored nowhere. */
	#trial: Trial | undefined;
	/** All that the driver sets; replaced, never changed in place. */
	settings: Settings;
	/** True while lock is asked for or commanded to 0 %: frames are rewritten, or generated, for it. */
	controlActive = false;
	/**
	 * True if a plan is to be active: the loop commits `factor` and `groups`, and releases the plan otherwise. As
	 * `controlActive`, but always true where frames are generated: the coupling is then open, not without frames.
	 */
	planActive = false;
	/** Lock asked for, 0..100; the factor under test while a calibration runs; 0 in stock. */
	lockPercent = 0;
	revision = 0;
	/** The latest revision that a step has applied; Infinity after a fault of ours. */
	activeRevision = 0;
	factor = 0;
	groups = ALL_GROUPS;
	#generates = false;
	#planFollowsMode = false;
	/** The mode whose rows the plan has, where they follow the mode. */
	#planMode: ModeNumber = STOCK;
	/** The gateway's plan is not the one for what is active: the loop takes the new one. */
	planStale = true;
	readonly loop: LoopFigures = { ticks: 0, periodUs: 0, periodMaxUs: 0, jitterMaxUs: 0, overruns: 0, lateMaxUs: 0 };
	/** Somebody else sends the status frame; the loop writes it. */
	statusFrameElsewhere = false;
	/** Rises when the watch list is another one; the loop hands it to the gateway. */
	watchRevision = 1;

	#conditions: Conditions;
	readonly steering: Steering;
	readonly #onSettings: (settings: Settings) => void;

	/** @param onSettings told of every change that must survive a power cut */
	constructor(settings: Settings, onSettings: (settings: Settings) => void) {
		this.settings = settings;
		this.#onSettings = onSettings;
		const { telemetry, conditions, steeringInput } = prepare(settings);
		this.telemetry = telemetry;
		this.#conditions = conditions;
		this.steering = new Steering(this.#command.lock, settings.steeringGain, steeringInput);
		this.supervisor = new InputSupervisor(settings, this.#conditions, this.steering);
		this.#derive(settings);
	}

	/** One tick with a fresh sample. */
	step(sample: Uint8Array): void {
		if (sample !== this.#buffer) {
			this.#buffer = sample;
			this.sample.words = wordsOf(sample);
			this.supervisor.sample = sample;
		}
		const { words } = this.sample;
		const supervisor = this.supervisor;
		let nowMs = ((words[WORD_NOW] | (words[WORD_NOW + 1] << 16)) + this.#aheadMs) >>> 0;
		let elapsedMs = this.#started ? (nowMs - this.nowMs) | 0 : 0;
		this.#started = true;
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
		const settings = this.settings;
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

	/** @returns false if the calibration is over */
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
	 * @param trial in place of the settings until it is over
	 * @returns why not; undefined = it has begun
	 */
	startCalibration(trial?: Trial): CalibrationProblem | Doubt {
		this.revision++;
		const doubt = this.supervisor.calibrationDoubt ?? this.#command.heldOpen;
		const problem = this.calibration.start(doubt, this.vehicle, this.nowMs);
		if (problem === undefined) {
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
		this.factors.applySettings(this.settings, learned);
	}

	/** The stored maps that conditions select, from the next step on; one that is missing can't be used. */
	useStoredMaps(maps: readonly StoredMap[]): void {
		this.revision++;
		this.supervisor.useMaps(maps);
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

	/** The frame plan for what is active now, for the loop; undefined if the gateway has it. */
	takePlan(): Uint8Array | undefined {
		const { generation } = this.settings;
		if (generation === 0 || !this.planStale) return undefined;
		this.planStale = false;
		return chosenPlan({ ...this.settings, ...this.#trial, generation }, this.#planMode);
	}

	/** Ends control for good after a fault of ours. Only `look` may be called from then on. */
	fail(): void {
		this.calibration.fail();
		this.#command.disengage();
		this.#command.reason = Reason.FAULT;
		this.activeRevision = Number.POSITIVE_INFINITY;
		this.controlActive = this.planActive = false;
		this.lockPercent = 0;
		this.factor = 0;
		const vehicle = this.telemetry.state;
		vehicle.speedValid = vehicle.pedalValid = vehicle.rpmValid = vehicle.engagementValid = false;
		vehicle.motion = "unknown";
	}

	/** After a fault: only time, buses and ages of a sample are shown. Allocates. */
	look(sample: Uint8Array): void {
		const words = wordsOf(sample);
		this.sample.words = words;
		this.nowMs = ((words[WORD_NOW] | (words[WORD_NOW + 1] << 16)) + this.#aheadMs) >>> 0;
	}

	/**
	 * Applies new settings, whole, from the next step on, and has them stored. What can fail comes first:
	 * then nothing has changed.
	 */
	applySettings(settings: Settings): void {
		const old = this.settings;
		const now = { telemetry: this.telemetry, conditions: this.#conditions, steeringInput: this.steering.input };
		const { telemetry, conditions, steeringInput } = prepareAnew(now, old, settings);
		const otherGeneration = isOtherCoupling(settings, old);
		this.settings = settings;
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

	#derive(settings: Settings): void {
		this.#planFollowsMode = planFollowsMode(settings.generation, settings.frameProfile);
		this.#generates = this.supervisor.generates;
		this.factors.applySettings(settings);
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

	/**
	 * Selects a mode and remembers it. STOCK disables the controller, any other mode enables it, but not while a
	 * CAN capture runs.
	 */
	selectMode(mode: ModeNumber): void {
		if (this.supervisor.captureActive && mode !== STOCK) return;
		this.applySettings({ ...this.settings, mode, disableController: mode === STOCK });
	}

	/** Starts or ends a CAN capture: stock, and conditions start over. It ends by itself after 10 minutes. */
	setCapture(active: boolean): void {
		this.revision++;
		this.supervisor.setCapture(active, this.nowMs);
	}

	/** The active mode: the selected one, that of a condition, or STOCK for any doubt. */
	get effectiveMode(): ModeNumber {
		return this.#command.mode;
	}
	get reason(): Reason {
		const { reason } = this.#command;
		return reason === Reason.STANDALONE_WAITS ? (this.standaloneDoubt ?? reason) : reason;
	}
	/** What belongs to that reason: a map's path, an identifier; "" with most. */
	get reasonDetail(): string {
		const { reason } = this;
		if (reason === Reason.MAP_UNREADABLE) return this.supervisor.unreadableMap;
		if (reason === Reason.SELECTED_BY_CONDITION) return this.supervisor.conditionMap;
		return reason === this.standaloneDoubt ? this.standaloneHeard : "";
	}
	/** Path of the stored map that a condition has put in place of the driver's; "" = none. */
	get conditionMap(): string {
		return this.controlActive ? this.supervisor.conditionMap : "";
	}
	get heldBy(): HeldBy {
		return this.controlActive ? this.#command.heldBy(this.vehicle, this.supervisor.tuning) : HeldBy.NOTHING;
	}
	/** Frames are being sent in standalone operation. */
	get standaloneGenerating(): boolean {
		return this.#generates && this.sample.isPlanActive;
	}
	/** Why none are sent in standalone operation; undefined while they are, and in any other. */
	get standaloneDoubt(): Doubt {
		if (!this.#generates || this.standaloneGenerating) return undefined;
		if (!isRunning(this.sample.chassisState)) return Reason.CHASSIS_BUS_DOWN;
		if (!isRunning(this.sample.couplingBusState)) return Reason.COUPLING_BUS_DOWN;
		const low = this.sample.words[WORD_HEARD];
		const high = this.sample.words[WORD_HEARD + 1];
		if (high === NOTHING_HEARD || (low === 0 && high === 0)) return Reason.STANDALONE_WAITS;
		return (high & HEARD_ON_COUPLING) === 0 ? Reason.STANDALONE_HEARD_CAR : Reason.STANDALONE_HEARD_COUPLING;
	}
	/** The identifier that somebody else sends, with the doubts of that; else "". */
	get standaloneHeard(): string {
		const doubt = this.standaloneDoubt;
		if (doubt !== Reason.STANDALONE_HEARD_CAR && doubt !== Reason.STANDALONE_HEARD_COUPLING) return "";
		return `0x${upperCase(this.sample.words[WORD_HEARD].toString(16))}`;
	}
	/** Whether the driver wants the status frame to be sent; true while a CAN capture runs. */
	get broadcastOverCan(): boolean {
		return this.supervisor.captureActive || this.settings.broadcastOverCan;
	}
	/** Whether it is sent now: the say of a condition while its mode is active. */
	get effectiveBroadcastOverCan(): boolean {
		return this.supervisor.conditionSelects ? this.supervisor.conditionBroadcasts : this.broadcastOverCan;
	}
	/** A condition by its index in the settings; undefined if it is disabled or missing. */
	conditionAt(index: number): ConditionState | undefined {
		return this.#conditions.at(index);
	}
	/**
	 * The conditions for which the coupling's control unit is to be asked: none while they do nothing, and
	 * unless coupling and car are heard.
	 */
	get asking(): readonly Condition[] | undefined {
		const { engagementValid, ignition, rpmValid, speedValid } = this.vehicle;
		const isInUse = ignition !== "off" && (speedValid || rpmValid || this.settings.standalone);
		return engagementValid && isInUse && !this.supervisor.ignoresConditions ? this.#conditions.asking : undefined;
	}
	get vehicle(): VehicleState {
		return this.telemetry.state;
	}
}

/**
 * What the interface may see of the controller and ask of it, between two control ticks. Nothing in it
 * throws.
 */
export type ControllerView = Readonly<
	Omit<
		Controller,
		| "telemetry"
		| "planActive"
		| "planStale"
		| "factor"
		| "groups"
		| "watchRevision"
		| "asking"
		| "step"
		| "look"
		| "fail"
		| "takePlan"
		| "startCalibration"
		| "useLearned"
		| "useStoredMaps"
		| "setUpdating"
		| "setBootLoop"
	>
>;
