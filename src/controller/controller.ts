/**
 * The controller's state and its step: a gateway sample and the time in; what to command out.
 * It touches no platform: the control loop in `runtime/` feeds it and hands its results to gateway and PWM.
 * A step allocates nothing unless the driver changed something.
 */

import { commandFactor } from "../coupling/command-factor.js";
import { ALL_GROUPS, framePlan, planFollowsMode, WITHOUT_BRAKE_GROUP } from "../coupling/frame-plan.js";
import type { Generation } from "../coupling/generation.js";
import { writeStatus } from "../coupling/status-broadcast.js";
import { type ModeNumber, STOCK } from "../lock/modes.js";
import type { Settings } from "../settings/settings.js";
import { defaultMappedKeys, type MappedKeys } from "../vehicle/mapped-inputs.js";
import { Telemetry } from "../vehicle/telemetry.js";
import { arbitrate, REASONS, Reason, type Sources, type Verdict } from "./arbiter.js";
import { Engagement, type OpenDemands } from "./engagement.js";
import { InputHealth } from "./input-health.js";
import type { ControllerView } from "./view.js";

/** Without a chassis frame for longer than this the car counts as silent. Source: control-and-can.md 8.1. */
const CHASSIS_SILENT_MS = 200;

// Offsets in the gateway's sample (modules/can-gateway/README.md).
const NOW_AT = 0;
const CHASSIS_STATE_AT = 4;
const COUPLING_STATE_AT = 5;
const CHASSIS_AGE_AT = 8;
const COUPLING_AGE_AT = 10;
const NEVER_MS = 65535;
const STOPPED = 0;
const BUS_OFF = 4;

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
	/** True if the gateway's plan is not the one for what is in force: the loop then takes the new one. */
	planStale = true;
	/** Rises when the watch list is another one; the loop hands it to the gateway. */
	watchRevision = 1;
	/** Clock of the last step, ms modulo 2^32. */
	nowMs = 0;
	chassisState = STOPPED;
	couplingBusState = STOPPED;
	chassisAgeMs = NEVER_MS;

	#settings: Settings;
	#sample: Uint8Array | undefined;
	#planMode: ModeNumber = STOCK;
	/** True while nothing has changed that the arbiter looks at. */
	#settled = false;
	#started = false;
	readonly #engagement = new Engagement();
	readonly #demands: OpenDemands = { intervention: false, overheated: false };
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
		this.telemetry = new Telemetry(settings.generation, mappedKeys(settings));
		this.#takeOver(settings);
	}

	/** One tick with a fresh sample. Never throws. */
	step(sample: Uint8Array): void {
		const nowMs = (sample[NOW_AT] | (sample[NOW_AT + 1] << 8) | (sample[NOW_AT + 2] << 16) | (sample[NOW_AT + 3] << 24)) >>> 0;
		let elapsedMs = this.#started ? (nowMs - this.nowMs) | 0 : 0;
		if (elapsedMs < 0) elapsedMs = 0;
		this.#started = true;
		this.nowMs = nowMs;
		this.chassisState = sample[CHASSIS_STATE_AT];
		this.couplingBusState = sample[COUPLING_STATE_AT];
		this.chassisAgeMs = sample[CHASSIS_AGE_AT] | (sample[CHASSIS_AGE_AT + 1] << 8);
		this.#sample = sample;

		const telemetry = this.telemetry;
		telemetry.update(sample, nowMs);
		this.#decide(telemetry, elapsedMs);
		const settings = this.#settings;
		const active = this.#engagement.step(this.#verdict, this.#demands, telemetry, settings.tuning, elapsedMs);
		const lockPercent = this.#engagement.lock.lockPercent;
		this.controlActive = active;
		this.lockPercent = lockPercent;
		if (!active) {
			this.factor = 0;
			return;
		}
		if (this.#engagement.mode !== this.#planMode) {
			this.#planMode = this.#engagement.mode;
			if (planFollowsMode(settings.generation, settings.frameProfile)) this.planStale = true;
		}
		this.factor = commandFactor(lockPercent, null, settings.frameProfile);
		this.groups = this.#demands.intervention ? WITHOUT_BRAKE_GROUP : ALL_GROUPS;
	}

	#decide(telemetry: Telemetry, elapsedMs: number): void {
		const settings = this.#settings;
		this.#demands.intervention = telemetry.interventionActive && settings.respectInterventions;
		this.#demands.overheated = telemetry.temperatureProtection;
		const chassisRunning = this.chassisState !== STOPPED && this.chassisState !== BUS_OFF;
		const couplingRunning = this.couplingBusState !== STOPPED && this.couplingBusState !== BUS_OFF;
		const alive = chassisRunning && this.chassisAgeMs <= CHASSIS_SILENT_MS;
		const healthy = alive && couplingRunning && telemetry.speedValid && telemetry.pedalValid && telemetry.rpmValid;
		if (healthy && this.#settled) return;

		const sources = this.#sources;
		sources.chassisRunning = chassisRunning;
		sources.couplingRunning = couplingRunning;
		sources.chassis.update(alive, elapsedMs);
		sources.speed.update(telemetry.speedValid, elapsedMs);
		sources.pedal.update(telemetry.pedalValid, elapsedMs);
		sources.rpm.update(telemetry.rpmValid, elapsedMs);
		arbitrate(sources, settings.tuning, this.#verdict);
		this.#settled = healthy && sources.chassis.ready && sources.speed.ready && sources.pedal.ready && sources.rpm.ready;
	}

	/**
	 * The frame plan, if the gateway's is not the one for what is in force now. Allocates; for the loop, while control is active.
	 * @returns undefined if the gateway has it
	 */
	takePlan(): Uint8Array | undefined {
		const { generation, frameProfile } = this.#settings;
		if (generation === 0 || !this.planStale) return undefined;
		this.planStale = false;
		return framePlan(generation, frameProfile, this.#engagement.mode);
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
		this.#settings = settings;
		this.#takeOver(settings);
		if (settings.generation !== old.generation || settings.inputMappings !== old.inputMappings) {
			this.telemetry = new Telemetry(settings.generation, mappedKeys(settings));
			this.watchRevision++;
		}
		// a request meant for one coupling must not reach another in its frames
		if (settings.generation !== old.generation) this.#engagement.disengage();
		if (settings.generation !== old.generation || settings.frameProfile !== old.frameProfile) this.planStale = true;
		this.#onSettings(settings);
	}

	#takeOver(settings: Settings): void {
		this.#settled = false;
		this.#sources.selectedMode = settings.mode;
		this.#sources.disabled = settings.disableController;
		this.#sources.generation = settings.generation;
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
	get couplingAgeMs(): number {
		const sample = this.#sample;
		return sample === undefined ? NEVER_MS : sample[COUPLING_AGE_AT] | (sample[COUPLING_AGE_AT + 1] << 8);
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
