/**
 * What the controller knows of the vehicle: speed, pedal, engine speed, boost, what the coupling reports, and whether
 * each is recent enough to act on. Fed with the gateway's samples; takes frames apart by the tables in `can/layouts`.
 *
 * `update` is part of the control tick: it allocates nothing and decodes only frames that are new, inline and in whole
 * words where the layout allows, since each call and each property costs bytecodes of a budget.
 * Source: docs/control-and-can.md 1.7, 2.1, 2.2, 2.5, 3.12 item 4; docs/decisions.md 5, 9.
 */

import { CHASSIS } from "../can/bus.js";
import { flagField, readField, requireField, wholeWord } from "../can/field.js";
import { MQB_SIGNALS } from "../can/layouts/mqb.js";
import { PQ_SIGNALS } from "../can/layouts/pq.js";
import { resolveSignalKey } from "../can/signal-key.js";
import type { MappedKeys } from "../coupling/coupling.js";
import { carOf } from "../coupling/couplings/couplings.js";
import { builtInOf, MQB_SOURCE, NOT_BUILT_IN, PQ_SOURCE } from "./built-in-source.js";
import { type CouplingReader, createCouplingReader } from "./coupling-reader.js";
import { InterventionReader } from "./intervention-reader.js";
import { MAPPED_RECENT_MS } from "./mapped-inputs.js";
import { createSignalInput, inputOf, type SignalInput } from "./signal-input.js";
import { DRIVER_INPUT_MAX_AGE_MS, SLOW_INPUT_MAX_AGE_MS, VehicleState } from "./vehicle-state.js";
import { NEVER_HEAD, WatchList, WORD_DATA, WORD_HEAD } from "./watch-list.js";

/** A fallback speed is taken once the better source is older than this. Source: docs/control-and-can.md 2.1. */
const FALLBACK_AFTER_MS = 500;

const fround = Math.fround;

/** The most that a channel holds, km/h or 1/min: the reference keeps both in 16 bits. Source: docs/control-and-can.md 1.2. */
const MAX_U16 = 65535;
/*
 * Lengths and scales of the rows in numbers that the build puts where they are used, so that a tick reads no variable for them.
 * `test/vehicle/telemetry.test.ts` compares each with its row.
 */
const ENGINE_MIN_DLC = 6; // Motor_1: pedal in byte 5
const BRAKE_MIN_DLC = 4; // Bremse_1: speed in bytes 2, 3
const FALLBACK_MIN_DLC = 4; // Motor_2: byte 3
const FULL_DLC = 8; // ESP_19: front right in bytes 6, 7; ESP_21: as for its flags of interventions
const BOOST_MIN_DLC = 6; // Motor_04: bits 39..47
const PEDAL_MIN_DLC = 3; // Motor_20: bits 12..20
const RPM_SHIFT = 2; // Motor_1: 0.25 1/min a step
const STEPS_PER_KMH = 100; // Bremse_1, ESP_21: 0.01 km/h a step
const HALF_KMH_STEPS = STEPS_PER_KMH / 2; // to round half up
const FALLBACK_KMH_PER_100_STEPS = 128; // Motor_2: 1.28 km/h a step
const WHEEL_KMH_PER_1600_STEPS = 3; // ESP_19: 0.0075 km/h a step, of the sum of four wheels
const WHEEL_STEPS = 1600;
const HALF_WHEEL_STEPS = WHEEL_STEPS / 2; // to round half up
const BOOST_MBAR_PER_STEP = 10; // Motor_04: 0.01 bar a step
// Copied out of the tables: a module's constant costs half of a table's property.
const PEDAL_ERROR_FROM = PQ_SIGNALS.pedal.errorFrom; // the same on MQB
const PQ_RPM_ERROR_FROM = PQ_SIGNALS.rpm.errorFrom;
const PQ_SPEED_ERROR_FROM = PQ_SIGNALS.speed.errorFrom;
const MQB_SPEED_ERROR_FROM = MQB_SIGNALS.speed.errorFrom;
const WHEEL_ERROR_FROM = MQB_SIGNALS.wheelRearLeft.errorFrom;
const PQ_SPEED = requireField(PQ_SIGNALS.speed);
const PQ_RPM_AT = WORD_DATA + wholeWord(PQ_SIGNALS.rpm);
const PQ_PEDAL = requireField(PQ_SIGNALS.pedal);
const PQ_FALLBACK = requireField(PQ_SIGNALS.fallbackSpeed);
const MQB_SPEED_AT = WORD_DATA + wholeWord(MQB_SIGNALS.speed);
const MQB_PEDAL = requireField(MQB_SIGNALS.pedal);
const MQB_BOOST = requireField(MQB_SIGNALS.boost);
const WHEEL_REAR_LEFT_AT = WORD_DATA + wholeWord(MQB_SIGNALS.wheelRearLeft);
const WHEEL_REAR_RIGHT_AT = WORD_DATA + wholeWord(MQB_SIGNALS.wheelRearRight);
const WHEEL_FRONT_LEFT_AT = WORD_DATA + wholeWord(MQB_SIGNALS.wheelFrontLeft);
const WHEEL_FRONT_RIGHT_AT = WORD_DATA + wholeWord(MQB_SIGNALS.wheelFrontRight);
const { word: SPEED_QUALITY_WORD, mask: SPEED_QUALITY_MASK } = flagField([{ start: MQB_SIGNALS.speed.qualityBit, length: 1 }]);
const { word: PEDAL_QUALITY_WORD, mask: PEDAL_QUALITY_MASK } = flagField([{ start: MQB_SIGNALS.pedal.qualityBit, length: 1 }]);
const PEDAL_FACTOR = fround(PQ_SIGNALS.pedal.factor); // percent per step, the same on MQB; the float32 of the reference
// The same for the word of sequence and DLC, with any sequence.
const ENGINE_MIN_HEAD = ENGINE_MIN_DLC << 8;
const BRAKE_MIN_HEAD = BRAKE_MIN_DLC << 8;
const FALLBACK_MIN_HEAD = FALLBACK_MIN_DLC << 8;
const FULL_HEAD = FULL_DLC << 8;
const BOOST_MIN_HEAD = BOOST_MIN_DLC << 8;
const PEDAL_MIN_HEAD = PEDAL_MIN_DLC << 8;
/** Every 256 updates, 2.6 s: ages must not reach 2^31 ms, 24 days, in between. */
const SWEEP_MASK = 0xff;
/** Boost is shown above this. Source: docs/control-and-can.md 2.1. */
const AMBIENT_MBAR = 1000;

/** Keeps the vehicle's state up to date. */
export class Telemetry {
	// The engine looks for a member from the first one that was set: what each update reads is set first, here.
	/** For reading; only `update` writes it. */
	readonly state = new VehicleState();
	readonly #isMqb: boolean = false;
	/** The car's frames are decoded without a mapping. Neither: in standalone operation. */
	readonly #isPq: boolean = false;
	readonly #speedInput: SignalInput | undefined = undefined;
	readonly #pedalInput: SignalInput | undefined = undefined;
	readonly #rpmInput: SignalInput | undefined = undefined;
	readonly #coupling: CouplingReader | undefined = undefined;
	readonly #interventions: InterventionReader;
	#updates = 0;

	// Word offsets of the frames' entries in a sample, 0 = not watched; sequence and DLC of each when it was last looked at.
	readonly #esp19: number = 0;
	#esp19Head = NEVER_HEAD;
	readonly #esp21: number = 0;
	#esp21Head = NEVER_HEAD;
	readonly #motor20: number = 0;
	#motor20Head = NEVER_HEAD;
	readonly #motor04: number = 0;
	#motor04Head = NEVER_HEAD;

	// A mapped speed that names the very signal of a built-in source needs no decoding of its own, only that source's precedence.
	readonly #speedMapping: number;
	#speedMappedAtMs = 0;
	#speedMappedSeen = false;

	// Last frame with a valid speed from Bremse_1 or ESP_19, and from ESP_21: each holds off the sources below it.
	#primaryAtMs = 0;
	#primarySeen = false;
	#secondaryAtMs = 0;
	#secondarySeen = false;

	// Of PQ, as the offsets above.
	readonly #motor1: number = 0;
	#motor1Head = NEVER_HEAD;
	readonly #bremse1: number = 0;
	#bremse1Head = NEVER_HEAD;
	readonly #motor2: number = 0;
	#motor2Head = NEVER_HEAD;

	/** All watched frames; others may add theirs before `watchList` is handed to the gateway. */
	readonly watch: WatchList;

	/**
	 * @param generation 1, 2, 4, 5; any other: vehicle frames are read as on PQ, nothing of the coupling
	 * @param keys mapped inputs; "" or an unusable key: built-in decoding only
	 * @param builtIn false: mapped inputs only, whatever frames the car sends @param watch gets the frames that are needed
	 */
	constructor(generation: number, keys: MappedKeys, builtIn = true, watch: WatchList = new WatchList()) {
		const { decoding, interventions, network } = carOf(generation);
		this.#isMqb = builtIn && decoding === "mqb";
		this.#isPq = builtIn && decoding === "pq";
		this.watch = watch;
		if (this.#isMqb) {
			this.#esp19 = watch.add(CHASSIS, MQB_SIGNALS.wheelRearLeft.id, false, FULL_DLC) >> 1;
			this.#esp21 = watch.add(CHASSIS, MQB_SIGNALS.speed.id, false, FULL_DLC) >> 1;
			this.#motor20 = watch.add(CHASSIS, MQB_SIGNALS.pedal.id, false, PEDAL_MIN_DLC) >> 1;
			this.#motor04 = watch.add(CHASSIS, MQB_SIGNALS.boost.id, false, BOOST_MIN_DLC) >> 1;
		} else if (this.#isPq) {
			this.#motor1 = watch.add(CHASSIS, PQ_SIGNALS.pedal.id, false, ENGINE_MIN_DLC) >> 1;
			this.#bremse1 = watch.add(CHASSIS, PQ_SIGNALS.speed.id, false, BRAKE_MIN_DLC) >> 1;
			this.#motor2 = watch.add(CHASSIS, PQ_SIGNALS.fallbackSpeed.id, false, FALLBACK_MIN_DLC) >> 1;
		}
		this.#coupling = createCouplingReader(generation, watch);
		this.#interventions = new InterventionReader(interventions, watch);
		const speed = resolveSignalKey(network, keys.speed);
		const pedal = resolveSignalKey(network, keys.throttle);
		const hasOwn = builtIn && decoding !== "";
		this.#speedMapping = hasOwn ? builtInOf(network, speed, PQ_SIGNALS.speed, MQB_SIGNALS.speed) : NOT_BUILT_IN;
		const pedalMapping = hasOwn ? builtInOf(network, pedal, PQ_SIGNALS.pedal, MQB_SIGNALS.pedal) : NOT_BUILT_IN;
		if (this.#speedMapping === NOT_BUILT_IN) this.#speedInput = inputOf(speed, network, watch, MAPPED_RECENT_MS);
		if (pedalMapping === NOT_BUILT_IN) this.#pedalInput = inputOf(pedal, network, watch, MAPPED_RECENT_MS);
		this.#rpmInput = createSignalInput(keys.rpm, network, watch, MAPPED_RECENT_MS);
	}

	/** The frames to watch, for `GatewayPort.watch`; samples must be `watch.sampleSize` bytes. Allocates. */
	watchList(): Uint8Array {
		return this.watch.bytes();
	}

	/**
	 * Takes over what is new in a sample and lets old values expire.
	 * @param sample as the gateway filled it for `watchList` @param words the same buffer, see `wordsOf`
	 * @param nowMs the gateway's clock of the sample, modulo 2^32. Never throws.
	 */
	update(sample: Uint8Array, words: Uint16Array, nowMs: number): void {
		const state = this.state;
		// Mapped inputs first: while one is live the built-in decoding of its channel is off.
		const speedInput = this.#speedInput;
		if (speedInput?.poll(sample, words, nowMs)) {
			const value = speedInput.value;
			state.speedKmh = value > MAX_U16 ? MAX_U16 : value > 0 ? (value + 0.5) | 0 : 0;
			state.speedAtMs = speedInput.atMs;
			state.speedValid = true;
		}
		const pedalInput = this.#pedalInput;
		if (pedalInput?.poll(sample, words, nowMs)) {
			state.pedalPercent = pedalInput.value > 0 ? pedalInput.value : 0;
			state.pedalAtMs = pedalInput.atMs;
			state.pedalValid = true;
		}
		const rpmInput = this.#rpmInput;
		if (rpmInput?.poll(sample, words, nowMs)) {
			const value = rpmInput.value;
			state.rpm = value > MAX_U16 ? MAX_U16 : value > 0 ? (value + 0.5) | 0 : 0;
			state.rpmAtMs = rpmInput.atMs;
			state.rpmValid = true;
		}

		if (this.#isMqb) {
			if (words[this.#esp19 + WORD_HEAD] !== this.#esp19Head) this.#readEsp19(words, nowMs);
			if (words[this.#esp21 + WORD_HEAD] !== this.#esp21Head) this.#readEsp21(words, nowMs);
			if (words[this.#motor20 + WORD_HEAD] !== this.#motor20Head) this.#readMotor20(words, nowMs);
			if (words[this.#motor04 + WORD_HEAD] !== this.#motor04Head) this.#readMotor04(words);
		} else if (this.#isPq) {
			if (words[this.#motor1 + WORD_HEAD] !== this.#motor1Head) this.#readMotor1(words, nowMs);
			if (words[this.#bremse1 + WORD_HEAD] !== this.#bremse1Head) this.#readBremse1(words, nowMs);
			// after the better source, so that in one sample that wins
			if (words[this.#motor2 + WORD_HEAD] !== this.#motor2Head) this.#readMotor2(words, nowMs);
		}
		this.#coupling?.poll(words, nowMs, state);
		this.#interventions.poll(words, nowMs, state);

		// Ages are differences modulo 2^32; what has expired stays so, or it would look new after 25 days.
		if (state.speedValid && ((nowMs - state.speedAtMs) | 0) > DRIVER_INPUT_MAX_AGE_MS) state.speedValid = false;
		if (state.pedalValid && ((nowMs - state.pedalAtMs) | 0) > DRIVER_INPUT_MAX_AGE_MS) state.pedalValid = false;
		if (state.rpmValid && ((nowMs - state.rpmAtMs) | 0) > SLOW_INPUT_MAX_AGE_MS) state.rpmValid = false;
		if (state.engagementValid && ((nowMs - state.engagementAtMs) | 0) > SLOW_INPUT_MAX_AGE_MS) state.engagementValid = false;
		this.#updates = (this.#updates + 1) & SWEEP_MASK;
		if (this.#updates === 0) this.#sweep(nowMs);
	}

	/** Retires time stamps that are only looked at when a frame comes, long before they could look new again. */
	#sweep(nowMs: number): void {
		this.#speedIsMapped(nowMs);
		this.#pedalInput?.isLive(nowMs);
		this.#rpmInput?.isLive(nowMs);
		if (((nowMs - this.#primaryAtMs) | 0) > FALLBACK_AFTER_MS) this.#primarySeen = false;
		if (((nowMs - this.#secondaryAtMs) | 0) > FALLBACK_AFTER_MS) this.#secondarySeen = false;
	}

	/** Motor_1: pedal and engine speed of PQ. */
	#readMotor1(words: Uint16Array, nowMs: number): void {
		const state = this.state;
		const at = this.#motor1;
		const head = words[at + WORD_HEAD];
		this.#motor1Head = head;
		if (head < ENGINE_MIN_HEAD) return;
		if (!this.#pedalInput?.isLive(nowMs)) {
			const raw = readField(words, at + WORD_DATA, PQ_PEDAL);
			if (raw < PEDAL_ERROR_FROM) {
				state.pedalPercent = fround(raw * PEDAL_FACTOR);
				state.pedalAtMs = (nowMs - words[at]) >>> 0;
				state.pedalValid = true;
			}
		}
		if (!this.#rpmInput?.isLive(nowMs)) {
			const raw = words[at + PQ_RPM_AT];
			if (raw < PQ_RPM_ERROR_FROM) {
				state.rpm = raw >> RPM_SHIFT;
				state.rpmAtMs = (nowMs - words[at]) >>> 0;
				state.rpmValid = true;
			}
		}
	}

	/** True while a mapped speed keeps the built-in sources off. */
	#speedIsMapped(nowMs: number): boolean {
		if (this.#speedInput !== undefined) return this.#speedInput.isLive(nowMs);
		if (this.#speedMappedSeen && ((nowMs - this.#speedMappedAtMs) | 0) > MAPPED_RECENT_MS) this.#speedMappedSeen = false;
		return this.#speedMappedSeen;
	}

	/** Bremse_1: the primary speed of PQ. */
	#readBremse1(words: Uint16Array, nowMs: number): void {
		const at = this.#bremse1;
		const head = words[at + WORD_HEAD];
		this.#bremse1Head = head;
		if (head < BRAKE_MIN_HEAD) return;
		if (this.#speedMapping !== PQ_SOURCE && this.#speedIsMapped(nowMs)) return;
		const raw = readField(words, at + WORD_DATA, PQ_SPEED);
		if (raw >= PQ_SPEED_ERROR_FROM) return;
		const atMs = (nowMs - words[at]) >>> 0;
		this.#takePrimarySpeed(((raw + HALF_KMH_STEPS) / STEPS_PER_KMH) | 0, atMs);
		if (this.#speedMapping !== PQ_SOURCE) return;
		this.#speedMappedAtMs = atMs;
		this.#speedMappedSeen = true;
	}

	/** Speed from Bremse_1 or ESP_19; it holds off the fallbacks. */
	#takePrimarySpeed(speedKmh: number, atMs: number): void {
		const state = this.state;
		state.speedKmh = speedKmh;
		state.speedAtMs = atMs;
		state.speedValid = true;
		this.#primaryAtMs = atMs;
		this.#primarySeen = true;
	}

	/** Motor_2: a guess at the speed, for display when nothing better comes. It makes no speed valid: the byte's meaning is not certain. */
	#readMotor2(words: Uint16Array, nowMs: number): void {
		const state = this.state;
		const at = this.#motor2;
		const head = words[at + WORD_HEAD];
		this.#motor2Head = head;
		if (head < FALLBACK_MIN_HEAD) return;
		const atMs = (nowMs - words[at]) >>> 0;
		if (this.#primarySeen && ((atMs - this.#primaryAtMs) | 0) <= FALLBACK_AFTER_MS) return;
		if (this.#secondarySeen && ((atMs - this.#secondaryAtMs) | 0) <= FALLBACK_AFTER_MS) return;
		if (this.#speedIsMapped(nowMs)) return;
		state.speedKmh = ((readField(words, at + WORD_DATA, PQ_FALLBACK) * FALLBACK_KMH_PER_100_STEPS) / 100) | 0;
		state.speedValid = false;
	}

	/** ESP_19: four wheel speeds, the primary speed of MQB. */
	#readEsp19(words: Uint16Array, nowMs: number): void {
		const at = this.#esp19;
		const head = words[at + WORD_HEAD];
		this.#esp19Head = head;
		if (head < FULL_HEAD || this.#speedIsMapped(nowMs)) return;
		const rearLeft = words[at + WHEEL_REAR_LEFT_AT];
		const rearRight = words[at + WHEEL_REAR_RIGHT_AT];
		const frontLeft = words[at + WHEEL_FRONT_LEFT_AT];
		const frontRight = words[at + WHEEL_FRONT_RIGHT_AT];
		if (rearLeft >= WHEEL_ERROR_FROM || rearRight >= WHEEL_ERROR_FROM) return;
		if (frontLeft >= WHEEL_ERROR_FROM || frontRight >= WHEEL_ERROR_FROM) return;
		// Mean of four at 0.0075 km/h, rounded half up, in integers. (The reference's float32 falls a step
		// lower in some exact ties; no vector has one.)
		const sum = rearLeft + rearRight + frontLeft + frontRight;
		this.#takePrimarySpeed(((WHEEL_KMH_PER_1600_STEPS * sum + HALF_WHEEL_STEPS) / WHEEL_STEPS) | 0, (nowMs - words[at]) >>> 0);
	}

	/** ESP_21: the speed, as mapped input, or when ESP_19 fails. */
	#readEsp21(words: Uint16Array, nowMs: number): void {
		const state = this.state;
		const at = this.#esp21;
		const head = words[at + WORD_HEAD];
		this.#esp21Head = head;
		if (head < FULL_HEAD) return;
		if ((words[at + WORD_DATA + SPEED_QUALITY_WORD] & SPEED_QUALITY_MASK) !== 0) return;
		const mapped = this.#speedMapping === MQB_SOURCE;
		if (!mapped && this.#speedIsMapped(nowMs)) return;
		const raw = words[at + MQB_SPEED_AT];
		if (raw >= MQB_SPEED_ERROR_FROM) return;
		const atMs = (nowMs - words[at]) >>> 0;
		if (mapped) {
			this.#speedMappedAtMs = atMs;
			this.#speedMappedSeen = true;
		} else {
			if (this.#primarySeen && ((atMs - this.#primaryAtMs) | 0) <= FALLBACK_AFTER_MS) return;
			this.#secondaryAtMs = atMs;
			this.#secondarySeen = true;
		}
		state.speedKmh = ((raw + HALF_KMH_STEPS) / STEPS_PER_KMH) | 0;
		state.speedAtMs = atMs;
		state.speedValid = true;
	}

	/** Motor_20: pedal of MQB. */
	#readMotor20(words: Uint16Array, nowMs: number): void {
		const state = this.state;
		const at = this.#motor20;
		const head = words[at + WORD_HEAD];
		this.#motor20Head = head;
		if (head < PEDAL_MIN_HEAD) return;
		if (this.#pedalInput?.isLive(nowMs)) return;
		if ((words[at + WORD_DATA + PEDAL_QUALITY_WORD] & PEDAL_QUALITY_MASK) !== 0) return;
		const raw = readField(words, at + WORD_DATA, MQB_PEDAL);
		if (raw >= PEDAL_ERROR_FROM) return;
		state.pedalPercent = fround(raw * PEDAL_FACTOR);
		state.pedalAtMs = (nowMs - words[at]) >>> 0;
		state.pedalValid = true;
	}

	/** Motor_04: boost of MQB, 10 mbar absolute per step. */
	#readMotor04(words: Uint16Array): void {
		const at = this.#motor04;
		const head = words[at + WORD_HEAD];
		this.#motor04Head = head;
		if (head < BOOST_MIN_HEAD) return;
		const field = MQB_BOOST;
		const boost = ((words[at + WORD_DATA + field.word] >> field.shift) & field.mask) * BOOST_MBAR_PER_STEP - AMBIENT_MBAR;
		this.state.boostMbar = boost > 0 ? boost : 0;
	}
}
