/**
 * The vehicle's values and whether each is recent enough to act on. Tables say where they are read: the car
 * (`coupling/cars.ts`), the coupling's status frame (`coupling/couplings/`), and the driver's mapped inputs,
 * which go before the car's own. `update` is part of the control tick: it allocates nothing but for the first
 * speed of each source. Source: docs/control-and-can.md 1.7, 2.1, 2.2, 2.5, 3.12 item 4; docs/decisions.md 5,
 * 9.
 */

import { CHASSIS } from "../can/bus.js";
import { resolveSignalKey } from "../can/catalogue.js";
import type { Car, MappedKeys, Meaning, Reading } from "../coupling/coupling.js";
import { carOf, checkOfCar, couplingOf } from "../coupling/couplings/couplings.js";
import { CouplingReport } from "./coupling-status.js";
import { MAPPED_RECENT_MS } from "./mapped-inputs.js";
import { CollectedFlags, inputOf, rawInput, SignalInput, sourceOfKey, sourceOfRows } from "./signal-input.js";
import { DRIVER_INPUT_MAX_AGE_MS, SLOW_INPUT_MAX_AGE_MS, VehicleState } from "./vehicle-state.js";
import { WatchList } from "./watch-list.js";

/** A source counts once better ones are older. Source: docs/control-and-can.md 2.1. */
const FALLBACK_AFTER_MS = 500;
/**
 * A selector counts for this long. Assumed: its frame comes many times a second while the transmission is
 * awake.
 */
const SELECTOR_RECENT_MS = 1000;
/** The reference keeps speed and engine speed in 16 bits. Source: docs/control-and-can.md 1.2. */
const MAX_U16 = 65535;
const MBAR_PER_BAR = 1000;
/** An ignition flag counts for this long. Assumed: ten periods of its frame, which comes every 50 or 100 ms. */
const IGNITION_RECENT_MS = 1000;
/**
 * Speeds that differ by more, for this long, contradict each other. Assumed: on ice the mean of the wheels and
 * the car's own speed differ by less, or for a shorter time. Source: docs/decisions.md 47.
 */
const CONTRADICTION_KMH = 20;
const CONTRADICTION_MS = 1000;
/**
 * Selector, ignition, clutch temperature and compared speeds are read, and all speeds compared, this often. So
 * `motion`, `fastestKmh` and the values of the other four are up to 100 ms late. Assumed: 0.1 s later is soon
 * enough for an update and a contradiction. Source: docs/decisions.md 47.
 */
const SLOW_READING_MS = 100;
/**
 * The car stands while every speed is below this: update, restart and calibration depend on it. It is where
 * a speed is rounded to 0 km/h. Source: docs/control-and-can.md 2.1, docs/decisions.md 28 and 47.
 */
const MOVES_KMH = 0.5;
/** Source: docs/control-and-can.md 2.1. */
const AMBIENT_MBAR = 1000;

/** A source of a value. */
export interface Source {
	readonly meaning: Meaning;
	readonly input: SignalInput;
	readonly isMapped: boolean;
	readonly isSlow: boolean;
	/** Sources of the same meaning that count instead while they are live. */
	readonly better: readonly SignalInput[];
}

/** Keeps the vehicle's state up to date. */
export class Telemetry {
	/** Only `update`, with the coupling's report, and `invalidate` write it. */
	readonly state = new VehicleState();
	/** All watched frames; others may add theirs before the gateway gets it. */
	readonly watch: WatchList;
	/** Mapped inputs first. */
	readonly sources: readonly Source[];
	readonly #interventions: CollectedFlags;
	readonly #selector: SignalInput | undefined;
	readonly #car: Car;
	readonly #report: CouplingReport | undefined;
	readonly #speeds: readonly SignalInput[];
	/** Each source has told a speed since the start. */
	readonly #hasToldSpeed: boolean[];
	readonly #engine: readonly SignalInput[];
	readonly #ignition: readonly SignalInput[];
	/** undefined: with the next tick. */
	#slowAtMs: number | undefined;
	/** undefined: speeds agree. */
	#differSinceMs: number | undefined;

	/**
	 * @param generation one that is not in `COUPLINGS` means a PQ car without a coupling
	 * @param keys of mapped inputs; "" or an unusable key: the car's own
	 * @param builtIn false: there is no car, mapped inputs only
	 * @param before telemetry of the previous settings: its habits and its recent ignition are kept
	 */
	constructor(generation: number, keys: MappedKeys, builtIn = true, before?: Telemetry) {
		const car = carOf(generation);
		const coupling = couplingOf(generation);
		const watch = new WatchList(before?.watch.habits);
		this.watch = watch;
		this.#car = car;
		this.sources = sourcesOf(car, builtIn ? car.readings : [], keys, watch);
		const inputsOf = (meanings: readonly Meaning[]) =>
			this.sources.filter((one) => meanings.includes(one.meaning)).map((one) => one.input);
		this.#speeds = inputsOf(["speed", "comparedSpeed"]);
		this.#hasToldSpeed = this.#speeds.map(({ from }) => watch.habits.speedFrames.includes(from.frameId));
		this.#engine = inputsOf(["pedal", "rpm", "boost"]);
		// no car has been seen to signal "on" by network management: it only prevents sleep
		const terminals = car.ignition.filter(({ signal }) => signal.extended !== true);
		this.#ignition = builtIn ? terminals.map(({ signal }) => rawInput("chassis", signal, watch, IGNITION_RECENT_MS, car)) : [];
		this.#interventions = new CollectedFlags(CHASSIS, car.interventions, watch, checkOfCar(car, car.interventions[0].id));
		// any raw value: a code is a position that is neither
		const position = { ...car.selector.position, max: Number.POSITIVE_INFINITY };
		this.#selector = builtIn ? rawInput("chassis", position, watch, SELECTOR_RECENT_MS, car) : undefined;
		this.#report = coupling && new CouplingReport(coupling.status, car, !builtIn, watch);
		if (before === undefined || before.#car !== car) return;
		// else silence until their first frames would look like an ignition that is off
		for (const input of this.#ignition) before.#ignition.some((one) => input.goOnFrom(one));
		for (const input of this.#engine) before.#engine.some((one) => input.goOnFrom(one));
	}

	/**
	 * Reads new values and lets old ones expire.
	 * @param sample of the gateway for `watch`
	 * @param words the same buffer, see `wordsOf`
	 * @param nowMs its time, modulo 2^32
	 */
	update(sample: Uint8Array, words: Uint16Array, nowMs: number): void {
		const { state, sources } = this;
		const isSlowToo = this.#slowAtMs === undefined || ((nowMs - this.#slowAtMs) | 0) >= SLOW_READING_MS;
		for (let i = 0; i < sources.length; i++) {
			const source = sources[i];
			if (source.isSlow && !isSlowToo) continue;
			const { better, input } = source;
			if (input.poll(sample, words, nowMs) && (better.length === 0 || !isAnyLive(better, nowMs))) take(source, state);
		}
		this.#readInterventions(sample, words, nowMs);
		this.#report?.read(sample, words, nowMs, state);
		if (isSlowToo) {
			this.#readSelector(sample, words, nowMs);
			this.#readIgnition(sample, words, nowMs);
			this.#slowAtMs = nowMs;
			this.#report?.readTemperature(sample, words, nowMs, state);
			// often enough that no value can look new again after 25 days
			for (let i = 0; i < sources.length; i++) sources[i].input.isLive(nowMs);
		}

		// Ages are differences modulo 2^32; what has expired stays so, or it would look new after 25 days.
		if (state.speedValid && ((nowMs - state.speedAtMs) | 0) > DRIVER_INPUT_MAX_AGE_MS) state.speedValid = false;
		if (state.pedalValid && ((nowMs - state.pedalAtMs) | 0) > DRIVER_INPUT_MAX_AGE_MS) state.pedalValid = false;
		if (state.rpmValid && ((nowMs - state.rpmAtMs) | 0) > SLOW_INPUT_MAX_AGE_MS) state.rpmValid = false;
		if (state.engagementValid && ((nowMs - state.engagementAtMs) | 0) > SLOW_INPUT_MAX_AGE_MS) state.engagementValid = false;
		// new inputs tell with the first speed whether the car stands
		if (isSlowToo || state.motion === "unknown") this.#compareSpeeds(nowMs);
	}

	/**
	 * After a fault of ours, when `update` is not called any more: nobody acts on a speed, pedal, engine speed or
	 * engagement, or takes the car for a standing one. The rest stays as it was read last.
	 */
	invalidate(): void {
		const { state } = this;
		state.speedValid = state.pedalValid = state.rpmValid = state.engagementValid = false;
		state.motion = "unknown";
	}

	#compareSpeeds(nowMs: number): void {
		const { state } = this;
		const speeds = this.#speeds;
		let least = Number.POSITIVE_INFINITY;
		let most = 0;
		let isOneLost = false;
		for (let i = 0; i < speeds.length; i++) {
			if (!speeds[i].isLive(nowMs)) {
				isOneLost ||= this.#hasToldSpeed[i];
				continue;
			}
			if (!this.#hasToldSpeed[i]) this.#rememberSpeed(i);
			const { value } = speeds[i];
			if (value < least) least = value;
			if (value > most) most = value;
		}
		state.fastestKmh = most;
		state.speedsDiffer = least !== Number.POSITIVE_INFINITY && most - least > CONTRADICTION_KMH;
		if (!state.speedsDiffer) {
			this.#differSinceMs = undefined;
			state.speedsContradict = false;
		} else {
			this.#differSinceMs ??= nowMs;
			state.speedsContradict ||= ((nowMs - this.#differSinceMs) | 0) >= CONTRADICTION_MS;
		}
		if (most >= MOVES_KMH) state.motion = "moves";
		else state.motion = state.speedValid && !isOneLost ? "stands" : "unknown";
	}

	/** It counts as lost while it does not come. Allocates, once for each source. */
	#rememberSpeed(at: number): void {
		const { speedFrames } = this.watch.habits;
		const { frameId } = this.#speeds[at].from;
		this.#hasToldSpeed[at] = true;
		if (!speedFrames.includes(frameId)) speedFrames.push(frameId);
	}

	#readIgnition(sample: Uint8Array, words: Uint16Array, nowMs: number): void {
		const { state } = this;
		const { habits } = this.watch;
		const flags = this.#ignition;
		let isOn = false;
		let isOff = false;
		for (let i = 0; i < flags.length; i++) {
			flags[i].poll(sample, words, nowMs);
			if (!flags[i].isLive(nowMs)) continue;
			habits.ignitionToldBy = this.#car;
			if (flags[i].value === 0) isOff = true;
			else isOn = true;
		}
		const wasTold = flags.length > 0 && habits.ignitionToldBy === this.#car;
		if (isOn) state.ignition = "on";
		else if (isOff || (wasTold && !isAnyLive(this.#engine, nowMs))) state.ignition = "off";
		else state.ignition = "unknown";
	}

	#readSelector(sample: Uint8Array, words: Uint16Array, nowMs: number): void {
		const input = this.#selector;
		if (input === undefined) return;
		const { park, neutral } = this.#car.selector;
		input.poll(sample, words, nowMs);
		if (!input.isLive(nowMs)) this.state.selector = "unknown";
		else this.state.selector = input.value === park || input.value === neutral ? "parked" : "in gear";
	}

	/** A flag counts in any frame, its absence only in one whose sender is alive. */
	#readInterventions(sample: Uint8Array, words: Uint16Array, nowMs: number): void {
		const { state } = this;
		const flags = this.#interventions;
		if (flags.poll(sample, words)) {
			if (flags.isAccepted) {
				state.interventionsAtMs = (nowMs - flags.ageMs) >>> 0;
				state.interventionsValid = true;
				state.interventionActive = flags.bits !== 0;
			} else if (flags.bits !== 0) state.interventionActive = true;
		}
		// a flag that was set when the frame went away is not known to be set any more
		if (state.interventionsValid && ((nowMs - state.interventionsAtMs) | 0) > DRIVER_INPUT_MAX_AGE_MS)
			state.interventionsValid = state.interventionActive = false;
	}
}

/** Mapped inputs, then the car's own; a mapped one that names the same signal replaces it. */
function sourcesOf(car: Car, readings: readonly Reading[], keys: MappedKeys, watch: WatchList): readonly Source[] {
	const sources: Source[] = [];
	const add = (meaning: Meaning, input: SignalInput, isMapped: boolean) => {
		const better = sources.filter((one) => one.meaning === meaning).map((one) => one.input);
		const isSlow = meaning === "comparedSpeed";
		sources.push(Object.freeze({ meaning, input, isMapped, isSlow, better }));
	};
	const mapped = new Set<Reading>();
	const map = (meaning: Meaning, key: string) => {
		const resolved = resolveSignalKey(car.network, key);
		const own = readings.find((reading) => reading.meaning === meaning && isSame(reading, resolved));
		const input = own
			? inputOfReading(own, MAPPED_RECENT_MS)
			: inputOf(sourceOfKey(car.network, resolved), watch, MAPPED_RECENT_MS);
		if (own !== undefined) mapped.add(own);
		if (input !== undefined) add(meaning, input, true);
	};
	const inputOfReading = ({ signals }: Reading, holdMs: number) =>
		new SignalInput(sourceOfRows("chassis", signals, checkOfCar(car, signals[0].id)), watch, holdMs);
	map("speed", keys.speed);
	map("pedal", keys.throttle);
	map("rpm", keys.rpm);
	for (const reading of readings)
		if (!mapped.has(reading)) add(reading.meaning, inputOfReading(reading, FALLBACK_AFTER_MS), false);
	return Object.freeze(sources);
}

function isSame({ signals }: Reading, resolved: ReturnType<typeof resolveSignalKey>): boolean {
	if (resolved?.bus !== "chassis" || signals.length > 1) return false;
	const { frameId, start, length } = resolved.signal;
	return signals[0].id === frameId && signals[0].start === start && signals[0].length === length;
}

function isAnyLive(inputs: readonly SignalInput[], nowMs: number): boolean {
	for (let i = 0; i < inputs.length; i++) if (inputs[i].isLive(nowMs)) return true;
	return false;
}

/** Takes a new value, rounded as docs/control-and-can.md 1.7 says. */
function take({ meaning, input, isMapped }: Source, state: VehicleState): void {
	const { value, atMs } = input;
	switch (meaning) {
		case "speed":
			state.speedKmh = whole(value + 0.5);
			state.speedAtMs = atMs;
			state.speedValid = true;
			break;
		case "pedal":
			state.pedalPercent = value > 0 ? value : 0;
			state.pedalAtMs = atMs;
			state.pedalValid = true;
			break;
		case "rpm":
			state.rpm = whole(isMapped ? value + 0.5 : value);
			state.rpmAtMs = atMs;
			state.rpmValid = true;
			break;
		case "boost": {
			const boostMbar = ((value * MBAR_PER_BAR + 0.5) | 0) - AMBIENT_MBAR;
			state.boostMbar = boostMbar > 0 ? boostMbar : 0;
			break;
		}
		default:
			meaning satisfies "comparedSpeed";
	}
}

function whole(value: number): number {
	return value >= MAX_U16 ? MAX_U16 : value > 0 ? value | 0 : 0;
}
