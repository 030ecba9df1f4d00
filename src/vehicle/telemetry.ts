/**
 * What the controller knows of the vehicle: speed, pedal, engine speed, boost, what the coupling reports, and whether
 * each is recent enough to act on. Fed with the gateway's samples; takes frames apart by the tables in `can/layouts`.
 *
 * `update` is part of the control tick: it allocates nothing and decodes only frames that are new, inline and in whole
 * bytes where the layout allows, since each call and each property costs bytecodes of a budget.
 * Source: control-and-can.md 1.7, 2.1, 2.2, 2.5, 3.12 item 4; decisions.md 5, 9.
 */

import type { Bus } from "../../hal/ports.js";
import { type Network, networkOf } from "../can/catalogue.js";
import { compileField, type Field, maskOfBits, readField } from "../can/field.js";
import { MQB_SIGNALS } from "../can/layouts/mqb.js";
import { PQ_SIGNALS } from "../can/layouts/pq.js";
import { resolveSignalKey } from "../can/signal-key.js";
import type { SignalRow } from "../can/signal-layout.js";
import { couplingStatusOf } from "./coupling-status.js";
import { MAPPED_RECENT_MS, type MappedKeys } from "./mapped-inputs.js";
import { createSignalInput, type SignalInput } from "./signal-input.js";
import { NEVER_HEAD, WatchList, WORD_DATA, WORD_HEAD, wordsOf } from "./watch-list.js";

/** Speed and pedal count this long, ms. Source: decisions.md 5. */
export const DRIVER_INPUT_MAX_AGE_MS = 300;
/** Engine speed and engagement count this long, ms. Source: decisions.md 5. */
export const SLOW_INPUT_MAX_AGE_MS = 500;
/** A fallback speed is taken once the better source is older than this, ms. Source: 2.1. */
export const FALLBACK_AFTER_MS = 500;

const CHASSIS: Bus = 0;
const COUPLING: Bus = 1;
const MAX_U16 = 65535;
const ENGINE_MIN_DLC = 6; // Motor_1: pedal in byte 5
const BRAKE_MIN_DLC = 4; // Bremse_1: speed in bytes 2, 3
const FALLBACK_MIN_DLC = 4; // Motor_2: byte 3
const FULL_DLC = 8;
const BOOST_MIN_DLC = 6; // Motor_04: bits 39..47
const PEDAL_MIN_DLC = 3; // Motor_20: bits 12..20
// Copied out of the tables: a module's constant costs half of a table's property.
const PEDAL_ERROR_FROM = PQ_SIGNALS.pedal.errorFrom; // the same on MQB
const PQ_RPM_ERROR_FROM = PQ_SIGNALS.rpm.errorFrom;
const PQ_SPEED_ERROR_FROM = PQ_SIGNALS.speed.errorFrom;
const MQB_SPEED_ERROR_FROM = MQB_SIGNALS.speed.errorFrom;
const WHEEL_ERROR_FROM = MQB_SIGNALS.wheelRearLeft.errorFrom;
const PEDAL_FACTOR = Math.fround(0.4); // percent per step; the float32 of the reference
// The same for the word of sequence and DLC, with any sequence.
const ENGINE_MIN_HEAD = ENGINE_MIN_DLC << 8;
const BRAKE_MIN_HEAD = BRAKE_MIN_DLC << 8;
const FALLBACK_MIN_HEAD = FALLBACK_MIN_DLC << 8;
const FULL_HEAD = FULL_DLC << 8;
const BOOST_MIN_HEAD = BOOST_MIN_DLC << 8;
const PEDAL_MIN_HEAD = PEDAL_MIN_DLC << 8;
const SWEEP_MASK = 0xff; // every 256 updates
const AMBIENT_MBAR = 1000; // boost is shown above this

// Which built-in source a mapped input names.
const NOT_BUILT_IN = 0;
const PQ_SOURCE = 1;
const MQB_SOURCE = 2;

/** Tells whether a key names the signal that the built-in decoding of the network reads anyway. */
function builtInOf(network: Network, key: string, pq: SignalRow, mqb: SignalRow): number {
	const resolved = resolveSignalKey(network, key);
	const row = network === "mqb" ? mqb : pq;
	if (resolved?.bus !== "chassis" || resolved.signal.frameId !== row.id || resolved.signal.start !== row.start)
		return NOT_BUILT_IN;
	if (resolved.signal.length !== row.length) return NOT_BUILT_IN;
	return network === "mqb" ? MQB_SOURCE : PQ_SOURCE;
}

/** A layout that is known to have the compiled form. */
function fieldOf(row: SignalRow): Field {
	const field = compileField(row);
	if (field === undefined) throw new RangeError(`${row.dbc} has no compiled form`);
	return field;
}

/** The vehicle's state. Fields are for reading; only `update` writes them. */
export class Telemetry {
	/** km/h, whole. The last accepted value; whether it may be acted on says `speedValid`. Same for the others. */
	speedKmh = 0;
	/** Time of the last accepted sample, ms on the gateway's clock modulo 2^32. */
	speedAtMs = 0;
	speedValid = false;
	/** Percent, float32, 0..102; a mapped one may exceed that. */
	pedalPercent = 0;
	pedalAtMs = 0;
	pedalValid = false;
	/** 1/min, whole, 0..65535. */
	rpm = 0;
	rpmAtMs = 0;
	rpmValid = false;
	/** mbar above 1000 mbar, generation 5 only. For display: it does not expire. */
	boostMbar = 0;
	/** Raw engagement, 0..255, and percent, 0..100. */
	engagementRaw = 0;
	engagementPercent = 0;
	engagementAtMs = 0;
	engagementValid = false;
	/** Status byte of the coupling; on generation 5 it holds the drive profile. */
	couplingState = 0;
	/** ABS, ESP, EDS or MSR intervenes. Stays when its frame stops: in doubt there is no lock. */
	interventionActive = false;
	/** PQ only: over-temperature protection active. */
	temperatureProtection = false;
	/** PQ only: clutch error, stiffness status faulty or emergency mode. */
	couplingFault = false;

	/** All watched frames; others may add theirs before `watchList` is handed to the gateway. */
	readonly watch: WatchList;

	readonly #isMqb: boolean;
	// A mapped input that names the very signal of a built-in source needs no decoding of its own, only that source's precedence.
	readonly #speedMapping: number;
	readonly #pedalMapping: number;
	#speedMappedAtMs = 0;
	#speedMappedSeen = false;
	#pedalMappedAtMs = 0;
	#pedalMappedSeen = false;
	readonly #speedInput: SignalInput | undefined;
	readonly #pedalInput: SignalInput | undefined;
	readonly #rpmInput: SignalInput | undefined;

	// Word offsets of the frames' entries in a sample; 0 = not watched.
	readonly #motor1: number;
	readonly #bremse1: number;
	readonly #motor2: number;
	readonly #esp19: number = 0;
	readonly #esp21: number = 0;
	readonly #motor20: number = 0;
	readonly #motor04: number = 0;
	readonly #coupling: number = 0;
	readonly #couplingMinHead: number = 0;
	// Sequence and DLC of each when it was last looked at.
	#motor1Head = NEVER_HEAD;
	#bremse1Head = NEVER_HEAD;
	#motor2Head = NEVER_HEAD;
	#esp19Head = NEVER_HEAD;
	#esp21Head = NEVER_HEAD;
	#motor20Head = NEVER_HEAD;
	#motor04Head = NEVER_HEAD;
	#couplingHead = NEVER_HEAD;

	// Last frame with a valid speed from Bremse_1 or ESP_19, and from ESP_21: each holds off the sources below it.
	#primaryAtMs = 0;
	#primarySeen = false;
	#secondaryAtMs = 0;
	#secondarySeen = false;
	#updates = 0;
	// The sample buffer in words; made anew only when another buffer is passed.
	#sample: Uint8Array = new Uint8Array(0);
	#words: Uint16Array = new Uint16Array(0);

	readonly #pqSpeed = fieldOf(PQ_SIGNALS.speed);
	readonly #pqRpm = fieldOf(PQ_SIGNALS.rpm);
	readonly #pqPedal = fieldOf(PQ_SIGNALS.pedal);
	readonly #pqFallback = fieldOf(PQ_SIGNALS.fallbackSpeed);
	readonly #mqbSpeed = fieldOf(MQB_SIGNALS.speed);
	readonly #mqbPedal = fieldOf(MQB_SIGNALS.pedal);
	readonly #mqbBoost = fieldOf(MQB_SIGNALS.boost);
	readonly #wheelRearLeft = fieldOf(MQB_SIGNALS.wheelRearLeft);
	readonly #wheelRearRight = fieldOf(MQB_SIGNALS.wheelRearRight);
	readonly #wheelFrontLeft = fieldOf(MQB_SIGNALS.wheelFrontLeft);
	readonly #wheelFrontRight = fieldOf(MQB_SIGNALS.wheelFrontRight);
	readonly #interventionAt: number;
	readonly #interventionMask: number;
	readonly #speedQualityAt: number;
	readonly #speedQualityMask: number;
	readonly #pedalQualityAt: number;
	readonly #pedalQualityMask: number;
	readonly #state: Field;
	readonly #statusAt: number;
	#status = -1;
	readonly #temperatureMask: number;
	readonly #faultMask: number;
	readonly #engagement: Field;
	readonly #rearEngagement: Field | undefined;
	readonly #engagementZero: number = 0;
	readonly #engagementSpan: number = 1;

	/**
	 * @param generation 1, 2, 4, 5; any other: vehicle frames are read as on PQ, nothing of the coupling
	 * @param keys mapped inputs; "" or an unusable key: built-in decoding only
	 * @param watch gets the frames that are needed
	 */
	constructor(generation: number, keys: MappedKeys, watch: WatchList = new WatchList()) {
		const network = networkOf(generation);
		const status = couplingStatusOf(generation);
		this.watch = watch;
		this.#isMqb = network === "mqb";
		// The reference reads these on every generation, and its vectors want them on 5 as well.
		this.#motor1 = watch.add(CHASSIS, PQ_SIGNALS.pedal.id, false, ENGINE_MIN_DLC) >> 1;
		this.#bremse1 = watch.add(CHASSIS, PQ_SIGNALS.speed.id, false, BRAKE_MIN_DLC) >> 1;
		this.#motor2 = watch.add(CHASSIS, PQ_SIGNALS.fallbackSpeed.id, false, FALLBACK_MIN_DLC) >> 1;
		if (this.#isMqb) {
			this.#esp19 = watch.add(CHASSIS, MQB_SIGNALS.wheelRearLeft.id, false, FULL_DLC) >> 1;
			this.#esp21 = watch.add(CHASSIS, MQB_SIGNALS.speed.id, false, FULL_DLC) >> 1;
			this.#motor20 = watch.add(CHASSIS, MQB_SIGNALS.pedal.id, false, PEDAL_MIN_DLC) >> 1;
			this.#motor04 = watch.add(CHASSIS, MQB_SIGNALS.boost.id, false, BOOST_MIN_DLC) >> 1;
		}
		if (status !== undefined) {
			this.#coupling = watch.add(COUPLING, status.frameId, false, status.minDlc) >> 1;
			this.#couplingMinHead = status.minDlc << 8;
			this.#engagementZero = status.zeroRaw;
			this.#engagementSpan = status.spanRaw;
		}
		this.#speedMapping = builtInOf(network, keys.speed, PQ_SIGNALS.speed, MQB_SIGNALS.speed);
		this.#pedalMapping = builtInOf(network, keys.throttle, PQ_SIGNALS.pedal, MQB_SIGNALS.pedal);
		if (this.#speedMapping === NOT_BUILT_IN) this.#speedInput = createSignalInput(keys.speed, network, watch, MAPPED_RECENT_MS);
		if (this.#pedalMapping === NOT_BUILT_IN)
			this.#pedalInput = createSignalInput(keys.throttle, network, watch, MAPPED_RECENT_MS);
		this.#rpmInput = createSignalInput(keys.rpm, network, watch, MAPPED_RECENT_MS);

		const rows = this.#isMqb ? MQB_SIGNALS : PQ_SIGNALS;
		const intervention = maskOfBits([rows.absBrake, rows.espActive, rows.edsActive, rows.msrRequest]);
		this.#interventionAt = WORD_DATA + intervention.word;
		this.#interventionMask = intervention.mask;
		this.#speedQualityAt = WORD_DATA + (MQB_SIGNALS.speed.qualityBit >> 4);
		this.#speedQualityMask = 1 << (MQB_SIGNALS.speed.qualityBit & 15);
		this.#pedalQualityAt = WORD_DATA + (MQB_SIGNALS.pedal.qualityBit >> 4);
		this.#pedalQualityMask = 1 << (MQB_SIGNALS.pedal.qualityBit & 15);
		this.#state = fieldOf(rows.couplingState);
		this.#statusAt = WORD_DATA + this.#state.word;
		const faults = maskOfBits([PQ_SIGNALS.clutchError, PQ_SIGNALS.stiffnessError, PQ_SIGNALS.emergencyMode]);
		this.#faultMask = this.#isMqb ? 0 : faults.mask;
		this.#temperatureMask = this.#isMqb ? 0 : maskOfBits([PQ_SIGNALS.temperatureProtection]).mask;
		this.#engagement = fieldOf(this.#isMqb ? MQB_SIGNALS.engagement : PQ_SIGNALS.centreEngagement);
		this.#rearEngagement = status?.addsRear ? fieldOf(PQ_SIGNALS.rearEngagement) : undefined;
	}

	/** The frames to watch, for `GatewayPort.watch`; samples must be `watch.sampleSize` bytes. Allocates. */
	watchList(): Uint8Array {
		return this.watch.bytes();
	}

	/**
	 * Takes over what is new in a sample and lets old values expire.
	 * @param sample as the gateway filled it for `watchList` @param nowMs the gateway's clock of the sample, modulo 2^32
	 * Never throws.
	 */
	update(sample: Uint8Array, nowMs: number): void {
		if (sample !== this.#sample) {
			this.#sample = sample;
			this.#words = wordsOf(sample);
		}
		const words = this.#words;
		// Mapped inputs first: while one is live the built-in decoding of its channel is off.
		const speedInput = this.#speedInput;
		if (speedInput?.poll(sample, words, nowMs)) {
			const value = speedInput.value;
			this.speedKmh = value > MAX_U16 ? MAX_U16 : value > 0 ? (value + 0.5) | 0 : 0;
			this.speedAtMs = speedInput.atMs;
			this.speedValid = true;
		}
		const pedalInput = this.#pedalInput;
		if (pedalInput?.poll(sample, words, nowMs)) {
			this.pedalPercent = pedalInput.value > 0 ? pedalInput.value : 0;
			this.pedalAtMs = pedalInput.atMs;
			this.pedalValid = true;
		}
		const rpmInput = this.#rpmInput;
		if (rpmInput?.poll(sample, words, nowMs)) {
			const value = rpmInput.value;
			this.rpm = value > MAX_U16 ? MAX_U16 : value > 0 ? (value + 0.5) | 0 : 0;
			this.rpmAtMs = rpmInput.atMs;
			this.rpmValid = true;
		}

		if (words[this.#motor1 + WORD_HEAD] !== this.#motor1Head) this.#readMotor1(words, nowMs);
		if (words[this.#bremse1 + WORD_HEAD] !== this.#bremse1Head) this.#readBremse1(words, nowMs);
		if (this.#isMqb) {
			if (words[this.#esp19 + WORD_HEAD] !== this.#esp19Head) this.#readEsp19(words, nowMs);
			if (words[this.#esp21 + WORD_HEAD] !== this.#esp21Head) this.#readEsp21(words, nowMs);
			if (words[this.#motor20 + WORD_HEAD] !== this.#motor20Head) this.#readMotor20(words, nowMs);
			if (words[this.#motor04 + WORD_HEAD] !== this.#motor04Head) this.#readMotor04(words);
		}
		// After the better sources, so that in one sample they win.
		if (words[this.#motor2 + WORD_HEAD] !== this.#motor2Head) this.#readMotor2(words, nowMs);
		if (this.#coupling !== 0 && words[this.#coupling + WORD_HEAD] !== this.#couplingHead) this.#readCoupling(words, nowMs);

		// Ages are differences modulo 2^32; what has expired stays so, or it would look new after 25 days.
		if (this.speedValid && ((nowMs - this.speedAtMs) | 0) > DRIVER_INPUT_MAX_AGE_MS) this.speedValid = false;
		if (this.pedalValid && ((nowMs - this.pedalAtMs) | 0) > DRIVER_INPUT_MAX_AGE_MS) this.pedalValid = false;
		if (this.rpmValid && ((nowMs - this.rpmAtMs) | 0) > SLOW_INPUT_MAX_AGE_MS) this.rpmValid = false;
		if (this.engagementValid && ((nowMs - this.engagementAtMs) | 0) > SLOW_INPUT_MAX_AGE_MS) this.engagementValid = false;
		this.#updates = (this.#updates + 1) & SWEEP_MASK;
		if (this.#updates === 0) this.#sweep(nowMs);
	}

	/** Retires time stamps that are only looked at when a frame comes, long before they could look new again. */
	#sweep(nowMs: number): void {
		this.#speedIsMapped(nowMs);
		this.#pedalIsMapped(nowMs);
		this.#rpmInput?.isLive(nowMs);
		if (((nowMs - this.#primaryAtMs) | 0) > FALLBACK_AFTER_MS) this.#primarySeen = false;
		if (((nowMs - this.#secondaryAtMs) | 0) > FALLBACK_AFTER_MS) this.#secondarySeen = false;
	}

	/** Motor_1: pedal and engine speed of PQ. */
	#readMotor1(words: Uint16Array, nowMs: number): void {
		const at = this.#motor1;
		const head = words[at + WORD_HEAD];
		this.#motor1Head = head;
		if (head < ENGINE_MIN_HEAD) return;
		if (this.#pedalMapping === PQ_SOURCE || !this.#pedalIsMapped(nowMs)) {
			const raw = readField(words, at + WORD_DATA, this.#pqPedal);
			if (raw < PEDAL_ERROR_FROM) {
				this.pedalPercent = Math.fround(raw * PEDAL_FACTOR);
				this.pedalAtMs = (nowMs - words[at]) >>> 0;
				this.pedalValid = true;
			}
		}
		if (!this.#rpmInput?.isLive(nowMs)) {
			const raw = readField(words, at + WORD_DATA, this.#pqRpm);
			if (raw < PQ_RPM_ERROR_FROM) {
				this.rpm = raw >> 2;
				this.rpmAtMs = (nowMs - words[at]) >>> 0;
				this.rpmValid = true;
			}
		}
	}

	/** True while a mapped speed keeps the built-in sources off. */
	#speedIsMapped(nowMs: number): boolean {
		if (this.#speedInput !== undefined) return this.#speedInput.isLive(nowMs);
		if (this.#speedMappedSeen && ((nowMs - this.#speedMappedAtMs) | 0) > MAPPED_RECENT_MS) this.#speedMappedSeen = false;
		return this.#speedMappedSeen;
	}

	/** True while a mapped pedal keeps the built-in sources off. */
	#pedalIsMapped(nowMs: number): boolean {
		if (this.#pedalInput !== undefined) return this.#pedalInput.isLive(nowMs);
		if (this.#pedalMappedSeen && ((nowMs - this.#pedalMappedAtMs) | 0) > MAPPED_RECENT_MS) this.#pedalMappedSeen = false;
		return this.#pedalMappedSeen;
	}

	/** Bremse_1: the primary speed of PQ, and interventions. */
	#readBremse1(words: Uint16Array, nowMs: number): void {
		const at = this.#bremse1;
		const head = words[at + WORD_HEAD];
		this.#bremse1Head = head;
		if (head < BRAKE_MIN_HEAD) return;
		if (!this.#isMqb) this.interventionActive = (words[at + this.#interventionAt] & this.#interventionMask) !== 0;
		if (this.#speedMapping !== PQ_SOURCE && this.#speedIsMapped(nowMs)) return;
		const raw = readField(words, at + WORD_DATA, this.#pqSpeed);
		if (raw >= PQ_SPEED_ERROR_FROM) return;
		const atMs = (nowMs - words[at]) >>> 0;
		this.#takePrimarySpeed(((raw + 50) / 100) | 0, atMs);
		if (this.#speedMapping !== PQ_SOURCE) return;
		this.#speedMappedAtMs = atMs;
		this.#speedMappedSeen = true;
	}

	/** Speed from Bremse_1 or ESP_19; it holds off the fallbacks. */
	#takePrimarySpeed(speedKmh: number, atMs: number): void {
		this.speedKmh = speedKmh;
		this.speedAtMs = atMs;
		this.speedValid = true;
		this.#primaryAtMs = atMs;
		this.#primarySeen = true;
	}

	/** Motor_2: a guess at the speed, for display when nothing better comes. It makes no speed valid: the byte's meaning is not certain. */
	#readMotor2(words: Uint16Array, nowMs: number): void {
		const at = this.#motor2;
		const head = words[at + WORD_HEAD];
		this.#motor2Head = head;
		if (head < FALLBACK_MIN_HEAD) return;
		const atMs = (nowMs - words[at]) >>> 0;
		if (this.#primarySeen && ((atMs - this.#primaryAtMs) | 0) <= FALLBACK_AFTER_MS) return;
		if (this.#secondarySeen && ((atMs - this.#secondaryAtMs) | 0) <= FALLBACK_AFTER_MS) return;
		if (this.#speedIsMapped(nowMs)) return;
		this.speedKmh = ((readField(words, at + WORD_DATA, this.#pqFallback) * 128) / 100) | 0;
		this.speedValid = false;
	}

	/** ESP_19: four wheel speeds, the primary speed of MQB. */
	#readEsp19(words: Uint16Array, nowMs: number): void {
		const at = this.#esp19;
		const head = words[at + WORD_HEAD];
		this.#esp19Head = head;
		if (head < FULL_HEAD || this.#speedIsMapped(nowMs)) return;
		const data = at + WORD_DATA;
		const rearLeft = readField(words, data, this.#wheelRearLeft);
		const rearRight = readField(words, data, this.#wheelRearRight);
		const frontLeft = readField(words, data, this.#wheelFrontLeft);
		const frontRight = readField(words, data, this.#wheelFrontRight);
		if (rearLeft >= WHEEL_ERROR_FROM || rearRight >= WHEEL_ERROR_FROM) return;
		if (frontLeft >= WHEEL_ERROR_FROM || frontRight >= WHEEL_ERROR_FROM) return;
		// Mean of four at 0.0075 km/h, rounded half up: sum * 3 / 1600 in integers. (The reference's float32 falls a step
		// lower in some exact ties; no vector has one.)
		const sum = rearLeft + rearRight + frontLeft + frontRight;
		this.#takePrimarySpeed(((3 * sum + 800) / 1600) | 0, (nowMs - words[at]) >>> 0);
	}

	/** ESP_21: interventions, and the speed: as mapped input, or when ESP_19 fails. */
	#readEsp21(words: Uint16Array, nowMs: number): void {
		const at = this.#esp21;
		const head = words[at + WORD_HEAD];
		this.#esp21Head = head;
		if (head < FULL_HEAD) return;
		this.interventionActive = (words[at + this.#interventionAt] & this.#interventionMask) !== 0;
		if ((words[at + this.#speedQualityAt] & this.#speedQualityMask) !== 0) return;
		const mapped = this.#speedMapping === MQB_SOURCE;
		if (!mapped && this.#speedIsMapped(nowMs)) return;
		const field = this.#mqbSpeed;
		const raw = (words[at + WORD_DATA + field.word] >> field.shift) & field.mask;
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
		this.speedKmh = ((raw + 50) / 100) | 0;
		this.speedAtMs = atMs;
		this.speedValid = true;
	}

	/** Motor_20: pedal of MQB. */
	#readMotor20(words: Uint16Array, nowMs: number): void {
		const at = this.#motor20;
		const head = words[at + WORD_HEAD];
		this.#motor20Head = head;
		if (head < PEDAL_MIN_HEAD) return;
		const mapped = this.#pedalMapping === MQB_SOURCE;
		if (!mapped && this.#pedalIsMapped(nowMs)) return;
		if ((words[at + this.#pedalQualityAt] & this.#pedalQualityMask) !== 0) return;
		const raw = readField(words, at + WORD_DATA, this.#mqbPedal);
		if (raw >= PEDAL_ERROR_FROM) return;
		const atMs = (nowMs - words[at]) >>> 0;
		this.pedalPercent = Math.fround(raw * PEDAL_FACTOR);
		this.pedalAtMs = atMs;
		this.pedalValid = true;
		if (!mapped) return;
		this.#pedalMappedAtMs = atMs;
		this.#pedalMappedSeen = true;
	}

	/** Motor_04: boost of MQB, 10 mbar absolute per step. */
	#readMotor04(words: Uint16Array): void {
		const at = this.#motor04;
		const head = words[at + WORD_HEAD];
		this.#motor04Head = head;
		if (head < BOOST_MIN_HEAD) return;
		const field = this.#mqbBoost;
		const boost = ((words[at + WORD_DATA + field.word] >> field.shift) & field.mask) * 10 - AMBIENT_MBAR;
		this.boostMbar = boost > 0 ? boost : 0;
	}

	/** Allrad_1 or Allrad_03: what the coupling reports. */
	#readCoupling(words: Uint16Array, nowMs: number): void {
		const at = this.#coupling;
		const head = words[at + WORD_HEAD];
		this.#couplingHead = head;
		if (head < this.#couplingMinHead) return;
		this.engagementAtMs = (nowMs - words[at]) >>> 0;
		this.engagementValid = true;
		// State and engagement share a word, which rarely changes.
		const status = words[at + this.#statusAt];
		if (status === this.#status && this.#rearEngagement === undefined) return;
		this.#status = status;
		let raw = readField(words, at + WORD_DATA, this.#engagement);
		if (this.#rearEngagement !== undefined) {
			raw += readField(words, at + WORD_DATA, this.#rearEngagement);
			if (raw > 255) raw = 255; // the reference lets it wrap: fully engaged read as open
		}
		const percent = (((raw - this.#engagementZero) * 100) / this.#engagementSpan) | 0;
		this.engagementRaw = raw;
		this.engagementPercent = percent < 0 ? 0 : percent > 100 ? 100 : percent;
		const state = readField(words, at + WORD_DATA, this.#state);
		this.couplingState = state;
		this.temperatureProtection = (state & this.#temperatureMask) !== 0;
		this.couplingFault = (state & this.#faultMask) !== 0;
	}
}
