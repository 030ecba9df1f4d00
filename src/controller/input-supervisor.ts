/**
 * Keeps the arbiter's sources up to date (input health, bus states, conditions, CAN capture) and asks it when
 * something has changed. Part of the control tick: while nothing has changed it does next to nothing.
 */

import { CHASSIS_SILENT_MS, isRunning } from "../can/bus.js";
import { couplingOf } from "../coupling/couplings/couplings.js";
import { leavesNothing } from "../coupling/frame-plan.js";
import { FULL_LOCK_PERCENT, MAP, type ModeNumber, NO_MODE, STOCK } from "../lock/modes.js";
import { type StoredMap, type Tuning, UNREADABLE_MAP } from "../lock/tuning.js";
import { isVerboseLogging, type Settings } from "../settings/settings.js";
import {
	CHASSIS_INTERRUPTED,
	COUPLING_INTERRUPTED,
	PLAN_ACTIVE,
	WORD_CHASSIS_AGE,
	WORD_FLAGS,
	WORD_STATES,
} from "../vehicle/sample.js";
import type { VehicleState } from "../vehicle/vehicle-state.js";
import { arbitrate, calibrationDoubt, type ModeDoubt, modeDoubt, type Verdict } from "./arbiter.js";
import type { Condition, Conditions } from "./conditions.js";
import { type Doubt, Reason } from "./reason.js";
import { REQUIRED_INPUTS } from "./required-inputs.js";
import { Sources } from "./sources.js";
import type { Steering } from "./steering.js";
import { isOtherCoupling } from "./watched-inputs.js";

/** A CAN capture ends by itself after this time, 10 minutes. Source: docs/control-and-can.md 4.4. */
const CAPTURE_MS = 600_000;

/** Equals no pair of bus states: those are never negative. */
const UNSETTLED = -1;

/** Fills the arbiter's sources, one step a tick, and keeps its verdict. */
export class InputSupervisor {
	readonly verdict: Verdict = { mode: STOCK, reason: Reason.STARTING, inputMissing: false };
	/** A bus stopped, or the car fell silent, after both had been there: the request returns slowly. */
	interrupted = false;
	#hadBuses = false;
	/**
	 * Bus states and flags of the last step in which all inputs were ready. UNSETTLED: an input was not ready, or the
	 * sources have changed since. While states, flags and inputs stay the same, so does the verdict. The arbiter is
	 * then not asked, which keeps the tick within its budget (`tools/bench/limits.ts`).
	 */
	#settledStates = UNSETTLED;
	#settledFlags = 0;
	#settings: Settings;
	#conditions: Conditions;
	readonly #steering: Steering;
	#captureFromMs = 0;
	/** The mode of a held button, even while it may not take effect. */
	#heldMode: ModeNumber = NO_MODE;
	#selecting: Condition | undefined;
	#maps: readonly StoredMap[] = [];
	/** Path of a needed map that can't be used; "" = none. */
	unreadableMap = "";
	/** The driver's, with the map of the selecting condition. */
	tuning: Tuning;
	/** There are conditions, a steering angle or a capture to poll. */
	#watchful = false;
	readonly #sources = new Sources();

	constructor(settings: Settings, conditions: Conditions, steering: Steering) {
		this.#settings = settings;
		this.#conditions = conditions;
		this.#steering = steering;
		this.tuning = settings.tuning;
		this.applySettings(settings, conditions);
	}

	/** From the next step on. @param conditions of these settings; others start over */
	applySettings(settings: Settings, conditions: Conditions): void {
		const sources = this.#sources;
		// nothing is known of another coupling and its car
		if (isOtherCoupling(settings, this.#settings)) for (const input of REQUIRED_INPUTS) input.health(sources).restart();
		this.#settings = settings;
		sources.selectedMode = settings.mode;
		sources.disabled = settings.disableController;
		sources.generation = settings.generation;
		sources.verboseLogging = isVerboseLogging(settings.logging);
		sources.noFrames = leavesNothing(settings);
		sources.standalone = settings.standalone;
		sources.carLacksFrames = !settings.standalone && couplingOf(settings.generation)?.generates === true;
		sources.wantsGenerator = settings.standalone;
		// without a car no ABS intervenes
		sources.needsInterventions = settings.respectInterventions && !settings.standalone;
		sources.needsFeedback = !settings.controlWithoutFeedback || sources.carLacksFrames;
		sources.needsConditions = !conditions.isEmpty;
		this.#conditions = conditions;
		conditions.useTuning(settings.tuning, this.#maps);
		this.#takeMap();
		if (sources.verboseLogging) conditions.reset();
		this.#updateWatchful();
		this.#takeConditions();
	}

	/** The stored maps for conditions, from the next step on. */
	useMaps(maps: readonly StoredMap[]): void {
		this.#maps = maps;
		this.#conditions.useTuning(this.#settings.tuning, maps);
		this.#takeMap();
		this.#takeConditions();
	}

	/** No mode that needs an unreadable map may take effect: docs/decisions.md 21. */
	#takeMap(): void {
		const { tuning, currentMap } = this.#settings;
		const isNeeded = this.#heldMode === MAP || mayUseMap(this.#settings);
		const isMissing = tuning.map === UNREADABLE_MAP && isNeeded;
		this.unreadableMap = isMissing ? currentMap : (this.#conditions.unreadableMap ?? "");
		this.#sources.mapUnreadable = isMissing || this.#conditions.unreadableMap !== undefined;
	}

	#updateWatchful(): void {
		this.#watchful = !this.#conditions.isEmpty || !this.#steering.isIdle || this.#sources.capture;
	}

	/**
	 * One tick; writes `verdict`. Allocates nothing.
	 * @param words of `sample`
	 * @param nowMs of the sample, modulo 2^32
	 */
	step(sample: Uint8Array, words: Uint16Array, state: VehicleState, nowMs: number, elapsedMs: number): void {
		const states = words[WORD_STATES];
		const flags = words[WORD_FLAGS];
		const heard = words[WORD_CHASSIS_AGE] <= CHASSIS_SILENT_MS || this.#sources.standalone;
		const isSettled =
			states === this.#settledStates &&
			flags === this.#settledFlags &&
			heard &&
			state.ignition !== "off" &&
			!state.speedsContradict &&
			state.speedValid &&
			state.pedalValid &&
			state.rpmValid &&
			state.interventionsValid &&
			state.engagementValid;
		const chassisRunning = isSettled || (isRunning(states & 0xff) && (flags & CHASSIS_INTERRUPTED) === 0);
		const couplingRunning = isSettled || (isRunning(states >> 8) && (flags & COUPLING_INTERRUPTED) === 0);
		const alive = heard && chassisRunning;
		const hasChanged = this.#watchful && this.#watch(sample, words, nowMs, elapsedMs, alive && couplingRunning);
		if (isSettled && !hasChanged) return;

		const sources = this.#sources;
		sources.chassisRunning = chassisRunning;
		sources.couplingRunning = couplingRunning;
		sources.chassis.update(alive, elapsedMs);
		sources.couplingBus.update(couplingRunning, elapsedMs);
		sources.generatorRuns = (flags & PLAN_ACTIVE) !== 0;
		this.interrupted = this.#hadBuses && !(alive && couplingRunning);
		if (sources.chassis.ready && sources.couplingBus.ready) this.#hadBuses = true;
		sources.ignition.update(state.ignition !== "off", elapsedMs);
		// control goes on while they differ for a moment, but does not begin then
		const wasReady = sources.speedAgreement.ready && sources.speed.ready;
		sources.speedAgreement.update(!state.speedsContradict && (wasReady || !state.speedsDiffer), elapsedMs);
		sources.speed.update(state.speedValid, elapsedMs);
		sources.pedal.update(state.pedalValid, elapsedMs);
		sources.rpm.update(state.rpmValid, elapsedMs);
		sources.interventions.update(state.interventionsValid, elapsedMs);
		sources.feedback.update(state.engagementValid, elapsedMs);
		// a coupling that reports otherwise may need the car's own frames, which are withheld meanwhile
		if (sources.carLacksFrames) sources.wantsGenerator = sources.feedback.valid;
		sources.conditionAwaited = this.#conditions.awaited;
		sources.conditions.update(this.#conditions.known, elapsedMs);
		arbitrate(sources, this.tuning, this.verdict);
		this.#settledStates = allReady(sources) ? states : UNSETTLED;
		this.#settledFlags = flags;
	}

	/**
	 * Ends a capture in time and polls steering and conditions, which a capture and verbose logging suppress:
	 * docs/decisions.md 3.
	 * @param busesAlive both, and the car sends
	 * @returns true if what the arbiter looks at has changed
	 */
	#watch(sample: Uint8Array, words: Uint16Array, nowMs: number, elapsedMs: number, busesAlive: boolean): boolean {
		const sources = this.#sources;
		let changed = this.#steer(sample, words, nowMs, elapsedMs);
		if (sources.capture) {
			if (((nowMs - this.#captureFromMs) | 0) < CAPTURE_MS) return changed;
			// conditions have to act before lock is asked for
			this.setCapture(false, nowMs);
			changed = true;
		}
		if (sources.verboseLogging || !this.#conditions.poll(sample, words, nowMs, busesAlive)) return changed;
		this.#takeConditions();
		return true;
	}

	#steer(sample: Uint8Array, words: Uint16Array, nowMs: number, elapsedMs: number): boolean {
		const steering = this.#steering;
		if (steering.isIdle || !steering.poll(sample, words, nowMs, elapsedMs)) return false;
		this.#sources.steering = steering.reason;
		this.#updateWatchful();
		return true;
	}

	/**
	 * Effects of conditions and of a held button; out of STOCK only conditions that may act there:
	 * docs/decisions.md 3, 23. Whatever has changed the sources ends with this, or with `lookAgain`.
	 */
	#takeConditions(): void {
		this.lookAgain();
		const sources = this.#sources;
		const { selecting, selectingFromStock, opens, limitPercent } = this.#conditions;
		const isStock = sources.selectedMode === STOCK;
		const isOn = !sources.disabled && !isStock;
		const one = isStock ? selectingFromStock : isOn ? selecting : undefined;
		this.#selecting = one;
		this.tuning = one?.tuning ?? this.#settings.tuning;
		sources.conditionSelects = one !== undefined;
		sources.heldMode = isOn ? this.#heldMode : NO_MODE;
		sources.conditionMode = one?.mode ?? NO_MODE;
		const limits = limitPercent < FULL_LOCK_PERCENT ? Reason.LIMITED_BY_CONDITION : undefined;
		sources.restraint = opens ? Reason.OPENED_BY_CONDITION : limits;
	}

	/** Replaces the selected mode while a button is held; NO_MODE = none. */
	holdMode(mode: ModeNumber): void {
		this.#heldMode = mode;
		this.#takeMap();
		this.#takeConditions();
	}

	/** Starts or ends a CAN capture; conditions start over. @param nowMs of the last step, modulo 2^32 */
	setCapture(active: boolean, nowMs: number): void {
		if (active === this.#sources.capture) return;
		this.#sources.capture = active;
		this.#captureFromMs = nowMs;
		this.#updateWatchful();
		this.#conditions.reset();
		// no lock is asked for until the signal of a condition that selects a mode has come again
		this.#sources.conditions.update(false, 0);
		this.#takeConditions();
	}

	/** States in which the car is stock, from the next step on. Allocates. */
	setDoubts(doubts: Partial<Pick<Sources, "bootLoop" | "openNetwork" | "updating">>): void {
		Object.assign(this.#sources, doubts);
		this.lookAgain();
	}

	/** The arbiter is asked with the next step. */
	lookAgain(): void {
		this.#settledStates = UNSETTLED;
	}

	/** Why the driver can't select `mode` now. */
	modeDoubt(mode: ModeNumber): ModeDoubt | undefined {
		return modeDoubt(this.#sources, mode);
	}

	/** Why no calibration may begin or go on, as the last step found it. */
	get calibrationDoubt(): Doubt {
		return calibrationDoubt(this.#sources);
	}
	/** Frames are to be generated: not in a boot loop, nor with all frames off. */
	get generates(): boolean {
		const { wantsGenerator, generation, bootLoop, noFrames } = this.#sources;
		return wantsGenerator && generation !== 0 && !bootLoop && !noFrames;
	}
	get captureActive(): boolean {
		return this.#sources.capture;
	}
	get conditionSelects(): boolean {
		return this.#sources.conditionSelects;
	}
	/** Path of the map that a condition selects; "" = none. */
	get conditionMap(): string {
		return this.#selecting?.tuning === undefined ? "" : this.#selecting.settings.map;
	}
	/** The selecting condition wants the status frame sent, or none selects. */
	get conditionBroadcasts(): boolean {
		return this.#selecting?.settings.broadcastOverCan !== false;
	}
	/** STOCK while a capture runs. */
	get selectedMode(): ModeNumber {
		return this.#sources.capture ? STOCK : this.#sources.selectedMode;
	}
	get disabled(): boolean {
		return this.#sources.capture || this.#sources.disabled;
	}
	/** STOCK is selected, or the car is stock whatever conditions say. */
	get ignoresConditions(): boolean {
		const { bootLoop, openNetwork, updating, verboseLogging } = this.#sources;
		return this.disabled || bootLoop || openNetwork || updating || verboseLogging;
	}
}

function mayUseMap({ mode, conditions, controls }: Settings): boolean {
	return (
		mode === MAP ||
		controls.heldMode === MAP ||
		conditions.some((one) => one.enabled && one.effect === "mode" && one.mode === MAP)
	);
}

function allReady(sources: Sources): boolean {
	for (let i = 0; i < REQUIRED_INPUTS.length; i++) if (!REQUIRED_INPUTS[i].health(sources).ready) return false;
	return true;
}
