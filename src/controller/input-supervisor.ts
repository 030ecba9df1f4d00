/**
 * Keeps everything that the arbiter looks at up to date, and asks it when something has changed: input
 * health, bus states, conditions, a running CAN capture. Part of the control tick: in the common one, where
 * nothing has changed, it does next to nothing.
 */

import { CHASSIS_SILENT_MS, isRunning } from "../can/bus.js";
import { couplingOf } from "../coupling/couplings/couplings.js";
import { leavesNothing } from "../coupling/frame-plan.js";
import { MAP, type ModeNumber, NO_MODE, STOCK } from "../lock/modes.js";
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
import { arbitrate, calibrationDoubt, Sources, type Verdict } from "./arbiter.js";
import type { Condition, Conditions } from "./conditions.js";
import { type Doubt, Reason } from "./reason.js";
import type { Steering } from "./steering.js";

/** A CAN capture ends by itself after this time, 10 minutes. Source: docs/control-and-can.md 4.4. */
const CAPTURE_MS = 600_000;

/** In the place of two bus states, which are 0..4 each: those of no sample. */
const UNSETTLED = -1;

/** Fills the arbiter's sources, one step a tick, and keeps its verdict. */
export class InputSupervisor {
	/** The buffer that samples come in; its content changes with each tick. */
	sample: Uint8Array = new Uint8Array(0);
	readonly verdict: Verdict = { mode: STOCK, reason: Reason.STARTING, inputMissing: false };
	/**
	 * True in a tick that found a bus not running, or the car silent, after both had been there: what is
	 * asked for returns slowly.
	 */
	interrupted = false;
	#hadBuses = false;
	/** The bus states when the arbiter last found nothing amiss: while they hold it need not be asked. */
	#settledStates = UNSETTLED;
	#settings: Settings;
	#conditions: Conditions;
	readonly #steering: Steering;
	#captureFromMs = 0;
	/** What a button holds, whether that may be or not. */
	#heldMode: ModeNumber = NO_MODE;
	#selecting: Condition | undefined;
	#maps: readonly StoredMap[] = [];
	/** Path of a map that is needed and can't be used; "" = none. */
	unreadableMap = "";
	/** The driver's, with the map of the condition that selects one. */
	tuning: Tuning;
	/** True while there are conditions, a steering angle or a capture to look after. */
	#watchful = false;
	readonly #sources = new Sources();

	constructor(settings: Settings, conditions: Conditions, steering: Steering) {
		this.#settings = settings;
		this.#conditions = conditions;
		this.#steering = steering;
		this.tuning = settings.tuning;
		this.applySettings(settings, conditions);
	}

	/** Other settings, from the next step on. @param conditions of these settings; others start over */
	applySettings(settings: Settings, conditions: Conditions): void {
		const sources = this.#sources;
		this.#settledStates = UNSETTLED;
		if (settings.generation !== this.#settings.generation || settings.standalone !== this.#settings.standalone) this.#restart();
		this.#settings = settings;
		sources.selectedMode = settings.mode;
		sources.disabled = settings.disableController;
		sources.generation = settings.generation;
		sources.verboseLogging = isVerboseLogging(settings.logging);
		sources.noFrames = leavesNothing(settings);
		sources.standalone = settings.standalone;
		sources.beside = !settings.standalone && couplingOf(settings.generation)?.generates === true;
		sources.generates = settings.standalone;
		// without a car's bus there is nobody who could intervene
		sources.needsInterventions = settings.respectInterventions && !settings.standalone;
		sources.needsFeedback = !settings.controlWithoutFeedback || sources.beside;
		sources.needsConditions = !conditions.isEmpty;
		this.#conditions = conditions;
		conditions.useTuning(settings.tuning, this.#maps);
		this.#takeMap();
		if (sources.verboseLogging) conditions.reset();
		this.#lookAfter();
		this.#takeConditions();
	}

	/** The stored maps that conditions select, from the next step on. */
	useMaps(maps: readonly StoredMap[]): void {
		this.#maps = maps;
		this.#settledStates = UNSETTLED;
		this.#conditions.useTuning(this.#settings.tuning, maps);
		this.#takeMap();
		this.#takeConditions();
	}

	/** Nothing that needs the map may take effect while the map can't be read. docs/decisions.md 21. */
	#takeMap(): void {
		const { tuning, currentMap } = this.#settings;
		const isNeeded = this.#heldMode === MAP || mayUseMap(this.#settings);
		const isMissing = tuning.map === UNREADABLE_MAP && isNeeded;
		this.unreadableMap = isMissing ? currentMap : (this.#conditions.unreadableMap ?? "");
		this.#sources.mapUnreadable = isMissing || this.#conditions.unreadableMap !== undefined;
	}

	#lookAfter(): void {
		this.#watchful = !this.#conditions.isEmpty || !this.#steering.isIdle || this.#sources.capture;
	}

	/** Another coupling, or the same without a car: its frames have said nothing yet. */
	#restart(): void {
		const { chassis, ignition, agreement, speed, pedal, rpm, interventions, feedback, conditions } = this.#sources;
		for (const input of [chassis, ignition, agreement, speed, pedal, rpm, interventions, feedback, conditions]) input.restart();
	}

	/** One tick; writes `verdict`. Allocates nothing. @param nowMs the sample's time, modulo 2^32 */
	step(words: Uint16Array, state: VehicleState, nowMs: number, elapsedMs: number): void {
		const states = words[WORD_STATES];
		const flags = words[WORD_FLAGS];
		const heard = words[WORD_CHASSIS_AGE] <= CHASSIS_SILENT_MS || this.#sources.standalone;
		const undisturbed = states === this.#settledStates && flags <= PLAN_ACTIVE && heard;
		const doubtful = state.ignition === "off" || state.speedsContradict;
		const known =
			!doubtful && state.speedValid && state.pedalValid && state.rpmValid && state.interventionsValid && state.engagementValid;
		if (undisturbed && known && !(this.#watchful && this.#watch(words, nowMs, elapsedMs, true))) return;

		const chassisRunning = isRunning(states & 0xff) && (flags & CHASSIS_INTERRUPTED) === 0;
		const couplingRunning = isRunning(states >> 8) && (flags & COUPLING_INTERRUPTED) === 0;
		const alive = heard && chassisRunning;
		if (this.#watchful && !(undisturbed && known)) this.#watch(words, nowMs, elapsedMs, alive && couplingRunning);
		const sources = this.#sources;
		sources.chassisRunning = chassisRunning;
		sources.couplingRunning = couplingRunning;
		sources.chassis.update(alive, elapsedMs);
		sources.couplingBus.update(couplingRunning, elapsedMs);
		sources.generating = (flags & PLAN_ACTIVE) !== 0;
		this.interrupted = this.#hadBuses && !(alive && couplingRunning);
		if (sources.chassis.ready && sources.couplingBus.ready) this.#hadBuses = true;
		sources.ignition.update(state.ignition !== "off", elapsedMs);
		// control goes on while they differ for a moment, but does not begin then: after a start or a silence
		// it is unknown how long they have differed
		const bears = sources.agreement.ready && sources.speed.ready;
		sources.agreement.update(!state.speedsContradict && (bears || !state.speedsDiffer), elapsedMs);
		sources.speed.update(state.speedValid, elapsedMs);
		sources.pedal.update(state.pedalValid, elapsedMs);
		sources.rpm.update(state.rpmValid, elapsedMs);
		sources.interventions.update(state.interventionsValid, elapsedMs);
		sources.feedback.update(state.engagementValid, elapsedMs);
		// a coupling that reports otherwise may need the car's own frames, which are withheld meanwhile
		if (sources.beside) sources.generates = sources.feedback.valid;
		sources.conditionAwaited = this.#conditions.awaited;
		sources.conditions.update(this.#conditions.known, elapsedMs);
		arbitrate(sources, this.tuning, this.verdict);
		this.#settledStates = allReady(sources) ? states : UNSETTLED;
	}

	/**
	 * Lets a capture end in time, and steering and conditions look at their signals; a safe profile
	 * suppresses conditions. docs/decisions.md 3.
	 * @param busesAlive both, and the car sends
	 * @returns true if what the arbiter looks at has changed
	 */
	#watch(words: Uint16Array, nowMs: number, elapsedMs: number, busesAlive: boolean): boolean {
		const sources = this.#sources;
		let changed = this.#steer(words, nowMs, elapsedMs);
		if (sources.capture) {
			if (((nowMs - this.#captureFromMs) | 0) < CAPTURE_MS) return changed;
			// conditions start over, and have their say before anything is asked for
			this.setCapture(false, nowMs);
			changed = true;
		}
		if (sources.verboseLogging || !this.#conditions.poll(this.sample, words, nowMs, busesAlive)) return changed;
		this.#takeConditions();
		return true;
	}

	/** @returns true if what the arbiter looks at has changed */
	#steer(words: Uint16Array, nowMs: number, elapsedMs: number): boolean {
		const steering = this.#steering;
		if (steering.isIdle || !steering.poll(this.sample, words, nowMs, elapsedMs)) return false;
		this.#sources.steering = steering.reason;
		this.#lookAfter();
		return true;
	}

	/**
	 * What conditions and a held button do: out of STOCK only conditions that may act there.
	 * docs/decisions.md 3, 23.
	 */
	#takeConditions(): void {
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
		const limits = limitPercent < 100 ? Reason.LIMITED_BY_CONDITION : undefined;
		sources.restraint = opens ? Reason.OPENED_BY_CONDITION : limits;
	}

	/** A mode in place of the selected one, while a button is held; NO_MODE = none is. */
	holdMode(mode: ModeNumber): void {
		this.#heldMode = mode;
		this.#takeMap();
		this.#settledStates = UNSETTLED;
		this.#takeConditions();
	}

	/** Starts or ends a CAN capture; conditions start over. @param nowMs of the last step, modulo 2^32 */
	setCapture(active: boolean, nowMs: number): void {
		if (active === this.#sources.capture) return;
		this.#sources.capture = active;
		this.#captureFromMs = nowMs;
		this.#settledStates = UNSETTLED;
		this.#lookAfter();
		this.#conditions.reset();
		// one that selects a mode holds again with the next value of its signal: nothing is asked for before
		this.#sources.conditions.update(false, 0);
		this.#takeConditions();
	}

	/** While an update is in progress the car is stock. */
	setUpdating(updating: boolean): void {
		this.#sources.updating = updating;
		this.#settledStates = UNSETTLED;
	}

	/** Has the arbiter look again with the next step. */
	lookAgain(): void {
		this.#settledStates = UNSETTLED;
	}

	/** The controller restarted too often: the car is stock until the next start. */
	setBootLoop(): void {
		this.#sources.bootLoop = true;
		this.#settledStates = UNSETTLED;
	}

	/** While anybody in reach could use the interface, and the owner does not mean that, the car is stock. */
	setOpenNetwork(open: boolean): void {
		if (open === this.#sources.openNetwork) return;
		this.#sources.openNetwork = open;
		this.#settledStates = UNSETTLED;
	}

	/** What stands against a calibration, as of the last step. */
	get calibrationDoubt(): Doubt {
		return calibrationDoubt(this.#sources);
	}
	/** Frames are to be generated, whatever is asked for: in a boot loop nothing is, nor with all frames off. */
	get generates(): boolean {
		const { generates, generation, bootLoop, noFrames } = this.#sources;
		return generates && generation !== 0 && !bootLoop && !noFrames;
	}
	get captureActive(): boolean {
		return this.#sources.capture;
	}
	/** True while a condition selects the mode. */
	get conditionSelects(): boolean {
		return this.#sources.conditionSelects;
	}
	/** Path of the stored map that it selects, "" = none. */
	get conditionMap(): string {
		return this.#selecting?.tuning === undefined ? "" : this.#selecting.settings.map;
	}
	/** Whether it wants the status frame sent; true while there is none. */
	get conditionBroadcasts(): boolean {
		return this.#selecting?.settings.broadcastOverCan !== false;
	}
	/** What clients see as selected: a capture lays itself over it. */
	get selectedMode(): ModeNumber {
		return this.#sources.capture ? STOCK : this.#sources.selectedMode;
	}
	get disabled(): boolean {
		return this.#sources.capture || this.#sources.disabled;
	}
	/** Conditions do nothing: the driver has selected STOCK, or the car is stock whatever they say. */
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

/** What generates is looked at in each tick: without a car it lacks most of these inputs. */
function allReady(sources: Sources): boolean {
	const { agreement, chassis, couplingBus, ignition, speed, pedal, rpm, interventions, feedback, conditions } = sources;
	if (!chassis.ready || !couplingBus.ready || sources.standalone || sources.beside) return false;
	if (sources.needsConditions && !conditions.ready) return false;
	if (!ignition.ready || !agreement.ready) return false;
	return speed.ready && pedal.ready && rpm.ready && interventions.ready && feedback.ready;
}

/** Why `mode` can't be selected now, in the words of the error catalogue; "" = it can. Pure. */
export function modeRejection(
	controller: { readonly supervisor: Pick<InputSupervisor, "captureActive">; readonly settings: Pick<Settings, "logging"> },
	mode: ModeNumber,
): string {
	if (mode === STOCK) return "";
	if (controller.supervisor.captureActive) return "canview capture mode active";
	return isVerboseLogging(controller.settings.logging) ? "debug capture active" : "";
}
