/**
 * The controller's state and its step: a gateway sample and the time in; what to command out.
 * It touches no platform: the control loop in `runtime/` feeds it and hands its results to gateway and PWM.
 * A step allocates nothing unless the driver changed something.
 */

import { commandFactor } from "../coupling/command-factor.js";
import { ALL_GROUPS, framePlan, planFollowsMode, planMode, WITHOUT_BRAKE_GROUP } from "../coupling/frame-plan.js";
import type { Generation } from "../coupling/generation.js";
import { writeStatus } from "../coupling/status-broadcast.js";
import { type ModeNumber, STOCK } from "../lock/modes.js";
import type { PwmSettings, Settings } from "../settings/settings.js";
import { defaultMappedKeys, type MappedKeys } from "../vehicle/mapped-inputs.js";
import { Telemetry } from "../vehicle/telemetry.js";
import { wordsOf } from "../vehicle/watch-list.js";
import { arbitrate, REASONS, Reason, type Sources, type Verdict } from "./arbiter.js";
import { Engagement } from "./engagement.js";
import { InputHealth } from "./input-health.js";
import type { ControllerView } from "./view.js";

/** Without a chassis frame for longer than this the car counts as silent. Source: control-and-can.md 8.1. */
const CHASSIS_SILENT_MS = 200;

// The head of the gateway's sample in 16-bit words (modules/can-gateway/README.md).
const WORD_NOW = 0;
const WORD_STATES = 2;
const WORD_IN_FORCE = 3;
const WORD_CHASSIS_AGE = 4;
const WORD_COUPLING_AGE = 5;
const NEVER_MS = 65535;
const STOPPED = 0;
const BUS_OFF = 4;
const UNSETTLED = -1;

/** Counts of the control loop; it writes them. Microseconds unless said. */
export interface LoopFigures {
	ticks: number;
	periodUs: number;
	periodMaxUs: number;
	jitterMaxUs: number;
	/** Ticks that were missed because an earlier one, or anything else, took too long. */
	overruns: number;
	lateMaxUs: number;
}

export class Controller implements ControllerView {
	telemetry: Telemetry;
	readonly loop: LoopFigures = { ticks: 0, periodUs: 0, periodMaxUs: 0, jitterMaxUs: 0, overruns: 0, lateMaxUs: 0 };

	/** True if frames are to be rewritten: the loop commits `factor` and `groups`; else it releases the plan. */
	controlActive = false;
	/** Lock asked for, 0..100; 0 in stock, where nothing is asked. */
	lockPercent = 0;
	/** 0..25600. */
	factor = 0;
	/** Bit mask of the gateway's rule groups. */
	groups = ALL_GROUPS;
	/** Frequency and polarity in force: the loop drives the output with them. */
	pwm: PwmSettings;
	/** True if the gateway's plan is not the one for what is in force: the loop then takes the new one. */
	planStale = true;
	/** Rises when the watch list is another one; the loop hands it to the gateway. */
	watchRevision = 1;
	/** Clock of the last step, ms modulo 2^32. */
	nowMs = 0;

	#settings: Settings;
	#sample: Uint8Array | undefined;
	/** The last sample in words; before the first one nobody is connected and nothing was received. */
	#words: Uint16Array = Uint16Array.of(0, 0, 0, 0, NEVER_MS, NEVER_MS);
	/** The mode whose rows the plan has; means something only where they follow the mode. */
	#planMode: ModeNumber = STOCK;
	#planFollowsMode = false;
	/** The bus states with which all was well when the arbiter was last asked: while they hold and nothing else changes it need not be. */
	#settledStates = UNSETTLED;
	#started = false;
	readonly #engagement = new Engagement();
	readonly #verdict: Verdict = { mode: STOCK, reason: Reason.STARTING, inputMissing: false };
	readonly #sources: Sources = {
		selectedMode: STOCK,
		disabled: false,
		generation: 0,
		bootLoop: false,
		updating: false,
		capture: false,
		verboseLogging: false,
		learningInterrupted: false,
		triggerActive: false,
		triggerMode: STOCK,
		chassisRunning: false,
		couplingRunning: false,
		chassis: new InputHealth(),
		speed: new InputHealth(),
		pedal: new InputHealth(),
		rpm: new InputHealth(),
	};
	readonly #readCounters: () => Record<string, number>;
	readonly #onSettings: (settings: Settings) => void;

	/**
	 * @param readCounters the gateway's counters by name
	 * @param onSettings told of every change that must survive a power cut
	 */
	constructor(settings: Settings, readCounters: () => Record<string, number>, onSettings: (settings: Settings) => void) {
		this.#settings = settings;
		this.#readCounters = readCounters;
		this.#onSettings = onSettings;
		this.pwm = settings.pwm;
		this.telemetry = new Telemetry(settings.generation, mappedKeys(settings));
		this.#takeOver(settings);
	}

	/** One tick with a fresh sample. Never throws. */
	step(sample: Uint8Array): void {
		if (sample !== this.#sample) {
			this.#sample = sample;
			this.#words = wordsOf(sample);
		}
		const words = this.#words;
		const nowMs = (words[WORD_NOW] | (words[WORD_NOW + 1] << 16)) >>> 0;
		let elapsedMs = this.#started ? (nowMs - this.nowMs) | 0 : 0;
		if (elapsedMs < 0) elapsedMs = 0;
		this.#started = true;
		this.nowMs = nowMs;
		// the lease ran out: the car has been stock since, whatever was asked for
		if (this.controlActive && words[WORD_IN_FORCE] === 0) this.#engagement.disengage();

		const telemetry = this.telemetry;
		telemetry.update(sample, nowMs);
		this.#decide(telemetry, elapsedMs);
		const settings = this.#settings;
		const intervention = telemetry.interventionActive && settings.respectInterventions;
		const engagement = this.#engagement;
		const active = engagement.step(this.#verdict, intervention, telemetry, settings.tuning, elapsedMs);
		const lockPercent = engagement.lock.lockPercent;
		this.controlActive = active;
		this.lockPercent = lockPercent;
		if (!active) {
			this.factor = 0;
			return;
		}
		if (this.#planFollowsMode) this.#followMode();
		this.factor = commandFactor(lockPercent, null, settings.frameProfile);
		this.groups = intervention ? WITHOUT_BRAKE_GROUP : ALL_GROUPS;
	}

	#followMode(): void {
		const mode = planMode(this.#engagement.mode, this.#engagement.opening);
		if (mode === this.#planMode) return;
		this.#planMode = mode;
		this.planStale = true;
	}

	#decide(telemetry: Telemetry, elapsedMs: number): void {
		const words = this.#words;
		const states = words[WORD_STATES];
		const valid = telemetry.speedValid && telemetry.pedalValid && telemetry.rpmValid;
		const heard = words[WORD_CHASSIS_AGE] <= CHASSIS_SILENT_MS;
		if (states === this.#settledStates && valid && heard) return;

		const chassisRunning = isRunning(states & 0xff);
		const couplingRunning = isRunning(states >> 8);
		const alive = heard && chassisRunning;
		const sources = this.#sources;
		sources.chassisRunning = chassisRunning;
		sources.couplingRunning = couplingRunning;
		sources.chassis.update(alive, elapsedMs);
		sources.speed.update(telemetry.speedValid, elapsedMs);
		sources.pedal.update(telemetry.pedalValid, elapsedMs);
		sources.rpm.update(telemetry.rpmValid, elapsedMs);
		arbitrate(sources, this.#settings.tuning, this.#verdict);
		const inputsReady = sources.chassis.ready && sources.speed.ready && sources.pedal.ready && sources.rpm.ready;
		this.#settledStates = alive && couplingRunning && valid && inputsReady ? states : UNSETTLED;
	}

	/**
	 * The frame plan, if the gateway's is not the one for what is in force now. Allocates; for the loop, while control is active.
	 * @returns undefined if the gateway has it
	 */
	takePlan(): Uint8Array | undefined {
		const { generation, frameProfile } = this.#settings;
		if (generation === 0 || !this.planStale) return undefined;
		this.planStale = false;
		return framePlan(generation, frameProfile, this.#planMode);
	}

	/** Ends control for good after a fault of ours: stock, and the view says so. `step` must not be called any more. Never throws. */
	fail(): void {
		this.#engagement.disengage();
		this.#engagement.reason = Reason.FAULT;
		this.controlActive = false;
		this.lockPercent = 0;
		this.factor = 0;
		const telemetry = this.telemetry;
		telemetry.speedValid = telemetry.pedalValid = telemetry.rpmValid = telemetry.engagementValid = false;
	}

	/** Writes the payload of the status broadcast. */
	writeStatus(payload: Uint8Array): void {
		const telemetry = this.telemetry;
		const mode = this.#engagement.mode;
		writeStatus(
			payload,
			false,
			telemetry.engagementRaw,
			this.lockPercent,
			telemetry.speedKmh,
			false,
			mode,
			telemetry.pedalPercent,
		);
	}

	/** All settings; replaced, never changed in place. */
	get settings(): Settings {
		return this.#settings;
	}

	/** Takes new settings over, whole, from the next step on, and has them stored. */
	applySettings(settings: Settings): void {
		const old = this.#settings;
		const otherGeneration = settings.generation !== old.generation;
		// what can fail comes first: then nothing has changed
		const telemetry =
			otherGeneration || settings.inputMappings !== old.inputMappings
				? new Telemetry(settings.generation, mappedKeys(settings))
				: undefined;
		this.#settings = settings;
		this.#takeOver(settings);
		if (telemetry !== undefined) {
			this.telemetry = telemetry;
			this.watchRevision++;
		}
		// a request meant for one coupling must not reach another in its frames
		if (otherGeneration) this.#engagement.disengage();
		if (otherGeneration || settings.frameProfile !== old.frameProfile) this.planStale = true;
		this.#onSettings(settings);
	}

	#takeOver(settings: Settings): void {
		this.#settledStates = UNSETTLED;
		this.#sources.selectedMode = settings.mode;
		this.#sources.disabled = settings.disableController;
		this.#sources.generation = settings.generation;
		this.#planFollowsMode = planFollowsMode(settings.generation, settings.frameProfile);
		this.pwm = settings.pwm;
	}

	selectMode(mode: ModeNumber): void {
		this.applySettings({ ...this.#settings, mode, disableController: mode === STOCK });
	}

	get selectedMode(): ModeNumber {
		return this.#settings.mode;
	}
	get effectiveMode(): ModeNumber {
		return this.#engagement.mode;
	}
	get reason(): string {
		return REASONS[this.#engagement.reason];
	}
	get disableController(): boolean {
		return this.#settings.disableController;
	}
	get broadcastOverCan(): boolean {
		return this.#settings.broadcastOverCan;
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
	get captureActive(): boolean {
		return this.#sources.capture;
	}
	get generation(): Generation {
		return this.#settings.generation;
	}
	get frameProfile(): Settings["frameProfile"] {
		return this.#settings.frameProfile;
	}
	get disableThrottlePercent(): number {
		return this.#settings.tuning.disableThrottlePercent;
	}
	get disableSpeedKmh(): number {
		return this.#settings.tuning.disableSpeedKmh;
	}
	get releaseRatePercentPerS(): number {
		return this.#settings.tuning.releaseRatePercentPerS;
	}
	get engageRatePercentPerS(): number {
		return this.#settings.tuning.engageRatePercentPerS;
	}
	get disengageUnderSpeedKmh(): Settings["tuning"]["disengageUnderKmh"] {
		return this.#settings.tuning.disengageUnderKmh;
	}
	get inputMappings(): MappedKeys {
		return mappedKeys(this.#settings);
	}
	get uptimeMs(): number {
		return this.nowMs;
	}
	get speedKmh(): number {
		return this.telemetry.speedKmh;
	}
	get rpm(): number {
		return this.telemetry.rpm;
	}
	get pedalPercent(): number {
		return this.telemetry.pedalPercent;
	}
	get boostMbar(): number {
		return this.telemetry.boostMbar;
	}
	get engagementPercent(): number {
		return this.telemetry.engagementPercent;
	}
	get engagementRaw(): number {
		return this.telemetry.engagementRaw;
	}
	get couplingState(): number {
		return this.telemetry.couplingState;
	}
	get speedValid(): boolean {
		return this.telemetry.speedValid;
	}
	get rpmValid(): boolean {
		return this.telemetry.rpmValid;
	}
	get pedalValid(): boolean {
		return this.telemetry.pedalValid;
	}
	get engagementValid(): boolean {
		return this.telemetry.engagementValid;
	}

	gatewayCounters(): Record<string, number> {
		return this.#readCounters();
	}
}

function isRunning(busState: number): boolean {
	return busState !== STOPPED && busState !== BUS_OFF;
}

/** The mappings in force: the generation's recommended keys in empty places; none before a generation is set. */
function mappedKeys(settings: Settings): MappedKeys {
	const { inputMappings: own, generation } = settings;
	if (generation === 0) return own;
	const recommended = defaultMappedKeys(generation);
	return {
		speed: own.speed || recommended.speed,
		throttle: own.throttle || recommended.throttle,
		rpm: own.rpm || recommended.rpm,
	};
}
