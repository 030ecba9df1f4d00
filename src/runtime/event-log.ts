/**
 * Notes in the log modes, faults, bus states, captures, changed settings, late ticks. It looks from a timer,
 * so that it costs a control tick nothing.
 */

import { inWords } from "../api/words.js";
import { BUS_OFF, ERROR_ACTIVE } from "../can/bus.js";
import { type Changes, FAULTS } from "../controller/changes.js";
import type { Controller } from "../controller/controller.js";
import { MODES } from "../lock/modes.js";
import type { Log } from "../logs/log.js";
import { DEFAULT_SETTINGS, type Settings } from "../settings/settings.js";

/** Settings whose changes are logged: all but those in the line about the mode. */
const SETTINGS = Object.freeze(Object.keys(DEFAULT_SETTINGS).filter((name) => name !== "mode" && name !== "disableController"));
/** By number of src/can/bus.ts. */
const STATES = Object.freeze(["nobody is connected", "error-active", "error-warning", "error-passive", "bus-off"]);
/** Its own write, which holds up the loop, must not lead to the next line. */
const OVERRUNS_WORTH_A_LINE = 10;
/** Between two lines about missed ticks. Source: docs/api.md, "Logs". */
const OVERRUNS_PAUSE_MS = 60_000;
/** Characters; a setting whose value is longer is logged without it. */
const SHOWN_VALUE_MAX = 40;

/** Call `observe` several times a second: what comes and goes in between is not noted. */
export class EventLog {
	readonly #controller: Controller;
	readonly #changes: Changes;
	readonly #log: Log;
	#modeRevision = -1;
	#faults = 0;
	#chassisState = 0;
	#couplingBusState = 0;
	#captureActive = false;
	#modeLine = "";
	/** Missed ticks that were logged, and when the next line may come. */
	#overruns = 0;
	#overrunsMs = 0;
	#settings: Settings;

	/** @param changes the caller observes them before each `observe` of this */
	constructor(controller: Controller, changes: Changes, log: Log) {
		this.#controller = controller;
		this.#changes = changes;
		this.#log = log;
		this.#settings = controller.settings;
	}

	/** Compares with what was seen last. */
	observe(): void {
		const controller = this.#controller;
		if (controller.settings !== this.#settings) this.#noteSettings(controller.settings);
		const changes = this.#changes;
		if (changes.modeRevision !== this.#modeRevision) this.#noteMode();
		if (changes.activeFaults !== this.#faults) this.#noteFaults(changes.activeFaults);
		this.#noteBuses();
		const missed = controller.loop.overruns - this.#overruns;
		if (missed >= OVERRUNS_WORTH_A_LINE) this.#noteOverruns(missed);
	}

	#noteOverruns(missed: number): void {
		const { nowMs, loop } = this.#controller;
		if (((nowMs - this.#overrunsMs) | 0) < 0) return;
		this.#overruns = loop.overruns;
		this.#overrunsMs = (nowMs + OVERRUNS_PAUSE_MS) >>> 0;
		const longestMs = Math.round(loop.lateMaxUs / 1000);
		this.#log.write("WARN", "loop", `${missed} control ticks missed; the longest delay so far is ${longestMs} ms`);
	}

	/** Gates get no line: they would fill the log. */
	#noteMode(): void {
		const { effectiveMode, reason, reasonDetail } = this.#controller;
		const { captureActive, selectedMode } = this.#controller.supervisor;
		this.#modeRevision = this.#changes.modeRevision;
		if (captureActive !== this.#captureActive)
			this.#log.write("EVENT", "capture", captureActive ? "CAN capture starts" : "CAN capture ends");
		this.#captureActive = captureActive;
		const selected = selectedMode === effectiveMode ? "" : ` (${MODES[selectedMode]} is selected)`;
		const line = `${MODES[effectiveMode]}: ${inWords(reason, reasonDetail)}${selected}`;
		if (line !== this.#modeLine) this.#log.write("EVENT", "mode", line);
		this.#modeLine = line;
	}

	#noteFaults(faults: number): void {
		const began = namesOf(faults & ~this.#faults);
		const ended = namesOf(this.#faults & ~faults);
		this.#faults = faults;
		if (began !== "") this.#log.write("WARN", "fault", began);
		if (ended !== "") this.#log.write("INFO", "fault", `over: ${ended}`);
	}

	#noteBuses(): void {
		const { chassisState, couplingBusState } = this.#controller.sample;
		if (chassisState !== this.#chassisState) this.#noteBus("chassis", chassisState);
		if (couplingBusState !== this.#couplingBusState) this.#noteBus("coupling", couplingBusState);
		this.#chassisState = chassisState;
		this.#couplingBusState = couplingBusState;
	}

	#noteBus(bus: string, state: number): void {
		const level = state === BUS_OFF ? "ERROR" : state === ERROR_ACTIVE ? "INFO" : "WARN";
		this.#log.write(level, "can", `${bus} bus: ${STATES[state]}`);
	}

	#noteSettings(settings: Settings): void {
		const old = this.#settings as unknown as Readonly<Record<string, unknown>>;
		const now = settings as unknown as Readonly<Record<string, unknown>>;
		const changed: string[] = [];
		for (let i = 0; i < SETTINGS.length; i++) {
			const name = SETTINGS[i];
			const value = now[name];
			if (value === old[name]) continue;
			const text = typeof value === "object" ? "" : ` = ${value}`;
			changed.push(text.length > SHOWN_VALUE_MAX ? name : name + text);
		}
		this.#settings = settings;
		if (changed.length > 0) this.#log.write("EVENT", "settings", `changed: ${changed.join(", ")}`);
	}
}

function namesOf(mask: number): string {
	return FAULTS.filter((_, bit) => (mask & (1 << bit)) !== 0).join(", ");
}
