/**
 * Keeps everything that the arbiter looks at up to date, and asks it when something has changed: input health, bus states, the mode
 * trigger, a running CAN capture. Part of the control tick: in the common one, where nothing has changed, it does next to nothing.
 */

import { type ModeNumber, STOCK } from "../lock/modes.js";
import { isDebugCapture, type Settings } from "../settings/settings.js";
import type { Telemetry } from "../vehicle/telemetry.js";
import { WORD_CHASSIS_AGE, WORD_NOW, WORD_STATES } from "../vehicle/watch-list.js";
import { arbitrate, Reason, type Sources, type Verdict } from "./arbiter.js";
import { InputHealth } from "./input-health.js";
import type { ModeTrigger } from "./mode-trigger.js";

/** Without a chassis frame for longer than this the car counts as silent. Source: control-and-can.md 8.1. */
const CHASSIS_SILENT_MS = 200;
/** A CAN capture ends by itself after this time. */
export const CAPTURE_MS = 600_000;

const STOPPED = 0;
const BUS_OFF = 4;
const UNSETTLED = -1;

export class Judge {
	/** The buffer that samples come in; its content changes with each tick. */
	sample: Uint8Array = new Uint8Array(0);
	readonly verdict: Verdict = { mode: STOCK, reason: Reason.STARTING, inputMissing: false };
	/** The bus states with which all was well when the arbiter was last asked: while they hold and nothing else changes it need not be. */
	#settledStates = UNSETTLED;
	#settings: Settings;
	#trigger: ModeTrigger | undefined;
	#captureFromMs = 0;
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

	constructor(settings: Settings, trigger: ModeTrigger | undefined) {
		this.#settings = settings;
		this.#trigger = trigger;
		this.take(settings, trigger);
	}

	/** Other settings, from the next step on. @param trigger of these settings; another one starts over */
	take(settings: Settings, trigger: ModeTrigger | undefined): void {
		const sources = this.#sources;
		this.#settledStates = UNSETTLED;
		this.#settings = settings;
		sources.selectedMode = settings.mode;
		sources.disabled = settings.disableController;
		sources.generation = settings.generation;
		sources.verboseLogging = isDebugCapture(settings.logging);
		sources.triggerMode = settings.trigger.mode;
		if (trigger !== this.#trigger) sources.triggerActive = false;
		this.#trigger = trigger;
	}

	/** One tick; writes `verdict`. @param words the sample in words. Never throws, allocates nothing. */
	step(words: Uint16Array, telemetry: Telemetry, elapsedMs: number): void {
		const states = words[WORD_STATES];
		const heard = words[WORD_CHASSIS_AGE] <= CHASSIS_SILENT_MS;
		if (states === this.#settledStates && heard && telemetry.speedValid && telemetry.pedalValid && telemetry.rpmValid) return;

		const chassisRunning = isRunning(states & 0xff);
		const couplingRunning = isRunning(states >> 8);
		const alive = heard && chassisRunning;
		const nowMs = (words[WORD_NOW] | (words[WORD_NOW + 1] << 16)) >>> 0;
		const sources = this.#sources;
		if (sources.capture && ((nowMs - this.#captureFromMs) | 0) >= CAPTURE_MS) this.setCapture(false, nowMs);
		sources.triggerActive = this.#trigger !== undefined && this.#pollTrigger(this.#trigger, words, nowMs);
		sources.chassisRunning = chassisRunning;
		sources.couplingRunning = couplingRunning;
		sources.chassis.update(alive, elapsedMs);
		sources.speed.update(telemetry.speedValid, elapsedMs);
		sources.pedal.update(telemetry.pedalValid, elapsedMs);
		sources.rpm.update(telemetry.rpmValid, elapsedMs);
		arbitrate(sources, this.#settings.tuning, this.verdict);
		const inputsReady = sources.chassis.ready && sources.speed.ready && sources.pedal.ready && sources.rpm.ready;
		const steady = alive && couplingRunning && inputsReady && this.#trigger === undefined && !sources.capture;
		this.#settledStates = steady ? states : UNSETTLED;
	}

	/** A trigger selects between modes; it never switches the controller on, and a safe profile suppresses it. Decision 3. */
	#pollTrigger(trigger: ModeTrigger, words: Uint16Array, nowMs: number): boolean {
		const sources = this.#sources;
		if (sources.capture || sources.verboseLogging) {
			trigger.reset();
			return false;
		}
		return trigger.poll(this.sample, words, nowMs) && !sources.disabled && sources.selectedMode !== STOCK;
	}

	/** Starts or ends a CAN capture; the trigger starts over. Idempotent. @param nowMs clock of the last step, modulo 2^32 */
	setCapture(active: boolean, nowMs: number): void {
		if (active === this.#sources.capture) return;
		this.#sources.capture = active;
		this.#sources.triggerActive = false;
		this.#captureFromMs = nowMs;
		this.#settledStates = UNSETTLED;
		this.#trigger?.reset();
	}

	/** While an update is in progress nothing is asked for. Idempotent. */
	setUpdating(updating: boolean): void {
		this.#sources.updating = updating;
		this.#settledStates = UNSETTLED;
	}

	get captureActive(): boolean {
		return this.#sources.capture;
	}
	/** True while the mode trigger is in force. */
	get triggerActive(): boolean {
		return this.#sources.triggerActive;
	}
	/** What clients see as selected: a capture lays itself over it. */
	get selectedMode(): ModeNumber {
		return this.#sources.capture ? STOCK : this.#sources.selectedMode;
	}
	get disabled(): boolean {
		return this.#sources.capture || this.#sources.disabled;
	}
}

function isRunning(busState: number): boolean {
	return busState !== STOPPED && busState !== BUS_OFF;
}
