/**
 * Parked sleep: tells `ParkedSleep` once a second what is so, and does what it decides: what has changed goes
 * to flash, the event is logged, Wi-Fi goes off, then the chip.
 */

import type { DiagnosisPort, GatewayPort, SleepPort } from "../../hal/ports.js";
import { BUS_OFF, CHASSIS, identifierOf } from "../can/bus.js";
import type { IdRange } from "../can/signal-layout.js";
import { elapsedMs } from "../clock/elapsed.js";
import type { Controller } from "../controller/controller.js";
import { carOf } from "../coupling/couplings/couplings.js";
import type { Log } from "../logs/log.js";
import type { Network } from "../network/network.js";
import { isVerboseLogging } from "../settings/settings.js";
import type { Updater } from "../update/updater.js";
import type { LatestFrames } from "../vehicle/latest-frames.js";
import { Ignition } from "./ignition.js";
import { Awake, ParkedSleep, type SleepEvidence } from "./parked-sleep.js";

/** Between two looks. Assumed: short beside the shortest `sleepDelayMs`, 5 s. */
export const LOOK_MS = 1000;
/**
 * For the BOOT key after a start: held from before, it would keep the chip from starting. Source: docs/api.md,
 * "State and modes".
 */
export const OVERRIDE_MS = 5000;
/** Writes that take longer are lost with the sleep. Assumed: a flash that works takes less. */
export const STORE_MS = 60_000;
/** A bus that is silent for this long gets no status frame to keep it awake. Source: docs/decisions.md 43. */
const SILENT_MS = 1000;
const LARGEST_ID = 0xffffffff;

/** The parts that it looks at and ends. */
export interface SleepServiceOptions {
	readonly controller: Controller;
	readonly gateway: Pick<GatewayPort, "counters" | "release"> & Pick<DiagnosisPort, "receivedAgeMs">;
	/** The gateway's counters are copied into it. */
	readonly counts: Uint32Array;
	/** The index of each counter in `counts`. */
	readonly counterAt: Readonly<Record<"receivedChassis" | "receivedCoupling" | "idTableFull", number>>;
	readonly frames: LatestFrames;
	readonly clock: { readonly ticks: number };
	readonly port: SleepPort;
	readonly log: Log;
	/** For the log. */
	readonly words: Readonly<Record<Awake, string>>;
	/** While it probes, the network is not started, and the log not written. */
	readonly network: Pick<Network, "start" | "stop">;
	readonly updater: Pick<Updater, "phase" | "confirmed">;
	readonly diagnosis: { readonly worker: { readonly active: boolean } };
	readonly analyzer: { readonly clients: readonly unknown[] };
	readonly writes: { readonly waiting: boolean };
	/** The server is made later: it needs the interface, which shows this. */
	readonly http: () => { readonly connections: number; readonly accepted: number };
}

/** Call `tick` several times a second; the caller must not start the network while `isProbing`. */
export class SleepService {
	/** The ignition, as frames have told it since the generation was set. */
	ignition = new Ignition();
	/** The BOOT key was pressed at the start. */
	override = false;
	readonly port: SleepPort;
	readonly parked: ParkedSleep;
	readonly #options: SleepServiceOptions;
	readonly #startedMs: number;
	#generation: number;
	#lookedMs: number;
	/** The last valid speed and engine speed, and whether one was valid since the last look. */
	#speedKmh = 0;
	#rpm = 0;
	#speedHeard = false;
	#rpmHeard = false;
	#resting = false;
	/** Time at which it began to go to sleep; undefined: it stays awake. */
	#goingMs: number | undefined;

	constructor(options: SleepServiceOptions) {
		this.#options = options;
		this.port = options.port;
		this.parked = new ParkedSleep(options.port.wakeCause === "timer");
		this.#startedMs = this.#lookedMs = options.clock.ticks;
		this.#generation = options.controller.settings.generation;
		this.#keepSilent();
	}

	/** The reason to stay awake; "" before the first look. */
	get waits(): Awake | "" {
		return this.#goingMs === undefined ? this.parked.waits : Awake.STORING;
	}
	/** The settings allow sleep, and the driver has not held BOOT. */
	get armed(): boolean {
		const { lowPower, sleepAllowed, standalone } = this.#options.controller.settings;
		return lowPower.sleepEnabled && sleepAllowed && !standalone && !this.override;
	}
	/** The ignition was said to be on within the delay. */
	get ignitionOn(): boolean {
		const { ageMs, rawOn } = this.ignition;
		return rawOn && ageMs < this.#options.controller.settings.lowPower.sleepDelayMs;
	}
	get isProbing(): boolean {
		return this.parked.isProbing;
	}

	/** Call several times a second, not from the control tick. @param keyHeld the BOOT key is down */
	tick(keyHeld: boolean): void {
		const { ticks } = this.#options.clock;
		const { motion, fastestKmh, speedValid, speedKmh, rpmValid, rpm } = this.#options.controller.vehicle;
		const moves = motion === "moves"; // whichever source of the speed says so
		if (moves) this.#speedKmh = Math.max(speedKmh, fastestKmh);
		else if (speedValid) this.#speedKmh = speedKmh;
		if (rpmValid) this.#rpm = rpm;
		this.#speedHeard ||= speedValid || moves;
		this.#rpmHeard ||= rpmValid;
		if (keyHeld && elapsedMs(this.#startedMs, ticks) < OVERRIDE_MS) this.override = true;
		// 0: the clock has stepped back, so the time since the last look is unknown; without this, no look
		// would come until the clock is there again
		const passedMs = elapsedMs(this.#lookedMs, ticks) || Infinity;
		if (passedMs < LOOK_MS && this.#goingMs === undefined) return;
		this.#lookedMs = ticks;
		this.#keepSilent();
		const parked = this.parked;
		const { isProbing } = parked;
		parked.look(this.#evidence(passedMs), passedMs);
		this.#speedHeard = this.#rpmHeard = false;
		if (isProbing && !parked.isProbing) {
			this.#options.log.release();
			this.#options.network.start();
		}
		this.#rest(parked.rests);
		if (parked.isDue) this.#go();
		else if (this.#goingMs !== undefined) {
			this.#goingMs = undefined;
			this.#options.log.write("EVENT", "sleep", `it stays awake: ${this.#reasonInWords()}`);
		}
	}

	/** In a parked car whose buses go on the radio rests; the first sign of anything else ends it. */
	#rest(rests: boolean): void {
		if (rests === this.#resting) return;
		const { log, network } = this.#options;
		this.#resting = rests;
		log.write("EVENT", "sleep", `${rests ? "" : "Wi-Fi is on again: "}${this.#reasonInWords()}`);
		if (rests) network.stop();
		else network.start();
	}

	#reasonInWords(): string {
		const { waits } = this.parked;
		return waits === "" ? "" : this.#options.words[waits];
	}

	#keepSilent(): void {
		const { controller } = this.#options;
		controller.statusBroadcast.silent = this.armed && controller.sample.chassisAgeMs >= SILENT_MS;
	}

	#evidence(passedMs: number): SleepEvidence {
		const { controller, gateway, counts, counterAt, frames, updater, diagnosis, analyzer, http } = this.#options;
		const { settings, nowMs } = controller;
		const { lowPower, generation } = settings;
		if (generation !== this.#generation) this.ignition = new Ignition(); // the former one is of another car
		this.#generation = generation;
		const { ignition } = this;
		ignition.look(carOf(generation).ignition, frames, nowMs);
		const ignitionOff = ignition.seen && !ignition.rawOn;
		gateway.counters(counts);
		const { connections, accepted } = http();
		return {
			enabled: lowPower.sleepEnabled,
			allowed: settings.sleepAllowed,
			delayMs: lowPower.sleepDelayMs,
			probeMs: lowPower.probeDurationMs,
			standalone: settings.standalone,
			override: this.override,
			updating: updater.phase !== "idle" || !updater.confirmed,
			calibrating: controller.calibration.runs,
			capture: controller.supervisor.captureActive,
			verboseLogging: isVerboseLogging(settings.logging),
			diagnosing: diagnosis.worker.active,
			analyzed: analyzer.clients.length > 0,
			speedHeard: this.#speedHeard,
			speedKmh: this.#speedKmh,
			rpmHeard: this.#rpmHeard,
			rpm: this.#rpm,
			ignitionOn: this.ignitionOn,
			ignitionOff,
			busOff: controller.sample.chassisState === BUS_OFF || controller.sample.couplingBusState === BUS_OFF,
			receivedChassis: counts[counterAt.receivedChassis],
			receivedCoupling: counts[counterAt.receivedCoupling],
			// the age of frames for which the gateway's memory has no entry is unknown
			onlyManagement:
				ignitionOff &&
				counts[counterAt.idTableFull] === 0 &&
				this.#othersAgeMs(carOf(generation).networkManagement) > passedMs + LOOK_MS,
			connections,
			accepted,
		};
	}

	/** ms since the last frame of the chassis outside network management; undefined: each frame counts. */
	#othersAgeMs(management: IdRange | undefined): number {
		const { gateway } = this.#options;
		if (management === undefined) return gateway.receivedAgeMs(CHASSIS, 0, LARGEST_ID);
		const { first, last, extended } = management;
		const below = gateway.receivedAgeMs(CHASSIS, 0, identifierOf(first, extended) - 1);
		const above = gateway.receivedAgeMs(CHASSIS, identifierOf(last, extended) + 1, LARGEST_ID);
		return Math.min(below, above);
	}

	/** Everything goes to flash first, the event included; meanwhile `tick` looks again. */
	#go(): void {
		const { log, writes, clock, network, gateway, port, controller } = this.#options;
		const seconds = controller.settings.lowPower.wakeTimerSeconds;
		if (this.#goingMs === undefined) {
			this.#goingMs = clock.ticks;
			log.write("EVENT", "sleep", `parked sleep begins; it looks again in ${seconds} s`);
		}
		if (writes.waiting && elapsedMs(this.#goingMs, clock.ticks) < STORE_MS) return;
		gateway.release();
		network.stop();
		port.enter(seconds * 1000);
	}
}
