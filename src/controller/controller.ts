/**
 * The controller's state and its step: a gateway sample in, lock to command out. The control loop in
 * `runtime/` feeds it and hands its results to gateway and PWM. A step allocates nothing unless the driver
 * changed something.
 */

import type { LearnedTable } from "../calibration/learning.js";
import { CalibrationProblem } from "../calibration/sweep.js";
import {
	chosenPlan,
	FACTOR_PER_PERCENT,
	isOtherPlan,
	openingFactor,
	planFollowsMode,
	planMode,
	type Trial,
} from "../coupling/frame-plan.js";
import { ALL_GROUPS, WITHOUT_BRAKE_GROUP } from "../coupling/plan-format.js";
import { FWD, type ModeNumber, STOCK } from "../lock/modes.js";
import type { StoredMap } from "../lock/tuning.js";
import type { Settings } from "../settings/settings.js";
import { PLAN_ACTIVE, SampleHeader, WORD_FLAGS, wordsOf } from "../vehicle/sample.js";
import type { Telemetry } from "../vehicle/telemetry.js";
import type { VehicleState } from "../vehicle/vehicle-state.js";
import { CALIBRATION_MODE, type ModeDoubt } from "./arbiter.js";
import { CalibrationRun } from "./calibration-run.js";
import type { Condition, ConditionState, Conditions } from "./conditions.js";
import { InputSupervisor } from "./input-supervisor.js";
import { LockCommand } from "./lock-command.js";
import { LockFactor } from "./lock-factor.js";
import { LoopFigures } from "./loop-figures.js";
import { type Doubt, HeldBy, Reason } from "./reason.js";
import { heardIdentifier, standaloneDoubt } from "./standalone-report.js";
import { StatusBroadcast } from "./status-broadcast.js";
import { Steering } from "./steering.js";
import { isOtherCoupling, rewatchInputs, watchInputs } from "./watched-inputs.js";

/** `step` is called by the control loop alone; everything else between two steps. */
export class Controller {
	// The engine looks for a member from the first one that was set: what each step reads is set first, here.
	telemetry: Telemetry;
	#buffer: Uint8Array | undefined = undefined;
	readonly sample = new SampleHeader();
	/** Time of the last step, ms modulo 2^32: the gateway's clock plus `#aheadMs`, so that it never goes back. */
	nowMs = 0;
	/** Sum of the steps back of the gateway's clock. */
	#aheadMs = 0;
	#started = false;
	readonly supervisor: InputSupervisor;
	readonly #command = new LockCommand();
	readonly calibration = new CalibrationRun();
	readonly factors = new LockFactor();
	/** Replaces settings in the plan of a running calibration. */
	#trial: Trial | undefined;
	/** Replaced whole, never changed in place. */
	settings: Settings;
	/** True while frames are rewritten, or generated, for `lockPercent`, which may be 0. */
	controlActive = false;
	/**
	 * The loop commits `factor` and `groups`, else it releases the plan. Always true where frames are
	 * generated: without control the coupling is open, not without frames.
	 */
	planActive = false;
	/** 0..100; the factor under test while a calibration runs; 0 in stock. */
	lockPercent = 0;
	/** Counts the requests that change control. */
	revision = 0;
	/** The latest revision that a step has applied; Infinity after a fault of ours. */
	activeRevision = 0;
	/** What the loop commits: 0..25600, in 1/256 percent. */
	factor = 0;
	/** Groups of the plan's frames that are rewritten, a bit each. */
	groups = ALL_GROUPS;
	/** The gateway is to generate frames. */
	#generates = false;
	#planFollowsMode = false;
	/** Mode of the plan's rows, where they follow the mode. */
	#planMode: ModeNumber = STOCK;
	/** The loop has to take a new plan. */
	planStale = true;
	/** The control loop writes it. */
	readonly loop = new LoopFigures();
	readonly statusBroadcast = new StatusBroadcast();
	/** Rises with each new watch list; the loop hands it to the gateway. */
	watchRevision = 1;

	#conditions: Conditions;
	readonly steering: Steering;
	readonly #onSettings: (settings: Settings) => void;

	/** @param onSettings gets settings that must survive a power cut */
	constructor(settings: Settings, onSettings: (settings: Settings) => void) {
		this.settings = settings;
		this.#onSettings = onSettings;
		const { telemetry, conditions, steeringInput } = watchInputs(settings);
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
		}
		const { words } = this.sample;
		const supervisor = this.supervisor;
		let nowMs = (this.sample.nowMs + this.#aheadMs) >>> 0;
		let elapsedMs = this.#started ? (nowMs - this.nowMs) | 0 : 0;
		this.#started = true;
		if (elapsedMs < 0) {
			// else values would seem younger than they are
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
		supervisor.step(sample, words, vehicle, nowMs, elapsedMs);
		this.#generates = supervisor.generates;
		if (this.calibration.runs && this.#calibrate(vehicle, leaseLost)) return;
		const settings = this.settings;
		const command = this.#command;
		const interrupted = supervisor.interrupted;
		// while its flag is unknown an intervention goes on; without a car no frame tells of its end
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
	 * Begins a calibration with the next step.
	 * @param trial replaces settings until it is over
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

	/** The stored maps for conditions, from the next step on; a missing one can't be used. */
	useStoredMaps(maps: readonly StoredMap[]): void {
		this.revision++;
		this.supervisor.useMaps(maps);
	}

	/** @returns the mode of the rows */
	#followMode(opening: boolean): ModeNumber {
		const mode = planMode(this.#command.mode, opening);
		if (mode !== this.#planMode) {
			this.#planMode = mode;
			this.planStale = true;
		}
		return mode;
	}

	/** The frame plan to load; undefined if the gateway has it. */
	takePlan(): Uint8Array | undefined {
		const { generation } = this.settings;
		if (generation === 0 || !this.planStale) return undefined;
		this.planStale = false;
		return chosenPlan({ ...this.settings, ...this.#trial, generation }, this.#planMode);
	}

	/**
	 * Ends control for good after a fault of ours. `step` must not be called after it. Requests still change
	 * settings, which take effect at the next start.
	 */
	fail(): void {
		this.calibration.fail();
		this.#command.disengage();
		this.#command.reason = Reason.FAULT;
		this.activeRevision = Number.POSITIVE_INFINITY;
		this.controlActive = this.planActive = false;
		this.lockPercent = 0;
		this.factor = 0;
		this.telemetry.invalidate();
	}

	/** After a fault: reads time, buses and ages only. Allocates. */
	look(sample: Uint8Array): void {
		this.sample.words = wordsOf(sample);
		this.nowMs = (this.sample.nowMs + this.#aheadMs) >>> 0;
	}

	/**
	 * Applies new settings whole, with the next step, and has them stored. What can fail comes first: then
	 * nothing has changed.
	 */
	applySettings(settings: Settings): void {
		const old = this.settings;
		const now = { telemetry: this.telemetry, conditions: this.#conditions, steeringInput: this.steering.input };
		const { telemetry, conditions, steeringInput } = rewatchInputs(now, old, settings);
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
		this.supervisor.setDoubts({ updating });
	}

	/** Stock until the next start: the controller restarted too often. */
	setBootLoop(): void {
		this.supervisor.setDoubts({ bootLoop: true });
		this.#generates = false;
	}

	/**
	 * Selects a mode and stores it. STOCK disables the controller, any other mode enables it.
	 * @returns why not; undefined = it is selected
	 */
	selectMode(mode: ModeNumber): ModeDoubt | undefined {
		const doubt = this.supervisor.modeDoubt(mode);
		if (doubt === undefined) this.applySettings({ ...this.settings, mode, disableController: mode === STOCK });
		return doubt;
	}

	/** Starts or ends a CAN capture: stock, and conditions start over. It ends by itself after 10 minutes. */
	setCapture(active: boolean): void {
		this.revision++;
		this.supervisor.setCapture(active, this.nowMs);
	}

	/** The selected mode, that of a condition, or STOCK for any doubt. */
	get effectiveMode(): ModeNumber {
		return this.#command.mode;
	}
	get reason(): Reason {
		const { reason } = this.#command;
		return reason === Reason.STANDALONE_WAITS ? (this.standaloneDoubt ?? reason) : reason;
	}
	/** A map's path or an identifier; "" with most reasons. */
	get reasonDetail(): string {
		const { reason } = this;
		if (reason === Reason.MAP_UNREADABLE) return this.supervisor.unreadableMap;
		if (reason === Reason.SELECTED_BY_CONDITION) return this.supervisor.conditionMap;
		return reason === this.standaloneDoubt ? this.standaloneHeard : "";
	}
	/** Path of the map that a condition has put in place of the driver's; "" = none. */
	get conditionMap(): string {
		return this.controlActive ? this.supervisor.conditionMap : "";
	}
	get heldBy(): HeldBy {
		return this.controlActive ? this.#command.heldBy(this.vehicle, this.supervisor.tuning) : HeldBy.NOTHING;
	}
	get standaloneGenerating(): boolean {
		return this.#generates && this.sample.isPlanActive;
	}
	/** Why no frames are generated; undefined while they are, or where none should be. */
	get standaloneDoubt(): Doubt {
		return this.#generates ? standaloneDoubt(this.sample) : undefined;
	}
	/** The identifier that another node sends, with the doubts that say so; else "". */
	get standaloneHeard(): string {
		return heardIdentifier(this.standaloneDoubt, this.sample);
	}
	/** The driver's choice; true while a CAN capture runs. */
	get broadcastOverCan(): boolean {
		return this.supervisor.captureActive || this.settings.broadcastOverCan;
	}
	/** A condition's choice while its mode is active, else the driver's. */
	get effectiveBroadcastOverCan(): boolean {
		return this.supervisor.conditionSelects ? this.supervisor.conditionBroadcasts : this.broadcastOverCan;
	}
	/** Another node sends the status frame. */
	get statusFrameElsewhere(): boolean {
		return this.statusBroadcast.isElsewhere;
	}
	/** undefined if it is disabled or missing. @param index in the settings */
	conditionAt(index: number): ConditionState | undefined {
		return this.#conditions.at(index);
	}
	/**
	 * Conditions whose value the control unit is to be asked for: only while they act, and coupling and car
	 * are heard.
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
